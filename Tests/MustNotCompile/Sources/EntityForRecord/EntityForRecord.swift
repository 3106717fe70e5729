import StorageKit

func start() throws {
    _ = try StorageKit.start { schema in
        schema.autoSchema(User.self)  // error: name the records that the macro made
    }
}
