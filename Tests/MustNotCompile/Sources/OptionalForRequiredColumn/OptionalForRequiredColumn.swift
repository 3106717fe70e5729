import StorageKit

@StorageEntity
struct Item {
    var id: Int
    var value: Double
}

func halve(_ storage: Storage) async throws {
    try await storage.query(Item.self).updateAll {
        [$0.value.set(to: $0.value / 2)]  // error: the value may be nil, as that of a division is
    }
}
