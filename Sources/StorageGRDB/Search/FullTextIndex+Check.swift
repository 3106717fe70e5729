import GRDB

extension FullTextIndex {
    /// Finds out whether the index can be made, before anything is changed.
    ///
    /// - Returns: The key of the table.
    /// - Throws: ``StorageError/invalidConfiguration(message:)``, which says what to do about it, or
    ///   ``StorageError/invalidTableName(_:)``.
    func checkedKey(on db: Database) throws -> FullTextKey {
        try table.checkAsTableName()
        guard let source = try FullTextSource.find(table, on: db) else {
            throw misuse("create table '\(table)' first: call autoSchema before addFullTextSearch")
        }
        guard source.kind == "table" else {
            let kind = source.kind == "view" ? "view" : "\(source.kind) table"
            throw misuse("'\(table)' is a \(kind); only ordinary tables can have a full-text index")
        }
        let key = try checkKey(of: source)
        try checkColumns(of: source)
        try checkNames(on: db)
        try checkTokenizer(on: db)
        return key
    }

    private func checkKey(of source: FullTextSource) throws -> FullTextKey {
        if let key = source.key { return key }
        let names = source.keyColumns.map(\.name)
        throw misuse(
            names.isEmpty
                ? "table '\(table)' has no primary key; a full-text index needs one to know the rows by"
                : "the primary key of table '\(table)' is made of \(names.quoted); a full-text index "
                    + "needs a key of one column")
    }

    private func checkColumns(of source: FullTextSource) throws {
        guard !columns.isEmpty else { throw misuse("name the columns of table '\(table)' to index") }
        var seen: Set<SQLName> = []
        for column in columns where !seen.insert(SQLName(column)).inserted {
            throw misuse("column '\(column)' is named twice for the full-text index of table '\(table)'")
        }
        let present = Set(source.columns.map { SQLName($0.name) })
        let missing = columns.filter { !present.contains(SQLName($0)) }
        guard missing.isEmpty else {
            throw misuse(
                "table '\(table)' has no \(missing.count == 1 ? "column" : "columns") \(missing.quoted); "
                    + "it has \(source.columns.map(\.name).quoted)")
        }
        let reserved = Set(["rank", "rowid", name.asciiLowercased])
        if let column = columns.first(where: { reserved.contains($0.asciiLowercased) }) {
            throw misuse("FTS5 keeps the name '\(column)' for itself, so that column cannot be indexed")
        }
    }

    /// What the app made by hand must not be dropped because it has a name that the index needs.
    func checkNames(on db: Database) throws {
        let own = try partsInFile(on: db)
        let foreign = try objects(on: db).filter { part in
            let names = part.kind == .trigger ? triggerNames : [name, idsName] + shadowNames
            guard names.contains(where: { $0.isSameName(as: part.name) }), !own.contains(part) else { return false }
            return try db.specialKind(ofTable: part.name) != "shadow"
        }
        // Where something else has the name of the index, triggers that write to it are not the reason.
        guard let part = foreign.first(where: { $0.kind != .trigger }) ?? foreign.first else { return }
        throw misuse(
            "the full-text index of table '\(table)' needs the name '\(part.name)', which something else has; "
                + "rename that, or make it anew under another name if it is a full-text table")
    }

    /// Whether each row that has a key has its document, of the texts that it holds.
    func hasDocumentsOfAllRows(on db: Database) throws -> Bool {
        guard let key = try FullTextSource.find(table, on: db)?.key else { return false }
        let (index, rows) = (name.quotedIdentifier, table.quotedIdentifier)
        // The table, and columns of it, may be called "documents" and "docid".
        let documents = "storagekit_documents"
        let texts = columns.indices.map { "storagekit_text\($0)" }
        let differences = zip(columns, texts).map { column, text in
            let (found, wanted) = ("\(index).\(column.quotedIdentifier)", "\(documents).\(text)")
            return "CAST(\(found) AS TEXT) IS NOT CAST(\(wanted) AS TEXT) COLLATE BINARY"
        }
        return try Bool.fetchOne(
            db,
            sql: """
                WITH \(documents) (storagekit_docid, \(texts.joined(separator: ", "))) AS (\(documentsSQL(key: key)))
                SELECT (SELECT COUNT(*) FROM \(documents))
                    = (SELECT COUNT(*) FROM \(rows) WHERE \(key.column.quotedIdentifier) IS NOT NULL)
                AND NOT EXISTS (
                    SELECT 1 FROM \(documents) LEFT JOIN \(index) ON \(index).rowid = \(documents).storagekit_docid
                    WHERE \((["\(index).rowid IS NULL"] + differences).joined(separator: " OR ")))
                """) ?? false
    }

    /// Only FTS5 knows which tokenizers and options there are, so it is asked to make a table.
    private func checkTokenizer(on db: Database) throws {
        // SQL ends at a NUL, so what comes after it would not be looked at.
        guard !tokenizer.contains("\0") else {
            throw misuse("FTS5 does not take the tokenizer '\(tokenizer)': it contains a NUL")
        }
        let trial = "temp.storagekit_tokenizer_trial"
        do {
            try db.execute(sql: "CREATE VIRTUAL TABLE \(trial) USING fts5(text, tokenize=\(tokenizer.quotedLiteral))")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw misuse(
                "FTS5 does not take the tokenizer '\(tokenizer)' for table '\(table)': \(error.message ?? "unknown")")
        }
        try db.execute(sql: "DROP TABLE \(trial)")
    }

    private func misuse(_ message: String) -> StorageError { .invalidConfiguration(message: message) }
}
