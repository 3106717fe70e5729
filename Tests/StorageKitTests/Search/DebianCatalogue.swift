import StorageKit
import StorageTestSupport

/// The packages of a Debian system, with what they say of themselves: some 60,000 documents where `apt-get update` has
/// run.
enum DebianCatalogue {
    @StorageEntity
    struct Package: Hashable {
        var id: String
        var summary: String
        var details: String
        var section: String
    }

    /// Whether there are lists of packages to read.
    static var isThere: Bool {
        let files = FileManager.default
        let lists = (try? files.contentsOfDirectory(atPath: "/var/lib/apt/lists")) ?? []
        return files.isExecutableFile(atPath: "/usr/bin/apt-cache") && lists.contains { $0.contains("_Packages") }
    }

    /// The first packages of the catalogue.
    static func packages(_ count: Int) throws -> [Package] {
        let script = "apt-cache dumpavail | awk -v count=\(count) '{ print } /^$/ && ++n == count { exit }'"
        let (succeeded, output) = try ShellCommand.run(["sh", "-c", script])
        guard succeeded else { throw Unreadable(output: String(output.prefix(200))) }
        var packages: [Package] = []
        var fields = Fields()
        // By bytes, since fifty megabytes of letters take their time.
        for line in output.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard line.isEmpty else {
                fields.add(String(Substring(line)))
                continue
            }
            if let package = fields.package { packages.append(package) }
            fields = Fields()
        }
        return packages
    }

    struct Unreadable: Error {
        let output: String
    }

    /// The fields of one package.
    private struct Fields {
        private var values: [String: String] = [:]
        private var last = ""

        /// A line that begins with a space goes on with the field before it.
        mutating func add(_ line: String) {
            if line.hasPrefix(" ") {
                values[last, default: ""] += "\n" + line.dropFirst()
            } else if let colon = line.firstIndex(of: ":") {
                last = String(line[..<colon])
                values[last] = String(line[colon...].dropFirst(2))
            }
        }

        var package: Package? {
            guard let name = values["Package"] else { return nil }
            let details = ["Tag", "Depends", "Maintainer", "Homepage"].compactMap { values[$0] }
            return Package(
                id: name, summary: values["Description"] ?? "", details: details.joined(separator: "\n"),
                section: values["Section"] ?? "")
        }
    }
}
