import StorageKit

@StorageEntity
struct Account: Equatable {
    var id: String
    var balance: Int
    var email: String?
}

@StorageEntity
struct Receipt: Equatable {
    var id: UUID
    var accountId: String
}

struct Missing: Error, Equatable {}
