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

                public nonisolated struct StorageColumns: Swift.Sendable {
                    public var id: StorageGRDB.Column<String> { .init("id") }
                    public var name: StorageGRDB.Column<String> { .init("name") }
                    public var nickname: StorageGRDB.Column<String?> { .init("nickname") }
                    public var count: StorageGRDB.Column<Swift.Int> { .init("count") }
                    var kind: StorageGRDB.Column<Swift.String> { .init("kind") }
                    public var updatedAt: StorageGRDB.Column<Foundation.Date> { .init("updatedAt") }
                    fileprivate init() {
                    }
                }
                public nonisolated static var storageColumns: StorageColumns { StorageColumns() }

                public nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
                    table.columns(["id", "name", "nickname", "count", "kind"], [String.self, String.self, String?.self, Swift.Int.self, Swift.String.self])
                }

                public nonisolated static func _encodeDefaults(to row: inout StorageGRDB.RowWriter) throws {
                    row.skip(3)
                    _ = try? row.appendValue((0) as Swift.Int)
                    _ = try? row.appendValue(("user") as Swift.String)
                }
            }

            /// The row of ``User`` in its table.
            public nonisolated struct UserRecord: StorageGRDB.GeneratedRecord, StorageGRDB.StampedRecord {
                public typealias E = User
                public static var databaseTableName: Swift.String { "users" }
                public let _row: StorageGRDB.StoredRow<E>
                public init(_row: StorageGRDB.StoredRow<E>) {
                    self._row = _row
                }
            }

            nonisolated extension User: StorageGRDB.RegisteredEntity, StorageGRDB.GeneratedEntity {
                public typealias Record = UserRecord
                public static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    try Self(_row: &row)
                }
                fileprivate init(_row row: inout StorageGRDB.RowReader) throws {
                    self.id = try row.nextValue()
                    self.name = try row.nextValue()
                    self.nickname = try row.nextValue()
                    self.count = try row.nextValue()
                    row.skip()
                }
                public func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.appendValue(self.id)
                    try row.appendValue(self.name)
                    try row.appendValue(self.nickname)
                    try row.appendValue(self.count)
                    try row.appendValue(self.kind)
                }
            }
            """)
    }

    @Test(arguments: [
        "var updatedAt: Int?", "var `updatedAt`: String", "@StorageJSON private var updatedAt: Mark",
        "@StorageIgnored var updatedAt = 0", "@StorageHasMany(foreignKey: \"noteId\") var updatedAt: [Note]",
        "@StorageReference(Note.self) var updatedAtId: Int",
        "@StorageReference(Note.self, as: \"updatedAt\") var noteId: Int",
        "@StorageEmbedded var updated: Updated; struct Updated: Codable { var at: Date }",
    ]) func theColumnOfTheLastSaveGivesWayToWhatHasItsName(other: String) {
        let plain = expansion(of: "@StorageEntity struct Note { var id: Int }")
        #expect(plain.contains("var updatedAt: StorageGRDB.Column<Foundation.Date> "))
        let expanded = expansion(of: "@StorageEntity struct Note { var id: Int; \(other) }")
        #expect(expanded.contains("StorageColumns: ") && !expanded.contains("StorageGRDB.Column<Foundation.Date>"))
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

                nonisolated struct StorageColumns: Swift.Sendable {
                    var id: StorageGRDB.Column<Int> { .init("id") }
                    var updatedAt: StorageGRDB.Column<Date> { .init("updatedAt") }
                    fileprivate init() {
                    }
                }
                nonisolated static var storageColumns: StorageColumns { StorageColumns() }

                nonisolated static func _describe(_ table: inout StorageGRDB.EntityDescription) {
                    table.columns(["id", "updatedAt"], [Int.self, Date.self])
                }

                nonisolated static func _decode(_ row: inout StorageGRDB.RowReader) throws -> Self {
                    try Self(id: row.nextValue() as Int, updatedAt: row.nextValue() as Date)
                }
            }

            /// The row of ``Note`` in its table.
            nonisolated struct NoteRecord: StorageGRDB.GeneratedRecord {
                typealias E = Note
                static var databaseTableName: Swift.String { "app_notes" }
                let _row: StorageGRDB.StoredRow<E>
                init(_row: StorageGRDB.StoredRow<E>) {
                    self._row = _row
                }
                init(id: Int, updatedAt: Date) {
                    _row = StorageGRDB.StoredRow(Self.E(id: id, updatedAt: updatedAt))
                }
            }

            nonisolated extension Note: StorageGRDB.RegisteredEntity, StorageGRDB.GeneratedEntity, StorageGRDB.CodedByProperties {
                typealias Record = NoteRecord
                func _encode(to row: inout StorageGRDB.RowWriter) throws {
                    try row.appendValue(self.id)
                    try row.appendValue(self.updatedAt)
                }
                init(_properties properties: inout StorageGRDB.PropertyDecoder) throws {
                    self.id = try properties.value("id")
                    self.updatedAt = try properties.value("updatedAt")
                }
                func _encodeProperties(to properties: inout StorageGRDB.PropertyEncoder) throws {
                    try properties.append(self.id, "id")
                    try properties.append(self.updatedAt, "updatedAt")
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
        #expect(expanded.contains(#"var id: StorageGRDB.Column<Int> { .init("id") }"#))
        #expect(expanded.contains(#"let length = StorageGRDB._column("length", Double.self)"#))
        #expect(expanded.contains(#"let breadth = StorageGRDB._column("breadth", Double?.self)"#))
        #expect(expanded.contains(#"var height: StorageGRDB.Column<Float?> { .init("height") }"#))
    }

    @Test(arguments: [
        "var p: String", "var p = 1", "var p: String = UUID().uuidString", "var p: [Int] = []",
        "fileprivate var p: Int?",
        "static var p = f()", "var p: Int { f() }", "func f() {}", "#if os(Linux)\nfunc f() {}\n#endif",
    ])
    func anEntityIsReadByTheCompilersInitializer(member: String) {
        let expanded = expansion(of: "@StorageEntity struct User { var id: String; \(member) }")
        #expect(expanded.contains("try Self(id: row.nextValue() as String"))
        #expect(!expanded.contains("Self(_row: &row)"))
    }

    /// It may not have all properties, or not be there at all.
    @Test(arguments: [
        "init(id: String) { self.id = id }", "#if os(Linux)\ninit(id: String) { self.id = id }\n#endif", "#members",
        "private var p: Int",
        "let p = 1", "lazy var p = 1", "@Clamped var p: Int",
        "var p: Int; var q: Int { @storageRestrictions(initializes: p) init(value) { p = value } get { p } }",
    ])
    func whereTheCompilersInitializerMayNotDoAnotherIsWritten(member: String) {
        let expanded = expansion(of: "@StorageEntity struct User { var id: String; \(member) }")
        #expect(expanded.contains("try Self(_row: &row)"))
    }

    @Test(arguments: ["@frozen", "@usableFromInline", "@dynamicMemberLookup", "@available(macOS 15, *)"])
    func anAttributeThatIsNoMacroWritesNone(attribute: String) {
        let expanded = expansion(of: "@StorageEntity \(attribute) struct User { var id: String }")
        #expect(!expanded.contains("Self(_row: &row)"))
    }

    @Test func anotherMacroMayWriteAnInitializer() {
        let expanded = expansion(of: "@StorageEntity @Memberwise struct User { var id: String }")
        #expect(expanded.contains("try Self(_row: &row)"))
    }

    /// Beside the compiler's own both would be as good where properties that are not stored are hidden.
    @Test func thePublicInitializerGivesWayToTheCompilersInTheModule() {
        let expanded = expansion(of: "@StorageEntity public struct User { public var id: Int; public var age: Int }")
        #expect(expanded.contains("@_disfavoredOverload\n    public init(id: Int, age: Int, _: Swift.Void = ()) {"))
    }

    /// The compiler's own is private then, since it takes them too.
    @Test(arguments: ["@StorageIgnored private var cache: [Int] = []", "private let kind = \"user\""])
    func whatIsPrivateAndNotGivenLeavesAPublicEntityItsInitializers(property: String) {
        let expanded = expansion(of: "@StorageEntity public struct User { public var id: Int; \(property) }")
        #expect(expanded.contains("public nonisolated init(id: Int) {"))
        #expect(expanded.contains("public init(id: Int, updatedAt: Foundation.Date) {"))
    }

    @Test func whatIsPrivateAndIgnoredLeavesTheRecordItsInitializerBesideOneOfTheEntitysOwn() {
        let expanded = expansion(
            of: "@StorageEntity struct User { var id: Int; @StorageIgnored private var cache = 0; init() { id = 1 } }")
        #expect(expanded.contains("init(id: Int, updatedAt: Foundation.Date) {"))
        #expect(expanded.contains("Self.E(_values: (), id: id)"))
    }

    @Test func aPrivateColumnLeavesAPublicEntityWithoutAnInitializer() {
        let expanded = expansion(of: "@StorageEntity public struct User { public var id: Int; private var age: Int }")
        #expect(!expanded.contains("init(id: Int"))
    }

    @Test(arguments: ["@available(*, deprecated)", "@usableFromInline"])
    func anAttributeOfAPropertyThatIsNoMacroHidesNothing(attribute: String) {
        let expanded = expansion(
            of: "@StorageEntity public struct User { public var id: Int; \(attribute) public var age: Int }")
        #expect(expanded.contains("public init(id: Int, age: Int, _: Swift.Void = ()) {"))
        #expect(!expanded.contains("ComparedByParts"))
    }

    /// The compiler asks for their roles one after the other.
    @Test func entitiesOfOneTextAreEachAsVisibleAsTheTypeAround() {
        let types = (1...20).map { number in
            """
            public enum Shop\(number) { @StorageEntity struct User { var id: Int } }
            private enum Staff\(number) { @StorageEntity struct User { var id: Int } }
            """
        }
        let expanded = expansion(of: types.joined(separator: "\n"))
        #expect(expanded.ranges(of: "nonisolated struct UserRecord").count == 40)
        #expect(expanded.ranges(of: "fileprivate nonisolated struct UserRecord").count == 20)
    }

    @Test func aPropertyNamedLikeATypeStandsInNobodysWay() {
        let expanded = expansion(
            of: """
                @StorageEntity
                struct User {
                    var id: String
                    var Int: Int?
                    var E: [Int]
                    var Swift = 1
                }
                """)
        #expect(expanded.contains("[String.self, StorageGRDB._Type<Int?>.itself, StorageGRDB._Type<[Int]>.itself, "))
        #expect(expanded.contains("StorageGRDB._Type<Swift.Int>.itself]"))
        #expect(expanded.contains("Self.E(id: id, Int: Int, E: E, Swift: Swift)"))
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
