import StorageKit

@StorageEntity
struct User {
    struct Address: Codable, Sendable {
        var city: String
    }

    var id: String
    @StorageEmbedded(prefix: "shipping_")
    var address: Address
}

func find(_ storage: Storage) -> Query<User> {
    storage.query(User.self).where { $0.shippingCtiy == "Kyiv" }  // error: there is no column of this name
}
