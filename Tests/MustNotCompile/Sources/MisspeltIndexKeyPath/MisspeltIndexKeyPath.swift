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
        schema.index(UserRecord.self, on: \.nmae)  // error: subscript index of type 'NoColumnOfThisNameAndType'
    }
}
