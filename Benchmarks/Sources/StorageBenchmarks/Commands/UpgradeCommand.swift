import ArgumentParser
import Foundation
import StorageKit

/// What a start takes that brings a file with many rows to a newer model.
struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Measure a start that changes a table of many rows, beside the same statements by hand.")

    @Option(help: "Rows of the table; a tenth of them is measured too.")
    var rows = 1_000_000
    @Option(help: "Write the figures to this JSON file.")
    var json: String?

    func validate() throws {
        guard rows >= 10 else { throw ValidationError("There have to be at least 10 rows.") }
    }

    func run() async throws {
        print(Machine.current.description)
        let workspace = try Workspace()
        var figures: [UpgradeFigure] = []
        for rows in [rows / 10, rows] {
            let file = workspace.newFile()
            try await Readings.makeFile(at: file, rows: rows)
            for side in UpgradeStepCommand.Side.allCases {
                let copy = try workspace.copy(file, for: "upgrade")
                figures.append(UpgradeFigure(side, rows, try UpgradeStepCommand.cost(side, copy)))
            }
        }
        Report.show(UpgradeFigure.table(figures))
        if let json { try JSONEncoder().encode(figures).write(to: URL(fileURLWithPath: json)) }
    }
}

/// One upgrade, in a process of its own, so that the peak is its own too.
struct UpgradeStepCommand: AsyncParsableCommand {
    enum Side: String, ExpressibleByArgument, CaseIterable, Codable {
        case byHand, start, safeStart

        var name: String {
            switch self {
            case .byHand: "the statements by hand"
            case .start: "a start"
            case .safeStart: "a start with a copy and checks"
            }
        }
    }

    static let configuration = CommandConfiguration(commandName: "upgrade-step", shouldDisplay: false)

    @Argument var side: Side
    @Argument var file: String

    func run() async throws {
        if side == .byHand {
            let store = try RawStore(URL(fileURLWithPath: file))
            for statement in Readings.statements.split(separator: ";") { try store.run(String(statement)) }
            return
        }
        let options = StartOptions(safety: side == .start ? .none : .backup(keeping: 1))
        let context = try StorageKit.start(at: URL(fileURLWithPath: file), options: options) {
            $0.autoSchema(Readings.AfterRecord.self)
        }
        try await context.close()
    }

    static func cost(_ side: Side, _ file: URL) throws -> Child.Cost {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("Upgrade-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        return try Child.run([CommandLine.arguments[0], "upgrade-step", side.rawValue, file.path], output: output)
    }
}

/// What one upgrade took.
struct UpgradeFigure: Codable {
    let name: String
    let rows: Int
    let cost: Child.Cost

    init(_ side: UpgradeStepCommand.Side, _ rows: Int, _ cost: Child.Cost) {
        name = side.name
        self.rows = rows
        self.cost = cost
    }

    /// The first of each number of rows is what the others are measured against.
    static func table(_ figures: [UpgradeFigure]) -> String {
        var table = TextTable()
        table.add(["Upgrade", "rows", "wall", "ratio", "peak memory"])
        for figure in figures {
            let base = figures.first { $0.rows == figure.rows } ?? figure
            table.add([
                "    \(figure.name)", "\(figure.rows)", Report.time(figure.cost.wallSeconds),
                Report.ratio(figure.cost.wallSeconds / base.cost.wallSeconds),
                "\(Report.rounded(Double(figure.cost.peakBytes) / 1_048_576, 1)) MB",
            ])
        }
        return table.text
    }
}
