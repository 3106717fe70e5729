/// Columns that the compiler does not know, beside those that it knows: a name leads here only where there is no member of it. So a value
/// beside the column says what type it has: `$0.age >= 18` compares a `Column<Int>`. Where nothing does, it is text.
///
/// A name is looked up when the query is built, with or without underscores (`$0.createdAt` is `created_at`), and one that stands for no
/// column makes the query throw.
@dynamicMemberLookup
public protocol ColumnsBySpelling: Sendable {
    /// The column that a name stands for, if it can be asked as a value of the type.
    func _column<T>(spelled name: String, as type: T.Type) -> Column<T>
}

extension ColumnsBySpelling {
    /// A text column by its name: `$0.shippingCity.hasPrefix("K")`.
    public subscript(dynamicMember name: String) -> Column<String> {
        _column(spelled: name, as: String.self)
    }

    /// A column by its name, of the type of the value beside it: `$0.shippingFloor > 3`, `$0.kind == Kind.used`.
    @_disfavoredOverload
    public subscript<T>(dynamicMember name: String) -> Column<T> {
        _column(spelled: name, as: T.self)
    }

    /// A Bool column by its name: `!$0.shippingIsExpress`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<Bool> {
        _column(spelled: name, as: Bool.self)
    }

    /// A column of any type that is compared with nil, by its name: `$0.shippingFloor == nil`, `$0.due.isNotNull`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> ColumnOfAnyType {
        ColumnOfAnyType(node: _column(spelled: name, as: ColumnOfAnyType.self).node)
    }
}

/// A column of which only its name is known: nothing can be asked of it but whether it holds a value.
public struct ColumnOfAnyType: ColumnRefMember {
    fileprivate let node: ExpressionNode

    /// The same column, of the rows that a reference stands for.
    public func _rooted(at place: ColumnPlace) -> ColumnOfAnyType {
        ColumnOfAnyType(node: node.rooted(at: place.source))
    }

    /// The column holds NULL. SQL: `"c" IS NULL`
    public var isNull: Predicate { Predicate(.isNull(node)) }

    /// The column holds a value. SQL: `"c" IS NOT NULL`
    public var isNotNull: Predicate { Predicate(.isNotNull(node)) }
}

/// The column holds NULL. SQL: `"c" IS NULL`
public func == (lhs: ColumnOfAnyType, rhs: _OptionalNilComparisonType) -> Predicate { lhs.isNull }

/// The column holds a value. SQL: `"c" IS NOT NULL`
public func != (lhs: ColumnOfAnyType, rhs: _OptionalNilComparisonType) -> Predicate { lhs.isNotNull }

// MARK: - Embedded values that the macro could not see

/// The columns of an entity with an embedded value whose fields the macro could not see: they are reached by their names without
/// underscores, `$0.shippingCity` for `shipping_city`. `$0.shippingAddress.city` is checked. Conformed to by generated code.
public protocol UnseenColumns: ColumnsBySpelling {
    /// The entity, under a name that hides no type of the entity's own.
    associatedtype _Entity: RegisteredEntity
}

extension UnseenColumns {
    /// The column that a name stands for.
    public func _column<T>(spelled name: String, as type: T.Type) -> Column<T> {
        let table = RecordTable(_Entity.Record.self).source
        let found = table.columnName(spelled: name)
        let parts = _Entity.Record.knownParts
        if let coder = parts.leafCoder(of: found), let form = try? table.column(found).form.type,
            !coder.mayBeAsked(as: T.self, form, isEmbedded: parts.isInEmbeddedValue(found))
        {
            return Column(.invalid("column '\(found)' is of type '\(coder.type)', and not '\(T.self)'"))
        }
        return Column(found)
    }
}

extension LeafCoder {
    /// A column is asked as its own type. In an embedded value a number may be asked as another number, and a text as another text.
    fileprivate func mayBeAsked<T>(as type: T.Type, _ columnType: ColumnType, isEmbedded: Bool) -> Bool {
        if wrapped(type) == wrapped(self.type) { return true }
        // What no column can be is compared with nil alone.
        guard let wanted = LeafCoder.ofColumn(type)?.storage.type else { return true }
        return isEmbedded && !isJSON && columnType.compares(with: wanted)
    }
}
