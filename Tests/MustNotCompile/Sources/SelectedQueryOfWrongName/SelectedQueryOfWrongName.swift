import StorageKit

func ask(_ storage: Storage) {
    _ = rows(storage).where { $0.cuont > 1 }  // error: there is no column of this name
}
