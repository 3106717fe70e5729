import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self)
        .filter { $0.age > 3 && $0.name == "x" && $0.nick == "y" }  // error: 'filter' has been renamed to 'where(_:)'
        .orderBy(\.name)
}
