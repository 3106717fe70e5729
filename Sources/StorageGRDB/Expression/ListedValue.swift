import GRDB

/// An SQL function that makes a value of the text that carries it in a list, for lists whose values JSON does not carry
/// exactly.
enum ListedValue {
    static func add(to db: Database) {
        db.addFunction(FunctionName.listedValue) { value in
            if case .text(let text) = value { StoredValue(listed: text) ?? .null } else { .null }
        }
    }
}
