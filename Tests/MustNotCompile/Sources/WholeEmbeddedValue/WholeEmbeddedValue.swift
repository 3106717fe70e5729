import StorageKit

@StorageEntity
struct Place {
    struct Spot: Codable, Sendable, Equatable {
        var x: Double
    }

    var id: Int
    @StorageEmbedded
    var spot: Spot
}

func places(_ storage: Storage) -> Query<Place> {
    storage.query(Place.self).where { $0.spot == Place.Spot(x: 1) }  // error: an embedded value is not comparable
}
