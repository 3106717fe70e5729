import Foundation
import StorageSQLite

extension Connection {
    /// Adds the collation and the function that StorageKit adds to its connections, for schemas and queries that name them.
    func addStorageKitSQL() {
        addCollation("storagekit_decimal", DecimalOrder.compare)
        addFunction("storagekit_fold", isInnocuous: true) { arguments in
            guard case .text(let text) = arguments[0].value else { return .null }
            return .text(text.uppercased().lowercased())
        }
    }
}

private enum DecimalOrder {
    /// Decimal texts by their numbers, others behind them by their bytes.
    static func compare(_ left: String, _ right: String) -> ComparisonResult {
        switch (Decimal(string: left), Decimal(string: right)) {
        case (let left?, let right?):
            left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        case (.some, nil): .orderedAscending
        case (nil, .some): .orderedDescending
        case (nil, nil) where left.utf8.elementsEqual(right.utf8): .orderedSame
        case (nil, nil): left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
        }
    }
}
