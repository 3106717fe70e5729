import GRDB
import GRDBSQLite

/// The two arrows between an entity and a statement. Both walk the record's column list by position.
enum EntityCodec {
    /// Runs a SELECT of the record's columns and hands over each entity.
    ///
    /// - Throws: `DatabaseError`, or `StorageError.entityDecodingFailed` for a row that is no such entity.
    static func forEach<R: StorageKitEntityRecord>(
        _ table: RecordTable<R>, in statement: Statement, _ body: (R.E) throws -> Void
    ) throws {
        try forEachRow(in: statement, coders: table.coders) { row in try body(decode(R.self, &row)) }
    }

    /// Runs a SELECT and hands over each row.
    static func forEachRow(
        in statement: Statement, coders: JSONCoders, _ body: (inout RowReader) throws -> Void
    ) throws {
        try withoutActuallyEscaping(body) { body in
            let cursor = RowCursor(statement, coders: coders, body)
            while try cursor.next() != nil {}
        }
    }

    /// Executes a statement whose parameters are the record's columns.
    ///
    /// - Throws: `DatabaseError`, or `StorageError.entityEncodingFailed` before anything was written.
    static func execute<R: StorageKitEntityRecord>(
        _ statement: Statement, writing entity: R.E, to table: RecordTable<R>, now: Date
    ) throws {
        sqlite3_reset(statement.sqliteStatement)
        var writer = RowWriter(statement: statement.sqliteStatement, coders: table.coders)
        do {
            try R._encode(entity, now: now, to: &writer)
        } catch {
            throw encodingError(error, type: R.E.self, columns: table.columns, index: writer.index)
        }
        try writer.checkBindings()
        try statement.execute()
    }

    static func encodingError<T>(
        _ error: any Error, type: T.Type, columns: [ColumnSchema], index: Int32
    ) -> any Error {
        if error is StorageError { return error }
        // What the app's own code throws may carry values, so that its type alone is passed on.
        var named =
            error as? ColumnEncodingError
            ?? ColumnEncodingError(reason: "the value refuses to be encoded (\(Swift.type(of: error)))")
        if named.column == nil, columns.indices.contains(Int(index)) {
            named.column = columns[Int(index)].name
        }
        return StorageError.entityEncodingFailed(type: "\(type)", underlying: named)
    }

    /// Reads an entity from the first columns of a row.
    static func decode<R: StorageKitEntityRecord>(_ type: R.Type, _ row: inout RowReader) throws -> R.E {
        do {
            return try R._decode(&row)
        } catch {
            throw decodingError(error, type: R.E.self, column: row.lastName)
        }
    }

    /// Reads single columns of an entity's rows; what is wrong with a value is said as of the entity.
    static func namingEntity<E, T>(_ type: E.Type, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch  where error is DatabaseError || error is CancellationError {
            throw error
        } catch {
            throw decodingError(error, type: type, column: nil)
        }
    }

    static func decodingError<T>(_ error: any Error, type: T.Type, column: String?) -> any Error {
        if error is StorageError { return error }
        let named =
            error as? ColumnDecodingError
            ?? ColumnDecodingError(
                column: column ?? "*", expected: "\(type)", found: "a value", refusal: "\(Swift.type(of: error))")
        return StorageError.entityDecodingFailed(type: "\(type)", underlying: named)
    }
}

/// Steps through a statement and hands over each row; going through GRDB's cursor keeps interruption and observation
/// working.
private final class RowCursor: DatabaseCursor {
    typealias Element = Void

    var _isDone = false
    let _statement: Statement
    private var reader: RowReader
    private let body: (inout RowReader) throws -> Void

    init(_ statement: Statement, coders: JSONCoders, _ body: @escaping (inout RowReader) throws -> Void) {
        _statement = statement
        reader = RowReader(statement: statement.sqliteStatement, coders: coders)
        self.body = body
    }

    deinit {
        sqlite3_reset(_statement.sqliteStatement)
    }

    func _element(sqliteStatement: SQLiteStatement) throws {
        reader.rewind()
        try body(&reader)
    }
}
