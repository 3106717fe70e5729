public import StorageKit

/// A public entity without an initialiser of its own, for modules that make one.
@StorageEntity
public struct TestTicket {
    /// A type of its own.
    public enum Level: Int, Codable, Sendable { case low, high }

    /// The primary key.
    public var id: String
    /// Any text.
    public var title: String
    /// A raw value.
    public var level: Level
    /// A text that may be missing.
    public var note: String?
    /// A number with a default value.
    public var stars = 0
}

/// The same for what stands in a type, and has children.
public enum TestDesk {
    /// A type beside the entities.
    public enum Kind: String, Codable, Sendable { case open, closed }

    /// A child.
    @StorageEntity(table: "drawers")
    public struct Drawer {
        /// The primary key.
        public var id: Int
        /// A raw value of a type that an extension at file scope does not find.
        public var kind: Kind
    }

    /// A parent that keeps the time of its last change itself.
    @StorageEntity(table: "desks")
    public struct Desk {
        /// The primary key.
        public var id: Int
        /// When it was changed.
        public var updatedAt: Date
        /// Its children.
        @StorageHasMany(foreignKey: "id") public var drawers: [Drawer]
    }
}

/// An entity that says itself how it is made.
@StorageEntity
public struct TestMade {
    /// The primary key.
    public let id: String
    /// Any number.
    public var sum: Int

    /// Creates one; the id is given.
    public init(_ sum: Int) {
        id = "made"
        self.sum = sum
    }
}
