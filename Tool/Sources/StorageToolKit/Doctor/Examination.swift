import StorageSQLite

/// Looks for what is wrong with a file, by reading alone.
struct Examination {
    /// A log longer than this is not emptied as it should be: SQLite does so each 4 MB.
    static let largestLogBytes = 64 << 20
    /// Free pages are worth a VACUUM from a quarter of a file that is larger than this.
    static let smallestWasteBytes = 1 << 20

    private let file: DatabaseFile
    private let connection: Connection
    private let catalog: Catalog
    private let parts: StorageKitParts
    private let copying: (Connection) throws -> Connection

    /// - Parameters:
    ///   - file: The file.
    ///   - connection: A connection to it.
    ///   - copying: Makes a private copy, which may be written to.
    init(
        of file: DatabaseFile, _ connection: Connection,
        copying: @escaping (Connection) throws -> Connection = { try $0.privateCopy() }
    ) throws {
        self.file = file
        self.connection = connection
        self.copying = copying
        catalog = try Catalog(connection)
        parts = try StorageKitParts(catalog, connection)
    }

    /// Everything that was found, check by check.
    func findings() throws -> [Finding] {
        let damage = try damage(connection, .integrity)
        // In a damaged file the other checks would stumble over the same place.
        guard damage.isEmpty else { return damage + log() }
        return try brokenReferences() + foundOnCopy() + log() + missingIndexes() + waste()
    }

    /// What SQLite tells only of a file that it may write: of others it does not know the CHECKs, and FTS checks an index through an
    /// INSERT.
    private func foundOnCopy() throws -> [Finding] {
        let hasChecks = catalog.tables.contains(where: \.mayHaveChecks)
        guard hasChecks || !parts.fullTextIndexes.isEmpty else { return [] }
        let copy = try copying(connection)
        return try (hasChecks ? damage(copy, .constraints) : []) + brokenFullTextIndexes(copy)
    }

    // MARK: - Structure

    private func damage(_ connection: Connection, _ check: Finding.Check) throws -> [Finding] {
        let rescue = "Restore a backup, or save what can be read: sqlite3 FILE .recover | sqlite3 NEW"
        do {
            let lines = try connection.rows("PRAGMA main.integrity_check").compactMap { $0[0].text }
            guard lines != ["ok"] else { return [] }
            return lines.map { Finding(check: check, problem: $0, advice: advice(for: $0) ?? rescue) }
        } catch let failure as SQLiteFailure where failure.kind == .corrupt {
            return [Finding(check: check, problem: failure.message, advice: rescue)]
        } catch let failure as SQLiteFailure where failure.kind == .error {
            return [unknownToTool(failure, check)]
        }
    }

    private func unknownToTool(_ failure: SQLiteFailure, _ check: Finding.Check) -> Finding {
        Finding(
            check: check, problem: "cannot be checked: \(failure.message)",
            advice: "The schema needs a collation, function or module that only the app has; check it there.")
    }

    private func advice(for line: String) -> String? {
        if line.hasPrefix("non-unique entry in index ") {
            return "Delete or change the rows that are equal, then run REINDEX."
        }
        if line.contains(" index ") { return "REINDEX builds indexes anew from their tables." }
        if line.contains("constraint failed") || line.hasPrefix("NULL value in") || line.hasPrefix("NUMERIC value in")
            || line.hasPrefix("TEXT value in")
        {
            return "Correct the rows: they break what the table declares."
        }
        return nil
    }

    // MARK: - References

    private func brokenReferences() throws -> [Finding] {
        try catalog.tables.filter { !$0.foreignKeys.isEmpty }.flatMap {
            try missingParents(of: $0) + brokenReferences(of: $0)
        }
    }

    /// Tables that are referred to and not there. Without rows that refer to them, SQLite says nothing of them.
    private func missingParents(of table: Table) -> [Finding] {
        table.foreignKeys.filter { catalog.table($0.parent) == nil }.map { key in
            Finding(
                check: .foreignKeys, problem: "'\(table.name)' refers to a table '\(key.parent)' that is not there",
                advice:
                    "Bring the table back, or make '\(table.name)' anew without the reference: until then writes fail.")
        }
    }

    private func brokenReferences(of table: Table) throws -> [Finding] {
        let sql = #"SELECT "parent", COUNT(*), MIN(rowid) FROM pragma_foreign_key_check(?, 'main') GROUP BY 1"#
        do {
            return try connection.rows(sql, [.text(table.name)]).map { row in
                let parent = row[0].text ?? ""
                let first = row[2].integer.map { ", the first with rowid \($0)" } ?? ""
                let count = Int(row[1].integer ?? 0)
                return Finding(
                    check: .foreignKeys,
                    problem:
                        "\(Amount.of(count, "row")) of '\(table.name)' \(count == 1 ? "refers" : "refer") to rows of "
                        + "'\(parent)' that are not there\(first)",
                    advice: "Delete them or bring the parents back; PRAGMA foreign_key_check lists them.")
            }
        } catch let failure as SQLiteFailure where failure.kind == .error {
            guard failure.message.hasPrefix("foreign key mismatch") else {
                return [unknownToTool(failure, .foreignKeys)]
            }
            return [
                Finding(
                    check: .foreignKeys, problem: failure.message,
                    advice: "What is referred to needs a primary key or a unique index; without it writes fail.")
            ]
        }
    }

    // MARK: - Full-text search

    private func brokenFullTextIndexes(_ copy: Connection) throws -> [Finding] {
        try parts.fullTextIndexes.flatMap { index in
            do {
                return try brokenFullTextIndex(index, copy) + missingDocuments(index)
            } catch let failure as SQLiteFailure where failure.kind == .error {
                return [
                    Finding(
                        check: .fullTextSearch,
                        problem: "index '\(index.name)' cannot be checked: \(failure.message)",
                        advice: "It needs a tokenizer that only the app has, or a table that is gone; check it there.")
                ]
            }
        }
    }

    private func brokenFullTextIndex(_ index: StorageKitParts.FullTextIndex, _ copy: Connection) throws -> [Finding] {
        let name = index.name.quotedName
        let columns = index.module == "fts5" ? "\(name), rank" : name
        let values = index.module == "fts5" ? "'integrity-check', 1" : "'integrity-check'"
        do {
            try copy.run("INSERT INTO main.\(name) (\(columns)) VALUES (\(values))")
            return []
        } catch {
            guard error.kind == .corrupt else { throw error }
            let advice =
                index.module == "fts5" || index.module == "fts4"
                ? "INSERT INTO \(name) (\(name)) VALUES ('rebuild') builds it anew; StorageKit does at a start if the "
                    + "index is dropped."
                : "Drop it and make it anew."
            return [
                Finding(
                    check: .fullTextSearch, problem: "index '\(index.name)' is damaged: \(error.message)",
                    advice: advice)
            ]
        }
    }

    /// An index of StorageKit has a document for each row. It may have more: of rows that were replaced, which search
    /// does not find.
    private func missingDocuments(_ index: StorageKitParts.FullTextIndex) throws -> [Finding] {
        guard index.module == "fts5", let table = index.table, parts.isStorageKits(index) else { return [] }
        let rows = try connection.integer("SELECT COUNT(*) FROM main.\(table.quotedName)")
        let documents = try connection.integer("SELECT COUNT(*) FROM main.\(index.name.quotedName)")
        guard documents < rows else { return [] }
        return [
            Finding(
                check: .fullTextSearch,
                problem: "index '\(index.name)' has \(Amount.of(documents, "document")) and table '\(table)' "
                    + Amount.of(rows, "row"),
                advice: "Drop the table '\(index.name)': the next start with addFullTextSearch builds it anew.")
        ]
    }

    // MARK: - Size

    private func log() -> [Finding] {
        guard let bytes = file.logByteCount, bytes > Examination.largestLogBytes else { return [] }
        return [
            Finding(
                check: .log, problem: "the write-ahead log has \(Amount.bytes(bytes))",
                advice:
                    "Some reader keeps it from being emptied: end long reads, then run PRAGMA wal_checkpoint(TRUNCATE)."
            )
        ]
    }

    private func waste() throws -> [Finding] {
        let free = try connection.integer("PRAGMA freelist_count")
        let all = try connection.integer("PRAGMA page_count")
        let bytes = try connection.integer("PRAGMA page_size") * free
        guard bytes >= Examination.smallestWasteBytes, free * 4 >= all else { return [] }
        return [
            Finding(
                check: .space, problem: "\(Amount.bytes(bytes)) of the file are free, \(free * 100 / all) %",
                advice: "VACUUM, or context.vacuum(), gives them back.")
        ]
    }

    // MARK: - Indexes

    private func missingIndexes() throws -> [Finding] {
        catalog.tables.flatMap { table in
            table.foreignKeys.filter { !table.hasIndex(beginningWith: $0.columns) }.map { key in
                let columns = key.columns.map(\.quotedName).joined(separator: ", ")
                let name = ([table.name] + key.columns).joined(separator: "_")
                return Finding(
                    check: .indexes,
                    problem:
                        "no index of '\(table.name)' begins with \(columns), which refers to '\(key.parent)': each "
                        + "delete there reads the whole table",
                    advice: "CREATE INDEX \(name.quotedName) ON \(table.name.quotedName) (\(columns))")
            }
        }
    }
}

extension Table {
    /// Whether it is a table with a CHECK; also said of some that only have the word.
    fileprivate var mayHaveChecks: Bool { kind == .table && sql.folded.contains("check") }

    /// Whether SQLite can look rows up by these columns: by an index, the rowid or the primary key.
    fileprivate func hasIndex(beginningWith columns: [String]) -> Bool {
        let wanted = Set(columns.map(\.nameKey))
        let keys = [key.map(\.name)] + indexes.filter { !$0.isPartial }.map { $0.columns.map { $0 ?? "" } }
        return keys.contains { Set($0.prefix(wanted.count).map(\.nameKey)) == wanted }
    }
}

extension StorageKitParts {
    /// Whether StorageKit made the index, and so keeps one document for each row.
    fileprivate func isStorageKits(_ index: FullTextIndex) -> Bool {
        migrations.contains("storage_fts_v1:" + index.name)
    }
}
