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

    @StorageEntity
    struct Shelf {
        let id: UUID
        var label = "shelf"
        private var secret: Sibling = .one
        var note: String?

        @StorageHasMany(foreignKey: "shelf")
        var remarks: [Remark]
    }

    enum Sibling: String, Codable, Sendable { case one, two }
}

/// A joined row, as GRDB's documents decode one.
struct AuthorInfo: Decodable, FetchableRecord {
    var author: AuthorRecord
    var posts: [PostRecord]
}

@Suite struct RelationTests {
    @Test func a() async throws {
        let store = try TemporaryStore {
            $0.autoSchema(AuthorRecord.self, PostRecord.self, Blog.RemarkRecord.self, Blog.ShelfRecord.self)
        }
        let author = Author(id: "a", name: "Ada", email: "e")
        let post = Post(id: "p", title: "t", authorId: "a")
        try await store.storage.save(author)
        try await store.storage.save(post)
        try await store.storage.save(Blog.Shelf(id: UUID()))
        let infos = try await store.db.read { db in
            try AuthorRecord.including(all: AuthorRecord.posts).asRequest(of: AuthorInfo.self).fetchAll(db)
        }
        #expect(infos.first?.posts.map { $0.asEntity() } == [post])
        let joined = try await store.db.read { db in
            try PostRecord.joining(required: PostRecord.author.filter(GRDB.Column("name") == "Ada")).fetchAll(db)
        }
        #expect(joined.map { $0.asEntity() } == [post])
    }
}
