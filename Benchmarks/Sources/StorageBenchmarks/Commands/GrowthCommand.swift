import ArgumentParser
import Foundation

/// The same workloads at growing sizes: what has to stay flat, and what has to grow with the size.
struct GrowthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "Measure StorageKit and the baseline at growing sizes.")

    @Flag(help: "The two smallest sizes and one repetition.")
    var quick = false
    @Option(help: "Repetitions after the warm-up.")
    var repetitions: Int?
    @Option(help: "Workloads to run, with commas between them.")
    var only: String?
    @Option(help: "The largest number of rows, observers and entries.")
    var largest = 1_000_000
    @Option(help: "Write the figures to this JSON file.")
    var json: String?

    func validate() throws {
        if let repetitions, repetitions < 1 { throw ValidationError("There has to be at least one repetition.") }
        _ = try Workload.named(only)
    }

    func run() async throws {
        let runner = Runner(repetitions: repetitions ?? (quick ? 1 : 3), roles: [.baseline, .storageKit])
        print(Machine.current.description)
        var points: [GrowthPoint] = []
        for axis in Workload.Axis.allCases {
            for workload in try Workload.named(only) where workload.grows.contains(axis) {
                let measured = try await measure(workload, along: axis, runner)
                Report.show("\n" + GrowthPoint.table(measured, workload))
                points += measured
            }
        }
        if let json {
            try JSONEncoder().encode(points).write(to: URL(fileURLWithPath: json))
        }
    }

    private func measure(
        _ workload: Workload, along axis: Workload.Axis, _ runner: Runner
    ) async throws -> [GrowthPoint] {
        var points: [GrowthPoint] = []
        for size in axis.sizes.prefix(quick ? 2 : .max) where size <= largest {
            let comparison = try await runner.run(workload, axis.world(size, Workspace(), quick: quick))
            points.append(GrowthPoint(axis: axis, size: size, comparison: comparison))
        }
        return points
    }
}

/// What a workload costs at one size.
struct GrowthPoint: Codable {
    let axis: Workload.Axis
    let size: Int
    let comparison: Comparison

    static func table(_ points: [GrowthPoint], _ workload: Workload) -> String {
        var table = TextTable()
        let axis = points.first?.axis.rawValue ?? ""
        table.add(["\(workload.id)  \(workload.title), CPU/\(workload.unit)"] + points.map { "\($0.size) \(axis)" })
        let names = points.first?.comparison.entries.map(\.name) ?? []
        for name in names {
            let entries = points.map { point in point.comparison.entries.first { $0.name == name } }
            table.add(["    \(name)"] + entries.map { $0.map { Report.time($0.cpu.median) } ?? "" })
        }
        table.add(["    ratio"] + points.map { $0.comparison.ratio.map(Report.ratio) ?? "" })
        return table.text
    }
}

extension Workload.Axis {
    fileprivate var sizes: [Int] {
        switch self {
        case .rows: [1000, 10_000, 100_000, 1_000_000]
        case .observers: [1, 10, 100, 1000, 10_000]
        case .entries: [10, 100, 1000, 10_000, 100_000]
        }
    }

    fileprivate func world(_ size: Int, _ workspace: Workspace, quick: Bool) -> World {
        var world = quick ? World.quick(workspace) : World(workspace: workspace)
        switch self {
        case .rows:
            world.rows = size
            world.observedRows = size
            world.observedWrites = min(world.observedWrites, size)
            // The baseline reads the whole list after each of them, which takes seconds for the largest.
            world.listWrites = max(4, min(world.listWrites, 2_000_000 / size))
        case .observers:
            world.rows = max(1000, size)
            world.observers = size
        case .entries:
            world.rows = 1000
            world.entries = size
        }
        return world
    }
}
