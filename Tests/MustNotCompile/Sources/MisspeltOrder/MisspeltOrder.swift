import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self)
        .where { $0.age > 3 && $0.name == "x" && $0.nick == "y" && $0.age < 60 }
        .orderBy(\.nmae)  // error: subscript index of type 'NoColumnOfThisNameAndType'
}
