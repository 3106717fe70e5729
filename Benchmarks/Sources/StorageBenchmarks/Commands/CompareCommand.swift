import ArgumentParser
import Foundation

/// Every workload of the goals, all sides in turn.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compare the sides of each workload (the default).")

    @Flag(help: "Small sizes and one repetition: shows in seconds that everything works, and no figures to quote.")
    var quick = false
    @Option(help: "Rows in the table.")
    var rows: Int?
    @Option(help: "Repetitions after the warm-up.")
    var repetitions: Int?
    @Option(help: "Workloads to run, with commas between them: W1,W4o.")
    var only: String?
    @Flag(help: "Leave GRDB's sides out: for profiles, and for a quick look at a change.")
    var withoutPeers = false
    @Option(help: "Write the figures to this JSON file.")
    var json: String?
    @Option(help: "Draw the ratios to this SVG file.")
    var plot: String?

    func validate() throws {
        if let rows, rows < 1 { throw ValidationError("There has to be at least one row.") }
        if let repetitions, repetitions < 1 { throw ValidationError("There has to be at least one repetition.") }
        _ = try workloads
    }

    func run() async throws {
        let workspace = try Workspace()
        var world = quick ? World.quick(workspace) : World(workspace: workspace)
        if let rows { world.rows = rows }
        let runner = Runner(
            repetitions: repetitions ?? (quick ? 1 : 7),
            roles: withoutPeers ? [.baseline, .storageKit] : Set(Side.Role.allCases))
        let machine = Machine.current
        print(machine.description)
        Report.show("\(world.rows) rows, \(runner.repetitions) repetitions after a warm-up, CPU time of the process")
        var comparisons: [Comparison] = []
        for workload in try workloads {
            let comparison = try await runner.run(workload, world)
            Report.show("\n" + comparison.table)
            comparisons.append(comparison)
        }
        let report = Report(
            machine: machine, rows: world.rows, repetitions: runner.repetitions, comparisons: comparisons)
        if let json { try report.write(to: json) }
        if let plot { try RatioPlot(report: report).write(to: plot) }
    }

    private var workloads: [Workload] {
        get throws { try Workload.named(only) }
    }
}

extension Workload {
    /// The workloads with those names, with commas between them; all for nil.
    static func named(_ names: String?) throws -> [Workload] {
        guard let names else { return all }
        return try names.split(separator: ",").map { name in
            guard let workload = all.first(where: { $0.id.lowercased() == name.lowercased() }) else {
                let known = all.map(\.id).joined(separator: ", ")
                throw ValidationError("There is no workload \(name). There are: \(known).")
            }
            return workload
        }
    }
}
