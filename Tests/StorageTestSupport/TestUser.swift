public import StorageKit

/// A plain entity with a text id.
@StorageEntity
public struct TestUser {
    /// The primary key.
    public var id: String
    /// Any text.
    public var name: String
    /// Any number.
    public var age: Int
    /// A text that may be missing.
    public var email: String?
    /// A switch.
    public var isActive: Bool

    /// Creates a user; only the id has to be said.
    public init(_ id: String, name: String = "", age: Int = 0, email: String? = nil, isActive: Bool = true) {
        self.id = id
        self.name = name
        self.age = age
        self.email = email
        self.isActive = isActive
    }
}
