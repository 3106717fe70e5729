import StorageKit

func start() throws {
    _ = try StorageKit.start { schema in
        schema.index(UserRecord.self, on: \.nmae)  // error: subscript index of type 'NoColumnOfThisNameAndType'
    }
}
