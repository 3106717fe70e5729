import GRDB
import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Author {
    var id: String
    var name: String
    var email: String

    @StorageHasMany(foreignKey: "authorId")
    var posts: [Post]
}

@StorageEntity
struct Post {
    var id: String
    var title: String
    var authorId: String?

    @StorageBelongsTo
    var author: Author?

    @StorageHasMany(foreignKey: "post")
    var remarks: [Blog.Remark]
}

enum Blog {
    @StorageEntity
    struct Remark {
        var id: Int
        var text: String
        var post: String

        @StorageBelongsTo(foreignKey: "post")
        var parent: Post?
    }

    enum Sibling: String, Codable, Sendable { case one, two }

    /// Its memberwise initialiser names types that only its surroundings know.
    @StorageEntity
    struct Shelf {
        let id: UUID
        var label = "shelf"
        var sibling: Sibling = .one
        var note: String?
        let fixed = 7

        @StorageHasMany(foreignKey: "shelf")
        var remarks: [Remark]

        enum CodingKeys: String, CodingKey { case id, label, sibling, note, remarks }
    }

    @StorageEntity
    struct Own {
        var id: String
        @StorageHasMany(foreignKey: "own")
        let remarks: [Remark]

        init(_ id: String) {
            self.id = id
            remarks = []
        }
    }

    /// Its children are of a type of its own, which hides the other `Remark`.
    @StorageEntity
    struct Topic {
        var id: Int
        @StorageHasMany(foreignKey: "topicId") var remarks: [Remark]

        @StorageEntity(table: "topic_remarks")
        struct Remark {
            var id: Int
            var topicId: Int
        }
    }

    /// A tree: the children are of the same type, the parent is known by its id.
    @StorageEntity
    struct Branch {
        var id: Int
        var parentId: Int?
        @StorageHasMany(foreignKey: "parentId") var children: [Branch]
    }

    @StorageEntity
    struct Defaulted {
        var id: String
        @StorageHasMany(foreignKey: "own")
        var remarks: [Remark] = []
    }
}

/// A joined row, as GRDB decodes one.
private struct AuthorInfo: Decodable, FetchableRecord {
    var author: AuthorRecord
    var posts: [PostRecord]
}

private struct PostInfo: Decodable, FetchableRecord {
    var post: PostRecord
    var author: AuthorRecord?
}

@Suite struct RelationTests {
    private let author = Author(id: "a", name: "Ada", email: "ada@example.com")
    private let post = Post(id: "p", title: "Notes", authorId: "a")
    private let orphan = Post(id: "q", title: "Lost")

    private func blog() async throws -> TemporaryStore {
        let store = try TemporaryStore {
            $0.autoSchema(AuthorRecord.self, PostRecord.self, Blog.RemarkRecord.self, Blog.ShelfRecord.self)
        }
        try await store.storage.save([author, Author(id: "b", name: "Bob", email: "")])
        try await store.storage.save([post, orphan])
        try await store.storage.save(Blog.Remark(id: 1, text: "Good", post: "p"))
        return store
    }

    @Test func relationsAreNoColumns() {
        #expect(AuthorRecord.schemaColumns.map(\.name) == ["id", "name", "email", "updatedAt"])
        #expect(PostRecord.schemaColumns.map(\.name) == ["id", "title", "authorId", "updatedAt"])
        #expect(Blog.RemarkRecord.schemaColumns.map(\.name) == ["id", "text", "post", "updatedAt"])
    }

    @Test func aFetchedEntityCarriesNoRelations() async throws {
        let store = try await blog()
        var full = author
        full.posts = [post]
        try await store.storage.save(full)
        #expect(try await store.storage.get(Author.self, id: "a") == author)
        #expect(try await store.storage.get(Author.self, id: "a")?.posts == [])
        #expect(try await store.storage.get(Post.self, id: "p")?.author == nil)
    }

    @Test func childrenAndParentsAreLoadedByTheForeignKey() async throws {
        let store = try await blog()
        #expect(try await store.storage.loadChildren(Post.self, where: "authorId", equals: author.id) == [post])
        #expect(try await store.storage.loadParent(Author.self, id: post.authorId ?? "") == author)
    }

    @Test func everyInitialiserOfTheDocumentsCompiles() async throws {
        let store = try await blog()
        #expect(Author(id: "a", name: "Ada", email: "ada@example.com", posts: []) == author)
        let id = UUID()
        let shelf = Blog.Shelf(id: id)
        #expect(shelf == Blog.Shelf(id: id, label: "shelf", sibling: .one, note: nil, remarks: []))
        try await store.storage.save(shelf)
        #expect(try await store.storage.get(Blog.Shelf.self, id: id) == shelf)
        #expect(Blog.Own("1").remarks == [])
        #expect(Blog.Defaulted(id: "1").remarks == [])
    }

    @Test func childrenAreFetchedWithTheirParentsByGRDB() async throws {
        let store = try await blog()
        let infos = try await store.db.read { db in
            try AuthorRecord.including(all: AuthorRecord.posts).order(GRDB.Column("id"))
                .asRequest(of: AuthorInfo.self).fetchAll(db)
        }
        #expect(infos.map { $0.author.asEntity().name } == ["Ada", "Bob"])
        #expect(infos.map { $0.posts.map { $0.asEntity() } } == [[post], []])
        #expect(infos.first?.posts.first?.updatedAt == store.clock.now)
    }

    @Test func parentsAreFetchedWithTheirChildrenByGRDB() async throws {
        let store = try await blog()
        let infos = try await store.db.read { db in
            try PostRecord.including(optional: PostRecord.author).order(GRDB.Column("id"))
                .asRequest(of: PostInfo.self).fetchAll(db)
        }
        #expect(infos.map { $0.post.asEntity() } == [post, orphan])
        #expect(infos.map { $0.author?.asEntity() } == [author, nil])
    }

    @Test func childrenOfATypeOfItsOwnAreThoseOfTheAssociation() async throws {
        let store = try TemporaryStore { $0.autoSchema(Blog.TopicRecord.self, Blog.Topic.RemarkRecord.self) }
        try await store.storage.save(Blog.Topic(id: 1))
        try await store.storage.save(Blog.Topic.Remark(id: 7, topicId: 1))
        let remarks = try await store.db.read { db in
            try Blog.TopicRecord.from(Blog.Topic(id: 1), now: .distantPast).request(for: Blog.TopicRecord.remarks)
                .fetchAll(db)
        }
        #expect(remarks.map { $0.asEntity() } == [Blog.Topic.Remark(id: 7, topicId: 1)])
    }

    @Test func aTreeIsJoinedWithItself() async throws {
        let store = try TemporaryStore { $0.autoSchema(Blog.BranchRecord.self) }
        try await store.storage.save([
            Blog.Branch(id: 1), Blog.Branch(id: 2, parentId: 1), Blog.Branch(id: 3, parentId: 1),
        ])
        let parents = try await store.db.read { db in
            try Blog.BranchRecord.having(Blog.BranchRecord.children.count == 2).fetchAll(db)
        }
        #expect(parents.map { $0.asEntity().id } == [1])
    }

    @Test func aTableThatBecameAViewWhileNobodyObservedIsOne() async throws {
        let store = try TemporaryStore { $0.autoSchema(AuthorRecord.self, PostRecord.self) }
        try await store.storage.save(Author(id: "a", name: "Ada", email: ""))
        let query = store.storage.query(Author.self).including(\.posts)
        do {
            let before = StreamProbe(query.observe())
            #expect(try await before.next().first?.posts.isEmpty == true)
            before.cancel()
        }
        try await untilTrue { store.db.changes.listenerCount == 0 }
        try await store.db.write { db in
            try db.execute(sql: "ALTER TABLE posts RENAME TO notes; CREATE VIEW posts AS SELECT * FROM notes")
        }
        let after = StreamProbe(query.observe())
        #expect(try await after.next().first?.posts.isEmpty == true)
        try await store.db.write { db in
            try db.execute(
                sql: "INSERT INTO notes (id, title, authorId, updatedAt) VALUES ('p', 'new', 'a', '2026-01-01')")
        }
        #expect(try await after.first { $0.first?.posts.count == 1 }.first?.posts.first?.title == "new")
    }

    @Test func joinsFilterByTheOtherSide() async throws {
        let store = try await blog()
        let posts = try await store.db.read { db in
            try PostRecord.joining(required: PostRecord.author.filter(GRDB.Column("name") == "Ada")).fetchAll(db)
        }
        #expect(posts.map { $0.asEntity() } == [post])
        let authors = try await store.db.read { db in
            try AuthorRecord.having(AuthorRecord.posts.isEmpty).fetchAll(db)
        }
        #expect(authors.map { $0.asEntity().id } == ["b"])
        let remarks = try await store.db.read { db in
            try post(PostRecord.self).request(for: PostRecord.remarks).fetchAll(db)
        }
        #expect(remarks.map { $0.asEntity().text } == ["Good"])
    }

    private func post(_ type: PostRecord.Type) -> PostRecord {
        PostRecord.from(post, now: Date(timeIntervalSince1970: 0))
    }

    @Test func aDeclaredIndexTakesColumnsOfItsEntityAlone() async throws {
        let error = await storageError {
            _ = try TemporaryStore {
                $0.autoSchema(RemindersListRecord.self, ReminderRecord.self, PersonRecord.self)
                $0.index(ReminderRecord.self, on: \.listId, \.list.title)
            }
        }
        #expect(error?.localizedDescription.contains("the index of 'reminders'") == true, "\(error as Any)")
    }
}
