import StorageKit

struct Address: Codable, Sendable {
    var city = ""
}

@StorageEntity
struct User {
    var id: String
    @StorageEmbedded
    var address = Address()  // error: 'address' needs a type annotation
}
