/// The row of another entity that each row may refer to. All that follows is nil where there is none; a to-many
/// relation of the other is empty then.
///
/// ```swift
/// storage.query(Reminder.self).where { $0.assignee.name == nil }
/// // ... FROM "reminders" LEFT JOIN "persons" "assignee" ON "assignee"."id" = "reminders"."assigneeId"
/// //     WHERE "assignee"."name" IS NULL
/// ```
///
/// A `leftJoin` gives one for the row that it looked for, and a query of selected rows for an entity among them that may be nil.
///
/// There may be none where the key may be nil, or where nothing enforces it, so that it may refer to a row that is gone:
/// ``StorageReference(_:onDelete:onUpdate:as:)`` enforces it.
@dynamicMemberLookup
public struct OptionalToOne<P: RegisteredEntity>: ColumnRefMember, HasColumns {
    let way: RowWay

    /// The relation of a key that refers to the other's id.
    ///
    /// - Parameters:
    ///   - name: What the relation is called.
    ///   - key: The column that refers to the other.
    public init(_ name: String, key: String) {
        way = RowWay(.key(key, name: name, isOptional: true))
    }

    /// The relation of a key that refers to the other's id, with the entity's property for the other.
    public init<Owner: RegisteredEntity>(
        _ name: String, key: String, property: any WritableKeyPath<Owner, P?> & Sendable
    ) {
        let loaded = LoadedToOne<Owner, P>(path: property, key: key)
        way = RowWay(.key(key, name: name, isOptional: true, loaded: loaded))
    }

    init(_ way: RowWay) {
        self.way = way
    }

    /// The rows that may be referred to.
    package var row: ColumnRef<P> { way.rows(of: P.self) }

    /// The same relation, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> OptionalToOne<P> {
        OptionalToOne(way.rooted(at: place))
    }

    /// The column that says which row it is: the one that refers to it, or its id.
    package var key: ExpressionNode { way.key(of: row) }

    private func member<Member: ColumnRefMember>(_ member: KeyPath<ColumnRef<P>, Member>) -> Member {
        let row = row
        return row[keyPath: member]._rooted(at: ColumnPlace(row.source))
    }

    /// The column that is NULL where there is no row.
    fileprivate var id: ExpressionNode {
        let source = row.source
        return .column(source.table.idColumn, of: source)
    }

    /// An expression, made nil where there is no row. A column is that by itself.
    private func orNil(_ node: ExpressionNode) -> ExpressionNode {
        if case .column = node { return node }
        return .choice([Choice(.isNotNull(id), node)], otherwise: .constant(.null, nil))
    }
}

// MARK: - Columns

// What is never nil by itself stands first: the compiler tries it first, and takes seconds over eight in one closure the other way round. What
// is no column is disfavoured, or it gives up where a member of a column is compared that JSON has too, such as `count`.

extension OptionalToOne {
    /// A column of the other, or what the app adds to its columns; nil where there is no other.
    public subscript<T>(dynamicMember column: KeyPath<ColumnRef<P>, Column<T>>) -> Column<T?> {
        Column(orNil(member(column).node))
    }

    /// A column of the other that may be nil itself, or what the app adds to its columns.
    public subscript<T>(dynamicMember column: KeyPath<ColumnRef<P>, Column<T?>>) -> Column<T?> {
        Column(orNil(member(column).node))
    }

    /// A column of JSON; nil where there is no other.
    @_disfavoredOverload
    public subscript<T>(dynamicMember column: KeyPath<ColumnRef<P>, JSONColumn<T>>) -> JSONColumn<T?> {
        JSONColumn(member(column).node)
    }

    /// A column of JSON that may be nil itself.
    @_disfavoredOverload
    public subscript<T>(dynamicMember column: KeyPath<ColumnRef<P>, JSONColumn<T?>>) -> JSONColumn<T?> {
        member(column)
    }

    /// A relation of the other, or the columns of an embedded value.
    @_disfavoredOverload
    public subscript<Member: OptionalPathMember>(
        dynamicMember member: KeyPath<ColumnRef<P>, Member>
    ) -> Member.OfOptional {
        self.member(member)._ofOptional
    }
}

/// What of a row can follow a path that may lead to none: a relation, the columns of an embedded value.
///
/// Conformed to by StorageKit's types.
public protocol OptionalPathMember: ColumnRefMember {
    /// What it is there.
    associatedtype OfOptional
    /// The same, nil or empty where there is no row.
    var _ofOptional: OfOptional { get }
}

extension ToOne: OptionalPathMember {
    /// The row that the other refers to, if there is another.
    public var _ofOptional: OptionalToOne<P> { OptionalToOne(way) }
}

extension OptionalToOne: OptionalPathMember {
    /// The row that the other may refer to.
    public var _ofOptional: OptionalToOne { self }
}

extension ToMany: OptionalPathMember {
    /// The rows that refer to the other; none where there is no other.
    public var _ofOptional: ToMany { self }
}

extension EmbeddedColumns: OptionalPathMember {
    /// The columns of an embedded value; nil where there is no other.
    public var _ofOptional: OptionalEmbeddedColumns<Root, Value> { OptionalEmbeddedColumns(columns: orNil) }
}

extension OptionalEmbeddedColumns: OptionalPathMember {
    /// The columns of an embedded value that may be missing by itself.
    public var _ofOptional: OptionalEmbeddedColumns { self }
}

// MARK: - Nil

/// Never there: it gives the compiler words for a row that cannot be missing.
@available(*, unavailable, message: "the row is always there; compare its id, or a column of it")
public func == <P>(lhs: ToOne<P>, rhs: _OptionalNilComparisonType) -> Predicate { Predicate(.never) }

/// Never there: it gives the compiler words for a row that cannot be missing.
@available(*, unavailable, message: "the row is always there; compare its id, or a column of it")
public func != <P>(lhs: ToOne<P>, rhs: _OptionalNilComparisonType) -> Predicate { Predicate(.never) }

/// There is no such row. SQL: `"assignee"."id" IS NULL`
public func == <P>(lhs: OptionalToOne<P>, rhs: _OptionalNilComparisonType) -> Predicate {
    Predicate(.isNull(lhs.id))
}

/// There is such a row. SQL: `"assignee"."id" IS NOT NULL`
public func != <P>(lhs: OptionalToOne<P>, rhs: _OptionalNilComparisonType) -> Predicate {
    Predicate(.isNotNull(lhs.id))
}
