import StorageSQLite

// The order in which SQLite sorts values.

extension StoredValue {
    /// Numbers before texts before blobs; texts and blobs byte by byte.
    ///
    /// - Returns: Negative if this value comes first, 0 if they are alike.
    func compare(_ other: StoredValue, isDecimal: Bool) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.integer(let left), .real(let right)): compareNumbers(left, right)
        case (.real(let left), .integer(let right)): -compareNumbers(right, left)
        case (.text(let left), .text(let right)):
            isDecimal ? compareDecimalTexts(left, right).rawValue : compareBytes(left, right)
        case (.blob(let left), .blob(let right)): compareBytes(left, right)
        default: rank < other.rank ? -1 : rank > other.rank ? 1 : 0
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}

/// Compares exactly: as a Double, a large integer would be taken for its neighbour.
private func compareNumbers(_ left: Int64, _ right: Double) -> Int {
    guard right < 0x1p63 else { return -1 }
    guard right >= -0x1p63 else { return 1 }
    let whole = Int64(right)
    if left != whole { return left < whole ? -1 : 1 }
    let fraction = right - Double(whole)
    return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
}

private func compareBytes(_ left: String, _ right: String) -> Int {
    var (left, right) = (left, right)
    return left.withUTF8 { left in right.withUTF8 { compareBytes(left, $0) } }
}

private func compareBytes(_ left: Data, _ right: Data) -> Int {
    left.withUnsafeBytes { left in
        right.withUnsafeBytes { compareBytes(left.bindMemory(to: UInt8.self), $0.bindMemory(to: UInt8.self)) }
    }
}

private func compareBytes(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let left = left.baseAddress, let right = right.baseAddress {
        let result = memcmp(left, right, common)
        if result != 0 { return Int(result) }
    }
    return left.count - right.count
}
