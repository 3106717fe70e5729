import StorageKit

func ask(_ storage: Storage) {
    _ = storage.query(Folder.self).select { ($0.id, $0.title) }.asQuery()  // error: cannot conform to
}
