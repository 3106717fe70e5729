import GRDB

extension Database {
    /// Runs the write of one row. A constraint that it breaks is thrown as a `ConstraintViolation`, which tells the reference that has
    /// no row behind it. What is checked at the commit only may stay broken until then.
    ///
    /// - Parameter values: The values of the table's columns, asked for if a reference is looked for.
    func namingConstraints<R: StorageKitEntityRecord, T>(
        of table: RecordTable<R>, values: () throws -> [StoredValue], _ body: () throws -> T
    ) throws -> T {
        try namingConstraints(body) { try brokenReference(of: table.name, rows: [table.named(values())])?.violation }
    }

    /// The same for several entities: of their references the first is told that has no row behind it. What one of several breaks, or
    /// has that cannot be stored, is thrown with its position.
    ///
    /// - Parameter position: Which entity is being written, if that is known.
    func namingConstraints<R: StorageKitEntityRecord, T>(
        ofAny entities: [R.E], in table: RecordTable<R>, now: Date, at position: () -> Int? = { nil },
        _ body: () throws -> T
    ) throws -> T {
        var referring: Int?
        do {
            return try namingConstraints(body) {
                // What cannot be stored was not written.
                let rows = entities.lazy.map { (try? table.named(table.values(of: $0, now: now))) ?? [:] }
                let broken = try brokenReference(of: table.name, rows: rows)
                referring = broken?.row
                return broken?.violation
            }
        } catch let error as StorageError where entities.count > 1 {
            throw error.of(entityAt: referring ?? position())
        }
    }

    /// Runs the deletion of one row. If rows refer to it, their table and columns are told.
    ///
    /// - Parameter isAlone: Whether the transaction ends with it, so that no foreign key may stay broken.
    func namingConstraints<R, T>(
        ofRowWith id: StoredValue, in table: RecordTable<R>, isAlone: Bool, _ body: () throws -> T
    ) throws -> T {
        try namingConstraints {
            let result = try body()
            if isAlone { try refuseBrokenKeys() }
            return result
        } brokenReference: {
            for id in table.sql.idArguments(id) {
                let found = try brokenReference(toRowOf: table.name, values: [table.idColumn: id])
                if let found { return found }
            }
            return nil
        }
    }
}

extension Array {
    /// Writes each entity. What one of several breaks, or has that cannot be stored, is thrown with its position.
    func writingEach<T>(_ write: (Element) throws -> T) throws -> [T] {
        var written: [T] = []
        do {
            for entity in self { written.append(try write(entity)) }
        } catch let error as StorageError where count > 1 {
            throw error.of(entityAt: written.count)
        }
        return written
    }
}

extension StorageError {
    /// The same, of one of several entities.
    fileprivate func of(entityAt position: Int?) -> StorageError {
        switch self {
        case .constraintViolated(let violation): return .constraintViolated(violation.broken(at: position))
        case .entityEncodingFailed(let type, var error as ColumnEncodingError):
            error.position = position
            return .entityEncodingFailed(type: type, underlying: error)
        default: return self
        }
    }
}

extension RecordTable {
    /// Values of all columns, by the columns' names.
    fileprivate func named(_ values: [StoredValue]) -> [String: StoredValue] {
        Dictionary(zip(sql.columnNames, values)) { first, _ in first }
    }
}
