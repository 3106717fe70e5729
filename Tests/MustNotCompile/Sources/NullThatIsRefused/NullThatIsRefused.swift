import StorageKit

@StorageEntity
struct List {
    var id: UUID
}

@StorageEntity
struct Reminder {
    var id: UUID
    @StorageReference(List.self, onDelete: .setNull)  // error: 'listId' cannot become nil
    var listId: UUID
}
