package import StorageKit

/// The folder with the modules and executables of the build that the running test belongs to.
package enum BuildFolder {
    package struct NotFound: Error {
        package let what: String
    }

    package static func find() throws -> URL {
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let candidates = [executable] + CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        let folders = candidates.flatMap { url in
            sequence(first: url) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
        }
        guard
            let found = folders.first(where: {
                FileManager.default.fileExists(atPath: $0.appendingPathComponent("Modules/StorageKit.swiftmodule").path)
            })
        else { throw NotFound(what: "the build folder") }
        return found
    }

    /// An executable of the same build.
    package static func executable(_ name: String) throws -> URL {
        let file = try find().appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: file.path) else { throw NotFound(what: file.path) }
        return file
    }
}
