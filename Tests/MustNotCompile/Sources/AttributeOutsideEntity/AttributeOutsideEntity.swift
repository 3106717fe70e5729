import StorageKit

struct Plain {
    @StorageJSON  // error: @StorageJSON belongs on a stored property of a @StorageEntity struct
    var tags: [String]
}
