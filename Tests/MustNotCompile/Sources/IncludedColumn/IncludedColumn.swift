import StorageKit

func include(_ storage: Storage) {
    _ = storage.query(Folder.self).including(\.title)  // error: there is no relation of this name
}
