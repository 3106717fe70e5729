/// Writes what a suite of faults did, in one line that stands out from those of the tests.
package func reportFaults(_ suite: String, _ counts: String) {
    print("faults · \(suite): \(counts)")
}

extension ChildProcess {
    /// What the process has said in lines that begin so, the beginnings left out.
    package func lines(_ prefix: String) -> [String] {
        said.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
}
