import StorageKit

enum Shop {
    @StorageEntity
    private struct User {  // error: 'User' is private to the type around it
        var id: String
    }
}
