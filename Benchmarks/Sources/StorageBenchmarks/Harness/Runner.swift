/// Runs the sides of a workload in turn, so that whatever else the machine does meets all of them.
struct Runner: Sendable {
    let repetitions: Int
    /// The sides to run.
    var roles = Set(Side.Role.allCases)

    /// Measures a workload.
    ///
    /// - Throws: ``SidesDisagree`` if two sides did not do the same, and whatever a side throws.
    func run(_ workload: Workload, _ world: World) async throws -> Comparison {
        let sides = try await workload.sides(world).filter { roles.contains($0.role) }
        var costs = sides.map { _ in Costs() }
        // The first repetition warms up, and does not count.
        for repetition in 0...repetitions {
            // A side that does fewer operations than the others is compared with its like only.
            var results: [Int: Int] = [:]
            for step in sides.indices {
                let place = (step + repetition) % sides.count
                let side = sides[place]
                let work = try await side.prepare(repetition)
                let start = Moment.now
                let result = try await work()
                let end = Moment.now
                results[side.operations, default: result] = result
                guard results[side.operations] == result else {
                    throw SidesDisagree(workload: workload.id, side: side.name)
                }
                if repetition > 0 { costs[place].add(from: start, to: end, operations: side.operations) }
            }
        }
        return compare(workload, sides, costs)
    }

    private struct Costs {
        var cpu: [Double] = []
        var wall: [Double] = []

        mutating func add(from start: Moment, to end: Moment, operations: Int) {
            cpu.append((end.cpu - start.cpu) / Double(operations))
            wall.append((end.wall - start.wall) / Double(operations))
        }

        func changed(by added: Costs, less taken: Costs) -> Costs {
            let cpu = Summary(added.cpu).median - Summary(taken.cpu).median
            let wall = Summary(added.wall).median - Summary(taken.wall).median
            return Costs(cpu: self.cpu.map { $0 + cpu }, wall: self.wall.map { $0 + wall })
        }
    }

    private func compare(_ workload: Workload, _ sides: [Side], _ costs: [Costs]) -> Comparison {
        let costs = zip(sides, costs).map { side, cost in
            let taken = zip(sides, costs).first { $0.0.name == side.less?.taken }?.1
            let added = zip(sides, costs).first { $0.0.name == side.less?.added }?.1
            guard let taken, let added else { return cost }
            return cost.changed(by: added, less: taken)
        }
        let summaries = costs.map { (cpu: Summary($0.cpu), wall: Summary($0.wall)) }
        let base = zip(sides, summaries).first { $0.0.role == .baseline }?.1 ?? summaries[0]
        let entries = zip(sides, summaries).map { side, summary in
            Comparison.Entry(
                role: side.role, name: side.name, operations: side.operations, cpu: summary.cpu, wall: summary.wall,
                cpuRatio: summary.cpu.median / base.cpu.median, wallRatio: summary.wall.median / base.wall.median,
                leastRatio: summary.cpu.least / base.cpu.least)
        }
        return Comparison(
            workload: workload.id, title: workload.title, unit: workload.unit, goal: workload.goal, entries: entries)
    }
}

/// Two sides of a workload came to different results, so that comparing their cost means nothing.
struct SidesDisagree: Error, CustomStringConvertible {
    let workload: String
    let side: String

    var description: String { "\(workload): \(side) has another result than the sides before it" }
}
