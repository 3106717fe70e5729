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
            properties: "var made = \(value)  // now",
            "'made' needs a type annotation, because a macro cannot see the type of this value", column: 5,
            fix: "add the type '\(type)'",
            fixed: "var made: \(type) = \(value)  // now")
    }

    @Test func ofAConstantWithoutATypeOneThingIsSaid() {
        expectProblem(
            properties: "let made = Date()",
            "'made' needs a type annotation, because a macro cannot see the type of this value", column: 5,
            fix: "add the type 'Date'", fixed: "let made: Date = Date()")
    }

    @Test(arguments: ["makeIt()", "Level.low", "shop.make()", "[1]", "nil"])
    func aMissingTypeIsNotGuessedFromAnythingElse(value: String) {
        expectProblem(
            properties: "var made = \(value)",
            "'made' needs a type annotation, because a macro cannot see the type of this value", column: 5)
    }

    @Test func aMissingTypeKeepsTheObserversBehindIt() {
        expectProblem(
            properties: "var made = Date() { didSet {} }",
            "'made' needs a type annotation, because a macro cannot see the type of this value", column: 5,
            fix: "add the type 'Date'",
            fixed: "var made: Date = Date() { didSet {} }")
    }

    @Test func aPropertyWithARoleNeedsItsTypeInSight() {
        expectProblem(
            properties: """
                @StorageEmbedded
                var note = "x"
                """,
            "'note' needs a type annotation, because a macro cannot see the type of this value", line: 2, column: 5)
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
            properties: "var odd: \(type)",
            "'odd' cannot be stored: \(what) has no form in a database", column: 10)
    }

    @Test(arguments: [
        "Any?", "Any!", "Optional<Any>", "[Any]", "Array<Any>", "[Any?]", "[[Any]]?", "Set<Any>", "[String: Any]",
        "[Any: String]", "[String: [Any]]",
    ]) func aCollectionOfWhatCannotBeStoredIsRefusedAtItsType(type: String) {
        expectProblem(
            properties: "var odd: \(type)",
            "'odd' cannot be stored: a value of type 'Any' has no form in a database", column: 10)
    }

    @Test func whatCannotBeStoredIsNoJSONEither() {
        expectProblem(
            properties: """
                @StorageJSON
                var odd: [String: Any]
                """,
            "'odd' cannot be stored: a value of type 'Any' has no form in a database", line: 2, column: 10)
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
            properties: "\(keyword) var owner: Owner?",
            "'owner' cannot be stored: it is \(keyword)", column: 1)
    }

    @Test(arguments: [
        ("UUID", "UUID()"), ("UUID", ".init()"), ("String", "UUID().uuidString"), ("Date", "Date()"),
        ("Date", ".now"), ("Date", "Foundation.Date.now"), ("Note", "Note(made: Date())"),
        ("Int", ".random(in: 0...9)"), ("Int", "other"), ("[UUID]", "[UUID()]"),
        ("Date", "Date(timeIntervalSinceNow: 60)"), ("Key", "Key.make(3)"), ("String", "\"\\(other)\""),
        ("UUID?", "[UUID()].first"), ("[UUID]?", "[[UUID()]].first"), ("UUID?", "[1: UUID()].values.first"),
        ("Bool", "other > 2"), ("Int", "true ? other : 1"), ("Int", "3 <=> 2"),
    ]) func aConstantThatIsNewEachTimeWouldNotReadBack(type: String, value: String) {
        expectProblem(
            properties: "let key: \(type) = \(value)",
            "'key' may not read back as it was saved: a constant has its value before the row can give one", column: 1,
            fix: "make it a 'var'",
            fixed: "var key: \(type) = \(value)")
    }

    @Test(arguments: [
        ("State", ".current"), ("State", "State.current"), ("Int?", "[1, 2].first"), ("Tags", "[Tag].none"),
        ("Bool", "3 > 2"), ("Bool", "1 + 1 == 2 && 1 != 2"), ("Int", "true ? 1 : 2"), ("Int", "1 < 2 ? 3 + 4 : -1"),
        ("Int", "Int(\"8\") ?? 0"),
    ]) func aConstantThatIsAlwaysTheSameReadsBack(type: String, value: String) {
        let expanded = expansion(of: "@StorageEntity struct User { let id: String; let key: \(type) = \(value) }")
        #expect(expanded.contains("struct UserRecord") && expanded.contains("(\(value)) as \(type)"))
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
            properties: """
                var nickName: String
                var nickname: String
                """,
            "'nickName' and 'nickname' would both be the column 'nickname'", line: 2, column: 5)
    }

    /// SQLite would keep the two apart, but GRDB would give a record one value for both.
    @Test func namesThatDifferByCaseAreOneColumnInAnyScript() {
        expectProblem(
            properties: """
                var größe: Int
                var Größe: Int
                """,
            "'größe' and 'Größe' would both be the column 'Größe'", line: 2, column: 5)
    }

    @Test func aFieldOfAValueAndAPropertyAreNotOneColumn() {
        expectProblem(
            properties: """
                struct Address: Codable, Sendable {
                    var city: String
                }
                @StorageEmbedded(prefix: "home_")
                var address: Address?
                var home_city: String
                """,
            "'address.city' and 'home_city' would both be the column 'home_city'", line: 6, column: 5)
    }

    @Test func twoSeenValuesNeedDifferentPrefixes() {
        expectProblem(
            properties: """
                struct Address: Codable, Sendable {
                    var city: String
                }
                @StorageEmbedded(prefix: "")
                var home: Address
                @StorageEmbedded(prefix: "")
                var work: Address
                """,
            "'home.city' and 'work.city' would both be the column 'city'", line: 7, column: 5)
    }

    @Test func twoUnseenValuesOfOneTypeNeedDifferentPrefixes() {
        expectProblem(
            properties: """
                @StorageEmbedded(prefix: "at_")
                var home: Address
                @StorageEmbedded(prefix: "AT_")
                var work: Address?
                """,
            "'home' and 'work' would have the same columns: both have the prefix 'AT_'", line: 4, column: 5)
    }

    @Test func noPropertyTakesTheColumnOfTheLastSave() {
        expectProblem(
            properties: "var updatedat: Date",
            "'updatedat' would be the column 'updatedAt', which keeps the time of the last save", column: 5)
    }

    @Test func noFieldOfAValueTakesTheColumnOfTheLastSave() {
        expectProblem(
            properties: """
                struct Stamp: Codable, Sendable {
                    var updatedAt: Date
                }
                @StorageEmbedded(prefix: "")
                var stamp: Stamp
                """,
            "'stamp.updatedAt' would be the column 'updatedAt', which keeps the time of the last save", line: 5,
            column: 5)
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
            properties: """
                @\(attribute)
                // Not a column.
                \(declaration)
                """,
            "@\(name) needs a stored property; 'note' is none", column: 1,
            fix: "remove '@\(name)'",
            fixed: """
                // Not a column.
                \(declaration)
                """)
    }

    @Test(arguments: PropertyDiagnosticTests.roles, ["var note: Note?", "var note: Note? { nil }"])
    func anAttributeInAConditionIsRefused(role: (name: String, attribute: String), declaration: String) {
        expectProblem(
            properties: """
                #if DEBUG
                #if PREVIEW
                @\(role.attribute)
                #endif
                #endif
                \(declaration)
                """,
            "@StorageEntity cannot see @\(role.name) inside #if; write it outside", line: 3, column: 1)
    }

    @Test func anAttributeInAConditionIsRefusedBesideOneOutside() {
        expectProblem(
            properties: """
                @StorageUnique
                #if DEBUG
                @StorageUnique
                #endif
                var note: String
                """,
            "@StorageEntity cannot see @StorageUnique inside #if; write it outside", line: 3, column: 1)
    }

    @Test func theAttributeOfTheEntityMayStandInACondition() {
        let source = """
            #if DEBUG
            @StorageEntity
            #endif
            struct User {
                var id: String
                @StorageIgnored var note = ""
            }
            """
        #expect(problems(of: source).isEmpty)
    }

    @Test func anAttributeThatIsRemovedLeavesItsNeighbours() {
        expectProblem(
            properties: """
                @StorageJSON @MainActor
                @Wrapper var note: Int { 1 }
                """,
            "@StorageJSON needs a stored property; 'note' is none", column: 1,
            fix: "remove '@StorageJSON'",
            fixed: """
                @MainActor
                @Wrapper var note: Int { 1 }
                """)
    }

    @Test func aPropertyHasOneRole() {
        expectProblem(
            properties: """
                @StorageEmbedded
                @StorageJSON
                var address: Address
                """,
            "'address' cannot be both @StorageEmbedded and @StorageJSON", line: 2, column: 1,
            fix: "remove '@StorageJSON'",
            fixed: """
                @StorageEmbedded
                var address: Address
                """)
    }

    @Test func aPropertyHasItsRoleOnce() {
        expectProblem(
            properties: "@StorageJSON @StorageJSON var address: Address",
            "'address' has @StorageJSON twice", column: 14,
            fix: "remove '@StorageJSON'",
            fixed: "@StorageJSON var address: Address")
    }

    // MARK: - Arguments of attributes

    @Test(arguments: ["name", #""a\(1)""#, #""a" + "b""#]) func thePrefixHasToBeALiteral(prefix: String) {
        expectProblem(
            properties: """
                @StorageEmbedded(prefix: \(prefix))
                var address: Address
                """,
            "the prefix of @StorageEmbedded has to be a string literal without interpolation", column: 26)
    }

    @Test(arguments: [("StorageHasMany", "[Post]", 29), ("StorageBelongsTo", "Post?", 31)])
    func theForeignKeyHasToBeALiteral(attribute: String, type: String, column: Int) {
        expectProblem(
            properties: """
                @\(attribute)(foreignKey: key)
                var other: \(type)
                """,
            "the foreignKey of @\(attribute) has to be a string literal without interpolation", column: column)
    }

    @Test(arguments: [("StorageHasMany", "[Post]", 29), ("StorageBelongsTo", "Post?", 31)])
    func theForeignKeyMustNotBeEmpty(attribute: String, type: String, column: Int) {
        expectProblem(
            properties: """
                @\(attribute)(foreignKey: "")
                var other: \(type)
                """,
            "the foreign key is empty; name the column that holds the parent's id", column: column)
    }

    @Test(arguments: ["from", "to"]) func theColumnOfALinkMustNotBeEmpty(label: String) {
        expectProblem(
            properties: "@StorageHasMany(through: Link.self, \(label): \"\") var tags: [Tag]",
            "the foreign key is empty; name the column that holds the parent's id", column: 39 + label.count)
    }

    // MARK: - Embedded values

    @Test(arguments: [("[Part]", "[Part]"), ("[String: Part]?", "[String: Part]"), ("Set<Part>", "Set<Part>")])
    func aCollectionIsNotEmbeddedButCanBeJSON(type: String, value: String) {
        expectProblem(
            properties: """
                /// Kept.
                @StorageEmbedded(prefix: "x_") var parts: \(type)
                """,
            "'parts' cannot be embedded: '\(value)' has no properties that could be columns", line: 2, column: 43,
            fix: "store it as JSON",
            fixed: """
                /// Kept.
                @StorageJSON var parts: \(type)
                """)
    }

    @Test(arguments: ["Date", "Decimal"]) func anAppsOwnStructWithANameOfFoundationsIsToldHow(type: String) {
        expectProblem(
            properties: "@StorageEmbedded var part: \(type)",
            "'part' cannot be embedded: '\(type)' has no properties that could be columns; if it is a struct of your own, "
                + "write its module too: 'App.\(type)'", column: 28)
    }

    @Test(arguments: [("String", "String"), ("Int?", "Int"), ("Double", "Double")])
    func aPlainColumnIsNotEmbedded(type: String, value: String) {
        expectProblem(
            properties: "@StorageEmbedded var part: \(type)",
            "'part' cannot be embedded: '\(value)' has no properties that could be columns", column: 28,
            fix: "remove '@StorageEmbedded'", fixed: "var part: \(type)")
    }

    @Test(arguments: ["Level", "Level?"]) func anEnumOfTheEntitysOwnIsNotEmbedded(type: String) {
        expectProblem(
            properties: """
                enum Level: String, Codable, Sendable { case low }
                @StorageEmbedded(prefix: "") var level: \(type)
                """,
            "'level' cannot be embedded: an enum is a column by itself; remove @StorageEmbedded", line: 2, column: 1,
            fix: "remove '@StorageEmbedded'",
            fixed: """
                enum Level: String, Codable, Sendable { case low }
                var level: \(type)
                """)
    }

    @Test func aStructOfTheAppsWithANameOfFoundationsIsEmbeddedUnderItsModule() {
        let expanded = expansion(
            of: "@StorageEntity struct User { var id: String; @StorageEmbedded var born: App.Date }")
        #expect(expanded.contains("_embedded(\"born\", \"born_\", App.Date.self)"))
    }

    // MARK: - Relations

    @Test(arguments: ["Post", "Post?", "[Post]?", "Set<Post>"]) func childrenAreAnArray(type: String) {
        expectProblem(
            properties: """
                @StorageHasMany(foreignKey: "userId")
                var posts: \(type)  // none yet
                """,
            "'posts' has to be an array of the child entity", line: 2, column: 12,
            fix: "make it '[Post]'",
            fixed: """
                @StorageHasMany(foreignKey: "userId")
                var posts: [Post]  // none yet
                """)
    }

    @Test(arguments: ["[Owner]", "Array<Owner>", "Set<Owner>"]) func aParentIsOne(type: String) {
        expectProblem(
            properties: """
                var ownerId: String
                @StorageBelongsTo var owner: \(type)
                """,
            "'owner' has to be optional: it is nil until the parent is loaded", line: 2, column: 30,
            fix: "make it 'Owner?'",
            fixed: """
                var ownerId: String
                @StorageBelongsTo var owner: Owner?
                """)
    }

    @Test func aParentIsOptional() {
        expectProblem(
            properties: """
                var ownerId: String
                @StorageBelongsTo var owner: Owner = .nobody
                """,
            "'owner' has to be optional: it is nil until the parent is loaded", line: 2, column: 30,
            fix: "make it 'Owner?'",
            fixed: """
                var ownerId: String
                @StorageBelongsTo var owner: Owner? = .nobody
                """)
    }

    @Test(arguments: ["Post?", "[Post]", "Box<Post>"]) func childrenAreEntities(type: String) {
        expectProblem(
            properties: """
                @StorageHasMany(foreignKey: "userId") var posts: [\(type)]
                """,
            "'posts' has to hold entities; '\(type)' is none", column: 51)
    }

    @Test(arguments: ["Box<Owner>", "[Owner]"]) func aParentIsAnEntity(type: String) {
        expectProblem(
            properties: """
                var ownerId: String
                @StorageBelongsTo var owner: \(type)?
                """,
            "'owner' has to hold entities; '\(type)' is none", line: 2, column: 30)
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

    @Test(arguments: ["Home", "Address"]) func aForeignKeyIsMissedBesideAnEmbeddedValue(type: String) {
        expectProblem(
            properties: """
                struct Home: Codable, Sendable {
                    var ownerId: String
                }
                @StorageEmbedded var home: \(type)
                @StorageBelongsTo var owner: Owner?
                """,
            "'User' has no property 'ownerId' to hold the parent's id", line: 5, column: 1,
            fix: "add 'var ownerId: String'")
    }

    @Test(arguments: ["Home", "Address"]) func aForeignKeyMayBeAColumnOfAnEmbeddedValue(type: String) {
        let expanded = expansion(
            of: """
                @StorageEntity
                struct User {
                    struct Home: Codable, Sendable {
                        var ownerId: String
                    }
                    var id: String
                    @StorageEmbedded var home: \(type)
                    @StorageBelongsTo(foreignKey: "home_ownerId") var owner: Owner?
                }
                """)
        #expect(expanded.contains("key: \"home_ownerId\""))
    }

    @Test func aForeignKeyInAnotherCaseIsNamed() {
        expectProblem(
            properties: """
                var ownerID: String
                @StorageBelongsTo var owner: Owner?
                """,
            "'User' has no property 'ownerId' to hold the parent's id", line: 2, column: 1,
            fix: "name the column 'ownerID'",
            fixed: """
                var ownerID: String
                @StorageBelongsTo(foreignKey: "ownerID") var owner: Owner?
                """)
    }

    @Test func aForeignKeyThatCannotBeAPropertyIsNotAdded() {
        expectProblem(
            properties: """
                @StorageBelongsTo(foreignKey: "owner id") var owner: Owner?
                """,
            "'User' has no property 'owner id' to hold the parent's id", column: 1)
    }

    @Test func aForeignKeyIsNoRelationItself() {
        expectProblem(
            properties: """
                @StorageHasMany(foreignKey: "userId") var posts: [Post]
                @StorageBelongsTo(foreignKey: "posts") var owner: Owner?
                """,
            "'User' has no property 'posts' to hold the parent's id", line: 2, column: 1)
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
            properties: """
                @StorageVersion
                \(declaration)  // none yet
                """,
            "the version 'version' has to be a 'var': each write counts it up", line: 2, column: 1,
            fix: "make it a 'var'",
            fixed: """
                @StorageVersion
                \(declaration.replacing("let", with: "var"))  // none yet
                """)
    }

    @Test(arguments: ["Int?", "Int!", "Optional<Int>", "Int64", "UInt", "String", "Double", "Shop.Int", "[Int]"])
    func aVersionIsAnInt(type: String) {
        expectProblem(
            properties: "@StorageVersion var version: \(type)  // none yet",
            "the version 'version' has to be an 'Int'", column: 30,
            fix: "make it 'Int'",
            fixed: "@StorageVersion var version: Int  // none yet")
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

    @Test func aVersionMayBeSwiftsIntBesideOneOfTheEntitysOwn() {
        let expanded = expansion(
            of: """
                @StorageEntity
                struct User {
                    typealias Int = Int32
                    var id: String
                    @StorageVersion var version: Swift.Int
                }
                """)
        #expect(expanded.contains("StorageGRDB.VersionedEntity"))
    }

    @Test(arguments: ["1", "-1", "0.0", "\"0\"", "true", "(0)"], ["", ": Int"])
    func aVersionBeginsAtZero(value: String, annotation: String) {
        // Of the value in parentheses alone the macro sees no type.
        guard value != "(0)" || !annotation.isEmpty else { return }
        expectProblem(
            properties: "@StorageVersion var version\(annotation) = \(value)  // none yet",
            "the version 'version' has to begin at 0, which says that the entity was never stored",
            column: 31 + annotation.count,
            fix: "make it '0'",
            fixed: "@StorageVersion var version\(annotation) = 0  // none yet")
    }

    @Test func aVersionWhoseTypeIsNotSeenNeedsIt() {
        expectProblem(
            properties: "@StorageVersion var version = next()",
            "'version' needs a type annotation, because a macro cannot see the type of this value", column: 21)
    }

    @Test func anEntityHasOneVersion() {
        expectProblem(
            properties: """
                @StorageVersion var version: Int
                // Of the text.
                @StorageVersion
                var edition: Int
                """,
            "an entity has one version; 'version' and 'edition' would be two", line: 3, column: 1,
            fix: "remove '@StorageVersion'",
            fixed: """
                @StorageVersion var version: Int
                // Of the text.
                var edition: Int
                """)
    }

    @Test(arguments: [("StorageJSON", "Int"), ("StorageEmbedded", "Address"), ("StorageBelongsTo", "Owner?")])
    func aVersionHasNoOtherRole(attribute: String, type: String) {
        expectProblem(
            properties: "@StorageVersion @\(attribute) var version: \(type)",
            "'version' cannot be both @StorageVersion and @\(attribute)", column: 17,
            fix: "remove '@\(attribute)'",
            fixed: "@StorageVersion var version: \(type)")
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
        ("var _version: String", "_version", 5), ("var _version: Int { 1 }", "_version", 5),
        ("static let _versionColumn = \"\"", "_versionColumn", 12),
    ])
    func theNamesOfTheVersionsCodeAreTaken(declaration: String, name: String, column: Int) {
        expectProblem(
            properties: """
                @StorageVersion var version: Int
                \(declaration)
                """,
            "'\(name)' means something else in the code that @StorageEntity makes; choose another name", line: 2,
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
