import StorageKit

func ask(_ storage: Storage) {
    _ = rows(storage).where { $0.count == "1" }  // error: the column is of another type than the value
}
