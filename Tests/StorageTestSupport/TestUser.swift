public import StorageKit

/// A plain entity with a text id.
@StorageEntity
public struct TestUser {
    public var id: String
    public var name: String
    public var age: Int
    public var email: String?
    public var isActive: Bool

    public init(_ id: String, name: String = "", age: Int = 0, email: String? = nil, isActive: Bool = true) {
        self.id = id
        self.name = name
        self.age = age
        self.email = email
        self.isActive = isActive
    }
}
