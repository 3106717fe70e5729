import StorageKit

@StorageEntity
struct User {
    var id: String
    // An app may call a type of its own so, which the macro cannot tell from Swift's. A note leads here.
    // expansion fails too
    var initial: Character  // note: 'Character' does not conform to 'Decodable'
}
