/// Something that `doctor` found, and what to do about it.
struct Finding: Encodable, Equatable {
    /// What was looked at.
    enum Check: String, Encodable, CaseIterable {
        case integrity
        case constraints
        case foreignKeys = "foreign keys"
        case fullTextSearch = "full-text search"
        case log = "write-ahead log"
        case indexes
        case space
    }

    let check: Check
    let problem: String
    let advice: String
}
