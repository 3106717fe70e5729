extension RegisteredEntity {
    /// An entity is read from the columns of its table, by their names; there may be others. The time of its last save may be missing,
    /// where it is no property of the entity.
    public static func _reading(_ columns: SQLColumns) throws -> @Sendable (inout RowReader) throws -> Self {
        let sql = RecordSQL.of(Record.self)
        let names = sql.columnNames
        let isGenerated = Record.self is any GeneratedRecord.Type
        let places: [Int32?] = try names.map { name in
            if isGenerated, name == sql.stampColumn, !columns.contains(name) { return nil }
            return try columns.place(of: name)
        }
        guard !zip(Int32(0)..., places).allSatisfy({ $0 == $1 }) else {
            return { try EntityCodec.decode(Record.self, &$0) }
        }
        return { row in
            var ordered = RowReader(places, of: row, names: names)
            return try EntityCodec.decode(Record.self, &ordered)
        }
    }
}
