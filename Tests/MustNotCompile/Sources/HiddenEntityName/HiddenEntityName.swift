import StorageKit

@StorageEntity
struct Record {
    var id: UUID
}

@StorageEntity
struct Sleeve {
    var id: UUID
    @StorageReference(Record.self) var recordId: UUID  // error: 'Record' is another type in the code
}
