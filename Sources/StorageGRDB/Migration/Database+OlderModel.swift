import GRDB

extension Database {
    /// Finds out whether a version of the app that is not the newest on this file can go on with it. It changes nothing.
    ///
    /// - Parameter isForReading: Whether nothing will be saved, so that saving may be refused and the key may be another.
    /// - Throws: ``OlderModelError`` if it cannot.
    func checkAsOlder(_ models: [TableModel], isForReading: Bool = false) throws {
        for schema in models.map(\.schema) {
            if let reason = try reasonToStop(schema, isForReading) {
                throw OlderModelError(table: schema.name, reason: reason)
            }
        }
    }

    private func reasonToStop(_ schema: TableSchema, _ isForReading: Bool) throws -> OlderModelError.Reason? {
        let diff = try diff(schema)
        if diff.isTableMissing { return .tableIsGone }
        if let column = diff.missingColumns.first { return .columnIsGone(column.name) }
        for change in try changes(to: schema, installedTable(named: schema.name)) {
            switch change {
            case .allowNull where isForReading, .allowNullOfUnknown where isForReading, .key where isForReading:
                continue
            case .type(let column, _), .allowNull(let column): return .columnHasChanged(column.name)
            case .allowNullOfUnknown(let column): return .insertsAreRefused(column.name)
            case .key(let columns, _): return .columnHasChanged(columns[0])
            case .refuseNull, .changeDefault, .addReference, .dropReference: continue
            }
        }
        return nil
    }
}
