import StorageKit

struct Address: Codable, Sendable {
    var city: String
}

@StorageEntity
struct User {
    var id: String
    @StorageEmbedded
    var address: Address
}

func find(_ storage: Storage) -> Query<User> {
    storage.query(User.self).where { $0.address.city == 5 }  // error: the column is of another type than the value
}
