import StorageKit

struct Line: Codable, Sendable {
    var label: String
}

@StorageEntity
struct User {
    var id: String
    @StorageEmbedded
    var lines: [Line]  // error: 'lines' cannot be embedded: '[Line]'
}
