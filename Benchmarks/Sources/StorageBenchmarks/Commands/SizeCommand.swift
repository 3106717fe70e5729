import ArgumentParser
import Foundation

/// What StorageKit adds to a program: W22.
struct SizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "size",
        abstract: "Compare the stripped sizes of a small program with StorageKit and the same with GRDB alone.")

    @Option(help: "Write the figures to this JSON file.")
    var json: String?

    func run() throws {
        let programs = [("GRDB alone", "SmallGRDBProgram"), ("StorageKit", "SmallKitProgram")]
        let figures = try programs.map { SizeFigure(name: $0.0, bytes: try strippedSize(of: $0.1)) }
        var table = TextTable()
        table.add(["W22  a stripped program with three entities", "size", "more"])
        for figure in figures {
            table.add(["    \(figure.name)", megabytes(figure.bytes), megabytes(figure.bytes - figures[0].bytes)])
        }
        print(table.text)
        if let json { try JSONEncoder().encode(figures).write(to: URL(fileURLWithPath: json)) }
    }

    private func strippedSize(of program: String) throws -> Int {
        let executable = try ModuleCompiler.executable.deletingLastPathComponent().appendingPathComponent(program)
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("\(program)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: executable, to: copy)
        _ = try Child.output(of: ["strip", copy.path])
        return try copy.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    }

    private func megabytes(_ bytes: Int) -> String { String(format: "%.2f MB", Double(bytes) / 1e6) }
}

/// The size of a program.
struct SizeFigure: Codable {
    let name: String
    let bytes: Int
}
