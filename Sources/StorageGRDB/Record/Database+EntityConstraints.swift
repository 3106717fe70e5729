import GRDB

extension Database {
    /// Runs the write of one row. A constraint that it breaks is thrown as a `ConstraintViolation`, which tells the reference that has
    /// no row behind it. What is checked at the commit only may stay broken until then.
    ///
    /// - Parameter values: The values of the table's columns, asked for if a reference is looked for.
    func namingConstraints<R: StorageKitEntityRecord, T>(
        of table: RecordTable<R>, values: () throws -> [StoredValue], _ body: () throws -> T
    ) throws -> T {
        try namingConstraints(body) { try brokenReference(of: table.name, rows: [table.named(values())]) }
    }

    /// The same for several entities: of their references the first is told that has no row behind it.
    func namingConstraints<R: StorageKitEntityRecord, T>(
        ofAny entities: [R.E], in table: RecordTable<R>, now: Date, _ body: () throws -> T
    ) throws -> T {
        try namingConstraints(body) {
            // What cannot be stored was not written.
            let rows = entities.lazy.compactMap { try? table.named(table.values(of: $0, now: now)) }
            return try brokenReference(of: table.name, rows: rows)
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

extension RecordTable {
    /// Values of all columns, by the columns' names.
    fileprivate func named(_ values: [StoredValue]) -> [String: StoredValue] {
        Dictionary(zip(sql.columnNames, values)) { first, _ in first }
    }
}
