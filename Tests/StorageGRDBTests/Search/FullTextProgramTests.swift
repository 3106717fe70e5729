import GRDB
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Random programs against what a search finds if one looks at the rows themselves.
@Suite struct FullTextProgramTests {
    @Test(arguments: KeyKind.allCases)
    func everyWordFindsTheRowsThatHaveIt(kind: KeyKind) throws {
        var random = SeededGenerator()
        let file = try FullTextFixture(kind)
        try file.run("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        for _ in 0..<programCount(short: 15, quick: 100, full: 5_000) {
            var program = (0..<Int.random(in: 1...25, using: &random)).map { _ in Step.random(kind, using: &random) }
            // Without such steps there must not even be a document that is no hit.
            if Bool.random(using: &random) { program.removeAll(where: \.mayReplace) }
            guard let problem = try file.problem(after: program) else { continue }
            let shortest = try file.shortest(program)
            Issue.record(
                """
                STORAGEKIT_SEED=\(random.seed), \(kind): \(problem)
                \(shortest.map { "\($0)" }.joined(separator: "\n"))
                """)
            return
        }
    }
}

private let words = ["ant", "bee", "cat", "dog", "elk"]

private indirect enum Step: CustomStringConvertible {
    case sql(String, [DatabaseValue])
    case rolledBack([Step], savepoint: Bool)
    case vacuum

    var description: String {
        switch self {
        case .sql(let sql, let arguments): "\(sql) \(arguments)"
        case .rolledBack(let steps, let savepoint): "\(savepoint ? "savepoint" : "transaction") \(steps) rolled back"
        case .vacuum: "VACUUM"
        }
    }

    static func random(_ kind: KeyKind, nested: Bool = false, using random: inout SeededGenerator) -> Step {
        func key() -> DatabaseValue { kind.key(Int.random(in: 1...6, using: &random)) }
        func anyKey() -> DatabaseValue { kind == .text && Int.random(in: 0..<8, using: &random) == 0 ? .null : key() }
        func number() -> DatabaseValue {
            Bool.random(using: &random) ? .null : Int.random(in: 1...3, using: &random).databaseValue
        }
        func text() -> DatabaseValue {
            let count = Int.random(in: 0...3, using: &random)
            if count == 0 { return .null }
            return (0..<count).compactMap { _ in words.randomElement(using: &random) }.joined(separator: " ")
                .databaseValue
        }
        func row() -> [DatabaseValue] { [anyKey(), text(), text(), number(), number()] }
        let insert = "INTO articles (id, title, body, slug, parent) VALUES (?, ?, ?, ?, ?)"
        switch Int.random(in: 0..<(nested ? 15 : 18), using: &random) {
        case 0: return .sql("INSERT \(insert)", row())
        case 1: return .sql("INSERT \(insert), (?, ?, ?, ?, ?)", row() + row())
        case 2:
            let set = "title = excluded.title, body = excluded.body, slug = excluded.slug"
            return .sql("INSERT \(insert) ON CONFLICT (id) DO UPDATE SET \(set)", row())
        case 3: return .sql("INSERT OR REPLACE \(insert)", row())
        case 4: return .sql("INSERT OR REPLACE \(insert), (?, ?, ?, ?, ?)", row() + row())
        case 5: return .sql("INSERT OR IGNORE \(insert)", row())
        case 6: return .sql("UPDATE articles SET title = ?, body = ? WHERE id = ?", [text(), text(), key()])
        case 7: return .sql("UPDATE articles SET title = ?, slug = NULL WHERE id > ?", [text(), key()])
        case 8: return .sql("UPDATE articles SET id = ? WHERE id = ?", [anyKey(), key()])
        case 9: return .sql("UPDATE OR REPLACE articles SET id = ?, title = ? WHERE id = ?", [anyKey(), text(), key()])
        case 10: return .sql("UPDATE OR REPLACE articles SET slug = ? WHERE id >= ?", [number(), key()])
        case 11: return .sql("DELETE FROM articles WHERE id = ?", [key()])
        case 12:
            return .sql(
                Bool.random(using: &random) ? "DELETE FROM articles" : "DELETE FROM articles WHERE slug = 1", [])
        case 13: return .sql("DELETE FROM parents WHERE id = ?", [number()])
        case 14: return .sql("INSERT OR IGNORE INTO parents VALUES (1), (2), (3)", [])
        case 15, 16:
            let steps = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Step.random(kind, nested: true, using: &random)
            }
            return .rolledBack(steps, savepoint: Bool.random(using: &random))
        default: return .vacuum
        }
    }

    /// Whether a row may go that no trigger hears of.
    var mayReplace: Bool {
        switch self {
        case .sql(let sql, _): sql.contains("OR REPLACE")
        case .rolledBack, .vacuum: false
        }
    }

    /// A statement that breaks a constraint does nothing, and the program goes on.
    func run(on db: Database) throws {
        switch self {
        case .sql(let sql, let arguments):
            do {
                try db.execute(sql: sql, arguments: StatementArguments(arguments))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
        case .rolledBack(let steps, let savepoint):
            // The savepoint is inside a transaction that is committed.
            try db.execute(sql: savepoint ? "BEGIN; SAVEPOINT s" : "BEGIN")
            for step in steps { try step.run(on: db) }
            try db.execute(sql: savepoint ? "ROLLBACK TO s; RELEASE s; COMMIT" : "ROLLBACK")
        case .vacuum:
            try db.execute(sql: "VACUUM")
        }
    }
}

extension FullTextFixture {
    /// What is wrong after a program that begins with a fresh index over some rows, or nil.
    fileprivate func problem(after program: [Step]) throws -> String? {
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "DELETE FROM articles; INSERT OR IGNORE INTO parents VALUES (1), (2), (3)")
            for number in 1...3 {
                try db.execute(
                    sql: "INSERT INTO articles (id, title, slug) VALUES (?, 'ant bee', ?)",
                    arguments: [kind.key(number), number])
            }
            try index.build(on: db)
            do {
                for step in program { try step.run(on: db) }
                try db.execute(sql: "INSERT INTO articles_fts (articles_fts) VALUES ('integrity-check')")
            } catch {
                if db.isInsideTransaction { try db.rollback() }
                return "\(error)"
            }
            let stale = try index.staleCount(on: db)
            if stale != 0, !program.contains(where: \.mayReplace) { return "\(stale) documents without row" }
            if let problem = try wrongHits(on: db) { return problem }
            try index.build(on: db)
            if try index.staleCount(on: db) != 0 { return "stale documents after a build" }
            return try wrongHits(on: db).map { "after a build: \($0)" }
        }
    }

    private func wrongHits(on db: Database) throws -> String? {
        let rows = try Row.fetchAll(db, sql: "SELECT id, title, body FROM articles WHERE id IS NOT NULL ORDER BY id")
        for word in words {
            for (query, columns) in [(word, ["title", "body"]), ("body : \(word)", ["body"])] {
                let expected = rows.filter { row in
                    columns.contains { (row[$0] as String? ?? "").split(separator: " ").contains(Substring(word)) }
                }
                let found = try index.hits(query, on: db)
                if found != expected.map({ $0["id"] }) { return "'\(query)' finds \(found) and not \(expected)" }
            }
        }
        return nil
    }

    /// The program without all the steps that the problem does not need.
    fileprivate func shortest(_ program: [Step]) throws -> [Step] {
        var program = program
        var position = 0
        while position < program.count {
            var shorter = program
            shorter.remove(at: position)
            if try problem(after: shorter) != nil { program = shorter } else { position += 1 }
        }
        return program
    }
}
