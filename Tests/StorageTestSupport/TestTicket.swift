public import StorageKit

/// A public entity without an initialiser of its own, for modules that make one.
@StorageEntity
public struct TestTicket {
    public enum Level: Int, Codable, Sendable { case low, high }

    public var id: String
    public var title: String
    public var level: Level
    public var note: String?
    public var stars = 0
}

/// The same for what stands in a type, and has children.
public enum TestDesk {
    public enum Kind: String, Codable, Sendable { case open, closed }

    @StorageEntity(table: "drawers")
    public struct Drawer {
        public var id: Int
        public var kind: Kind
    }

    @StorageEntity(table: "desks")
    public struct Desk {
        public var id: Int
        public var updatedAt: Date
        @StorageHasMany(foreignKey: "id") public var drawers: [Drawer]
    }
}

/// An entity that says itself how it is made.
@StorageEntity
public struct TestMade {
    public let id: String
    public var sum: Int

    public init(_ sum: Int) {
        id = "made"
        self.sum = sum
    }
}
