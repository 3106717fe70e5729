import StorageKit

func group(_ storage: Storage) {
    _ = storage.query(Note.self).group(by: \.folderId)
        .having { $0.count() }  // error: cannot convert value of type 'Column<Int>' to closure result type
        .select { $0.count() }
}
