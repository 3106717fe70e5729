/// A rule of the schema that a write would have broken. Nothing of that write is in the file.
///
/// ```swift
/// do {
///     try await storage.save(user)
/// } catch StorageError.constraintViolated(let violation) where violation.kind == .unique {
///     print("taken:", violation.columns)
/// }
/// ```
///
/// Names are spelled as in the schema. Where SQLite does not say which table or columns it means, they are left out, and so may
/// be names with a dot or a comma in them; a column of a key that is called `b, a.c` is taken for two. No value is in it, unless a trigger of the app's puts one into its message.
public struct ConstraintViolation: Sendable, Equatable {
    /// What sort of rule it is.
    public enum Kind: Sendable {
        /// A unique index, a `UNIQUE` or a primary key: another row has these values.
        case unique
        /// A `REFERENCES`: a row would refer to one that is not there.
        case foreignKey
        /// A `NOT NULL`.
        case notNull
        /// A `CHECK`.
        case check
        /// A `RAISE` in a trigger.
        case trigger
        /// The type of a column in a `STRICT` table.
        case type
        /// Anything else, such as what a virtual table or an SQL function refuses.
        case other
    }

    /// What sort of rule it is.
    public let kind: Kind
    /// The table that has the rule, if that is known. For a foreign key it is the one that refers, not the one referred to.
    public let table: String?
    /// The columns of the rule, in its order, if they are known.
    public let columns: [String]
    /// What SQLite says: names and the text of a `CHECK`, or what a trigger says in its `RAISE`.
    public let message: String?
    /// Which of several entities that were saved or inserted in one call broke it, counted from 0; nil for a write of one, and where
    /// it is not known.
    public let position: Int?

    /// Describes a broken rule; apps need it in their tests only.
    ///
    /// - Parameters:
    ///   - kind: What sort of rule it is.
    ///   - table: The table that has the rule.
    ///   - columns: Its columns.
    ///   - message: What SQLite says.
    ///   - position: Which of several entities broke it, counted from 0.
    public init(
        kind: Kind, table: String? = nil, columns: [String] = [], message: String? = nil, position: Int? = nil
    ) {
        self.kind = kind
        self.table = table
        self.columns = columns
        self.message = message
        self.position = position
    }

    /// The same rule, broken by one of several entities.
    package func broken(at position: Int?) -> ConstraintViolation {
        ConstraintViolation(kind: kind, table: table, columns: columns, message: message, position: position)
    }
}

extension ConstraintViolation: CustomStringConvertible {
    /// What is broken, where, and what to do about it.
    public var description: String {
        rule + (position.map { " (the entity at position \($0), counted from 0)" } ?? "")
    }

    private var rule: String {
        switch kind {
        case .unique:
            columns.isEmpty
                ? "another row\(ofTable) has the same values\(quotedMessage): change them, or update that row"
                : "another row\(ofTable) has the same \(columns.quoted): change it, or update that row"
        case .foreignKey:
            columns.isEmpty
                ? "a row\(ofTable) would refer to one that is not there: \(orderOfWrites)"
                : "\(columns.quoted)\(ofTable) would refer to a row that is not there: \(orderOfWrites)"
        case .notNull:
            columns.isEmpty
                ? "a column\(ofTable) has to have a value\(quotedMessage), and NULL is none: set it"
                : "\(columns.quoted)\(ofTable) has to have a value, and NULL is none: set it"
        case .check:
            "a check\(ofTable) is not met\(quotedMessage): change the values that it is about"
        case .trigger:
            "a trigger refuses it\(quotedMessage)"
        case .type:
            (columns.isEmpty ? "a column" : columns.quoted) + ofTable
                + " takes no value of that type\(quotedMessage): give the property the type of its column"
        case .other:
            "a constraint\(ofTable) is not met\(quotedMessage)"
        }
    }

    private var orderOfWrites: String {
        "save that row first, or, where it is the one to be deleted, delete what refers to it first"
    }
    private var ofTable: String { table.map { " of '\($0)'" } ?? "" }
    private var quotedMessage: String { message.map { " (\($0))" } ?? "" }
}
