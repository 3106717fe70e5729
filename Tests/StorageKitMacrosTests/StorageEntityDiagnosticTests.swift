import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct StorageEntityDiagnosticTests {
    @Test func aClassIsRefusedAndCanBeMadeAStruct() {
        expectProblem(
            """
            @StorageEntity
            class User {
                var id: String
            }
            """,
            "@StorageEntity needs a struct; a class has no value to copy in and out of a row",
            line: 2, column: 1, fix: "make it a struct",
            fixedSource: """
                @StorageEntity
                struct User {
                    var id: String
                }
                """)
    }

    @Test(arguments: [("actor", "an actor"), ("enum", "an enum")])
    func otherTypesAreRefused(keyword: String, kind: String) {
        expectProblem(
            """
            @StorageEntity
            \(keyword) User {
            }
            """,
            "@StorageEntity needs a struct; \(kind) has no value to copy in and out of a row", line: 2, column: 1)
    }

    @Test func anEqualityThatNobodyElseWouldUseIsToldOf() {
        let source = { (clause: String) in
            """
            @StorageEntity
            struct User\(clause) {
                var id: String
                static func == (one: User, other: User) -> Bool { true }
            }
            """
        }
        #expect(notes(on: source("")).count == 1)
        #expect(notes(on: source(": Sendable")).count == 1)
        #expect(notes(on: source(": Equatable")).isEmpty)
        #expect(notes(on: source(": Named")).isEmpty)
        #expect(notes(on: source("").replacing("other: User", with: "other: Dog")).isEmpty)
    }

    @Test func anEqualityOfTheTypeSelfIsToldOfToo() {
        let source = """
            @StorageEntity
            struct User {
                var id: String
                static func == (one: Self, other: Self) -> Bool { true }
            }
            """
        #expect(notes(on: source).count == 1)
    }

    @Test(arguments: ["<", "+", "same"]) func aFunctionOfTwoThatIsNoEqualityIsNotToldOf(name: String) {
        let source = """
            @StorageEntity
            struct User {
                var id: String
                static func \(name) (one: User, other: User) -> Bool { true }
            }
            """
        #expect(notes(on: source).isEmpty)
    }

    @Test func aGenericStructIsRefusedAtItsParameters() {
        expectProblem(
            """
            @StorageEntity
            struct Box<T> {
                var id: String
            }
            """,
            "@StorageEntity cannot be put on the generic struct 'Box', which would need a table for each argument",
            line: 2, column: 11)
    }

    @Test func twoOfTheAttributeAreOneProblem() {
        expectProblem(
            """
            @StorageEntity
            @StorageEntity(table: "people")
            struct User {
                var id: String
            }
            """,
            "'User' has @StorageEntity twice", line: 2, column: 1, fix: "remove '@StorageEntity'")
    }

    @Test func aMissingIdIsReportedAtTheNameAndCanBeAdded() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var name: String
            }
            """,
            "'User' needs a stored property 'id', its primary key", line: 2, column: 8, fix: "add 'var id: String'",
            fixedSource: """
                @StorageEntity
                struct User {
                    var id: String
                    var name: String
                }
                """)
    }

    @Test func aTupleIsRefused() {
        expectProblem(
            properties: "var (x, y) = (1, 2)",
            "a tuple cannot be stored; declare one property for each column", column: 5)
    }

    @Test func aTableNameHasToBeALiteral() {
        expectProblem(
            """
            @StorageEntity(table: name)
            struct User {
                var id: String
            }
            """,
            "the table name has to be a string literal without interpolation", line: 1, column: 23)
    }

    @Test func aTableNameMustNotBeEmpty() {
        expectProblem(
            """
            @StorageEntity(table: "")
            struct User {
                var id: String
            }
            """,
            "the table name is empty", line: 1, column: 23)
    }

    @Test func aNoncopyableStructIsRefused() {
        expectProblem(
            """
            @StorageEntity
            struct User: Sendable, ~Copyable {
                var id: String
            }
            """,
            "'User' has to be copyable to be stored and fetched", line: 2, column: 24)
    }

    @Test func aPrivateStructInsideATypeIsRefusedAndCanBeMadeFileprivate() {
        expectProblem(
            """
            enum Shop {
                @StorageEntity
                private struct User {
                    var id: String
                }
            }
            """,
            "'User' is private to the type around it, where its generated extension cannot stand", line: 3, column: 5,
            fix: "make it fileprivate",
            fixedSource:
                """
                enum Shop {
                    @StorageEntity
                    fileprivate struct User {
                        var id: String
                    }
                }
                """)
    }

    @Test func aStructInsideAPrivateTypeInsideATypeIsRefused() {
        expectProblem(
            """
            enum Shop {
                private enum Staff {
                    @StorageEntity
                    struct User {
                        var id: String
                    }
                }
            }
            """,
            "'Staff' is private to the type around it, where the generated extension of 'User' cannot stand", line: 4,
            column: 16)
    }

    @Test func aMissingIdIsAddedAsDeepAsItsNeighbours() {
        expectProblem(
            """
            enum Shop {
                @StorageEntity
                struct User {
                    /// What to call them.
                    var name: String
                }
            }
            """,
            "'User' needs a stored property 'id', its primary key", line: 3, column: 12,
            fix: "add 'var id: String'",
            fixedSource:
                """
                enum Shop {
                    @StorageEntity
                    struct User {
                        var id: String
                        /// What to call them.
                        var name: String
                    }
                }
                """)
    }

    @Test func aMissingIdIsAddedOnTheOnlyLine() {
        expectProblem(
            """
            @StorageEntity
            struct User { var name: String }
            """,
            "'User' needs a stored property 'id', its primary key", line: 2, column: 8, fix: "add 'var id: String'",
            fixedSource: """
                @StorageEntity
                struct User { var id: String; var name: String }
                """)
    }

    @Test func aMissingIdIsAddedToAnEmptyStruct() {
        expectProblem(
            """
            @StorageEntity
            struct User {
            }
            """,
            "'User' needs a stored property 'id', its primary key", line: 2, column: 8,
            fix: "add 'var id: String'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                }
                """)
    }

    @Test func aMissingIdIsAddedBetweenTheBraces() {
        expectProblem(
            """
            @StorageEntity
            struct User {}
            """,
            "'User' needs a stored property 'id', its primary key", line: 2, column: 8,
            fix: "add 'var id: String'",
            fixedSource:
                """
                @StorageEntity
                struct User { var id: String }
                """)
    }

    @Test(arguments: ["var id: String { name }", "lazy var id = \"\"", "var other: Int { 1 }, `id`: Int { 2 }"])
    func anIdThatIsNotStoredIsNotAddedTwice(property: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var name: String
                \(property)
            }
            """,
            "'User' needs a stored property 'id', its primary key", line: 2, column: 8)
    }

    @Test func aStaticIdIsNoPrimaryKey() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var name: String
                static let id = "x"
            }
            """,
            "'User' needs a stored property 'id', its primary key", line: 2, column: 8,
            fix: "add 'var id: String'")
    }

    @Test func anOptionalIdIsRefusedAtItsType() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: UUID?  // set later
            }
            """,
            "the primary key 'id' cannot be optional", line: 3, column: 13,
            fix: "make it 'UUID'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: UUID  // set later
                }
                """)
    }

    @Test(arguments: ["String?", "String!", "Optional<String>", "Swift.Optional<String>"])
    func anOptionalIdIsRefusedInAnySpelling(type: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: \(type)
            }
            """,
            "the primary key 'id' cannot be optional", line: 3, column: 13,
            fix: "make it 'String'")
    }

    @Test(arguments: ["public", "package"]) func theIdIsAsVisibleAsItsEntity(access: String) {
        expectProblem(
            """
            @StorageEntity
            \(access) struct User {
                let id: String  // key
            }
            """,
            "the primary key 'id' has to be \(access), as its entity is", line: 3, column: 5,
            fix: "make it \(access)",
            fixedSource:
                """
                @StorageEntity
                \(access) struct User {
                    \(access) let id: String  // key
                }
                """)
    }

    @Test(arguments: [
        ("public ", "internal", "public"), ("", "private", "internal"), ("", "fileprivate", "internal"),
        ("private ", "private", "fileprivate"),
    ]) func theIdIsNotHidden(entity: String, hidden: String, access: String) {
        expectProblem(
            """
            @StorageEntity
            \(entity)struct User {
                \(hidden) var id: String
            }
            """,
            "the primary key 'id' has to be \(access), as its entity is", line: 3, column: 5,
            fix: "make it \(access)",
            fixedSource:
                """
                @StorageEntity
                \(entity)struct User {
                    \(access) var id: String
                }
                """)
    }

    @Test(arguments: [("", "private(set)"), ("public ", "public private(set)"), ("public ", "public internal(set)")])
    func anIdThatOthersSeeMayBeSetByTheStructAlone(entity: String, modifiers: String) {
        let expanded = expansion(of: "@StorageEntity \(entity)struct User { \(modifiers) var id: String }")
        #expect(expanded.contains("struct UserRecord"))
    }

    @Test func theIdIsPublicInAPublicExtension() {
        expectProblem(
            """
            public extension Shop {
                @StorageEntity
                struct User {
                    var id: String
                }
            }
            """,
            "the primary key 'id' has to be public, as its entity is", line: 4, column: 9, fix: "make it public",
            fixedSource:
                """
                public extension Shop {
                    @StorageEntity
                    struct User {
                        public var id: String
                    }
                }
                """)
    }

    @Test func theIdNeedBeNoMoreVisibleThanTheTypesAround() {
        // What it lacks here is another thing.
        expectProblem(
            """
            enum Shop {
                @StorageEntity
                public struct User {
                    var id: String?
                }
            }
            """,
            "the primary key 'id' cannot be optional", line: 4, column: 17, fix: "make it 'String'")
    }

    @Test(arguments: [
        ("StorageJSON", "StorageJSON"), ("StorageEmbedded", "StorageEmbedded"),
        ("StorageHasMany", "StorageHasMany(foreignKey: \"userId\")"), ("StorageBelongsTo", "StorageBelongsTo"),
    ]) func theIdHasNoOtherRoleThanPrimaryKey(name: String, attribute: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                @\(attribute)
                var id: String
            }
            """,
            "the primary key 'id' has to be a plain column, without @\(name)", line: 3, column: 5,
            fix: "remove '@\(name)'",
            fixedSource:
                """
                @StorageEntity
                struct User {
                    var id: String
                }
                """)
    }

    @Test func aTableNameHasNoInterpolation() {
        expectProblem(
            """
            @StorageEntity(table: "a\\(1)")
            struct User {
                var id: String
            }
            """,
            "the table name has to be a string literal without interpolation", line: 1, column: 23)
    }

    @Test(arguments: ["sqlite_users", "SQLite_x", "StorageKit_x", "my\"table"])
    func aTableNameThatSQLiteKeepsOrCannotQuoteIsRefused(
        table: String
    ) {
        expectProblem(
            """
            @StorageEntity(table: #"\(table)"#)
            struct User {
                var id: String
            }
            """,
            "'\(table)' cannot be the name of a table: it begins with 'sqlite_' or 'storagekit_', or has a quotation mark in it",
            line: 1, column: 23)
    }

    @Test func propertiesInAConditionAreRefused() {
        expectProblem(
            properties: """
                #if DEBUG
                var note: String
                #endif
                """,
            "@StorageEntity cannot see properties inside #if; declare them outside", column: 1)
    }

    @Test func propertiesInAConditionWithinAConditionAreRefused() {
        expectProblem(
            properties: """
                #if DEBUG
                #if PREVIEW
                var note = ""
                #endif
                #endif
                """,
            "@StorageEntity cannot see properties inside #if; declare them outside", column: 1)
    }

    @Test(arguments: ["var note: String { \"\" }", "func note() {}", "struct Note {}"])
    func whatStoresNothingMayStandInACondition(member: String) {
        let expanded = expansion(
            of: """
                @StorageEntity
                struct User {
                    var id: String
                    #if DEBUG
                    \(member)
                    #endif
                }
                """)
        #expect(expanded.contains("struct UserRecord"))
    }

    @Test func allProblemsAreReportedAtOnce() {
        expectProblems(
            """
            @StorageEntity(table: "")
            struct User {
                var id: String?
                var made = makeIt()
            }
            """,
            [
                DiagnosticSpec(
                    message: "'made' needs a type annotation, because a macro cannot see the type of this value",
                    line: 4, column: 9),
                DiagnosticSpec(message: "the table name is empty", line: 1, column: 23),
                DiagnosticSpec(
                    message: "the primary key 'id' cannot be optional", line: 3, column: 13,
                    fixIts: [FixItSpec(message: "make it 'String'")]),
            ])
    }

    @Test func anEntityInAGenericTypeIsRefused() {
        expectProblem(
            """
            enum Shop<Item> {
                @StorageEntity
                struct User {
                    var id: String
                }
            }
            """,
            "'User' would need a table for each argument of the generic type 'Shop' around it", line: 3, column: 12)
    }

    @Test func anEntityInAFunctionIsRefused() {
        expectProblem(
            """
            func make() {
                @StorageEntity
                struct User {
                    var id: String
                }
            }
            """,
            "'User' has to stand in a file or in a type, since nothing outside a function can extend it", line: 3,
            column: 12)
    }

    @Test func anEntityInATypeInAFunctionIsRefused() {
        expectProblem(
            """
            func make() {
                enum Shop {
                    @StorageEntity
                    struct User {
                        var id: String
                    }
                }
            }
            """,
            "'User' has to stand in a file or in a type, since nothing outside a function can extend it", line: 4,
            column: 16)
    }

    @Test(arguments: ["E", "Record", "StorageColumns"])
    func aTypeThatTheCodeHasAnotherOfIsNamedWithItsModule(type: String) {
        expectProblem(
            properties: "var kinds: [\(type)?]",
            "'\(type)' is another type in the code that @StorageEntity makes: write the name of its module before it",
            column: 13)
    }

    @Test(arguments: [
        ("@StorageReference(Record.self) var recordId: UUID", 19),
        ("@StorageReference(Record.Part.self) var partId: UUID", 19),
        ("@StorageHasMany(through: Record.self) var others: [Other]", 26),
    ]) func anEntityThatTheCodeHasAnotherOfIsNamedWithItsModule(property: String, column: Int) {
        expectProblem(
            properties: property,
            "'Record' is another type in the code that @StorageEntity makes: write the name of its module before it",
            column: column)
    }

    @Test func theNameOfTheModuleTellsSuchAnEntityFromThatOfTheCode() {
        let expanded = expansion(
            of: "@StorageEntity struct Record { var id: Int; @StorageReference(App.Record.self) var next: Int }")
        #expect(expanded.contains(", to: App.Record.self)"))
    }

    @Test func theEntityMustNotBeCalledAsTheRecordCallsIt() {
        expectProblem(
            """
            @StorageEntity
            struct E {
                var id: String
            }
            """,
            "'E' means something else in the code that @StorageEntity makes; choose another name", line: 2, column: 8)
    }

    @Test func aColumnCannotHaveANameLikeThoseInOurStatements() {
        expectProblem(
            properties: "var StorageKit_parent: Int",
            "'StorageKit_parent' cannot be the name of a column: names in statements of StorageKit's begin with 'storagekit_'",
            column: 5)
    }

    @Test(arguments: [
        ("struct Record {}", 12, "Record"), ("typealias StorageColumns = Int", 15, "StorageColumns"),
        ("static let storageColumns = 1", 16, "storageColumns"), ("enum _HiddenColumns {}", 10, "_HiddenColumns"),
        ("var Record: Int", 9, "Record"), ("var StorageColumns: Int?", 9, "StorageColumns"),
        ("private var _HiddenColumns: Kind", 17, "_HiddenColumns"), ("let _row = 1", 9, "_row"),
        ("var StorageGRDB: Int", 9, "StorageGRDB"), ("var User: Int", 9, "User"), ("var `Type`: Int", 9, "Type"),
        ("var `Protocol`: Int", 9, "Protocol"), ("@StorageBelongsTo(foreignKey: \"id\") var E: Other?", 45, "E"),
        ("@StorageHasMany(foreignKey: \"k\") let _row: [Other]", 42, "_row"),
        ("@StorageHasMany(foreignKey: \"k\") var schemaColumns: [Other]", 42, "schemaColumns"),
        ("@StorageHasMany(foreignKey: \"k\") var databaseTableName: [Other]", 42, "databaseTableName"),
        ("@StorageHasMany(foreignKey: \"k\") var StorageGRDB: [Other]", 42, "StorageGRDB"),
        ("var `Self`: Int", 9, "Self"), ("var await: Int", 9, "await"), ("var CodingKeys: Int", 9, "CodingKeys"),
        ("@StorageHasMany(foreignKey: \"k\") var CodingKeys: [Other]", 42, "CodingKeys"),
        ("@StorageHasMany(foreignKey: \"k\") var User: [Other]", 42, "User"),
    ]) func namesOfWhatIsMadeAreTaken(member: String, column: Int, name: String) {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                \(member)
            }
            """,
            "'\(name)' means something else in the code that @StorageEntity makes; choose another name", line: 4,
            column: column)
    }
}
