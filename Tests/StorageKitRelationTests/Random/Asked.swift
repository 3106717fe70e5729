import StorageKit

/// An expression, beside the same of a row in Swift. Neither is derived from the other.
final class Asked<E: RegisteredEntity, T: Sendable>: Hashable, Sendable {
    typealias ColumnPath = any KeyPath<ColumnRef<E>, Column<T>> & Sendable

    /// What a failure shows.
    let text: String
    /// The same in Swift.
    let value: @Sendable (E, World) -> T
    private let make: @Sendable (ColumnRef<E>) -> Column<T>
    private let ownPath: ColumnPath?

    /// A column, or what stands behind one.
    init(_ text: String, _ path: ColumnPath, _ value: @escaping @Sendable (E, World) -> T) {
        self.text = text
        self.value = value
        ownPath = path
        make = { $0[keyPath: path] }
    }

    /// What a closure makes of a row.
    init(
        _ text: String, making make: @escaping @Sendable (ColumnRef<E>) -> Column<T>,
        _ value: @escaping @Sendable (E, World) -> T
    ) {
        self.text = text
        self.value = value
        self.make = make
        ownPath = nil
    }

    /// Where it is found on a row: at a column's key path, or as something that an app adds to its columns.
    var path: ColumnPath { ownPath ?? \ColumnRef<E>.[asked: self] }

    func column(_ row: ColumnRef<E>) -> Column<T> { make(row) }

    static func == (lhs: Asked, rhs: Asked) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ColumnRef {
    subscript<T>(asked asked: Asked<E, T>) -> Column<T> { asked.column(self) }
}

/// An expression of a group, beside the same of its rows in Swift.
struct AskedOfGroup<E: RegisteredEntity, T: Sendable>: Sendable {
    let text: String
    let column: @Sendable (Rows<E>) -> Column<T>
    let value: @Sendable ([E], World) -> T
}

/// An expression of some type.
protocol Phrase<E>: Sendable {
    associatedtype E: DrawnEntity
    associatedtype T: Shown & ColumnValue
    var asked: Asked<E, T> { get }
}

extension Asked: Phrase where E: DrawnEntity, T: Shown & ColumnValue {
    var asked: Asked<E, T> { self }
}

/// The rows of all tables, in Swift.
struct World: Sendable {
    private var tables: [ObjectIdentifier: any Sendable] = [:]

    /// The rows of one table.
    subscript<E: Sendable>(_ type: E.Type) -> [E] {
        get { tables[ObjectIdentifier(type)] as? [E] ?? [] }
        set { tables[ObjectIdentifier(type)] = newValue }
    }
}
