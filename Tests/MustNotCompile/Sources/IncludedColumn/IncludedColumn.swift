import StorageKit

func include(_ storage: Storage) {
    _ = storage.query(Folder.self).including(\.title)  // error: conform to 'LoadableRelation'
}
