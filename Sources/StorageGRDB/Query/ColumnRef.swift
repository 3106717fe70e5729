/// The columns of an entity inside a `where` closure: `$0.age` is a `Column<Int>`. Of a query that asks selected rows, those of the
/// ``StorageSelection()`` struct.
@dynamicMemberLookup
public struct ColumnRef<E: QueriedRow>: Sendable {
    package let source: Source

    package init(_ source: Source) {
        self.source = source
    }

    /// The column of a stored property, or the columns of an embedded one. A misspelt name does not compile.
    public subscript<Columns: ColumnRefMember>(dynamicMember columns: KeyPath<E.StorageColumns, Columns>) -> Columns {
        E.storageColumns[keyPath: columns]._rooted(at: ColumnPlace(source))
    }

    /// The same, for a column whose name means something else of a reference: `$0[\.sql]`.
    public subscript<Columns: ColumnRefMember>(_ columns: KeyPath<E.StorageColumns, Columns>) -> Columns {
        self[dynamicMember: columns]
    }

    /// Never there, as those of ``HasColumns``, and behind them: of two names that lead to a column of another type than is needed the
    /// last is to blame.
    @_disfavoredOverload
    @available(*, unavailable, message: "there is no column of this name and type")
    public subscript<T>(dynamicMember name: NameOfNoColumn) -> Column<T> { Column(.never) }

    /// Never there.
    @_disfavoredOverload
    @available(*, unavailable, message: "there is no column of this name and type")
    public subscript(dynamicMember name: NameOfNoColumn) -> NoColumn { NoColumn() }
}

extension ColumnRef where E: RegisteredEntity {
    package init() {
        self.init(Source(RecordTable(E.Record.self).source))
    }
}

extension ColumnRef {
    /// An expression in SQL of the app's.
    ///
    /// - Parameters:
    ///   - text: The SQL, with columns and values in it.
    ///   - type: The type of its value; an optional one where it may be NULL.
    public func sql<T: ColumnValue>(_ text: SQLText, as type: T.Type) -> Column<T> {
        Column<T>(sql: text)
    }
}

/// An entity with an embedded value whose fields the macro could not see. Conformed to by generated code.
public protocol EntityWithUnseenColumns: RegisteredEntity {}

extension ColumnRef where E: EntityWithUnseenColumns {
    /// A text column of an embedded value by its name without underscores: `$0.shippingCity` is `shipping_city`.
    ///
    /// The compiler cannot check it: the name is looked up when the query is built, and one that stands for no
    /// column makes the query throw. `$0.shippingAddress.city` is checked.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<String> {
        column(spelled: name)
    }

    /// A column of an embedded value by its name, of the type of the value beside it: `$0.shippingFloor > 3`.
    @_disfavoredOverload
    public subscript<T>(dynamicMember name: String) -> Column<T> {
        column(spelled: name)
    }

    /// A Bool column of an embedded value by its name: `!$0.shippingIsExpress`.
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> Column<Bool> {
        column(spelled: name)
    }
}

extension ColumnRef where E: EntityWithUnseenColumns {
    /// Also what is no column of the compiler's comes here: one that is seen, compared with a value of another type.
    private func column<T>(spelled name: String) -> Column<T> {
        let found = source.table.columnName(spelled: name)
        let parts = E.Record.knownParts
        if let coder = parts.leafCoder(of: found), let type = try? source.table.column(found).form.type,
            !coder.mayBeAsked(as: T.self, type, isEmbedded: parts.isInEmbeddedValue(found))
        {
            return Column(.invalid("column '\(found)' is of type '\(coder.type)', and not '\(T.self)'"))
        }
        return Column(.column(found, of: source))
    }
}

extension LeafCoder {
    /// Of properties, the compiler has refused all types but their own, and that of a literal beside a raw value. Numbers in embedded
    /// values are compared with any other.
    fileprivate func mayBeAsked<T>(as type: T.Type, _ columnType: ColumnType, isEmbedded: Bool) -> Bool {
        guard let wanted = (type as? any ColumnValue.Type)?.columnType else { return true }
        if type == self.type || T?.self == self.type { return true }
        return (isEmbedded || isOfRawValues) && !isJSON && columnType.compares(with: wanted)
    }
}
