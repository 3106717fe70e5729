import GRDB

/// A table or trigger that a full-text index is made of, with its SQL as the file has it.
struct FullTextPart: Hashable {
    enum Kind: String { case table, trigger, index, view }

    let kind: Kind
    let name: String
    let sql: String

    var dropSQL: String { "DROP \(kind.rawValue.uppercased()) \(name.quotedIdentifier)" }
}

extension FullTextIndex {
    /// The table that gives keys their numbers, where they are not numbers themselves.
    var idsName: String { FullTextIndex.idsName(ofTable: table) }

    static func idsName(ofTable table: String) -> String { FullTextSearch.indexName(ofTable: table) + "_ids" }

    func parts(key: FullTextKey) -> [FullTextPart] {
        var parts = [FullTextPart(kind: .table, name: name, sql: createSQL)]
        if case .mapped(_, let affinity, let collation) = key {
            parts.append(
                FullTextPart(
                    kind: .table, name: idsName,
                    sql: """
                        CREATE TABLE \(idsName.quotedIdentifier) (docid INTEGER PRIMARY KEY, \
                        id \(affinity) NOT NULL COLLATE \(collation.quotedIdentifier) UNIQUE)
                        """))
        }
        return parts + triggers(key: key)
    }

    private var createSQL: String {
        let columns = columns.map(\.quotedIdentifier).joined(separator: ", ")
        return
            "CREATE VIRTUAL TABLE \(name.quotedIdentifier) USING fts5(\(columns), tokenize=\(tokenizer.quotedLiteral))"
    }

    /// What the file has of the index. A trigger that writes to the index belongs to it whatever its name is: one
    /// of an older index, made for another kind of it, would break every write to the table.
    func partsInFile(on db: Database) throws -> [FullTextPart] {
        let own = Set([name, idsName].map { $0.asciiLowercased })
        let triggerNames = Set(["_ai", "_au", "_ad"].map { (name + $0).asciiLowercased })
        return try objects(on: db).filter { part in
            let partName = part.name.asciiLowercased
            guard part.kind == .trigger else { return own.contains(partName) }
            return triggerNames.contains(partName) || writesToIndex(part.sql)
        }
    }

    /// The tables, views, indexes and triggers of the file; triggers first, since one must not outlive what it
    /// writes to.
    func objects(on db: Database) throws -> [FullTextPart] {
        try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC")
            .compactMap { row in
                guard let kind = FullTextPart.Kind(rawValue: row["type"]) else { return nil }
                return FullTextPart(kind: kind, name: row["name"], sql: row["sql"])
            }
    }

    private func writesToIndex(_ sql: String) -> Bool {
        let text = sql.asciiLowercased.filter { !"\"'`[]".contains($0) }.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        let updates = ["", "or abort ", "or fail ", "or ignore ", "or replace ", "or rollback "].map { "update " + $0 }
        return (["into ", "delete from "] + updates).contains { verb in
            text.ranges(of: verb + name.asciiLowercased).contains { range in
                guard range.upperBound < text.endIndex else { return true }
                let next = text[range.upperBound]
                return !(next.isLetter || next.isNumber || next == "_" || next == "$")
            }
        }
    }
}
