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
    storage.query(User.self).where { $0.address.ctiy == "Kyiv" }  // error: there is no column of this name
}
