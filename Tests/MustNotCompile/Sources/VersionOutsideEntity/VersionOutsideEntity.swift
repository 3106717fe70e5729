import StorageKit

struct Plain {
    @StorageVersion  // error: @StorageVersion belongs on a stored property of a @StorageEntity struct
    var version: Int
}
