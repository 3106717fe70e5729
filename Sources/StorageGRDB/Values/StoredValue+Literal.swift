import StorageCore

extension StoredValue {
    /// The value as SQL writes it; nil for what a DEFAULT cannot hold.
    var sqlLiteral: String? { self == .null ? nil : try? literal }
}
