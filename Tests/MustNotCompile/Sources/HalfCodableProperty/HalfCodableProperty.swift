import StorageKit

struct Secret: Encodable, Sendable {
    var text: String
}

// Nobody could read it back. The errors are all in the expansion; a note leads here.
// expansion fails too
@StorageEntity  // note: in expansion of macro 'StorageEntity' on struct 'User' here
struct User {
    var id: String
    private var secret: Secret

    init(id: String, secret: Secret) {
        self.id = id
        self.secret = secret
    }
}
