import StorageKit

@StorageEntity
struct User {
    var id: UUID
    var name: String
    var nick: String?
    var age: Int
}

func start() throws {
    _ = try StorageKit.start { schema in
        schema.autoSchema(User.self)  // error: name the records that the macro made
    }
}
