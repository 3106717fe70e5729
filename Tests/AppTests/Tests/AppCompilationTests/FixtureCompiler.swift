import StorageKit
import StorageKitTesting

/// Type-checks a source file against the modules of this very build, as an app's compiler would.
struct FixtureCompiler {
    struct Outcome: Sendable {
        let succeeded: Bool
        let output: String
    }

    private let buildFolder: URL

    /// Finds the build that the running test belongs to.
    init() throws {
        buildFolder = try BuildFolder.find()
    }

    /// Type-checks a file.
    ///
    /// - Parameters:
    ///   - source: The Swift source.
    ///   - arguments: More arguments for the compiler.
    func typecheck(_ source: String, arguments: [String] = []) throws -> Outcome {
        let folder = try TemporaryFolder()
        let file = folder.file("Fixture.swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let (succeeded, output) = try ShellCommand.run(
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-module-name", "Fixture", "-parse-as-library",
                "-I", buildFolder.appendingPathComponent("Modules").path,
                "-Xcc", "-fmodule-map-file=\(try sqliteModuleMap.path)",
                "-load-plugin-executable",
                buildFolder.appendingPathComponent("StorageKitMacrosPlugin-tool").path + "#StorageKitMacrosPlugin",
            ] + arguments + [file.path])
        return Outcome(succeeded: succeeded, output: output)
    }

    /// Type-checks a file, and fails at an expression that costs the type checker more than a tenth of a second.
    ///
    /// What it costs is counted in steps of the constraint solver, which are the same on every machine and at any load:
    /// 5,000 of them take about a tenth of a second. An eight-term predicate takes some 200.
    func typecheckQuickly(_ source: String) throws -> Outcome {
        try typecheck(source, arguments: ["-Xfrontend", "-solver-scope-threshold=5000"])
    }

    private var sqliteModuleMap: URL {
        get throws {
            let tail = "checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap"
            var folder = buildFolder
            while folder.path != "/" {
                let candidate = folder.appendingPathComponent(tail)
                if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
                folder.deleteLastPathComponent()
            }
            throw BuildFolder.NotFound(what: tail)
        }
    }
}
