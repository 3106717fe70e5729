extension RegisteredEntity {
    /// An entity is read from the columns of its table, by their names; there may be others.
    public static func _reading(_ columns: SQLColumns) throws -> @Sendable (inout RowReader) throws -> Self {
        let names = RecordSQL.of(Record.self).columns.map(\.name)
        let places = try names.map { try columns.place(of: $0) }
        guard !zip(Int32(0)..., places).allSatisfy({ $0 == $1 }) else {
            return { try EntityCodec.decode(Record.self, &$0) }
        }
        return { row in
            var ordered = RowReader(places, of: row, names: names)
            return try EntityCodec.decode(Record.self, &ordered)
        }
    }
}
