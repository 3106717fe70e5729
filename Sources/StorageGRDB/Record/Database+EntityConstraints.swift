import GRDB

extension Database {
    /// Runs the write of one entity. A constraint that it breaks is thrown as a `ConstraintViolation`, which tells the reference
    /// that has no row behind it. One that is checked at the commit only is broken now, if there is a transaction.
    func namingConstraints<R: StorageKitEntityRecord, T>(
        of entity: R.E, in table: RecordTable<R>, now: Date, _ body: () throws -> T
    ) throws -> T {
        try namingConstraints {
            let result = try body()
            try refuseBrokenKeys()
            return result
        } brokenReference: {
            let values = try table.values(of: entity, now: now)
            let named = Dictionary(zip(table.sql.columnNames, values)) { first, _ in first }
            return try brokenReference(of: table.name, values: named)
        }
    }

    /// Runs the deletion of one row. If rows refer to it, their table and columns are told.
    func namingConstraints<R, T>(
        ofRowWith id: StoredValue, in table: RecordTable<R>, _ body: () throws -> T
    ) throws -> T {
        try namingConstraints {
            let result = try body()
            try refuseBrokenKeys()
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
