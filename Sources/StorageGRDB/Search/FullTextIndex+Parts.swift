import GRDB

/// A table or trigger that a full-text index is made of, with its SQL as the file has it.
struct FullTextPart: Hashable {
    enum Kind: String { case table, trigger, index, view }

    let kind: Kind
    let name: String
    /// The table that a trigger is of; a table is its own.
    let table: SQLName
    let sql: String

    var dropSQL: String { "DROP \(kind.rawValue.uppercased()) \(name.quotedIdentifier)" }
}

extension FullTextIndex {
    /// The table that gives keys their numbers, where they are not numbers themselves.
    var idsName: String { FullTextIndex.idsName(ofTable: table) }

    static func idsName(ofTable table: String) -> String { FullTextSearch.indexName(ofTable: table) + "_ids" }

    var triggerNames: [String] { ["ai", "au", "ad"].map { "\(name)_\($0)" } }

    /// The tables in which FTS5 keeps the index.
    var shadowNames: [String] { ["data", "idx", "content", "docsize", "config"].map { "\(name)_\($0)" } }

    func parts(key: FullTextKey) -> [FullTextPart] {
        let createSQL = FullTextIndex.createSQL(name, columns, tokenizer)
        var parts = [FullTextPart(kind: .table, name: name, table: SQLName(name), sql: createSQL)]
        if case .mapped(_, let affinity, let collation) = key {
            parts.append(
                FullTextPart(
                    kind: .table, name: idsName, table: SQLName(idsName),
                    sql: """
                        CREATE TABLE \(idsName.quotedIdentifier) (docid INTEGER PRIMARY KEY, \
                        id \(affinity) NOT NULL COLLATE \(collation.quotedIdentifier) UNIQUE)
                        """))
        }
        return parts + triggers(key: key)
    }

    private static func createSQL(_ name: String, _ columns: [String], _ tokenizer: String) -> String {
        let columns = columns.map(\.quotedIdentifier).joined(separator: ", ")
        return
            "CREATE VIRTUAL TABLE \(name.quotedIdentifier) USING fts5(\(columns), tokenize=\(tokenizer.quotedLiteral))"
    }

    /// What the file has of the index; nothing where something else has its name, since what writes to that is not ours
    /// either.
    ///
    /// A trigger of the table that writes to the index belongs to it whatever its name is: one of an older index, made
    /// for another kind of it, would break every write to the table. One of another table does only with the name of
    /// ours: that table was called otherwise when the index was made.
    ///
    /// - Parameter rows: What the table is called now, if it has got another name than the index goes by.
    func partsInFile(on db: Database, ofTable rows: String? = nil) throws -> [FullTextPart] {
        let objects = try objects(on: db)
        let isTaken = objects.contains { part in
            part.kind != .trigger && part.name.isSameName(as: name) && !isIndex(part, among: objects)
        }
        guard !isTaken else { return [] }
        let rows = SQLName(rows ?? table)
        return try objects.filter { part in
            switch part.kind {
            case .trigger:
                let isNear = part.table == rows || triggerNames.contains { $0.isSameName(as: part.name) }
                return isNear && part.sql.writes(to: name)
            case .table where part.name.isSameName(as: name): return true
            case .table where part.name.isSameName(as: idsName):
                return try db.storedColumns(of: part.name) == ["docid", "id"]
            default: return false
            }
        }
    }

    /// The tables, views, indexes and triggers of the file; triggers first, since one must not outlive what it
    /// writes to.
    func objects(on db: Database) throws -> [FullTextPart] {
        let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC"
        return try Row.fetchAll(db, sql: sql).compactMap { row in
            guard let kind = FullTextPart.Kind(rawValue: row["type"]) else { return nil }
            return FullTextPart(kind: kind, name: row["name"], table: SQLName(row["tbl_name"]), sql: row["sql"])
        }
    }

    /// Whether it is an index as StorageKit makes it, or as it is in the documents. A full-text table of the app's own
    /// is neither.
    private func isIndex(_ part: FullTextPart, among objects: [FullTextPart]) -> Bool {
        guard part.kind == .table, let tokens = [SQLToken](of: Array(part.sql.utf8)) else { return false }
        // CREATE VIRTUAL TABLE "x" USING fts5( stands before the columns, and , tokenize='y') behind.
        let columns = tokens.dropFirst(7).dropLast(5).filter { $0.kind == .quoted }.map(\.text)
        let tokenizer = tokens.last(where: { $0.kind == .quoted })?.text ?? ""
        if part.sql == FullTextIndex.createSQL(part.name, columns, tokenizer) { return true }
        // The documents' reads the texts in the table. So does one of GRDB's, which is known by its triggers.
        guard part.sql.makesFTS5Table, tokens.value(ofOption: "content")?.text.isSameName(as: table) == true,
            tokens.value(ofOption: "content_rowid")?.text.isSameName(as: "rowid") == true
        else { return false }
        let triggersOfGRDB = triggerNames.map { "__" + $0 }
        return !objects.contains { object in triggersOfGRDB.contains { $0.isSameName(as: object.name) } }
    }
}

extension String {
    /// Whether a statement that makes a trigger has one in it that writes to a table.
    fileprivate func writes(to table: String) -> Bool {
        let tokens = [SQLToken](of: Array(utf8)) ?? []
        func keyword(at place: Int) -> String {
            tokens.indices.contains(place) && tokens[place].kind == .word ? tokens[place].text.asciiLowercased : ""
        }
        return tokens.indices.contains { place in
            guard tokens[place].text.isSameName(as: table) else { return false }
            return switch (keyword(at: place - 3), keyword(at: place - 2), keyword(at: place - 1)) {
            case (_, _, "into"), (_, "delete", "from"), (_, _, "update"), ("update", "or", _): true
            default: false
            }
        }
    }
}
