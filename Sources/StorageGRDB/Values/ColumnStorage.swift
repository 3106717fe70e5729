/// How the values of a column are kept.
struct ColumnStorage: Sendable, Equatable {
    let type: ColumnType
    var isNullable = false
    /// NULL could mean two things: the value inside an optional may be NULL itself.
    var isAmbiguous = false

    func schema(name: String, isId: Bool = false) -> ColumnSchema {
        // The id is nil only before SQLite has given it, and in no row.
        ColumnSchema(name: name, type: type.rawValue, notNull: isId || !isNullable, primaryKey: isId)
    }
}

extension ColumnStorage {
    /// How a type is kept that has a form of its own.
    static func of<T: ColumnValue>(_ type: T.Type) -> ColumnStorage {
        // To ask whether a type is an optional takes a search through all that the program has of the kind.
        let wrapped = T.isNullable ? (type as? any OptionalType.Type)?.wrappedType : nil
        let isAmbiguous = (wrapped as? any ColumnValue.Type)?.isNullable == true
        return ColumnStorage(type: T.columnType, isNullable: T.isNullable, isAmbiguous: isAmbiguous)
    }
}

/// An optional, seen from code that does not know its type.
protocol OptionalType {
    /// The type inside.
    static var wrappedType: any Any.Type { get }
    /// Nil.
    static var none: Self { get }
    /// The value inside, if there is one.
    var wrapped: Any? { get }
}

extension Optional: OptionalType {
    static var wrappedType: any Any.Type { Wrapped.self }
    var wrapped: Any? { map { $0 as Any } }
}

/// The type inside an optional, or the type itself.
func wrapped(_ type: any Any.Type) -> any Any.Type { (type as? any OptionalType.Type)?.wrappedType ?? type }
