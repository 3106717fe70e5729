import StorageKit

@StorageEntity(indexes: [["listId", "positon"]])  // error: 'Reminder' has no column 'positon'; did you mean 'position'?
struct Reminder {
    var id: UUID
    var listId: UUID
    var position: Int
}
