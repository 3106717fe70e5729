import StorageKit

@StorageEntity
struct Place {
    struct Spot: Codable, Sendable {
        var x: Double
    }

    var id: Int
    @StorageEmbedded
    var spot: Spot
}

func places(_ storage: Storage) -> Query<Place> {
    storage.query(Place.self).where { $0.spot == nil }  // error: the value is never nil
}
