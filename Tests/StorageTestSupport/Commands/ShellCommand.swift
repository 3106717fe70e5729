import StorageKit
import StorageKitTesting

/// A program that runs to its end.
///
/// Not Foundation's `Process`: on Linux, `run()` reads past the end of its list of open files, and so crashes now and then
/// when as many are open as in these tests.
package enum ShellCommand {
    /// Runs a program, which is looked for in the search path.
    ///
    /// - Returns: Whether it succeeded, and what it wrote to either output.
    package static func run(_ arguments: [String]) throws -> (succeeded: Bool, output: String) {
        let folder = try TemporaryFolder()
        let output = folder.file("output")
        let words = arguments.map(quoted).joined(separator: " ")
        let status = system("\(words) < /dev/null > \(quoted(output.path)) 2>&1")
        return (status == 0, String(decoding: try Data(contentsOf: output), as: UTF8.self))
    }

    private static func quoted(_ word: String) -> String {
        "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
}
