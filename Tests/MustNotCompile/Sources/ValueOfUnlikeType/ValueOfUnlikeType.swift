import StorageKit

func find(_ storage: Storage) {
    let query = storage.query(Note.self)
    _ = query.where {
        $0.position > query.aggregate { $0.avg(\.position) }.value  // error: the two are of unlike types
    }
}
