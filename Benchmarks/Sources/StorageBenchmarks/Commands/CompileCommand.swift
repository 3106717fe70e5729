import ArgumentParser
import Foundation

/// What a model costs whoever compiles it: W14.
struct CompileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compile 100 entities beside the same structs as Codable records of GRDB, and 200 queries.")

    @Option(help: "Entities of ten columns.")
    var entities = 100
    @Option(help: "Queries.")
    var queries = 200
    @Option(help: "Repetitions.")
    var repetitions = 3
    @Option(help: "Write the figures to this JSON file.")
    var json: String?

    func validate() throws {
        guard entities > 0, queries > 0, repetitions > 0 else {
            throw ValidationError("Entities, queries and repetitions have to be at least one.")
        }
    }

    func run() async throws {
        print(Machine.current.description)
        let sources = [
            ("\(entities) Codable records of GRDB", GeneratedSource.records(entities)),
            ("\(entities) entities", GeneratedSource.entities(entities)),
            ("\(queries) queries, and 5 entities", GeneratedSource.queries(queries)),
        ]
        let compiler = try ModuleCompiler()
        var costs: [String: [Child.Cost]] = [:]
        for _ in 0..<repetitions {
            for (name, source) in sources {
                costs[name, default: []].append(try compiler.compile(source, module: "Model"))
            }
        }
        let figures = sources.map { CompileFigure(name: $0.0, costs: costs[$0.0] ?? []) }
        print(CompileFigure.table(figures))
        if let json { try JSONEncoder().encode(figures).write(to: URL(fileURLWithPath: json)) }
    }
}

/// What the compiler needed for one source file.
struct CompileFigure: Codable {
    let name: String
    let cpu: Summary
    let wall: Summary
    let peakBytes: Int

    init(name: String, costs: [Child.Cost]) {
        self.name = name
        cpu = Summary(costs.map(\.cpuSeconds))
        wall = Summary(costs.map(\.wallSeconds))
        peakBytes = costs.map(\.peakBytes).max() ?? 0
    }

    /// The first figure is what the others are measured against.
    static func table(_ figures: [CompileFigure]) -> String {
        var table = TextTable()
        table.add(["W14  compile, without optimisation", "CPU", "wall", "peak memory", "CPU ratio", "wall ratio"])
        for figure in figures {
            let cpuRatio = figure.cpu.median / (figures.first?.cpu.median ?? 1)
            let wallRatio = figure.wall.median / (figures.first?.wall.median ?? 1)
            table.add([
                "    \(figure.name)", Report.time(figure.cpu.median), Report.time(figure.wall.median),
                "\(figure.peakBytes / 1_048_576) MB", Report.ratio(cpuRatio), Report.ratio(wallRatio),
            ])
        }
        return table.text
    }
}
