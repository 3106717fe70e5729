import GRDB

/// An SQL function that makes a value of the text that carries it in a list, for lists whose values JSON does not carry
/// exactly.
enum ListedValue {
    static func add(to db: Database) {
        db.borrowedConnection?.addFunction(FunctionName.listedValue) { arguments in
            if case .text(let text) = arguments[0].value { StoredValue(listed: text) ?? .null } else { .null }
        }
    }
}
