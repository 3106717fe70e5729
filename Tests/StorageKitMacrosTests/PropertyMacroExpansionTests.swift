import Testing

@testable import StorageKitMacrosPlugin

@Suite struct PropertyMacroExpansionTests {
    @Test func unseenValuesAreReachedByNamesTheCompilerCannotCheck() {
        expectExpansion(
            """
            @StorageEntity
            struct Customer {
                var id: String
                @StorageEmbedded(prefix: "to_")
                var address: Address
                @StorageEmbedded
                var billing: Shop.Address?
            }
            """,
            """
            struct Customer {
                var id: String
                var address: Address
                var billing: Shop.Address?

                fileprivate nonisolated static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    let value0: String = try row.next()
                    let value1: Address = try row.next(Self.storageColumns.address)
                    let value2: Shop.Address? = try row.next(Self.storageColumns.billing)
                    return Self(id: value0, address: value1, billing: value2)
                }
            }

            /// The row of ``Customer`` in its table.
            nonisolated struct CustomerRecord: StorageGRDB.GeneratedRecord {
                typealias E = Customer
                static let databaseTableName: Swift.String = "customers"
                static let schemaColumns: [StorageCore.ColumnSchema] = _makeSchemaColumns()
                static var _parts: [any StorageGRDB.SchemaPart] {
                    E.storageColumns._schemaParts
                }
                var _entity: Customer
                var updatedAt: Foundation.Date
                var _savedAt: Foundation.Date {
                    self.updatedAt
                }
                init(_entity: Customer, updatedAt: Foundation.Date) {
                    self._entity = _entity
                    self.updatedAt = updatedAt
                }
                static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Customer {
                    try Customer._decode(&row)
                }
                static func _encode(_ entity: Customer, to row: inout StorageGRDB.RowWriter) throws {
                    try entity._encode(to: &row)
                }
            }

            nonisolated extension Customer: StorageGRDB.RegisteredEntity, StorageGRDB.EntityWithUnseenColumns, StorageGRDB.ComparedByParts {
                typealias Record = CustomerRecord
                nonisolated final class StorageColumns: Swift.Sendable {
                    var id: StorageGRDB.Column<Swift.String> { StorageGRDB._column("id", \\Customer.id) }
                    let address = StorageGRDB._embedded("address", "to_", \\Customer.address)
                    let billing = StorageGRDB._embedded("billing", "billing_", \\Customer.billing)
                    fileprivate init() {
                    }
                    fileprivate var _schemaParts: [any StorageGRDB.SchemaPart] {
                        [self.id, self.address, self.billing]
                    }
                }
                static let storageColumns = StorageColumns()
                fileprivate func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.append(self.id)
                    try row.append(self.address, Self.storageColumns.address)
                    try row.append(self.billing, Self.storageColumns.billing)
                }
                func _isEqual(to other: Self) -> Swift.Bool {
                    var equality = StorageGRDB._Equality()
                    equality.compare(self.id, other.id)
                    equality.compare(self.address, other.address)
                    equality.compare(self.billing, other.billing)
                    return equality.holds
                }
            }
            """)
    }

    @Test func nestedValuesAreSpelledOutForTheCompiler() {
        expectExpansion(
            """
            @StorageEntity
            public struct Customer {
                struct Address: Codable, Sendable {
                    enum CodingKeys: String, CodingKey {
                        case city, kind
                        case zip = "zip_code"
                        case geo
                    }
                    enum Kind: String, Codable {
                        case home
                    }
                    let country = "UA"
                    var city: String
                    var zip: String?
                    var kind: Kind
                    var unkeyed = 1
                    var geo: Geo?
                    static var label = ""
                }
                struct Geo: Codable, Sendable {
                    var latitude, longitude: Double
                }
                public var id: String
                @StorageEmbedded(prefix: "")
                public var address: Address?
                @StorageEmbedded
                private var work: Geo
            }
            """,
            """
            public struct Customer {
                struct Address: Codable, Sendable {
                    enum CodingKeys: String, CodingKey {
                        case city, kind
                        case zip = "zip_code"
                        case geo
                    }
                    enum Kind: String, Codable {
                        case home
                    }
                    let country = "UA"
                    var city: String
                    var zip: String?
                    var kind: Kind
                    var unkeyed = 1
                    var geo: Geo?
                    static var label = ""
                }
                struct Geo: Codable, Sendable {
                    var latitude, longitude: Double
                }
                public var id: String
                public var address: Address?
                private var work: Geo
            }

            /// The row of ``Customer`` in its table.
            public nonisolated struct CustomerRecord: StorageGRDB.GeneratedRecord {
                public typealias E = Customer
                public static let databaseTableName: Swift.String = "customers"
                public static let schemaColumns: [StorageCore.ColumnSchema] = _makeSchemaColumns()
                public static var _parts: [any StorageGRDB.SchemaPart] {
                    E.storageColumns._schemaParts
                }
                public var _entity: Customer
                public var updatedAt: Foundation.Date
                public var _savedAt: Foundation.Date {
                    self.updatedAt
                }
                public init(_entity: Customer, updatedAt: Foundation.Date) {
                    self._entity = _entity
                    self.updatedAt = updatedAt
                }
                public static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Customer {
                    try Customer(_row: &row)
                }
                public static func _encode(_ entity: Customer, to row: inout StorageGRDB.RowWriter) throws {
                    try entity._encode(to: &row)
                }
            }

            nonisolated extension Customer: StorageGRDB.RegisteredEntity, StorageGRDB.ComparedByParts {
                public typealias Record = CustomerRecord
                public nonisolated final class StorageColumns: Swift.Sendable {
                    public var id: StorageGRDB.Column<Swift.String> { StorageGRDB._column("id", \\Customer.id) }
                    public let address = StorageGRDB._embedded("address", "", \\Customer.address)
                    let city = StorageGRDB._column("city", \\Customer.address?.city)
                    let zipCode = StorageGRDB._column("zip_code", \\Customer.address?.zip)
                    let kind = StorageGRDB._column("kind", \\Customer.address?.kind)
                    let geoLatitude = StorageGRDB._column("geo_latitude", \\Customer.address?.geo?.latitude)
                    let geoLongitude = StorageGRDB._column("geo_longitude", \\Customer.address?.geo?.longitude)
                    fileprivate init() {
                    }
                    fileprivate var _schemaParts: [any StorageGRDB.SchemaPart] {
                        [self.id, self.address, _HiddenColumns.work]
                    }
                }
                public static let storageColumns = StorageColumns()
                fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                    self.id = try row.next()
                    self.address = try row.next(Self.storageColumns.address)
                    self.work = try row.next(_HiddenColumns.work)
                }
                fileprivate func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.append(self.id)
                    try row.append(self.address, Self.storageColumns.address)
                    try row.append(self.work, _HiddenColumns.work)
                }
                private nonisolated enum _HiddenColumns {
                    static let work = StorageGRDB._embedded("work", "work_", \\Customer.work)
                }
                public func _isEqual(to other: Self) -> Swift.Bool {
                    var equality = StorageGRDB._Equality()
                    equality.compare(self.id, other.id)
                    equality.compare(self.address, other.address)
                    equality.compare(self.work, other.work)
                    return equality.holds
                }
            }
            """)
    }

    @Test func relationsAreAssociationsAndNoColumns() {
        expectExpansion(
            """
            @StorageEntity
            struct Post {
                let id: String
                var authorId: String
                var likes = 0
                var note: String?
                @StorageBelongsTo
                var author: Shop.Author?
                @StorageHasMany(foreignKey: "post")
                private var remarks: [Remark]
            }
            """,
            """
            struct Post {
                let id: String
                var authorId: String
                var likes = 0
                var note: String?
                var author: Shop.Author?
                private var remarks: [Remark]

                private nonisolated init(id: String, authorId: String, likes: Swift.Int = 0, note: String? = nil, author: Shop.Author? = nil, remarks: [Remark] = []) {
                    self.id = id
                    self.authorId = authorId
                    self.likes = likes
                    self.note = note
                    self.author = author
                    self.remarks = remarks
                }

                fileprivate nonisolated static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    row.skip(2)
                    try row.append((0) as Swift.Int)
                }
            }

            /// The row of ``Post`` in its table.
            nonisolated struct PostRecord: StorageGRDB.GeneratedRecord {
                typealias E = Post
                static let databaseTableName: Swift.String = "posts"
                static let schemaColumns: [StorageCore.ColumnSchema] = _makeSchemaColumns()
                static var _parts: [any StorageGRDB.SchemaPart] {
                    E.storageColumns._schemaParts
                }
                static let author = belongsTo(Shop.Author.Record.self, key: "author", using: StorageGRDB.ForeignKey(["authorId"]))
                fileprivate static let remarks = hasMany(Remark.Record.self, key: "remarks", using: StorageGRDB.ForeignKey(["post"]))
                var _entity: Post
                var updatedAt: Foundation.Date
                var _savedAt: Foundation.Date {
                    self.updatedAt
                }
                init(_entity: Post, updatedAt: Foundation.Date) {
                    self._entity = _entity
                    self.updatedAt = updatedAt
                }
                static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    try Post._encodeDefaults(to: &row)
                }
                static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Post {
                    try Post(_row: &row)
                }
                static func _encode(_ entity: Post, to row: inout StorageGRDB.RowWriter) throws {
                    try entity._encode(to: &row)
                }
            }

            nonisolated extension Post: StorageGRDB.RegisteredEntity {
                typealias Record = PostRecord
                nonisolated struct StorageColumns: Swift.Sendable {
                    var id: StorageGRDB.Column<Swift.String> { StorageGRDB._column("id", \\Post.id) }
                    var authorId: StorageGRDB.Column<Swift.String> { StorageGRDB._column("authorId", \\Post.authorId) }
                    var likes: StorageGRDB.Column<Swift.Int> { StorageGRDB._column("likes", \\Post.likes) }
                    var note: StorageGRDB.Column<Swift.String?> { StorageGRDB._column("note", \\Post.note) }
                    fileprivate init() {
                    }
                    fileprivate var _schemaParts: [any StorageGRDB.SchemaPart] {
                        [self.id, self.authorId, self.likes, self.note]
                    }
                }
                static var storageColumns: StorageColumns { StorageColumns() }
                fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                    self.id = try row.next()
                    self.authorId = try row.next()
                    self.likes = try row.next()
                    self.note = try row.next()
                    self.author = nil
                    self.remarks = []
                }
                fileprivate func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.append(self.id)
                    try row.append(self.authorId)
                    try row.append(self.likes)
                    try row.append(self.note)
                }
            }
            """)
    }

    @Test func jsonIsReadAndWrittenAsSuch() {
        expectExpansion(
            """
            @StorageEntity
            struct Product {
                var id: String
                @StorageJSON
                var attributes: [String: String]
                @StorageJSON
                let version = 1
            }
            """,
            """
            struct Product {
                var id: String
                var attributes: [String: String]
                let version = 1

                fileprivate nonisolated static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    row.skip(2)
                    try row.appendJSON((1) as Swift.Int)
                }
            }

            /// The row of ``Product`` in its table.
            nonisolated struct ProductRecord: StorageGRDB.GeneratedRecord {
                typealias E = Product
                static let databaseTableName: Swift.String = "products"
                static let schemaColumns: [StorageCore.ColumnSchema] = _makeSchemaColumns()
                static var _parts: [any StorageGRDB.SchemaPart] {
                    E.storageColumns._schemaParts
                }
                var _entity: Product
                var updatedAt: Foundation.Date
                var _savedAt: Foundation.Date {
                    self.updatedAt
                }
                init(_entity: Product, updatedAt: Foundation.Date) {
                    self._entity = _entity
                    self.updatedAt = updatedAt
                }
                static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    try Product._encodeDefaults(to: &row)
                }
                static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Product {
                    try Product(_row: &row)
                }
                static func _encode(_ entity: Product, to row: inout StorageGRDB.RowWriter) throws {
                    try entity._encode(to: &row)
                }
            }

            nonisolated extension Product: StorageGRDB.RegisteredEntity {
                typealias Record = ProductRecord
                nonisolated final class StorageColumns: Swift.Sendable {
                    var id: StorageGRDB.Column<Swift.String> { StorageGRDB._column("id", \\Product.id) }
                    let attributes = StorageGRDB._json("attributes", \\Product.attributes)
                    let version = StorageGRDB._json("version", \\Product.version)
                    fileprivate init() {
                    }
                    fileprivate var _schemaParts: [any StorageGRDB.SchemaPart] {
                        [self.id, self.attributes, self.version]
                    }
                }
                static let storageColumns = StorageColumns()
                fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                    self.id = try row.next()
                    self.attributes = try row.nextJSON()
                    row.skip()
                }
                fileprivate func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.append(self.id)
                    try row.appendJSON(self.attributes)
                    try row.appendJSON(self.version)
                }
            }
            """)
    }
}
