import StorageKit

func ask(_ storage: Storage) {
    _ = rows(storage).orderBy(\.folder.titel)  // error: subscript index of type 'NoColumnOfThisNameAndType'
}
