// The smallest program that uses what most apps use, for `size`: three entities, saved, read and queried.
import Foundation
import StorageKit

@StorageEntity
struct Author {
    var id: String
    var name: String
    var born: Date?
}

@StorageEntity
struct Book {
    var id: String
    var title: String
    var authorId: String
    var pages: Int
}

@StorageEntity
struct Loan {
    var id: UUID
    var bookId: String
    var isReturned: Bool
    var day: Date
}

let context = try StorageKit.start(at: URL(fileURLWithPath: CommandLine.arguments[1])) { schema in
    schema.addKVCache()
    schema.autoSchema(AuthorRecord.self, BookRecord.self, LoanRecord.self)
}
let storage = context.facade
try await storage.save(Author(id: "1", name: "A", born: nil))
try await storage.save(Book(id: "1", title: "B", authorId: "1", pages: 100))
try await storage.save(Loan(id: UUID(), bookId: "1", isReturned: false, day: Date()))
print(try await storage.get(Author.self, id: "1")?.name ?? "-")
print(try await storage.query(Book.self).where { $0.pages > 50 }.orderBy(\.title).fetch().count)
print(try await storage.query(Loan.self).where { !$0.isReturned }.count())
