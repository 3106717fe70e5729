import StorageKit

@StorageEntity
struct User {
    var id: UUID
    var nick: String?
}

func find(_ storage: Storage) {
    // Of what type the column is, has to be said.
    _ = storage.query(User.self).where { Column("nick") == nil }  // error: there is no column of this name
}
