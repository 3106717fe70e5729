import Foundation

/// Compiles a file against the modules of the build that this program belongs to, as the compiler of an app would. In a debug
/// build the macros are not optimised, as in the debug build of an app.
struct ModuleCompiler {
    /// What a build ought to have and has not.
    struct NotFound: Error, CustomStringConvertible {
        let what: String

        var description: String { "\(what) is not found beside this program: build it with swift build" }
    }

    private let buildFolder: URL
    private let sqliteModuleMap: URL
    private let folder: URL

    init() throws {
        let executable = try ModuleCompiler.executable
        buildFolder = executable.deletingLastPathComponent()
        guard ModuleCompiler.exists(buildFolder.appendingPathComponent("Modules/StorageKit.swiftmodule")) else {
            throw NotFound(what: "the module StorageKit")
        }
        let tail = "checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap"
        let parents = sequence(first: buildFolder) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
        guard let map = parents.lazy.map({ $0.appendingPathComponent(tail) }).first(where: ModuleCompiler.exists)
        else { throw NotFound(what: tail) }
        sqliteModuleMap = map
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Compile-\(UUID().uuidString)")
    }

    /// Compiles a source file without optimisation to an object file and a module.
    ///
    /// - Returns: What the compiler needed.
    func compile(_ source: String, module: String) throws -> Child.Cost {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("\(module).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let command = [
            "swiftc", "-j", "2", "-c", "-Onone", "-enable-testing", "-emit-module", "-swift-version", "6",
            "-module-name", module, "-parse-as-library", "-I", buildFolder.appendingPathComponent("Modules").path,
            "-Xcc", "-fmodule-map-file=\(sqliteModuleMap.path)",
            "-load-plugin-executable",
            buildFolder.appendingPathComponent("StorageKitMacrosPlugin-tool").path + "#StorageKitMacrosPlugin",
            "-o", folder.appendingPathComponent("\(module).o").path,
            "-emit-module-path", folder.appendingPathComponent("\(module).swiftmodule").path, file.path,
        ]
        return try Child.run(command, output: folder.appendingPathComponent("output"))
    }

    /// This program.
    static var executable: URL {
        get throws {
            guard let path = CommandLine.arguments.first else { throw NotFound(what: "this program") }
            let own = URL(fileURLWithPath: "/proc/self/exe")
            return (exists(own) ? own : URL(fileURLWithPath: path)).resolvingSymlinksInPath()
        }
    }

    private static func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path)
    }
}
