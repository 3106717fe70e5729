public import StorageKit

/// A public entity that uses every property macro, for tests from another module.
@StorageEntity
public struct TestOrder {
    /// A value type nested in the entity, whose fields the macro sees.
    public struct Address: Codable, Sendable, Equatable {
        /// A field that is text.
        public var city: String
        /// A field that may be missing.
        public var floor: Int?

        /// Creates an address.
        public init(city: String, floor: Int? = nil) {
            self.city = city
            self.floor = floor
        }
    }

    /// An enum of texts.
    public enum Status: String, Codable, Sendable {
        /// The first state.
        case open
        /// The last state.
        case done
    }

    /// The primary key.
    public let id: UUID
    /// A raw value.
    public var status: Status
    /// The spread value.
    @StorageEmbedded(prefix: "to_") public var address: Address
    /// JSON.
    @StorageJSON public var notes: [String: AnyCodable]
    /// The foreign key of ``user``.
    public var userId: String
    /// The parent.
    @StorageBelongsTo public var user: TestUser?
    /// The children.
    @StorageHasMany(foreignKey: "orderId") public var lines: [TestOrder]
    /// Nobody else's business, and stored all the same.
    var secret: Hidden = .nothing
    private var count = 0

    enum Hidden: Int, Codable, Sendable { case nothing, something }

    /// Creates an order.
    public init(_ id: UUID, city: String, userId: String) {
        self.id = id
        status = .open
        address = Address(city: city)
        notes = [:]
        self.userId = userId
        lines = []
        secret = .something
        count = 3
    }

    /// What is stored of the members that are not public.
    public var hidden: [Int] { [secret.rawValue, count] }
}
