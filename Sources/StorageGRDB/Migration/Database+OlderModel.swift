import GRDB

extension Database {
    /// Finds out whether a version of the app that is not the newest on this file can go on with it. It changes nothing.
    ///
    /// - Throws: ``OlderModelError`` if it cannot.
    func checkAsOlder(_ models: [TableModel]) throws {
        for model in models {
            let diff = try diff(model.schema)
            if let reason = reasonToStop(diff) { throw OlderModelError(table: model.schema.name, reason: reason) }
        }
    }

    private func reasonToStop(_ diff: SchemaDiff) -> OlderModelError.Reason? {
        if diff.isTableMissing { return .tableIsGone }
        if let column = diff.missingColumns.first { return .columnIsGone(column.name) }
        for difference in diff.differences {
            let column = difference.file.name
            if difference.preventsInserts { return .insertsAreRefused(column) }
            let takesNoNull = difference.kind == .nullability && difference.file.notNull
            if difference.kind == .type || difference.kind == .primaryKey || takesNoNull {
                return .columnHasChanged(column)
            }
        }
        return nil
    }
}
