/// What many measurements of one thing say, in seconds for one operation.
struct Summary: Codable, Sendable {
    let median: Double
    /// The least: what it takes while the machine gives all its speed, and nothing else needs it.
    let least: Double
    /// The quartiles: half of the measurements lie between them.
    let lower: Double
    let upper: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        least = sorted.first ?? 0
        median = Summary.quantile(0.5, of: sorted)
        lower = Summary.quantile(0.25, of: sorted)
        upper = Summary.quantile(0.75, of: sorted)
    }

    /// The distance between the quartiles, as a part of the median.
    var spread: Double { median > 0 ? (upper - lower) / median : 0 }

    private static func quantile(_ part: Double, of sorted: [Double]) -> Double {
        guard let last = sorted.indices.last else { return 0 }
        let place = part * Double(last)
        let below = Int(place)
        let above = min(below + 1, last)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
}
