import Testing

/// What is said about a property, and where.
@Suite struct PropertyDiagnosticTests {
    private static let roles = [
        ("StorageJSON", "StorageJSON"), ("StorageEmbedded", "StorageEmbedded(prefix: \"x_\")"),
        ("StorageHasMany", "StorageHasMany(foreignKey: \"userId\")"), ("StorageBelongsTo", "StorageBelongsTo"),
        ("StorageVersion", "StorageVersion"), ("StorageReference", "StorageReference(User.self, onDelete: .cascade)"),
        ("StorageUnique", "StorageUnique"), ("StorageRenamed", "StorageRenamed(from: \"a\", \"b\")"),
        ("StorageIgnored", "StorageIgnored"),
    ]

    // MARK: - Any property

    @Test(arguments: [
        ("Date()", "Date"), ("[Tag]()", "[Tag]"), ("[String: Int]()", "[String: Int]"), ("Set<Tag>()", "Set<Tag>"),
        ("Shop.Address(city: name)", "Shop.Address"),
    ]) func aMissingTypeIsAddedWhereAnInitialiserNamesIt(value: String, type: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var made = \(value)  // now
            }
            """,
            "'made' needs a type annotation, because a macro cannot see the type of this value", line: 4, column: 9,
            fix: "add the type '\(type)'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    var made: \(type) = \(value)  // now
                }
                """)
    }

    @Test(arguments: ["makeIt()", "Level.low", "shop.make()", "[1]", "nil"])
    func aMissingTypeIsNotGuessedFromAnythingElse(value: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var made = \(value)
            }
            """,
            "'made' needs a type annotation, because a macro cannot see the type of this value", line: 4, column: 9)
    }

    @Test func aMissingTypeKeepsTheObserversBehindIt() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var made = Date() { didSet {} }
            }
            """,
            "'made' needs a type annotation, because a macro cannot see the type of this value", line: 4, column: 9,
            fix: "add the type 'Date'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    var made: Date = Date() { didSet {} }
                }
                """)
    }

    @Test func aPropertyWithARoleNeedsItsTypeInSight() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageEmbedded
                var note = "x"
            }
            """,
            "'note' needs a type annotation, because a macro cannot see the type of this value", line: 5, column: 9)
    }

    @Test(arguments: [
        ("() -> Void", "a function"), ("(@Sendable () -> Void)?", "a function"), ("@Sendable () -> Void", "a function"),
        ("(Int, Int)", "a tuple"), ("((Int, Int))?", "a tuple"), ("()", "a tuple"),
        ("User.Type", "a type"), ("any P.Type", "a value of type 'any P.Type'"), ("P.Protocol", "a type"),
        ("any Codable", "a value of type 'any Codable'"), ("(any Codable)?", "a value of type 'any Codable'"),
        ("some Codable", "a value of type 'some Codable'"), ("A & B", "a value of type 'A & B'"),
        ("Any", "a value of type 'Any'"), ("AnyObject", "a value of type 'AnyObject'"),
        ("AnyHashable", "a value of type 'AnyHashable'"), ("Void", "a value of type 'Void'"),
        ("Never", "a value of type 'Never'"), ("Int??", "an optional of an optional"),
        ("[String]??", "an optional of an optional"), ("Optional<Int?>", "an optional of an optional"),
    ]) func aValueThatHasNoFormInADatabaseIsRefusedAtItsType(type: String, what: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var odd: \(type)
            }
            """,
            "'odd' cannot be stored: \(what) has no form in a database", line: 4, column: 14)
    }

    @Test(arguments: [
        "Any?", "Any!", "Optional<Any>", "[Any]", "Array<Any>", "[Any?]", "[[Any]]?", "Set<Any>", "[String: Any]",
        "[Any: String]", "[String: [Any]]",
    ]) func aCollectionOfWhatCannotBeStoredIsRefusedAtItsType(type: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var odd: \(type)
            }
            """,
            "'odd' cannot be stored: a value of type 'Any' has no form in a database", line: 4, column: 14)
    }

    @Test func whatCannotBeStoredIsNoJSONEither() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageJSON
                var odd: [String: Any]
            }
            """,
            "'odd' cannot be stored: a value of type 'Any' has no form in a database", line: 5, column: 14)
    }

    @Test(arguments: ["Character", "Substring", "AnyHashable", "Void", "Never"], ["T", "T?", "[T]", "[String: T]"])
    func aTypeOfTheEntitysOwnMayHaveTheNameOfOneThatCannotBeStored(name: String, type: String) {
        let expanded = expansion(
            of: """
                @StorageEntity
                struct User {
                    struct \(name): Codable, Sendable {}
                    var id: String
                    var own: \(type.replacing("T", with: name))
                }
                """)
        let isJSON = type.hasPrefix("[")
        let column =
            isJSON
            ? "var own: StorageGRDB.JSONColumn<\(type.replacing("T", with: name))> {"
            : "let own = StorageGRDB._column(\"own\", \(type.replacing("T", with: name)).self)"
        #expect(expanded.contains(column), "\(expanded)")
    }

    @Test(
        arguments: [
            "@StorageHasMany(foreignKey: \"userId\") var others: [#]",
            "@StorageBelongsTo(foreignKey: \"id\") var other: #?",
        ],
        ["Character", "Substring", "AnyHashable", "Void", "Never"])
    func anEntityMayHaveTheNameOfWhatCannotBeStored(relation: String, name: String) {
        let expanded = expansion(
            of: """
                @StorageEntity
                struct User {
                    var id: String
                    \(relation.replacing("#", with: name))
                }
                """)
        #expect(expanded.contains("(\(name).Record.self"), "\(expanded)")
    }

    @Test(arguments: ["weak", "unowned"]) func aReferenceThatMayVanishIsRefused(keyword: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                \(keyword) var owner: Owner?
            }
            """,
            "'owner' cannot be stored: it is \(keyword)", line: 4, column: 5)
    }

    @Test(arguments: [
        ("UUID", "UUID()"), ("UUID", ".init()"), ("String", "UUID().uuidString"), ("Date", "Date()"),
        ("Date", ".now"), ("Date", "Foundation.Date.now"), ("Note", "Note(made: Date())"),
        ("Int", ".random(in: 0...9)"), ("Int", "other"), ("[UUID]", "[UUID()]"),
    ]) func aConstantThatIsNewEachTimeWouldNotReadBack(type: String, value: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                let key: \(type) = \(value)
            }
            """,
            "'key' may not read back as it was saved: a constant has its value before the row can give one", line: 4,
            column: 5,
            fix: "make it a 'var'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    var key: \(type) = \(value)
                }
                """)
    }

    @Test func anIdThatIsNewEachTimeWouldNotReadBack() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                let id: UUID = UUID()
            }
            """,
            "'id' may not read back as it was saved: a constant has its value before the row can give one", line: 3,
            column: 5,
            fix: "make it a 'var'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: UUID = UUID()
                }
                """)
    }

    // MARK: - Columns

    @Test func namesThatDifferByCaseAreOneColumn() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var nickName: String
                var nickname: String
            }
            """,
            "'nickName' and 'nickname' would both be the column 'nickname'", line: 5, column: 9)
    }

    /// SQLite would keep the two apart, but GRDB would give a record one value for both.
    @Test func namesThatDifferByCaseAreOneColumnInAnyScript() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var größe: Int
                var Größe: Int
            }
            """,
            "'größe' and 'Größe' would both be the column 'Größe'", line: 5, column: 9)
    }

    @Test func aFieldOfAValueAndAPropertyAreNotOneColumn() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                struct Address: Codable, Sendable {
                    var city: String
                }
                @StorageEmbedded(prefix: "home_")
                var address: Address?
                var home_city: String
            }
            """,
            "'address.city' and 'home_city' would both be the column 'home_city'", line: 9, column: 9)
    }

    @Test func twoSeenValuesNeedDifferentPrefixes() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                struct Address: Codable, Sendable {
                    var city: String
                }
                @StorageEmbedded(prefix: "")
                var home: Address
                @StorageEmbedded(prefix: "")
                var work: Address
            }
            """,
            "'home.city' and 'work.city' would both be the column 'city'", line: 10, column: 9)
    }

    @Test func twoUnseenValuesOfOneTypeNeedDifferentPrefixes() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageEmbedded(prefix: "at_")
                var home: Address
                @StorageEmbedded(prefix: "AT_")
                var work: Address?
            }
            """,
            "'home' and 'work' would have the same columns: both have the prefix 'AT_'", line: 7, column: 9)
    }

    @Test func noPropertyTakesTheColumnOfTheLastSave() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var updatedat: Date
            }
            """,
            "'updatedat' would be the column 'updatedAt', which keeps the time of the last save", line: 4, column: 9)
    }

    @Test func noFieldOfAValueTakesTheColumnOfTheLastSave() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                struct Stamp: Codable, Sendable {
                    var updatedAt: Date
                }
                @StorageEmbedded(prefix: "")
                var stamp: Stamp
            }
            """,
            "'stamp.updatedAt' would be the column 'updatedAt', which keeps the time of the last save", line: 8,
            column: 9)
    }

    // MARK: - Where attributes stand

    @Test(arguments: PropertyDiagnosticTests.roles) func anAttributeOutsideAnEntityIsRefusedAndCanBeRemoved(
        name: String, attribute: String
    ) {
        expectProblem(
            """
            struct Plain {
                /// A note.
                @\(attribute)
                var note: [Note]
            }
            """,
            "@\(name) belongs on a stored property of a @StorageEntity struct", line: 3, column: 5,
            fix: "remove '@\(name)'",
            fixedSource:
                """
                struct Plain {
                    /// A note.
                    var note: [Note]
                }
                """)
    }

    // By its full name the entity is known to the macros inside it, and not expanded by this test.
    @Test func anAttributeOnAFunctionIsRefused() {
        expectProblem(
            """
            @StorageKit.StorageEntity
            struct User {
                var id: String
                @discardableResult @StorageJSON func name() -> String { "" }
            }
            """,
            "@StorageJSON belongs on a stored property of a @StorageEntity struct", line: 4, column: 24,
            fix: "remove '@StorageJSON'",
            fixedSource:
                """
                @StorageKit.StorageEntity
                struct User {
                    var id: String
                    @discardableResult func name() -> String { "" }
                }
                """)
    }

    @Test func anAttributeInAnExtensionOfAnEntityIsRefused() {
        expectProblem(
            """
            extension User {
                @StorageJSON var tags: [String] { [] }
            }
            """,
            "@StorageJSON belongs on a stored property of a @StorageEntity struct", line: 2, column: 5,
            fix: "remove '@StorageJSON'",
            fixedSource:
                """
                extension User {
                    var tags: [String] { [] }
                }
                """)
    }

    @Test func anAttributeInAValueNestedInAnEntityIsRefused() {
        expectProblem(
            """
            @StorageKit.StorageEntity
            struct User {
                var id: String
                struct Address {
                    @StorageJSON var lines: [String]
                }
            }
            """,
            "@StorageJSON belongs on a stored property of a @StorageEntity struct", line: 5, column: 9,
            fix: "remove '@StorageJSON'",
            fixedSource:
                """
                @StorageKit.StorageEntity
                struct User {
                    var id: String
                    struct Address {
                        var lines: [String]
                    }
                }
                """)
    }

    @Test(
        arguments: PropertyDiagnosticTests.roles,
        ["var note: [Note] { [] }", "var note: Note? { get { nil } }", "static var note: Note?", "lazy var note = 1"])
    func anAttributeNeedsAStoredProperty(role: (name: String, attribute: String), declaration: String) {
        let (name, attribute) = role
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @\(attribute)
                // Not a column.
                \(declaration)
            }
            """,
            "@\(name) needs a stored property; 'note' is none", line: 4, column: 5,
            fix: "remove '@\(name)'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    // Not a column.
                    \(declaration)
                }
                """)
    }

    @Test func anAttributeThatIsRemovedLeavesItsNeighbours() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageJSON @MainActor
                @Wrapper var note: Int { 1 }
            }
            """,
            "@StorageJSON needs a stored property; 'note' is none", line: 4, column: 5,
            fix: "remove '@StorageJSON'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @MainActor
                    @Wrapper var note: Int { 1 }
                }
                """)
    }

    @Test func aPropertyHasOneRole() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageEmbedded
                @StorageJSON
                var address: Address
            }
            """,
            "'address' cannot be both @StorageEmbedded and @StorageJSON", line: 5, column: 5,
            fix: "remove '@StorageJSON'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @StorageEmbedded
                    var address: Address
                }
                """)
    }

    @Test func aPropertyHasItsRoleOnce() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageJSON @StorageJSON var address: Address
            }
            """,
            "'address' has @StorageJSON twice", line: 4, column: 18,
            fix: "remove '@StorageJSON'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @StorageJSON var address: Address
                }
                """)
    }

    // MARK: - Arguments of attributes

    @Test(arguments: ["name", #""a\(1)""#, #""a" + "b""#]) func thePrefixHasToBeALiteral(prefix: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageEmbedded(prefix: \(prefix))
                var address: Address
            }
            """,
            "the prefix of @StorageEmbedded has to be a string literal without interpolation", line: 4, column: 30)
    }

    @Test(arguments: [("StorageHasMany", "[Post]", 33), ("StorageBelongsTo", "Post?", 35)])
    func theForeignKeyHasToBeALiteral(attribute: String, type: String, column: Int) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @\(attribute)(foreignKey: key)
                var other: \(type)
            }
            """,
            "the foreignKey of @\(attribute) has to be a string literal without interpolation", line: 4, column: column)
    }

    @Test(arguments: [("StorageHasMany", "[Post]", 33), ("StorageBelongsTo", "Post?", 35)])
    func theForeignKeyMustNotBeEmpty(attribute: String, type: String, column: Int) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @\(attribute)(foreignKey: "")
                var other: \(type)
            }
            """,
            "the foreign key is empty; name the column that holds the parent's id", line: 4, column: column)
    }

    // MARK: - Embedded values

    @Test(arguments: [("[Part]", "[Part]"), ("[String: Part]?", "[String: Part]"), ("Set<Part>", "Set<Part>")])
    func aCollectionIsNotEmbeddedButCanBeJSON(type: String, value: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                /// Kept.
                @StorageEmbedded(prefix: "x_") var parts: \(type)
            }
            """,
            "'parts' cannot be embedded: '\(value)' has no properties that could be columns", line: 5, column: 47,
            fix: "store it as JSON",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    /// Kept.
                    @StorageJSON var parts: \(type)
                }
                """)
    }

    @Test(arguments: [("String", "String"), ("Int?", "Int"), ("Date", "Date"), ("Decimal", "Decimal")])
    func aPlainColumnIsNotEmbedded(type: String, value: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageEmbedded
                var part: \(type)
            }
            """,
            "'part' cannot be embedded: '\(value)' has no properties that could be columns", line: 5, column: 15,
            fix: "remove '@StorageEmbedded'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    var part: \(type)
                }
                """)
    }

    // MARK: - Relations

    @Test(arguments: ["Post", "Post?", "[Post]?", "Set<Post>"]) func childrenAreAnArray(type: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageHasMany(foreignKey: "userId")
                var posts: \(type)  // none yet
            }
            """,
            "'posts' has to be an array of the child entity", line: 5, column: 16,
            fix: "make it '[Post]'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @StorageHasMany(foreignKey: "userId")
                    var posts: [Post]  // none yet
                }
                """)
    }

    @Test func aParentIsOptional() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var ownerId: String
                @StorageBelongsTo var owner: Owner = .nobody
            }
            """,
            "'owner' has to be optional: it is nil until the parent is loaded", line: 5, column: 34,
            fix: "make it 'Owner?'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    var ownerId: String
                    @StorageBelongsTo var owner: Owner? = .nobody
                }
                """)
    }

    @Test(arguments: ["Post?", "[Post]", "Box<Post>"]) func childrenAreEntities(type: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageHasMany(foreignKey: "userId") var posts: [\(type)]
            }
            """,
            "'posts' has to hold entities; '\(type)' is none", line: 4, column: 55)
    }

    @Test(arguments: ["Box<Owner>", "[Owner]"]) func aParentIsAnEntity(type: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var ownerId: String
                @StorageBelongsTo var owner: \(type)?
            }
            """,
            "'owner' has to hold entities; '\(type)' is none", line: 5, column: 34)
    }

    @Test func aMissingForeignKeyIsAddedBeforeTheParent() {
        expectProblem(
            """
            enum Shop {
                @StorageEntity
                struct User {
                    var id: String
                    @StorageBelongsTo
                    var owner: Owner?
                }
            }
            """,
            "'User' has no property 'ownerId' to hold the parent's id", line: 5, column: 9,
            fix: "add 'var ownerId: String'",
            fixedSource:
                """
                enum Shop {
                    @StorageEntity
                    struct User {
                        var id: String
                        var ownerId: String
                        @StorageBelongsTo
                        var owner: Owner?
                    }
                }
                """)
    }

    @Test func aForeignKeyInAnotherCaseIsNamed() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var ownerID: String
                @StorageBelongsTo var owner: Owner?
            }
            """,
            "'User' has no property 'ownerId' to hold the parent's id", line: 5, column: 5,
            fix: "name the column 'ownerID'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    var ownerID: String
                    @StorageBelongsTo(foreignKey: "ownerID") var owner: Owner?
                }
                """)
    }

    @Test func aForeignKeyThatCannotBeAPropertyIsNotAdded() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageBelongsTo(foreignKey: "owner id") var owner: Owner?
            }
            """,
            "'User' has no property 'owner id' to hold the parent's id", line: 4, column: 5)
    }

    @Test func aForeignKeyIsNoRelationItself() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageHasMany(foreignKey: "userId") var posts: [Post]
                @StorageBelongsTo(foreignKey: "posts") var owner: Owner?
            }
            """,
            "'User' has no property 'posts' to hold the parent's id", line: 5, column: 5)
    }

    /// The compiler refuses it, and an error of ours would keep the record from being made: of that many more would follow.
    @Test(arguments: ["Self", "User"]) func anEntityThatContainsItselfIsToldWhatToDoAndExpands(parent: String) {
        let source = """
            @StorageEntity
            struct User {
                var id: String
                var parentId: String?
                @StorageBelongsTo var parent: \(parent)?
            }
            """
        #expect(expansion(of: source).contains("struct UserRecord"))
        #expect(
            notes(on: source) == [
                "'parent' would put the struct inside itself; keep the foreign key alone and call 'loadParent'"
            ])
    }

    // MARK: - Versions

    @Test(arguments: ["let version: Int", "let version = 0", "let version: Int = next()"])
    func aVersionThatIsAConstantCannotBeCountedUp(declaration: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageVersion
                \(declaration)  // none yet
            }
            """,
            "the version 'version' has to be a 'var': each write counts it up", line: 5, column: 5,
            fix: "make it a 'var'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @StorageVersion
                    \(declaration.replacing("let", with: "var"))  // none yet
                }
                """)
    }

    @Test(arguments: ["Int?", "Int!", "Optional<Int>", "Int64", "UInt", "String", "Double", "Shop.Int", "[Int]"])
    func aVersionIsAnInt(type: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageVersion var version: \(type)  // none yet
            }
            """,
            "the version 'version' has to be an 'Int'", line: 4, column: 34,
            fix: "make it 'Int'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @StorageVersion var version: Int  // none yet
                }
                """)
    }

    @Test func aVersionIsNoIntOfTheEntitysOwn() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                typealias Int = Int32
                var id: String
                @StorageVersion var version: Int
            }
            """,
            "the version 'version' has to be an 'Int'", line: 5, column: 34,
            fix: "make it 'Swift.Int'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    typealias Int = Int32
                    var id: String
                    @StorageVersion var version: Swift.Int
                }
                """)
    }

    @Test(arguments: ["1", "-1", "0.0", "\"0\"", "true", "(0)"], ["", ": Int"])
    func aVersionBeginsAtZero(value: String, annotation: String) {
        // Of the value in parentheses alone the macro sees no type.
        guard value != "(0)" || !annotation.isEmpty else { return }
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageVersion var version\(annotation) = \(value)  // none yet
            }
            """,
            "the version 'version' has to begin at 0, which says that the entity was never stored", line: 4,
            column: 35 + annotation.count,
            fix: "make it '0'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @StorageVersion var version\(annotation) = 0  // none yet
                }
                """)
    }

    @Test func aVersionWhoseTypeIsNotSeenNeedsIt() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageVersion var version = next()
            }
            """,
            "'version' needs a type annotation, because a macro cannot see the type of this value", line: 4, column: 25)
    }

    @Test func anEntityHasOneVersion() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageVersion var version: Int
                // Of the text.
                @StorageVersion
                var edition: Int
            }
            """,
            "an entity has one version; 'version' and 'edition' would be two", line: 6, column: 5,
            fix: "remove '@StorageVersion'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @StorageVersion var version: Int
                    // Of the text.
                    var edition: Int
                }
                """)
    }

    @Test(arguments: [("StorageJSON", "Int"), ("StorageEmbedded", "Address"), ("StorageBelongsTo", "Owner?")])
    func aVersionHasNoOtherRole(attribute: String, type: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageVersion @\(attribute) var version: \(type)
            }
            """,
            "'version' cannot be both @StorageVersion and @\(attribute)", line: 4, column: 21,
            fix: "remove '@\(attribute)'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                    @StorageVersion var version: \(type)
                }
                """)
    }

    @Test func theIdIsNoVersion() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                @StorageVersion var id: Int
            }
            """,
            "the primary key 'id' has to be a plain column, without @StorageVersion", line: 3, column: 5,
            fix: "remove '@StorageVersion'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: Int
                }
                """)
    }

    @Test(arguments: [
        ("var _version: String", "_version", 9), ("var _version: Int { 1 }", "_version", 9),
        ("static let _versionColumn = \"\"", "_versionColumn", 16),
    ])
    func theNamesOfTheVersionsCodeAreTaken(declaration: String, name: String, column: Int) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                @StorageVersion var version: Int
                \(declaration)
            }
            """,
            "'\(name)' means something else in the code that @StorageEntity makes; choose another name", line: 5,
            column: column)
    }

    @Test func withoutAVersionItsNamesAreFree() {
        let source = """
            @StorageEntity
            struct User {
                var id: String
                var _version: Int
            }
            """
        #expect(expansion(of: source).contains("struct UserRecord"))
    }
}
