import ArgumentParser
import Foundation

/// What it takes to start a store in a process that has just begun: W21.
struct StartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Measure the start of a store, nothing due, and its first row, each in a process of its own.")

    @Option(help: "Repetitions of each.")
    var repetitions = 31
    @Option(help: "Write the figures to this JSON file.")
    var json: String?

    func validate() throws {
        guard repetitions > 0 else { throw ValidationError("There has to be at least one repetition.") }
    }

    func run() async throws {
        print(Machine.current.description)
        let workspace = try Workspace()
        var figures: [StartFigure] = []
        for model in StartedModel.allCases {
            let file = try await model.makeFile(in: workspace)
            var costs: [StartStepCommand.Side: [StartStepCommand.Cost]] = [:]
            // In turn, so that whatever else the machine does meets all of them.
            for _ in 0..<repetitions {
                for side in StartStepCommand.Side.allCases {
                    costs[side, default: []].append(try StartStepCommand.cost(side, model, file))
                }
            }
            figures += StartStepCommand.Side.allCases.map { StartFigure($0, model, costs[$0] ?? []) }
        }
        Report.show(StartFigure.table(figures))
        if let json { try JSONEncoder().encode(figures).write(to: URL(fileURLWithPath: json)) }
    }
}

/// One start, in a process of its own, which says what it took.
struct StartStepCommand: AsyncParsableCommand {
    enum Side: String, ExpressibleByArgument, CaseIterable, Codable {
        case pool, migrator, storageKit

        var name: String {
            switch self {
            case .pool: "GRDB's pool"
            case .migrator: "GRDB's pool and migrator"
            case .storageKit: "StorageKit"
            }
        }
    }

    struct Cost: Codable {
        let cpu: Double
        let wall: Double
    }

    static let configuration = CommandConfiguration(commandName: "start-step", shouldDisplay: false)

    @Argument var side: Side
    @Argument var model: StartedModel
    @Argument var file: String

    func run() async throws {
        let url = URL(fileURLWithPath: file)
        let start = Moment.now
        let row =
            switch side {
            case .pool: try await model.startPlain(url, isMigrated: false)
            case .migrator: try await model.startPlain(url, isMigrated: true)
            case .storageKit: try await model.start(url)
            }
        let end = Moment.now
        guard row == 7 else { throw SidesDisagree(workload: "W21", side: side.name) }
        let cost = Cost(cpu: end.cpu - start.cpu, wall: end.wall - start.wall)
        print(String(decoding: try JSONEncoder().encode(cost), as: UTF8.self))
    }

    static func cost(_ side: Side, _ model: StartedModel, _ file: URL) throws -> Cost {
        let output = try Child.output(
            of: [CommandLine.arguments[0], "start-step", side.rawValue, model.rawValue, file.path])
        return try JSONDecoder().decode(Cost.self, from: Data(output.utf8))
    }
}

/// What the starts of one side took.
struct StartFigure: Codable {
    let name: String
    let entities: Int
    let cpu: Summary
    let wall: Summary

    init(_ side: StartStepCommand.Side, _ model: StartedModel, _ costs: [StartStepCommand.Cost]) {
        name = side.name
        entities = model.entityCount
        cpu = Summary(costs.map(\.cpu))
        wall = Summary(costs.map(\.wall))
    }

    /// The first of each number of entities is what the others are measured against.
    static func table(_ figures: [StartFigure]) -> String {
        var table = TextTable()
        table.add([
            "W21  first start of a process, and the first row", "entities", "CPU", "wall", "CPU ratio", "wall ratio",
        ])
        for figure in figures {
            let base = figures.first { $0.entities == figure.entities } ?? figure
            table.add([
                "    \(figure.name)", "\(figure.entities)", Report.time(figure.cpu.median),
                Report.time(figure.wall.median), Report.ratio(figure.cpu.median / base.cpu.median),
                Report.ratio(figure.wall.median / base.wall.median),
            ])
        }
        return table.text
    }
}
