import GRDB

extension Database {
    /// Runs a write. A constraint that it breaks is thrown as a `ConstraintViolation` with the names that the schema has.
    ///
    /// - Parameter brokenReference: Finds out which foreign key is broken, of which SQLite does not tell.
    func namingConstraints<T>(
        _ body: () throws -> T, brokenReference: () throws -> ConstraintViolation? = { nil }
    ) throws -> T {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            guard let violation = violation(error) else { throw error }
            guard violation.kind == .foreignKey else { throw StorageError.constraintViolated(violation) }
            // What goes wrong in looking says nothing of the write.
            throw StorageError.constraintViolated(((try? brokenReference()) ?? nil) ?? violation)
        }
    }

    /// What SQLite's error says together with the schema, which alone knows what a name with dots or commas means.
    private func violation(_ error: DatabaseError) -> ConstraintViolation? {
        guard let violation = ConstraintViolation(error) else { return nil }
        guard let places = try? places(of: violation, error.extendedResultCode), let first = places.first else {
            return violation
        }
        return ConstraintViolation(
            kind: violation.kind, table: places.allSatisfy { $0.table == first.table } ? first.table : nil,
            columns: places.count == 1 ? first.columns : [], message: violation.message)
    }

    /// All that the error could mean.
    private func places(of violation: ConstraintViolation, _ code: ResultCode) throws -> Set<Place> {
        guard let subject = violation.subject else { return [] }
        switch violation.kind {
        case .check: return try tables(withCheck: subject)
        case .unique where code == .SQLITE_CONSTRAINT_ROWID:
            let tables = try tables(before: subject).filter { "\($0.name).rowid" == subject }
            return Set(tables.map { Place(table: $0.name, columns: []) })
        case .unique:
            let indexed = try violation.namedIndex.map { try tables(of: "type = 'index' AND name = ?1", $0) } ?? []
            return try indexed.union(places(subject, keys: uniqueKeys))
        default: return try places(subject) { try columns(of: $0).map { [$0] } }
        }
    }

    /// The tables and keys for which SQLite writes this text.
    private func places(_ subject: String, keys: (TableName) throws -> [[String]]) throws -> Set<Place> {
        var places: Set<Place> = []
        for table in try tables(before: subject) {
            for key in try keys(table) where key.map({ "\(table.name).\($0)" }).joined(separator: ", ") == subject {
                places.insert(Place(table: table.name, columns: key))
            }
        }
        return places
    }

    /// The tables with whose name and a dot the text begins. They are looked up by name: a list of all would take as long as the file has
    /// tables, for each write that a key refuses.
    private func tables(before subject: String) throws -> [TableName] {
        let named = try cachedStatement(
            sql: "SELECT schema, name FROM pragma_table_list(?1) WHERE type = 'table' AND name = ?1")
        let scalars = subject.unicodeScalars
        return try scalars.indices.filter { scalars[$0] == "." }.flatMap { dot in
            try Row.fetchAll(named, arguments: [String(scalars[..<dot])])
                .map { TableName(schema: $0[0], name: $0[1]) }
        }
    }

    private func columns(of table: TableName) throws -> [String] {
        let sql = "SELECT name FROM pragma_table_xinfo(?, ?)"
        return try String.fetchAll(cachedStatement(sql: sql), arguments: [table.name, table.schema])
    }

    /// The columns of each unique key. One with expressions in it has a name in SQLite's text, and not its columns.
    private func uniqueKeys(of table: TableName) throws -> [[String]] {
        let sql = """
            SELECT list.name, part.name FROM pragma_index_list(?1, ?2) AS list, pragma_index_info(list.name, ?2) AS part
            WHERE list."unique" ORDER BY list.name, part.seqno
            """
        var keys: [String: [String?]] = [:]
        for row in try Row.fetchAll(cachedStatement(sql: sql), arguments: [table.name, table.schema]) {
            keys[row[0], default: []].append(row[1])
        }
        // An INTEGER PRIMARY KEY has no index.
        let primary = "SELECT name FROM pragma_table_xinfo(?, ?) WHERE pk > 0"
        let ids = try String.fetchAll(cachedStatement(sql: primary), arguments: [table.name, table.schema])
        return keys.values.filter { !$0.contains(nil) }.map { $0.compactMap(\.self) } + ids.map { [$0] }
    }

    /// The tables that may have the check: what SQLite calls it is its name or its text, which stands in the table's SQL, perhaps
    /// with quotes doubled.
    private func tables(withCheck check: String) throws -> Set<Place> {
        let spellings = ["?1"] + ["'\"'", "''''", "'`'"].map { "replace(?1, \($0), \($0) || \($0))" }
        let has = spellings.map { "instr(sql, \($0))" }.joined(separator: " OR ")
        return try tables(of: "type = 'table' AND instr(lower(sql), 'check') AND (\(has))", check)
    }

    /// The tables of all files that have something in their schema.
    private func tables(of condition: String, _ name: String) throws -> Set<Place> {
        let schemas = try String.fetchAll(self, sql: "SELECT name FROM pragma_database_list")
        let names = try schemas.flatMap { schema in
            try String.fetchAll(
                self, sql: "SELECT tbl_name FROM \(schema.quotedIdentifier).sqlite_master WHERE \(condition)",
                arguments: [name])
        }
        return Set(names.map { Place(table: $0, columns: []) })
    }
}

private struct TableName {
    let schema: String
    let name: String
}

private struct Place: Hashable {
    let table: String
    let columns: [String]
}
