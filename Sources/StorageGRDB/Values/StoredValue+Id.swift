extension StoredValue {
    /// An id as text; nil for what is no text and no integer.
    var idText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        default: nil
        }
    }
}
