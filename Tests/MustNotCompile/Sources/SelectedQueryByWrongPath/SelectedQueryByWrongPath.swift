import StorageKit

func ask(_ storage: Storage) {
    _ = rows(storage).orderBy(\.folder.titel)  // error: conform to 'EntityWithUnseenColumns'
}
