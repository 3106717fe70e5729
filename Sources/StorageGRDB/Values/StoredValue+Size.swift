extension StoredValue {
    /// The bytes that the value takes, as stored.
    var storedSize: Int {
        switch self {
        case .null: 1
        case .integer, .real: 8
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

extension [StoredValue] {
    /// The bytes that the values take, as stored.
    var storedSize: Int { reduce(0) { $0 + $1.storedSize } }
}
