import Foundation
import GRDBSQLite

/// What a program does that keeps a full-text index of its own, which knows its documents by rowid.
extension RawStore {
    /// Makes the table of documents, and puts them into it.
    func fill(_ documents: [Document]) throws {
        try run("BEGIN")
        let save = try prepare(
            "INSERT INTO documents (id, title, body, updatedAt) VALUES (?, ?, ?, '2026-01-01 00:00:00.000')")
        for document in documents {
            save.reset()
            save.bind(document.id, at: 1)
            save.bind(document.title, at: 2)
            save.bind(document.body, at: 3)
            _ = try save.step()
        }
        save.reset()
        try run("COMMIT")
        try run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Makes the index in one go, as FTS5 offers it.
    func indexDocuments() throws {
        let columns = Document.searchedColumns.joined(separator: ", ")
        try run(
            """
            CREATE VIRTUAL TABLE raw_index USING fts5(\(columns), content='documents', tokenize='\(Document.tokenizer)');
            INSERT INTO raw_index(raw_index) VALUES('rebuild')
            """)
    }

    /// Finds the best documents for each search, with their ranks.
    ///
    /// - Parameter passage: SQL for a passage of the text, if there is to be one.
    func search(_ searches: [String], limit: Int, passage: String? = nil) throws -> Int {
        let select = try prepareSearch(limit: limit, passage: passage)
        return try searches.reduce(0) { try $0 &+ find($1, select, hasPassage: passage != nil) }
    }

    /// The same, where each search runs on a thread that no task is on, and its task waits without blocking one.
    func search(_ searches: [String], limit: Int, on thread: DispatchQueue) async throws -> Int {
        let select = try prepareSearch(limit: limit)
        var sum = 0
        for search in searches {
            sum &+= try await withUnsafeThrowingContinuation { caller in
                thread.async { caller.resume(with: Result { try self.find(search, select, hasPassage: false) }) }
            }
        }
        return sum
    }

    private func prepareSearch(limit: Int, passage: String? = nil) throws -> RawStatement {
        try prepare(
            """
            SELECT d.id, d.title, d.body, i.rank\(passage.map { ", \($0)" } ?? "")
            FROM raw_index AS i CROSS JOIN documents AS d ON d.rowid = i.rowid
            WHERE raw_index MATCH ? ORDER BY i.rank LIMIT \(limit)
            """)
    }

    private func find(_ search: String, _ select: RawStatement, hasPassage: Bool) throws -> Int {
        defer { select.reset() }
        select.bind(search, at: 1)
        var sum = 0
        while try select.step() {
            let document = Document(
                id: RawUsers.text(select.handle, 0), title: RawUsers.text(select.handle, 1),
                body: RawUsers.text(select.handle, 2))
            let text = hasPassage ? RawUsers.text(select.handle, 4) : ""
            sum &+= Document.checksum(document, sqlite3_column_double(select.handle, 3), text)
        }
        return sum
    }
}

extension Document {
    /// The same for both sides, in whatever order documents of one rank come.
    static func checksum(_ document: Document, _ rank: Double, _ passage: String) -> Int {
        document.body.utf8.count &+ document.title.utf8.count &+ Int(rank * -1e6) &+ passage.utf8.count
    }
}
