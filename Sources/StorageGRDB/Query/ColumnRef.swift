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
    @available(*, unavailable, message: "there is no column of this name, or its type is another than is needed here")
    public subscript<T>(dynamicMember name: NoColumnOfThisNameAndType) -> Column<T> { Column(.never) }

    /// Never there.
    @_disfavoredOverload
    @available(*, unavailable, message: "there is no column of this name, or its type is another than is needed here")
    public subscript(dynamicMember name: NoColumnOfThisNameAndType) -> Column<NoColumn> { Column(.never) }
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
