import StorageKit

@StorageEntity
struct List {
    var id: UUID
}

// The reference is checked in the expansion:
// expansion fails too
@StorageEntity  // note: in expansion of macro 'StorageEntity'
struct Reminder {
    var id: UUID
    @StorageReference(List.self)
    var listId: String
}
