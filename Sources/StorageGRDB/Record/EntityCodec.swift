import GRDB

/// The two arrows between an entity and a statement. Both walk the record's column list by position.
enum EntityCodec {
    /// Binds the columns of an entity.
    static func bind<R: StorageKitEntityRecord>(
        _ entity: R.E, to row: inout RowWriter, of table: RecordTable<R>, now: Date
    ) throws {
        try bind(to: &row, of: table) { try R._encode(entity, now: now, to: &$0) }
    }

    /// Binds the values of an entity's columns.
    ///
    /// - Parameters:
    ///   - values: The values, and what the statement takes behind them.
    ///   - row: The row.
    ///   - table: The table of the entity.
    ///   - columns: The columns that the values are of; nil for all.
    static func bind<R: StorageKitEntityRecord>(
        _ values: [StoredValue], to row: inout RowWriter, of table: RecordTable<R>, columns: [ColumnSchema]? = nil
    ) throws {
        try bind(to: &row, of: table, columns) { row in for value in values { row.append(value) } }
    }

    /// Binds one row.
    ///
    /// - Parameter write: Writes the columns of the record.
    private static func bind<R: StorageKitEntityRecord>(
        to row: inout RowWriter, of table: RecordTable<R>, _ columns: [ColumnSchema]? = nil,
        _ write: (inout RowWriter) throws -> Void
    ) throws {
        let columns = columns ?? table.columns
        row.rewind()
        do {
            try write(&row)
        } catch {
            throw encodingError(error, type: R.E.self, columns: columns, index: row.index)
        }
        if let index = row.tooLongIndex {
            throw encodingError(
                ColumnEncodingError(reason: "the value is longer than SQLite takes"), type: R.E.self,
                columns: columns, index: index)
        }
        try row.checkBindings()
    }

    /// The values of an entity's columns, bound to no statement.
    ///
    /// - Parameter wanted: The one column that is asked for; nil for all.
    /// - Throws: `StorageError.entityEncodingFailed` for an entity that cannot be stored.
    static func values<R: StorageKitEntityRecord>(
        of entity: R.E, as record: R.Type, _ columns: [ColumnSchema], now: Date, _ coders: JSONCoders,
        wanted: Int? = nil
    ) throws -> [StoredValue] {
        var row = RowWriter(coders: coders, wanted: wanted.map(Int32.init))
        do {
            try R._encode(entity, now: now, to: &row)
        } catch {
            throw encodingError(error, type: R.E.self, columns: columns, index: row.index)
        }
        return row.collected
    }

    private static func encodingError<T>(
        _ error: any Error, type: T.Type, columns: [ColumnSchema], index: Int32
    ) -> any Error {
        if error is StorageError { return error }
        var named = ColumnEncodingError(error)
        if named.column == nil, columns.indices.contains(Int(index)) {
            named.column = columns[Int(index)].name
        }
        return StorageError.entityEncodingFailed(type: "\(type)", underlying: named)
    }

    /// Reads an entity from the first columns of a row.
    static func decode<R: StorageKitEntityRecord>(_ type: R.Type, _ row: inout RowReader) throws -> R.E {
        try namingColumn(of: type, &row) { try R._decode(&$0) }
    }

    /// Reads columns of an entity's row, the next of which is the entity's first. What is wrong with one is thrown as of the entity.
    static func namingColumn<R: StorageKitEntityRecord, T>(
        of type: R.Type, _ row: inout RowReader, _ read: (inout RowReader) throws -> T
    ) throws -> T {
        let first = row.index
        do {
            return try read(&row)
        } catch {
            let column = (row.index > first ? row.lastName : nil) ?? R.columnNamed(by: error)
            let sql = RecordSQL.of(type)
            // What is no id may be anything.
            let place = column == sql.idColumn ? nil : sql.idPlace
            let id = place.flatMap { row.storedValue(at: first + Int32($0)).idText }
            throw decodingError(error, type: R.E.self, column: column, id: id)
        }
    }

    /// Reads single columns of an entity's rows; what is wrong with a value is said as of the entity.
    ///
    /// - Parameter column: The one column that is read. SQLite has no name for a collated one but the text of the expression.
    static func namingEntity<E, T>(_ type: E.Type, column: String? = nil, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch  where error is DatabaseError || error is CancellationError {
            throw error
        } catch {
            guard let column, var named = error as? ColumnDecodingError else {
                throw decodingError(error, type: type, column: column)
            }
            named.column = column
            throw decodingError(named, type: type, column: column)
        }
    }

    static func decodingError<T>(_ error: any Error, type: T.Type, column: String?, id: String? = nil) -> any Error {
        if error is StorageError { return error }
        var named =
            error as? ColumnDecodingError
            ?? ColumnDecodingError(
                column: column ?? "*", expected: "\(type)", found: "a value", refusal: "\(Swift.type(of: error))")
        named.id = id
        return StorageError.entityDecodingFailed(type: "\(type)", underlying: named)
    }
}

extension StorageKitEntityRecord {
    /// The column that GRDB could not read: it says which one in the description of its error alone.
    fileprivate static func columnNamed(by error: any Error) -> String? {
        guard error is RowDecodingError else { return nil }
        let text = "\(error)"
        return schemaColumns.map(\.name).first { name in
            let quoted = String(reflecting: name)
            return text.contains("column: \(quoted), column index: ") || text.contains("column not found: \(quoted)")
        }
    }
}
