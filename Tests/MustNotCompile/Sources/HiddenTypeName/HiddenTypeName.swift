import StorageKit

struct Record: Codable, Sendable {
    var size: Int
}

@StorageEntity
struct Sleeve {
    var id: UUID
    var record: Record?  // error: 'Record' is another type in the code that @StorageEntity makes
}
