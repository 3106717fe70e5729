import GRDB

extension FullTextIndex {
    /// How many rows are indexed at once: so many that it costs nothing, so few that an app can show progress.
    static let rowsPerChunk = 20_000

    /// How many bytes FTS5 gathers before it writes a segment while an index is filled, and else (its own default).
    private static let segmentBytes = (filling: 4 << 20, else: 1 << 20)

    /// Fills the index, which has to be new, from the rows of the table. Each chunk of rows ends a segment, and segments are
    /// merged by and by: fewer and larger ones took a tenth less time.
    func fill(key: FullTextKey, on db: Database, progress: (Int, Int) throws -> Void) throws {
        let documents = try numberDocuments(key: key, on: db)
        let total = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(documents))") ?? 0
        let lastOfChunk = """
            SELECT MAX(docid) FROM (SELECT docid FROM (\(documents)) WHERE docid >= ? ORDER BY docid LIMIT ?)
            """
        try gather(bytes: Self.segmentBytes.filling, on: db)
        var done = 0
        var start: Int64? = .min
        while let first = start,
            let last = try Int64.fetchOne(db, sql: lastOfChunk, arguments: [first, Self.rowsPerChunk])
        {
            try db.execute(
                sql: "\(insertSQL) SELECT * FROM (\(documents)) WHERE docid BETWEEN ? AND ? ORDER BY docid",
                arguments: [first, last])
            done += db.changesCount
            try progress(done, total)
            start = last == .max ? nil : last + 1
        }
        try gather(bytes: Self.segmentBytes.else, on: db)
    }

    /// Sets the size of the segments that FTS5 writes; it keeps that in the index.
    private func gather(bytes: Int, on db: Database) throws {
        let index = name.quotedIdentifier
        try db.execute(sql: "INSERT INTO \(index) (\(index), rank) VALUES ('hashsize', ?)", arguments: [bytes])
    }

    /// Gives all rows the numbers of their documents.
    ///
    /// - Returns: All documents. Where rows have a number of their own, their document first gets the same, and no row need be
    ///   looked up by its key: that took a fifth of all the time. `VACUUM` may give the rows others, which is why the
    ///   numbers are written down.
    private func numberDocuments(key: FullTextKey, on db: Database) throws -> String {
        guard case .mapped = key else { return documentsSQL(key: key) }
        let (ids, rows) = (idsName.quotedIdentifier, table.quotedIdentifier)
        let column = key.column.quotedIdentifier
        guard let rowid = try db.rowidName(of: table) else {
            try db.execute(sql: "INSERT INTO \(ids) (id) SELECT \(column) FROM \(rows) WHERE \(column) IS NOT NULL")
            return documentsSQL(key: key)
        }
        try db.execute(
            sql: "INSERT INTO \(ids) (docid, id) SELECT \(rowid), \(column) FROM \(rows) WHERE \(column) IS NOT NULL")
        return "SELECT \(rowid) AS docid, \(textsSQL) FROM \(rowsDeclaration) WHERE \(column) IS NOT NULL"
    }

    /// The beginning of a statement that adds documents; ``documentsSQL(key:)`` goes after it.
    var insertSQL: String {
        "INSERT INTO \(name.quotedIdentifier) (rowid, \(columns.map(\.quotedIdentifier).joined(separator: ", ")))"
    }

    /// All documents that the rows of the table make.
    func documentsSQL(key: FullTextKey) -> String {
        switch key {
        case .number(let column):
            return "SELECT \(column.quotedIdentifier) AS docid, \(textsSQL) FROM \(rowsDeclaration)"
        case .mapped:
            let ids = idsName.quotedIdentifier
            return "SELECT \(ids).docid, \(textsSQL) FROM \(ids) JOIN \(rowsDeclaration) ON \(key.equal(rowsName, ids))"
        }
    }

    private var textsSQL: String {
        columns.map { "\(rowsName).\($0.quotedIdentifier)" }.joined(separator: ", ")
    }

    /// What the triggers call the rows of the table. Those of a table that is called `new` or `old` have another name,
    /// since a trigger means its own row by these. All others go by the table's: an index whose triggers have another
    /// text is built anew.
    var rowsName: String { isCalledAsRowOfTrigger ? "storagekit_rows" : table.quotedIdentifier }

    /// How a FROM clause names them.
    var rowsDeclaration: String {
        isCalledAsRowOfTrigger ? "\(table.quotedIdentifier) AS \(rowsName)" : rowsName
    }

    private var isCalledAsRowOfTrigger: Bool { ["new", "old"].contains(table.asciiLowercased) }
}
