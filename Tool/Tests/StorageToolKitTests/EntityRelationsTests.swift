import Foundation
import StorageKit
import StorageSQLite
import Testing

@testable import StorageToolKit

@Suite struct EntityRelationsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(.timeLimit(.minutes(5))) func tablesThatReferToManyOthersAreWritten() throws {
        let path = try folder.database("many.sqlite")
        let connection = try Connection(path, .create)
        for table in 10..<50 {
            let columns = (10..<table).map { ", t\($0)Id TEXT REFERENCES t\($0)" }.joined()
            try connection.run("CREATE TABLE t\(table) (id TEXT PRIMARY KEY\(columns))")
        }
        let run = try Program.run("entities", path)
        #expect(run.status == 0)
        #expect(run.output.contains("struct T49 {"))
    }

    /// Tables that refer to each other in a circle, to themselves, twice to one, and through links.
    private func database() throws -> String {
        try folder.database(
            "related.sqlite",
            "CREATE TABLE lists (id TEXT PRIMARY KEY, title TEXT NOT NULL, owner_id TEXT REFERENCES persons)",
            """
            CREATE TABLE reminders (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, \
            listId TEXT NOT NULL REFERENCES lists ON DELETE CASCADE, list TEXT, parentId INTEGER REFERENCES reminders, \
            author TEXT REFERENCES persons, reviewer_id TEXT REFERENCES persons ON DELETE SET NULL)
            """,
            """
            CREATE TABLE persons (id TEXT PRIMARY KEY, name TEXT NOT NULL, favorite_list_id TEXT REFERENCES lists, \
            boss TEXT REFERENCES persons)
            """,
            "CREATE TABLE tags (id TEXT PRIMARY KEY, reminders INTEGER NOT NULL DEFAULT 0)",
            """
            CREATE TABLE taggings (id INTEGER PRIMARY KEY, reminderId INTEGER NOT NULL REFERENCES reminders, \
            tagId TEXT NOT NULL REFERENCES tags)
            """,
            """
            CREATE TABLE friendships (id TEXT PRIMARY KEY, personId TEXT NOT NULL REFERENCES persons, \
            friendId TEXT NOT NULL REFERENCES persons, since DATE, UNIQUE (personId, friendId))
            """,
            """
            CREATE TABLE "notes of people" (id TEXT PRIMARY KEY REFERENCES persons, selfId TEXT REFERENCES lists, \
            "Type" TEXT REFERENCES tags)
            """,
            "INSERT INTO persons VALUES ('ada', 'Ada', NULL, NULL), ('bob', 'Bob', 'home', 'ada')",
            "INSERT INTO lists VALUES ('home', 'Home', 'bob'), ('work', 'Work', NULL)",
            """
            INSERT INTO reminders VALUES (1, 'Milk', 'home', NULL, NULL, 'ada', NULL), \
            (2, 'Oats', 'home', NULL, 1, 'bob', 'ada'), (3, 'Report', 'work', NULL, NULL, NULL, NULL)
            """,
            "INSERT INTO tags (id) VALUES ('shop'), ('idle')",
            "INSERT INTO taggings VALUES (1, 1, 'shop'), (2, 2, 'shop')",
            "INSERT INTO friendships VALUES ('f', 'ada', 'bob', NULL)",
            "INSERT INTO \"notes of people\" VALUES ('ada', 'home', 'shop')")
    }

    @Test func whatIsWrittenIsWhatIsCompiledHere() throws {
        try EntitiesTests.expectFixture("RelatedEntities", writtenFor: try database())
    }

    @Test func theRelationsLeadToTheRowsOfThatDatabase() async throws {
        let context = try StorageKit.start(at: URL(fileURLWithPath: try database())) { schema in
            schema.autoSchema(
                ListRecord.self, ReminderRecord.self, PersonRecord.self, TagRecord.self, TaggingRecord.self,
                FriendshipRecord.self, NotesOfPeopleRecord.self)
        }
        let storage = context.facade
        let reminders = storage.query(Reminder.self)
        #expect(try await reminders.where { $0.listEntity.title == "Home" }.count() == 2)
        #expect(try await reminders.where { $0.parent.title == "Milk" }.fetch().map(\.title) == ["Oats"])
        #expect(try await reminders.where { $0.authorPerson.name == "Bob" }.fetch().map(\.title) == ["Oats"])
        #expect(try await reminders.where { $0.reviewer.name == "Ada" }.fetch().map(\.title) == ["Oats"])
        #expect(try await reminders.where { $0.tags.exists { $0.id == "shop" } }.count() == 2)
        let lists = try await storage.query(List.self).including(\.reminders).including(\.owner).orderBy(\.id).fetch()
        #expect(lists.map { $0.reminders.count } == [2, 1])
        #expect(lists.map { $0.owner?.name } == ["Bob", nil])
        let people = storage.query(Person.self).orderBy(\.id)
        #expect(try await people.where { $0.favorite_list.title == "Home" }.fetch().map(\.id) == ["bob"])
        #expect(try await people.where { $0.bossPerson.name == "Ada" }.fetch().map(\.id) == ["bob"])
        #expect(try await people.where { $0.remindersByAuthor.exists() }.count() == 2)
        #expect(try await people.where { $0.remindersByReviewer.exists() }.fetch().map(\.id) == ["ada"])
        #expect(try await people.where { $0.personsByFriend.exists { $0.id == "bob" } }.fetch().map(\.id) == ["ada"])
        #expect(try await people.where { $0.friendshipsByFriend.exists() }.fetch().map(\.id) == ["bob"])
        let tags = try await storage.query(Tag.self).including(\.remindersByTagging).orderBy(\.id).fetch()
        #expect(tags.map { $0.remindersByTagging.count } == [0, 2])
        let notes = storage.query(NotesOfPeople.self)
        #expect(try await notes.where { $0.person.name == "Ada" && $0.selfEntity.title == "Home" }.count() == 1)
        #expect(try await notes.where { $0.typeTag.id == "shop" }.count() == 1)
    }
}
