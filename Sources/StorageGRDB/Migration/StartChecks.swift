import GRDB

/// What a start finds wrong with what it has done, before it commits.
final class StartChecks {
    private var findings: [StartCheckError.Finding] = []

    /// Looks for references that a step has broken.
    func checkReferences(_ references: inout BrokenReferences, _ db: Database) throws {
        findings += try references.newlyBroken(db).map { broken in
            .reference(table: broken.place.table, rowid: broken.place.row, parent: broken.parent)
        }
    }

    /// Reads the whole file too.
    ///
    /// - Throws: ``StartCheckError`` if anything was found.
    func end(_ db: Database) throws {
        findings += try db.damage(mostLines: StartChecks.mostFindings).map { .damage($0) }
        if !findings.isEmpty { throw StartCheckError(findings: findings) }
    }

    /// Nobody reads more lines of what SQLite finds.
    private static let mostFindings = 10_000
}

extension Database {
    func rowCount(of table: String) throws -> Int {
        try Int.fetchOne(self, sql: "SELECT count(*) FROM main.\(table.quotedIdentifier)") ?? 0
    }

    /// Whether a table has a row that meets a condition.
    func hasRow(in table: String, where condition: String = "TRUE") throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM main.\(table.quotedIdentifier) WHERE \(condition))"
        return try Bool.fetchOne(self, sql: sql) == true
    }
}

/// A start has looked at what it was about to commit and found it wrong. The file is as it was.
public struct StartCheckError: Error, Sendable, Equatable {
    /// One thing that is wrong.
    public enum Finding: Sendable, Hashable {
        /// What SQLite says of the structure of the file, of an index, or of a NULL where none may be; with table and column, or the
        /// index.
        case damage(String)
        /// A row refers to one that is not there. The rowid is nil in a table without rowids.
        case reference(table: String, rowid: Int64?, parent: String)
    }

    /// All that is wrong.
    public let findings: [Finding]
}

extension StartCheckError.Finding: CustomStringConvertible {
    /// The finding in words.
    public var description: String {
        switch self {
        case .damage(let line): line
        case .reference(let table, let rowid, let parent):
            "'\(table)'\(rowid.map { " row \($0)" } ?? "") would refer to a row of '\(parent)' that is not there"
        }
    }
}

extension StartCheckError: LocalizedError {
    /// The first findings, and how many there are beyond them.
    public var errorDescription: String? {
        let first =
            findings.prefix(10).map(\.description) + (findings.count > 10 ? ["and \(findings.count - 10) more"] : [])
        return "the file would not be sound: \(first.joined(separator: "; "))"
    }
}
