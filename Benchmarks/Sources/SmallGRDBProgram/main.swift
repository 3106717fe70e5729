// The same program with GRDB alone.
import Foundation
import GRDB

struct Author: Codable, Sendable, Equatable, FetchableRecord, PersistableRecord {
    var id: String
    var name: String
    var born: Date?
}

struct Book: Codable, Sendable, Equatable, FetchableRecord, PersistableRecord {
    var id: String
    var title: String
    var authorId: String
    var pages: Int
}

struct Loan: Codable, Sendable, Equatable, FetchableRecord, PersistableRecord {
    var id: UUID
    var bookId: String
    var isReturned: Bool
    var day: Date
}

let pool = try DatabasePool(path: CommandLine.arguments[1])
try pool.write { db in
    try db.create(table: "author", options: .ifNotExists) { t in
        t.primaryKey("id", .text)
        t.column("name", .text).notNull()
        t.column("born", .datetime)
    }
    try db.create(table: "book", options: .ifNotExists) { t in
        t.primaryKey("id", .text)
        t.column("title", .text).notNull()
        t.column("authorId", .text).notNull()
        t.column("pages", .integer).notNull()
    }
    try db.create(table: "loan", options: .ifNotExists) { t in
        t.primaryKey("id", .blob)
        t.column("bookId", .text).notNull()
        t.column("isReturned", .boolean).notNull()
        t.column("day", .datetime).notNull()
    }
    try Author(id: "1", name: "A", born: nil).save(db)
    try Book(id: "1", title: "B", authorId: "1", pages: 100).save(db)
    try Loan(id: UUID(), bookId: "1", isReturned: false, day: Date()).save(db)
}
try pool.read { db in
    print(try Author.fetchOne(db, key: "1")?.name ?? "-")
    print(try Book.filter(Column("pages") > 50).order(Column("title")).fetchAll(db).count)
    print(try Loan.filter(!Column("isReturned")).fetchCount(db))
}
