import ArgumentParser
import Foundation

/// What reading and saving many rows takes of memory.
struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Measure the peak memory of streaming many rows, and of saving batches of growing size.")

    @Option(help: "Rows to stream.")
    var rows = 1_000_000
    @Option(help: "Write the figures to this JSON file.")
    var json: String?

    func validate() throws {
        guard rows >= 100 else { throw ValidationError("There have to be at least 100 rows.") }
    }

    func run() async throws {
        print(Machine.current.description)
        let workspace = try Workspace()
        let full = try workspace.store()
        // By a process of its own too: a child is said to have had the memory that its parent had when it began.
        try MemoryFigure.run(.save, full, rows)
        var figures = [
            try MemoryFigure("open the store", rows, .open, beside: .open, full),
            try MemoryFigure("stream rows", rows, .stream, beside: .open, full),
            try MemoryFigure("a window of 150", rows, .window, beside: .page, full),
        ]
        for size in [rows / 100, rows / 10, rows / 5] {
            let empty = try workspace.store()
            figures.append(try MemoryFigure("save a batch", size, .save, beside: .make, empty))
        }
        print(MemoryFigure.table(figures))
        if let json { try JSONEncoder().encode(figures).write(to: URL(fileURLWithPath: json)) }
    }
}

/// One piece of work, done by a process of its own, so that the peak is its own too.
struct MemoryStepCommand: AsyncParsableCommand {
    enum Step: String, ExpressibleByArgument {
        /// Opens the store.
        case open
        /// Opens it and reads every row, without keeping any.
        case stream
        /// Opens it and reads a page of 50.
        case page
        /// Opens it and goes through the list with a window.
        case window
        /// Opens it and makes the users that a batch needs.
        case make
        /// Opens it, makes them and saves them.
        case save
    }

    static let configuration = CommandConfiguration(commandName: "memory-step", shouldDisplay: false)

    @Argument var step: Step
    @Argument var file: String
    @Argument var rows: Int

    func run() async throws {
        let store = try KitStore(URL(fileURLWithPath: file))
        switch step {
        case .open: break
        case .stream: print(try await store.streamAll())
        case .page: print(try await store.readPage())
        case .window: print(await store.goThroughWindow())
        case .make: print(UserGenerator.users(rows).count)
        case .save: try await store.saveAll(UserGenerator.users(rows))
        }
    }
}

/// The peak of a piece of work, beside that of what it needs at least.
struct MemoryFigure: Codable {
    let name: String
    let rows: Int
    let peakBytes: Int
    /// What the work itself added.
    let addedBytes: Int

    init(
        _ name: String, _ rows: Int, _ step: MemoryStepCommand.Step, beside base: MemoryStepCommand.Step, _ file: URL
    ) throws {
        self.name = name
        self.rows = rows
        let least = try MemoryFigure.peak(base, file, rows)
        peakBytes = try MemoryFigure.peak(step, file, rows)
        addedBytes = peakBytes - least
    }

    private static func peak(_ step: MemoryStepCommand.Step, _ file: URL, _ rows: Int) throws -> Int {
        try run(step, file, rows).peakBytes
    }

    @discardableResult
    static func run(_ step: MemoryStepCommand.Step, _ file: URL, _ rows: Int) throws -> Child.Cost {
        let program = CommandLine.arguments[0]
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("Memory-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let command = [program, "memory-step", step.rawValue, file.path, "\(rows)"]
        return try Child.run(command, output: output)
    }

    static func table(_ figures: [MemoryFigure]) -> String {
        var table = TextTable()
        table.add(["Memory", "rows", "peak", "added by the work", "for each row"])
        for figure in figures {
            table.add([
                "    \(figure.name)", "\(figure.rows)", megabytes(figure.peakBytes), megabytes(figure.addedBytes),
                "\(max(0, figure.addedBytes) / figure.rows) bytes",
            ])
        }
        return table.text
    }

    private static func megabytes(_ bytes: Int) -> String {
        "\(Report.rounded(Double(bytes) / 1_048_576, 1)) MB"
    }
}
