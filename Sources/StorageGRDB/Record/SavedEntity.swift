/// The columns that a save leaves in the table.
protocol SavedColumns: AnyObject, Sendable {
    var values: [StoredValue] { get }
}

/// What a save leaves in the table, as an object: what is observed of a table does not know types.
final class SavedEntity<Entity: Sendable>: SavedColumns {
    let entity: Entity
    let values: [StoredValue]

    init(entity: Entity, values: [StoredValue]) {
        self.entity = entity
        self.values = values
    }
}

extension RecordTable {
    /// The values of an entity's columns.
    ///
    /// - Throws: `StorageError.entityEncodingFailed` for an entity that cannot be stored.
    func values(of entity: R.E, now: Date) throws -> [StoredValue] {
        try EntityCodec.values(of: entity, as: R.self, columns, now: now, coders)
    }

    /// What a save of those values leaves: the entity as it will be read back, which lacks what is no column, such as loaded children.
    func saved(_ values: [StoredValue]) throws -> SavedEntity<R.E> {
        var row = RowReader(values: values, names: sql.columnNames, coders: coders)
        return SavedEntity(entity: try EntityCodec.decode(R.self, &row), values: values)
    }
}
