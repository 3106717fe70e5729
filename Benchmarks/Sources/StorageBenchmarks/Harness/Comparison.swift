/// What was measured of one workload.
struct Comparison: Codable, Sendable {
    /// What was measured of one side.
    struct Entry: Codable, Sendable {
        let role: Side.Role
        let name: String
        let operations: Int
        let cpu: Summary
        let wall: Summary
        /// Median CPU and wall time next to the baseline's.
        let cpuRatio: Double
        let wallRatio: Double
        /// The least CPU time next to the least of the baseline.
        let leastRatio: Double
    }

    let workload: String
    let title: String
    let unit: String
    let goal: Double?
    let entries: [Entry]

    /// StorageKit's ratio to the baseline.
    var ratio: Double? { entries.first { $0.role == .storageKit }?.cpuRatio }
    /// Whether the goal is reached; nil where there is none.
    var isReached: Bool? {
        guard let ratio, let goal else { return nil }
        return ratio <= goal
    }
}
