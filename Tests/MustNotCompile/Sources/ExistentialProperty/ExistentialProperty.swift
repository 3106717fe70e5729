import StorageKit

@StorageEntity
struct User {
    var id: String
    var thing: any Codable & Sendable  // error: 'thing' cannot be stored: a value of type
}
