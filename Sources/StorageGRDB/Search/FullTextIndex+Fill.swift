import GRDB

extension FullTextIndex {
    /// How many rows are indexed at once: so many that it costs nothing, so few that an app can show progress.
    static let rowsPerChunk = 10_000

    func fill(key: FullTextKey, on db: Database, progress: (Int, Int) -> Void) throws {
        if case .mapped(let column, _, _) = key {
            let column = column.quotedIdentifier
            try db.execute(
                sql: """
                    INSERT INTO \(idsName.quotedIdentifier) (id)
                    SELECT \(column) FROM \(table.quotedIdentifier) WHERE \(column) IS NOT NULL
                    """)
        }
        let documents = documentsSQL(key: key)
        let total = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(documents))") ?? 0
        let lastOfChunk = """
            SELECT MAX(docid) FROM (SELECT docid FROM (\(documents)) WHERE docid >= ? ORDER BY docid LIMIT ?)
            """
        var done = 0
        var start: Int64? = .min
        while let first = start,
            let last = try Int64.fetchOne(db, sql: lastOfChunk, arguments: [first, Self.rowsPerChunk])
        {
            try db.execute(
                sql: "\(insertSQL) SELECT * FROM (\(documents)) WHERE docid BETWEEN ? AND ? ORDER BY docid",
                arguments: [first, last])
            done += db.changesCount
            progress(done, total)
            start = last == .max ? nil : last + 1
        }
    }

    /// The beginning of a statement that adds documents; ``documentsSQL(key:)`` goes after it.
    var insertSQL: String {
        "INSERT INTO \(name.quotedIdentifier) (rowid, \(columns.map(\.quotedIdentifier).joined(separator: ", ")))"
    }

    /// All documents that the rows of the table make.
    func documentsSQL(key: FullTextKey) -> String {
        let rows = table.quotedIdentifier
        let texts = columns.map { "\(rows).\($0.quotedIdentifier)" }.joined(separator: ", ")
        switch key {
        case .number(let column):
            return "SELECT \(column.quotedIdentifier) AS docid, \(texts) FROM \(rows)"
        case .mapped:
            let ids = idsName.quotedIdentifier
            return "SELECT \(ids).docid, \(texts) FROM \(ids) JOIN \(rows) ON \(key.equal(rows, ids))"
        }
    }
}
