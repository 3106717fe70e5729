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

                nonisolated final class StorageColumns: StorageGRDB.UnseenColumns {
                    typealias _Entity = Record.E
                    var id: StorageGRDB.Column<String> { .init("id") }
                    let address = StorageGRDB._embedded("address", "to_", Address.self)
                    let billing = StorageGRDB._embedded("billing", "billing_", Shop.Address?.self)
                    var updatedAt: StorageGRDB.Column<Foundation.Date> { .init("updatedAt") }
                    fileprivate init() {
                    }
                }
                nonisolated static let storageColumns = StorageColumns()

                nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
                    table.columns(["id"], [String.self])
                    table.embedded(Self.storageColumns.address)
                    table.embedded(Self.storageColumns.billing)
                }

                nonisolated static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    try Self(id: row.nextValue() as String, address: row.next(Self.storageColumns.address) as Address, billing: row.next(Self.storageColumns.billing) as Shop.Address?)
                }
            }

            /// The row of ``Customer`` in its table.
            nonisolated struct CustomerRecord: StorageGRDB.GeneratedRecord, StorageGRDB.StampedRecord {
                typealias E = Customer
                static var databaseTableName: Swift.String { "customers" }
                let _row: StorageGRDB.StoredRow<E>
                init(_row: StorageGRDB.StoredRow<E>) {
                    self._row = _row
                }
                init(id: String, address: Address, billing: Shop.Address? = nil, updatedAt: Foundation.Date) {
                    _row = StorageGRDB.StoredRow(Self.E(id: id, address: address, billing: billing), savedAt: updatedAt)
                }
            }

            nonisolated extension Customer: StorageGRDB.RegisteredEntity, StorageGRDB.GeneratedEntity, StorageGRDB.ComparedByParts, StorageGRDB.CodedByProperties {
                typealias Record = CustomerRecord
                func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.appendValue(self.id)
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
                init(_properties properties: inout StorageGRDB.PropertyDecoder) throws {
                    self.id = try properties.value("id")
                    self.address = try properties.value("address")
                    self.billing = try properties.value("billing")
                }
                func _encodeProperties(to properties: inout StorageGRDB.PropertyEncoder) throws {
                    try properties.append(self.id, "id")
                    try properties.append(self.address, "address")
                    try properties.append(self.billing, "billing")
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

                public nonisolated final class StorageColumns: Swift.Sendable {
                    public var id: StorageGRDB.Column<String> { .init("id") }
                    public let address = StorageGRDB._embedded("address", "", Address?.self)
                    let city = StorageGRDB._column("city", StorageGRDB._type(at: \\Address?.?.city))
                    let zipCode = StorageGRDB._column("zip_code", StorageGRDB._type(at: \\Address?.?.zip))
                    let kind = StorageGRDB._column("kind", StorageGRDB._type(at: \\Address?.?.kind))
                    let geoLatitude = StorageGRDB._column("geo_latitude", StorageGRDB._type(at: \\Address?.?.geo?.latitude))
                    let geoLongitude = StorageGRDB._column("geo_longitude", StorageGRDB._type(at: \\Address?.?.geo?.longitude))
                    public var updatedAt: StorageGRDB.Column<Foundation.Date> { .init("updatedAt") }
                    fileprivate init() {
                    }
                }
                public nonisolated static let storageColumns = StorageColumns()

                private nonisolated enum _HiddenColumns {
                    static let work = StorageGRDB._embedded("work", "work_", Geo.self)
                }

                public nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
                    table.columns(["id"], [String.self])
                    table.embedded(Self.storageColumns.address)
                    table.embedded(_HiddenColumns.work)
                }
            }

            /// The row of ``Customer`` in its table.
            public nonisolated struct CustomerRecord: StorageGRDB.GeneratedRecord, StorageGRDB.StampedRecord {
                public typealias E = Customer
                public static var databaseTableName: Swift.String { "customers" }
                public let _row: StorageGRDB.StoredRow<E>
                public init(_row: StorageGRDB.StoredRow<E>) {
                    self._row = _row
                }
            }

            nonisolated extension Customer: StorageGRDB.RegisteredEntity, StorageGRDB.GeneratedEntity, StorageGRDB.ComparedByParts, StorageGRDB.CodedByProperties {
                public typealias Record = CustomerRecord
                public static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    try Self(_row: &row)
                }
                fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                    self.id = try row.nextValue()
                    self.address = try row.next(Self.storageColumns.address)
                    self.work = try row.next(_HiddenColumns.work)
                }
                public func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.appendValue(self.id)
                    try row.append(self.address, Self.storageColumns.address)
                    try row.append(self.work, _HiddenColumns.work)
                }
                public func _isEqual(to other: Self) -> Swift.Bool {
                    var equality = StorageGRDB._Equality()
                    equality.compare(self.id, other.id)
                    equality.compare(self.address, other.address)
                    equality.compare(self.work, other.work)
                    return equality.holds
                }
                public init(_properties properties: inout StorageGRDB.PropertyDecoder) throws {
                    self.id = try properties.value("id")
                    self.address = try properties.value("address")
                    self.work = try properties.value("work")
                }
                public func _encodeProperties(to properties: inout StorageGRDB.PropertyEncoder) throws {
                    try properties.append(self.id, "id")
                    try properties.append(self.address, "address")
                    try properties.append(self.work, "work")
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

                nonisolated struct StorageColumns: Swift.Sendable {
                    var id: StorageGRDB.Column<String> { .init("id") }
                    var authorId: StorageGRDB.Column<String> { .init("authorId") }
                    var likes: StorageGRDB.Column<Swift.Int> { .init("likes") }
                    var note: StorageGRDB.Column<String?> { .init("note") }
                    var author: StorageGRDB.OptionalToOne<Shop.Author> { .init("author", key: "authorId", property: \\Record.E.author) }
                    var updatedAt: StorageGRDB.Column<Foundation.Date> { .init("updatedAt") }
                    fileprivate init() {
                    }
                }
                nonisolated static var storageColumns: StorageColumns { StorageColumns() }

                nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
                    table.columns(["id", "authorId", "likes", "note"], [String.self, String.self, Swift.Int.self, String?.self])
                }

                nonisolated static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    row.skip(2)
                    _ = try? row.appendValue((0) as Swift.Int)
                }
            }

            /// The row of ``Post`` in its table.
            nonisolated struct PostRecord: StorageGRDB.GeneratedRecord, StorageGRDB.StampedRecord {
                typealias E = Post
                static var databaseTableName: Swift.String { "posts" }
                let _row: StorageGRDB.StoredRow<E>
                init(_row: StorageGRDB.StoredRow<E>) {
                    self._row = _row
                }
                static let author = belongsTo(Shop.Author.Record.self, key: "author", using: StorageGRDB.ForeignKey(["authorId"]))
                fileprivate static let remarks = hasMany(Remark.Record.self, key: "remarks", using: StorageGRDB.ForeignKey(["post"]))
            }

            nonisolated extension Post: StorageGRDB.RegisteredEntity, StorageGRDB.GeneratedEntity, StorageGRDB.CodedByProperties {
                typealias Record = PostRecord
                static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    try Self(_row: &row)
                }
                fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                    self.id = try row.nextValue()
                    self.authorId = try row.nextValue()
                    self.likes = try row.nextValue()
                    self.note = try row.nextValue()
                    self.author = nil
                    self.remarks = []
                }
                func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.appendValue(self.id)
                    try row.appendValue(self.authorId)
                    try row.appendValue(self.likes)
                    try row.appendValue(self.note)
                }
                init(_properties properties: inout StorageGRDB.PropertyDecoder) throws {
                    self.id = try properties.value("id")
                    self.authorId = try properties.value("authorId")
                    self.likes = try properties.value("likes")
                    self.note = try properties.value("note")
                    self.author = try properties.value("author")
                    self.remarks = try properties.children("remarks")
                }
                func _encodeProperties(to properties: inout StorageGRDB.PropertyEncoder) throws {
                    try properties.append(self.id, "id")
                    try properties.append(self.authorId, "authorId")
                    try properties.append(self.likes, "likes")
                    try properties.append(self.note, "note")
                    try properties.append(self.author, "author")
                    try properties.append(self.remarks, "remarks")
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

                nonisolated struct StorageColumns: Swift.Sendable {
                    var id: StorageGRDB.Column<String> { .init("id") }
                    var attributes: StorageGRDB.JSONColumn<[String: String]> { .init("attributes") }
                    var version: StorageGRDB.JSONColumn<Swift.Int> { .init("version") }
                    var updatedAt: StorageGRDB.Column<Foundation.Date> { .init("updatedAt") }
                    fileprivate init() {
                    }
                }
                nonisolated static var storageColumns: StorageColumns { StorageColumns() }

                nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
                    table.columns(["id"], [String.self])
                    table.json("attributes", ([String: String]).self)
                    table.json("version", Swift.Int.self)
                }

                nonisolated static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    row.skip(2)
                    _ = try? row.appendJSON((1) as Swift.Int)
                }
            }

            /// The row of ``Product`` in its table.
            nonisolated struct ProductRecord: StorageGRDB.GeneratedRecord, StorageGRDB.StampedRecord {
                typealias E = Product
                static var databaseTableName: Swift.String { "products" }
                let _row: StorageGRDB.StoredRow<E>
                init(_row: StorageGRDB.StoredRow<E>) {
                    self._row = _row
                }
                init(id: String, attributes: [String: String], updatedAt: Foundation.Date) {
                    _row = StorageGRDB.StoredRow(Self.E(id: id, attributes: attributes), savedAt: updatedAt)
                }
            }

            nonisolated extension Product: StorageGRDB.RegisteredEntity, StorageGRDB.GeneratedEntity, StorageGRDB.CodedByProperties {
                typealias Record = ProductRecord
                static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    try Self(_row: &row)
                }
                fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                    self.id = try row.nextValue()
                    self.attributes = try row.nextJSON()
                    row.skip()
                }
                func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.appendValue(self.id)
                    try row.appendJSON(self.attributes)
                    try row.appendJSON(self.version)
                }
                init(_properties properties: inout StorageGRDB.PropertyDecoder) throws {
                    self.id = try properties.value("id")
                    self.attributes = try properties.value("attributes")
                }
                func _encodeProperties(to properties: inout StorageGRDB.PropertyEncoder) throws {
                    try properties.append(self.id, "id")
                    try properties.append(self.attributes, "attributes")
                    try properties.append(self.version, "version")
                }
            }
            """)
    }

    @Test func aVersionIsAColumnThatTheRunTimeReaches() {
        expectExpansion(
            """
            @StorageEntity
            public struct Document {
                public let id: String
                @StorageVersion
                private(set) var `default`: Int = 0
            }
            """,
            """
            public struct Document {
                public let id: String
                private(set) var `default`: Int = 0

                public nonisolated struct StorageColumns: Swift.Sendable {
                    public var id: StorageGRDB.Column<String> { .init("id") }
                    var `default`: StorageGRDB.Column<Int> { .init("default") }
                    public var updatedAt: StorageGRDB.Column<Foundation.Date> { .init("updatedAt") }
                    fileprivate init() {
                    }
                }
                public nonisolated static var storageColumns: StorageColumns { StorageColumns() }

                public nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
                    table.columns(["id", "default"], [String.self, Int.self])
                }

                public nonisolated static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    try Self(id: row.nextValue() as String, default: row.nextValue() as Int)
                }
            }

            /// The row of ``Document`` in its table.
            public nonisolated struct DocumentRecord: StorageGRDB.GeneratedRecord, StorageGRDB.StampedRecord {
                public typealias E = Document
                public static var databaseTableName: Swift.String { "documents" }
                public let _row: StorageGRDB.StoredRow<E>
                public init(_row: StorageGRDB.StoredRow<E>) {
                    self._row = _row
                }
                init(id: String, `default`: Int, updatedAt: Foundation.Date) {
                    _row = StorageGRDB.StoredRow(Self.E(id: id, default: `default`), savedAt: updatedAt)
                }
            }

            nonisolated extension Document: StorageGRDB.RegisteredEntity, StorageGRDB.GeneratedEntity, StorageGRDB.VersionedEntity, StorageGRDB.CodedByProperties {
                public typealias Record = DocumentRecord
                public func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.appendValue(self.id)
                    try row.appendValue(self.`default`)
                }
                public var _version: Swift.Int {
                    get { self.`default` }
                    set { self.`default` = newValue }
                }
                public static var _versionColumn: Swift.String { "default" }
                public init(_properties properties: inout StorageGRDB.PropertyDecoder) throws {
                    self.id = try properties.value("id")
                    self.`default` = try properties.value("default")
                }
                public func _encodeProperties(to properties: inout StorageGRDB.PropertyEncoder) throws {
                    try properties.append(self.id, "id")
                    try properties.append(self.`default`, "default")
                }
            }
            """)
    }
}
