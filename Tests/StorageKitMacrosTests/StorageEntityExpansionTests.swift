import Foundation
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import StorageKitMacrosPlugin

@Suite struct StorageEntityExpansionTests {
    @Test func aStructGetsARecordAndAnExtension() {
        expectExpansion(
            """
            @StorageEntity
            public struct User {
                public let id: String
                public var name: String, nickname: String?
                public var count = 0 { didSet {} }
                let kind = "user"
                var shout: String { name.uppercased() }
                static var all: [User] = []
                lazy var cached = 1
            }
            """,
            """
            public struct User {
                public let id: String
                public var name: String, nickname: String?
                public var count = 0 { didSet {} }
                let kind = "user"
                var shout: String { name.uppercased() }
                static var all: [User] = []
                lazy var cached = 1

                fileprivate nonisolated static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    row.skip(3)
                    try row.append((0) as Swift.Int)
                    try row.append(("user") as Swift.String)
                }
            }

            /// The row of ``User`` in its table.
            public nonisolated struct UserRecord: StorageGRDB.GeneratedRecord {
                public typealias E = User
                public static let databaseTableName: Swift.String = "users"
                public static let schemaColumns: [StorageCore.ColumnSchema] = _makeSchemaColumns()
                public static var _parts: [any StorageGRDB.SchemaPart] {
                    E.storageColumns._schemaParts
                }
                public var _entity: User
                public var updatedAt: Foundation.Date
                public var _savedAt: Foundation.Date {
                    self.updatedAt
                }
                public init(_entity: User, updatedAt: Foundation.Date) {
                    self._entity = _entity
                    self.updatedAt = updatedAt
                }
                public static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    try User._encodeDefaults(to: &row)
                }
                public static func _decode(_ row: inout StorageGRDB.RowReader) throws -> User {
                    try User(_row: &row)
                }
                public static func _encode(_ entity: User, to row: inout StorageGRDB.RowWriter) throws {
                    try entity._encode(to: &row)
                }
            }

            nonisolated extension User: StorageGRDB.RegisteredEntity {
                public typealias Record = UserRecord
                public nonisolated struct StorageColumns: Swift.Sendable {
                    public var id: StorageGRDB.Column<Swift.String> { StorageGRDB._column("id", \\User.id) }
                    public var name: StorageGRDB.Column<Swift.String> { StorageGRDB._column("name", \\User.name) }
                    public var nickname: StorageGRDB.Column<Swift.String?> { StorageGRDB._column("nickname", \\User.nickname) }
                    public var count: StorageGRDB.Column<Swift.Int> { StorageGRDB._column("count", \\User.count) }
                    var kind: StorageGRDB.Column<Swift.String> { StorageGRDB._column("kind", \\User.kind) }
                    fileprivate init() {
                    }
                    fileprivate var _schemaParts: [any StorageGRDB.SchemaPart] {
                        [self.id, self.name, self.nickname, self.count, self.kind]
                    }
                }
                public static var storageColumns: StorageColumns { StorageColumns() }
                fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                    self.id = try row.next()
                    self.name = try row.next()
                    self.nickname = try row.next()
                    self.count = try row.next()
                    row.skip()
                }
                fileprivate func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.append(self.id)
                    try row.append(self.name)
                    try row.append(self.nickname)
                    try row.append(self.count)
                    try row.append(self.kind)
                }
            }
            """)
    }

    @Test func anEntitysOwnUpdatedAtIsNotMadeTwice() {
        expectExpansion(
            """
            @StorageEntity(table: "app_notes")
            struct Note {
                var id: Int
                var updatedAt: Date
            }
            """,
            """
            struct Note {
                var id: Int
                var updatedAt: Date

                fileprivate nonisolated static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    let value0: Int = try row.next()
                    let value1: Date = try row.next()
                    return Self(id: value0, updatedAt: value1)
                }
            }

            /// The row of ``Note`` in its table.
            nonisolated struct NoteRecord: StorageGRDB.GeneratedRecord {
                typealias E = Note
                static let databaseTableName: Swift.String = "app_notes"
                static let schemaColumns: [StorageCore.ColumnSchema] = _makeSchemaColumns()
                static var _parts: [any StorageGRDB.SchemaPart] {
                    E.storageColumns._schemaParts
                }
                var _entity: Note
                static var _addsUpdatedAt: Swift.Bool {
                    false
                }
                init(_entity: Note, updatedAt: Foundation.Date) {
                    self._entity = _entity
                }
                static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Note {
                    try Note._decode(&row)
                }
                static func _encode(_ entity: Note, to row: inout StorageGRDB.RowWriter) throws {
                    try entity._encode(to: &row)
                }
            }

            nonisolated extension Note: StorageGRDB.RegisteredEntity {
                typealias Record = NoteRecord
                nonisolated final class StorageColumns: Swift.Sendable {
                    var id: StorageGRDB.Column<Swift.Int> { StorageGRDB._column("id", \\Note.id) }
                    let updatedAt = StorageGRDB._column("updatedAt", \\Note.updatedAt)
                    fileprivate init() {
                    }
                    fileprivate var _schemaParts: [any StorageGRDB.SchemaPart] {
                        [self.id, self.updatedAt]
                    }
                }
                static let storageColumns = StorageColumns()
                fileprivate func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.append(self.id)
                    try row.append(self.updatedAt)
                }
            }
            """)
    }

    @Test func aTypeOfTheEntitysOwnIsNotTakenForAStandardOne() {
        let expanded = expansion(
            of: """
                @StorageEntity
                struct Trip {
                    struct Double: Codable, Sendable {}
                    var id: Int
                    var length: Double
                    var breadth: Double?
                    var height: Float?
                }
                """)
        #expect(expanded.contains(#"var id: StorageGRDB.Column<Swift.Int> { StorageGRDB._column("id", \Trip.id) }"#))
        #expect(expanded.contains(#"let length = StorageGRDB._column("length", \Trip.length)"#))
        #expect(expanded.contains(#"let breadth = StorageGRDB._column("breadth", \Trip.breadth)"#))
        #expect(expanded.contains("var height: StorageGRDB.Column<Swift.Float?> {"))
    }

    @Test(arguments: [
        "var p: String", "var p = 1", "var p: String = UUID().uuidString", "var p: [Int] = []",
        "fileprivate var p: Int?",
        "static var p = f()", "var p: Int { f() }", "func f() {}",
    ])
    func anEntityIsReadByTheCompilersInitializer(member: String) {
        let expanded = expansion(of: "@StorageEntity struct User { var id: String; \(member) }")
        #expect(expanded.contains("try User._decode(&row)"))
        #expect(!expanded.contains("init(_row"))
    }

    /// It may not have all properties, or not be there at all.
    @Test(arguments: [
        "init(id: String) { self.id = id }", "#if os(Linux)\nfunc f() {}\n#endif", "#members", "private var p: Int",
        "let p = 1", "lazy var p = 1", "@Clamped var p: Int",
        "var p: Int; var q: Int { @storageRestrictions(initializes: p) init(value) { p = value } get { p } }",
    ])
    func whereTheCompilersInitializerMayNotDoAnotherIsWritten(member: String) {
        let expanded = expansion(of: "@StorageEntity struct User { var id: String; \(member) }")
        #expect(expanded.contains("try User(_row: &row)"))
        #expect(expanded.contains("init(_row"))
    }

    @Test func anotherMacroMayWriteAnInitializer() {
        let expanded = expansion(of: "@StorageEntity @Memberwise struct User { var id: String }")
        #expect(expanded.contains("try User(_row: &row)"))
    }

    /// Users read it in error messages, so that it has to fit.
    @Test(arguments: [
        "var p: Int", "@StorageJSON var p: [Int]", "@StorageEmbedded var p: Address", "var p: Level",
        "@StorageHasMany(foreignKey: \"k\") var p: [Other]",
    ])
    func theExpansionOfTenColumnsStaysUnder120Lines(property: String) {
        let properties = (1...9).map { property.replacingOccurrences(of: "p:", with: "p\($0):") }
        let source = """
            @StorageEntity
            public struct User {
                public var id: String
            \(properties.joined(separator: "\n"))
            }
            """
        let expanded = expansion(of: source)
        #expect(expanded.contains("struct UserRecord"))
        let written = source.split(separator: "\n").count
        #expect(expanded.split(separator: "\n", omittingEmptySubsequences: false).count - written < 120, "\(expanded)")
    }
}
