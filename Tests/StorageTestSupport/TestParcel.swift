package import StorageKit

/// Holds an entity that the whole package sees.
package enum Packaged {
    /// An entity of package access, with a property that is less visible than itself.
    @StorageEntity
    package struct Parcel {
        package var id: Int
        package var made: Date
        var weight: Decimal

        package init(id: Int, made: Date, weight: Decimal) {
            self.id = id
            self.made = made
            self.weight = weight
        }
    }
}
