import StorageKit

final class Owner: Sendable {}

@StorageEntity
struct User {
    var id: String
    weak var owner: Owner?  // error: 'owner' cannot be stored: it is weak
}
