import StorageKit

struct Address: Codable, Sendable {
    var city: String
}

@StorageEntity
struct User {
    var id: String
    @StorageEmbedded
    @StorageJSON  // error: 'address' cannot be both @StorageEmbedded and @StorageJSON
    var address: Address
}
