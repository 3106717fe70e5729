extension [String] {
    /// The name that a misspelt one was probably meant to be, or nil if none comes close.
    package func nearest(to name: String) -> String? {
        let spelling = name.comparable
        let ranked = map { ($0, spelling.editDistance(to: $0.comparable)) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= Swift.max(2, name.count / 3) else { return nil }
        return best.0
    }
}

extension String {
    fileprivate var comparable: [UInt8] { Array(lowercased().utf8.prefix(64).filter { $0 != UInt8(ascii: "_") }) }
}

extension [UInt8] {
    /// How many bytes have to be added, removed or changed to make one out of the other.
    fileprivate func editDistance(to other: [UInt8]) -> Int {
        var previous = Array<Int>(0...other.count)
        for (row, byte) in enumerated() {
            var current = [row + 1]
            for (column, otherByte) in other.enumerated() {
                let change = previous[column] + (byte == otherByte ? 0 : 1)
                current.append(Swift.min(change, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[other.count]
    }
}
