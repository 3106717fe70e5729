import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self).orderBy(\.name.lowercased)  // error: type 'NoColumnOfThisNameAndType'
}
