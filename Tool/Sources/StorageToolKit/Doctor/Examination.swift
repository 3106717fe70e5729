import StorageSQLite

/// Looks for what is wrong with a file, by reading alone.
struct Examination {
    /// A log longer than this is not emptied as it should be: SQLite does so each 4 MB.
    static let largestLogBytes = 64 << 20
    /// Free pages are worth a VACUUM from a quarter of a file that is larger than this.
    static let smallestWasteBytes = 1 << 20

    private let file: DatabaseFile
    private let connection: Connection
    private let copying: (Connection) throws -> Connection

    /// - Parameters:
    ///   - file: The file.
    ///   - connection: A connection to it.
    ///   - copying: Makes a private copy, which may be written to.
    init(
        of file: DatabaseFile, _ connection: Connection,
        copying: @escaping (Connection) throws -> Connection = { try $0.privateCopy() }
    ) {
        self.file = file
        self.connection = connection
        self.copying = copying
    }

    /// Everything that was found, check by check.
    func findings() throws -> [Finding] {
        let damage = try damage(connection, .integrity)
        // In a damaged file the other checks would stumble over the same place.
        guard damage.isEmpty else { return damage + log() }
        let catalog: Catalog
        do {
            catalog = try Catalog(connection)
        } catch let error as ToolError {
            return [unreadable(error)] + log()
        }
        let parts = try StorageKitParts(catalog, connection)
        return try brokenReferences(catalog) + foundOnCopy(catalog, parts) + log() + missingIndexes(catalog) + waste()
    }

    /// What SQLite tells only of a file that it may write: of others it does not know the CHECKs, and FTS checks an index through an
    /// INSERT.
    private func foundOnCopy(_ catalog: Catalog, _ parts: StorageKitParts) throws -> [Finding] {
        let hasChecks = catalog.tables.contains(where: \.mayHaveChecks)
        // SQLite checks the others against their texts, which these do not keep.
        let indexes = parts.fullTextIndexes.filter { catalog.table($0.name)?.isContentlessFTS4 == false }
        guard hasChecks || !indexes.isEmpty else { return [] }
        let copy = try copying(connection)
        return try (hasChecks ? damage(copy, .constraints) : [])
            + indexes.flatMap { try brokenFullTextIndex($0, catalog, parts, copy) }
    }

    // MARK: - Structure

    private func damage(_ connection: Connection, _ check: Finding.Check) throws -> [Finding] {
        let rescue = "Restore a backup, or save what can be read: sqlite3 FILE .recover | sqlite3 NEW"
        do {
            // A name in them may have bytes that are no UTF-8.
            let lines = try connection.rows("PRAGMA main.integrity_check").map { $0[0].shownText ?? "" }
            guard lines != ["ok"] else { return [] }
            return lines.map { Finding(check: check, problem: $0, advice: advice(for: $0) ?? rescue) }
        } catch let failure as SQLiteFailure where failure.kind == .corrupt {
            return [Finding(check: check, problem: failure.message, advice: rescue)]
        } catch let failure as SQLiteFailure where failure.kind == .error {
            return [unknownToTool(failure, check)]
        }
    }

    private func unreadable(_ error: ToolError) -> Finding {
        Finding(
            check: .integrity, problem: error.message,
            advice: "Correct it in what sqlite3 FILE .dump writes, and make the file anew of that.")
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

    private func brokenReferences(_ catalog: Catalog) throws -> [Finding] {
        try catalog.tables.filter { !$0.foreignKeys.isEmpty }.flatMap {
            try missingParents(of: $0, in: catalog) + brokenReferences(of: $0)
        }
    }

    /// Tables that are referred to and not there. Without rows that refer to them, SQLite says nothing of them.
    private func missingParents(of table: Table, in catalog: Catalog) -> [Finding] {
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

    private func brokenFullTextIndex(
        _ index: StorageKitParts.FullTextIndex, _ catalog: Catalog, _ parts: StorageKitParts, _ copy: Connection
    ) throws -> [Finding] {
        do {
            return try damage(of: index, on: copy) + missingParts(of: index, catalog, parts)
        } catch let failure as SQLiteFailure where failure.kind == .error {
            return [
                Finding(
                    check: .fullTextSearch,
                    problem: "index '\(index.name)' cannot be checked: \(failure.message)",
                    advice: "It needs a tokenizer that only the app has, or a table that is gone; check it there.")
            ]
        }
    }

    private func damage(of index: StorageKitParts.FullTextIndex, on copy: Connection) throws -> [Finding] {
        let name = index.name.quotedName
        let columns = index.module == "fts5" ? "\(name), rank" : name
        let values = index.module == "fts5" ? "'integrity-check', 1" : "'integrity-check'"
        do {
            try copy.run("INSERT INTO main.\(name) (\(columns)) VALUES (\(values))")
            return []
        } catch {
            guard error.kind == .corrupt else { throw error }
            return [
                Finding(
                    check: .fullTextSearch, problem: "index '\(index.name)' is damaged: \(error.message)",
                    advice: advice(for: index, error))
            ]
        }
    }

    private func advice(for index: StorageKitParts.FullTextIndex, _ failure: SQLiteFailure) -> String {
        let name = index.name.quotedName
        if failure.message.hasPrefix("vtable constructor failed") {
            return "Not even DROP works on it: PRAGMA writable_schema = ON, DELETE FROM sqlite_master WHERE name = "
                + "\(index.name.quotedText), PRAGMA writable_schema = RESET; then drop what is left of its tables "
                + "(_data, _idx, _content, _docsize, _config) and make it anew."
        }
        guard index.module == "fts5" || index.module == "fts4" else { return "Drop it and make it anew." }
        return "INSERT INTO \(name) (\(name)) VALUES ('rebuild') builds it anew; StorageKit does at a start if the "
            + "index is dropped."
    }

    private func missingParts(
        of index: StorageKitParts.FullTextIndex, _ catalog: Catalog, _ parts: StorageKitParts
    ) throws -> [Finding] {
        guard index.module == "fts5", let table = index.table.flatMap({ catalog.table($0) }), parts.isStorageKits(index)
        else { return [] }
        return try missingTriggers(of: index, catalog) + missingDocuments(of: table, in: index)
    }

    private func missingTriggers(of index: StorageKitParts.FullTextIndex, _ catalog: Catalog) -> [Finding] {
        let triggers = Set(catalog.parts.filter { $0.type == "trigger" }.map(\.name.nameKey))
        return index.triggers.filter { !triggers.contains($0.nameKey) }.map { trigger in
            Finding(
                check: .fullTextSearch, problem: "index '\(index.name)' has lost its trigger '\(trigger)'",
                advice: "The next start with addFullTextSearch builds the index anew, with its triggers.")
        }
    }

    /// An index of StorageKit has a document for each row that has a key. It may have more: of rows that were replaced, which
    /// search does not find.
    private func missingDocuments(of table: Table, in index: StorageKitParts.FullTextIndex) throws -> [Finding] {
        // A key that was made by hand may be NULL.
        let condition = table.key.count == 1 ? " WHERE \(table.key[0].name.quotedName) IS NOT NULL" : ""
        let rows = try connection.integer("SELECT COUNT(*) FROM main.\(table.name.quotedName)\(condition)")
        let documents: Int
        do {
            documents = try connection.integer("SELECT COUNT(*) FROM main.\(index.name.quotedName)")
        } catch let failure as SQLiteFailure where failure.kind == .corrupt {
            // It has been told that the index is damaged.
            return []
        }
        guard documents < rows else { return [] }
        let triggers = index.triggers.map { "'\($0)'" }.joined(separator: ", ")
        return [
            Finding(
                check: .fullTextSearch,
                problem: "index '\(index.name)' has \(Amount.of(documents, "document")) and table '\(table.name)' "
                    + Amount.of(rows, "row"),
                advice: "Drop the triggers \(triggers), which write to it, and the table '\(index.name)': the next "
                    + "start with addFullTextSearch builds it anew.")
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

    private func missingIndexes(_ catalog: Catalog) -> [Finding] {
        catalog.tables.flatMap { table in
            table.foreignKeys.compactMap { key -> Finding? in
                let parentKeys = table.parentKeys(key, in: catalog.table(key.parent))
                guard !table.hasIndex(for: key, comparedAs: parentKeys) else { return nil }
                // How a column compares its texts is told of an index alone.
                let isPlain = !table.sql.folded.contains("collate")
                let collations = parentKeys.first.flatMap { isPlain && $0.allSatisfy { $0 == "BINARY" } ? nil : $0 }
                let columns = key.columns.indices.map { index in
                    key.columns[index].quotedName + (collations.map { " COLLATE \($0[index])" } ?? "")
                }.joined(separator: ", ")
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

    /// Whether it is an index that keeps no texts, of a module that cannot be checked without them.
    fileprivate var isContentlessFTS4: Bool {
        let sql = sql.folded
        return sql.contains(/\busing\s+fts4\b/) && sql.contains(/\bcontent=(''|""|``|\[\]|\s*[,)])/)
    }

    /// The collations by which the columns of a reference are compared: those of the unique indexes over what is
    /// referred to, in the order of its columns. None where that is the rowid.
    fileprivate func parentKeys(_ reference: ForeignKey, in parent: Table?) -> [[String]] {
        let columns = parentColumns(reference, in: parent)
        guard let parent, columns.count == reference.columns.count else { return [] }
        let uniqueIndexes = parent.indexes.filter { index in
            index.isUnique && !index.isPartial && index.columns.count == columns.count
        }
        // SQLite compares as the columns declare it, whatever other indexes there are.
        let isPlain = !parent.sql.folded.contains("collate")
        return uniqueIndexes.compactMap { index in
            let collations = columns.compactMap(index.collation(of:))
            guard collations.count == columns.count else { return nil }
            return isPlain && collations.contains { $0 != "BINARY" } ? nil : collations
        }
    }

    /// Whether SQLite can look the rows of a reference up: by an index, the rowid or the primary key.
    ///
    /// - Parameter keys: The collations of its columns, of which the index must have some; without any, all will do.
    fileprivate func hasIndex(for reference: ForeignKey, comparedAs keys: [[String]]) -> Bool {
        let wanted = Set(reference.columns.map(\.nameKey))
        if key.count == 1, wanted == [key[0].name.nameKey], !indexes.contains(where: { $0.origin == "pk" }) {
            return true
        }
        return indexes.contains { index in
            let first = Set(index.columns.prefix(wanted.count).map { ($0 ?? "").nameKey })
            guard !index.isPartial, first == wanted else { return false }
            return keys.isEmpty || keys.contains(reference.columns.compactMap(index.collation(of:)))
        }
    }
}

extension Table.Index {
    /// By what it compares a column; nil for one that it does not have.
    fileprivate func collation(of column: String) -> String? {
        columns.firstIndex { $0?.nameKey == column.nameKey }.map { collations[$0] }
    }
}

extension StorageKitParts.FullTextIndex {
    /// The names of the triggers by which StorageKit has it follow its table.
    fileprivate var triggers: [String] { ["ai", "au", "ad"].map { "\(name)_\($0)" } }
}

extension StorageKitParts {
    /// Whether StorageKit made the index, and so keeps one document for each row.
    fileprivate func isStorageKits(_ index: FullTextIndex) -> Bool {
        migrations.contains("storage_fts_v1:" + index.name)
    }
}
