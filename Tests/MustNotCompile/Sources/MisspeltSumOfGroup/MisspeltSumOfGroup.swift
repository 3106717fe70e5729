import StorageKit

func find(_ storage: Storage) {
    _ = storage.query(User.self).group(by: \.age)
        .having { $0.sum(\.agee) > 1 }  // error: subscript index of type 'NoColumnOfThisNameAndType'
}
