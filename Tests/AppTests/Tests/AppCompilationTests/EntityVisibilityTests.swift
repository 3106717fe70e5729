import Testing

/// Entities inside other types, compiled for real: what is generated is as visible as the entity, and no more.
@Suite(.serialized) struct EntityVisibilityTests {
    @Test(arguments: ["enum", "package enum", "public enum", "private enum", "fileprivate enum"])
    func aPublicEntityMayStandInAnyType(outer: String) throws {
        try expectToCompile(
            """
            \(outer) Shop {
                enum Staff {
                    @StorageEntity
                    public struct User {
                        public var id: String
                        var name: String
                    }
                }
            }
            """)
    }

    @Test(arguments: ["public", "package", "fileprivate", "private", "internal", ""])
    func anEntityTakesTheAccessOfTheExtensionAround(access: String) throws {
        try expectToCompile(
            """
            public enum Shop {}
            \(access) extension Shop {
                @StorageEntity
                struct User {
                    public var id: String
                    var name: String
                }
            }
            """)
    }

    @Test func aDefaultValueOfAPublicEntityMayNameWhatIsHidden() throws {
        try expectToCompile(
            """
            enum Usual { static let kind = User.Kind.home }
            extension User.Kind { static var other: Self { .away } }
            @StorageEntity
            public struct User {
                public enum Kind: String, Codable, Sendable { case home, away }
                private static let first = 1
                public var id: String = UUID().uuidString
                public var kind: Kind = Usual.kind
                public var kinds: [Kind] = [.other]
                public var `default`: Kind = .other
                public var count: Int = Self.first
                public var text: String = "\\(Self.first)"
                public var createdAt: Date = Date()
            }
            let user = User(count: 2)
            """)
    }

    @Test func soMayThatOfOneWithChildren() throws {
        try expectToCompile(
            """
            enum Usual { static let name = "none" }
            @StorageEntity
            public struct Pet {
                public var id: String
                public var userId: String
            }
            @StorageEntity
            public struct User {
                public var id: String
                public var name: String = Usual.name
                @StorageHasMany(foreignKey: "userId") public var pets: [Pet]
            }
            let user = User(id: "1")
            """)
    }

    @Test func whatIsPrivateAndIgnoredLeavesThePublicInitialisers() throws {
        try expectToCompile(
            """
            @StorageEntity
            public struct User {
                public var id: UUID
                @StorageIgnored private var cache: [String: Int] = [:]
                public var name: String
            }
            public let user = User(id: UUID(), name: "a")
            let record = UserRecord(id: user.id, name: user.name, updatedAt: Date())
            """)
    }

    @Test func aDeprecatedPropertyIsNotWarnedOfInWhatIsMade() throws {
        try expectToCompile(
            """
            @StorageEntity
            public struct User {
                public var id: UUID
                @available(*, deprecated, message: "use name") public var old: String
                @StorageIgnored public var isOpen = false
                public var name: String
            }
            @StorageEntity
            struct Note {
                var id: UUID
                @available(*, deprecated, renamed: "place") @StorageEmbedded var home: Home
                @StorageJSON var place: Home
                private var text = ""
            }
            struct Home: Codable, Sendable { var city: String }
            """)
    }

    @Test func whatIsHardToHandOnIsHandedOn() throws {
        try expectToCompile(
            """
            @StorageEntity
            public struct Pet {
                public var id: String
                public var userId: String
            }
            @StorageEntity
            public struct User: Hashable {
                public let kind = 1
                public var id: String
                public var text: String = \"\"\"
                    First


                    Second
                    \"\"\"
                @StorageIgnored public var onTap: @Sendable () -> Void = {}
                @StorageIgnored public var other: (@Sendable () -> Void)?
                @StorageHasMany(foreignKey: "userId") public var pets: [Pet]
            }
            @StorageEntity
            public struct Group {
                public let kind = 1
                public var id: String
                @StorageIgnored public var onTap: @Sendable () -> Void = {}
            }
            public let user = User(id: "1")
            @inlinable public func group() -> Group { Group(id: "1") }
            """)
    }

    @Test(arguments: [[], ["-default-isolation", "MainActor"]])
    func aSelectionIsOfNoActorWhateverTheModulesIsolation(arguments: [String]) throws {
        try expectToCompile(
            """
            @StorageEntity struct City { var id: String; var name: String }
            @StorageSelection struct CityRow: Equatable { let name: String; let count: Int }
            func rows(_ storage: Storage) -> AsyncStream<[CityRow]> {
                storage.query(City.self).select { CityRow.columns(name: $0.name, count: $0.name.count) }.observeDistinct()
            }
            """, arguments: arguments)
    }

    @Test func aPublicSelectionMayHavePropertiesThatAreNot() throws {
        try expectToCompile(
            """
            enum Kind: String, Codable, Sendable { case a }
            @StorageSelection public struct Summary { public let name: String; let kind: Kind; private let rank: Int }
            """)
    }

    @Test func aPrivateFieldOfANestedValueIsStoredAndNotSpelled() throws {
        try expectToCompile(
            """
            @StorageEntity
            public struct User {
                public struct Address: Codable, Sendable {
                    public var city: String
                    var floor: Int
                    private var zip: String?
                    var kind: Kind
                }
                enum Kind: String, Codable, Sendable { case home }
                public var id: String
                @StorageEmbedded public var address: Address
            }
            func find(_ storage: Storage) -> Query<User> {
                storage.query(User.self).where { $0.addressCity == "" && $0.addressFloor == 1 && $0.addressKind == .home }
            }
            """)
    }

    @Test func typesThatArePrivateToWhatStandsAroundMayBeStored() throws {
        try expectToCompile(
            """
            enum Shop {
                private enum Kind: String, Codable, Sendable { case small }
                private struct Point: Codable, Sendable { var x: Int }
                @StorageEntity
                struct User {
                    private typealias Alias = Inner
                    struct Inner: Codable, Sendable { var y: Int }
                    var id: String
                    private var kind: Kind
                    @StorageEmbedded private var point: Point
                    @StorageEmbedded private var alias: Alias
                    @StorageJSON private var points: [Point]?
                }
            }
            """)
    }

    @Test func aTypeThatIsPrivateToTheEntityMayBeStoredBesideChildren() throws {
        try expectToCompile(
            """
            @StorageEntity
            public struct User {
                private enum Kind: String, Codable, Sendable { case small }
                public var id: String
                private var kind: Kind = .small
                private var other: Kind?
                @StorageHasMany(foreignKey: "userId") var posts: [Post]
                static func make() -> User { User(id: "1", kind: .small) }
            }
            @StorageEntity
            struct Post {
                var id: String
                var userId: String
            }
            """)
    }

    @Test(arguments: [[], ["-default-isolation", "MainActor"]])
    func anEntityIsOfNoActorWhateverTheModulesIsolation(arguments: [String]) throws {
        try expectToCompile(
            """
            nonisolated struct Address: Codable, Sendable { var city: String }
            nonisolated enum Level: String, Codable, Sendable { case low }
            @StorageEntity
            struct User {
                nonisolated struct Nested: Codable, Sendable { var x: Int }
                var id: String
                var level: Level?
                @StorageEmbedded var address: Address
                @StorageEmbedded var nested: Nested
                @StorageEmbedded private var hidden: Address?
                @StorageJSON var tags: [String]
                @StorageVersion private(set) var version: Int
                @StorageHasMany(foreignKey: "userId") var posts: [Post]
            }
            @StorageEntity
            nonisolated struct Post {
                var id: String
                var userId: String
                @StorageBelongsTo var user: User?
            }
            @StorageEntity
            struct Draft {
                var id: String = UUID().uuidString
                var title = ""
                var at: Date = .now
                var words: [String] = []
            }
            func find(_ storage: Storage) async throws -> [User] {
                let context = try StorageKit.start { $0.autoSchema(UserRecord.self, PostRecord.self) }
                try await context.facade.save(Post(id: "1", userId: "2"))
                return try await storage.query(User.self).where { $0.level == .low && $0.address.city == "" }.fetch()
            }
            """, arguments: arguments)
    }

    @Test func anEntityMayHaveOtherInitializersWithTheSameLabels() throws {
        try expectToCompile(
            """
            @StorageEntity
            struct User {
                var id: String
                var age: Int?
                var `default`: Bool
            }
            extension User {
                init(id: Int, age: Int?, `default`: Bool) { self.init(id: "\\(id)", age: age, default: `default`) }
                init(id: String, age: Int?, `default`: Bool, prefix: String = "") {
                    self.init(id: prefix + id, age: age, default: `default`)
                }
                init(id: Substring, age: Int, `default`: Bool) throws { self.init(id: "", age: age, default: `default`) }
            }
            """)
    }

    private func expectToCompile(
        _ source: String, arguments: [String] = [], at location: SourceLocation = #_sourceLocation
    ) throws {
        let arguments = ["-package-name", "app"] + arguments
        let outcome = try FixtureCompiler().typecheck(
            "import Foundation\nimport StorageKit\n" + source, arguments: arguments)
        #expect(outcome.succeeded, "\(outcome.output)", sourceLocation: location)
        #expect(!outcome.output.contains("warning:"), "\(outcome.output)", sourceLocation: location)
    }
}
