extension [String] {
    /// The condition that all of these are met. It is nested in halves, since SQLite takes a chain of more than 1,000 for too deep.
    var conjunction: String {
        guard count > 1 else { return first ?? "1" }
        let halves = [self[..<(count / 2)], self[(count / 2)...]].map { Array($0).conjunction }
        return "(\(halves[0]) AND \(halves[1]))"
    }
}
