import StorageKit

@StorageEntity
struct OrderLine {
    var id: Int
    var price: Decimal
    var quantity: Int
}

func find(_ storage: Storage) {
    _ = storage.query(OrderLine.self).where { $0.price * $0.quantity > 100 }  // error: the two are of unlike types
}
