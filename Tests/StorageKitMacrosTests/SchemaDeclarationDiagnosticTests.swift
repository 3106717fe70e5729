import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// What is said about indexes, keys, references, former names and what is not stored, and where.
private let wayOut = ": a migration before autoSchema can rename it in files that have the old one alone"
private let sameName =
    ", since case makes no difference; leave it out, and @StorageRenamed where no other name is left"

@Suite struct SchemaDeclarationDiagnosticTests {
    // MARK: - Indexes and keys

    @Test(arguments: ["indexes", "unique"]) func aMisspeltColumnIsRefusedAtItsLetters(label: String) {
        expectProblem(
            entity: "\(label): [[\"position\", \"due_date\"]]",
            "'Reminder' has no column 'due_date'; did you mean 'dueDate'?", column: 32 + label.utf8.count,
            fix: "change it to 'dueDate'", fixed: "\(label): [[\"position\", \"dueDate\"]]")
    }

    @Test func aColumnOfAValueIsSeen() {
        expectProblem(
            entity: "indexes: [[\"geo_latitud\"]]",
            "'Reminder' has no column 'geo_latitud'; did you mean 'geo_latitude'?", column: 27,
            fix: "change it to 'geo_latitude'")
    }

    @Test(arguments: ["geo", "tags", "isFlaggedOrNot"]) func whatIsNoColumnHasNoIndex(name: String) {
        expectProblem(entity: "indexes: [[\"\(name)\"]]", "'Reminder' has no column '\(name)'", column: 27)
    }

    @Test func aColumnOfAValueThatIsNotSeenIsLeftToTheStart() {
        let source = """
            @StorageEntity(indexes: [["home_city", "updatedAt"]], unique: [["home_zip"]])
            struct Person {
                var id: String
                @StorageEmbedded var home: Address
            }
            """
        #expect(expansion(of: source).contains(#"table.index(["home_city", "updatedAt"])"#))
        #expect(expansion(of: source).contains(#"table.unique(["home_zip"])"#))
        expectProblem(
            source.replacing("home_city", with: "work_city"), "'Person' has no column 'work_city'", line: 1, column: 27)
    }

    @Test(arguments: ["names", "[names]", "[[\"\\(position)\"]]", "[[name]]", "[\"position\"]", "[[1]]"])
    func columnsAreWrittenOut(list: String) {
        let place = list.firstIndex { !"[".contains($0) } ?? list.startIndex
        expectProblem(
            entity: "indexes: \(list)",
            "'indexes' of @StorageEntity has to be lists of column names, written out: [[\"name\"]]",
            column: 25 + list[..<place].count)
    }

    @Test(arguments: [("[[]]", 25), ("[[\"dueDate\"], []]", 38)])
    func aListHasColumns(list: String, column: Int) {
        expectProblem(
            entity: "unique: \(list)", "'unique' of @StorageEntity has a list without columns", column: column)
    }

    @Test func aColumnStandsOnceInAList() {
        expectProblem(
            entity: "unique: [[\"dueDate\", \"position\", \"dueDate\"]]",
            "the column 'dueDate' stands twice in one list", column: 49)
    }

    @Test(arguments: [
        ("indexes: [[\"dueDate\"], [\"dueDate\"]]", "'dueDate'", 39),
        ("indexes: [[\"dueDate\", \"id\"]], unique: [[\"dueDate\", \"id\"]]", "'dueDate', 'id'", 26),
        ("unique: [[\"slug\"]]", "'slug'", 25), ("indexes: [[\"slug\"]]", "'slug'", 26),
    ])
    func anIndexIsDeclaredOnce(lists: String, columns: String, column: Int) {
        expectProblem(
            entity: lists, "there is an index or a unique key of \(columns) already", column: column)
    }

    @Test func aKeyThatIgnoresCaseIsAnotherThanOneThatDoesNot() {
        let source = """
            @StorageEntity(indexes: [["title"], ["title", "id"]])
            struct Note {
                var id: Int
                @StorageUnique(ignoringCase: true) var title: String
            }
            """
        #expect(expansion(of: source).contains("table.unique([\"title\"], ignoringCase: true)"))
    }

    @Test(arguments: [
        ("\"\"", "the table name is empty"),
        ("\"reminders\"", "the table cannot be renamed from 'reminders', which is its name today"),
        ("\"Reminders\"", "the table cannot be renamed from 'Reminders', which is its name today"),
        ("\"\\(name)\"", "the renamedFrom of @StorageEntity has to be a string literal without interpolation"),
    ])
    func aFormerTableIsAnother(name: String, message: String) {
        expectProblem(entity: "renamedFrom: \(name)", message, column: 29)
    }

    @Test func aFormerTableIsNamedOnce() {
        expectProblem(
            entity: "renamedFrom: \"tasks\", \"Tasks\"", "the former name 'Tasks' is given twice", column: 38)
    }

    // MARK: - Unique

    @Test func aUniqueKeyOfTheIdIsThere() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                @StorageUnique var id: Int
            }
            """,
            "the primary key 'id' has to be a plain column, without @StorageUnique", line: 3, column: 5,
            fix: "remove '@StorageUnique'")
    }

    @Test(arguments: ["Int", "Date?", "Bool", "Decimal"]) func caseIsIgnoredInTextAlone(type: String) {
        expectProblem(
            properties: "@StorageUnique(ignoringCase: true) var code: \(type)",
            "the values of 'code' have no letters whose case could be ignored", column: 30)
    }

    @Test func whetherCaseIsIgnoredIsWrittenOut() {
        expectProblem(
            properties: "@StorageUnique(ignoringCase: isLoose) var code: String",
            "the ignoringCase of @StorageUnique has to be true or false", column: 30)
    }

    @Test(arguments: [
        ("StorageUnique", "StorageEmbedded", "Geo"), ("StorageUnique", "StorageVersion", "Int"),
        ("StorageUnique", "StorageIgnored", "Int?"), ("StorageRenamed(from: \"x\")", "StorageIgnored", "Int?"),
        ("StorageReference(User.self)", "StorageBelongsTo", "User?"),
        ("StorageReference(User.self)", "StorageJSON", "UUID"), ("StorageIgnored", "StorageJSON", "UUID?"),
        ("StorageRenamed(from: \"x\")", "StorageHasMany(foreignKey: \"y\")", "[User]"),
    ])
    func someAttributesExcludeEachOther(first: String, second: String, type: String) {
        let (one, other) = (first.prefix { $0 != "(" }, second.prefix { $0 != "(" })
        expectProblem(
            properties: "@\(first) @\(second) var more: \(type)", "'more' cannot be both @\(one) and @\(other)",
            column: 3 + first.count, fix: "remove '@\(other)'", fixed: "@\(first) var more: \(type)")
    }

    @Test func anAttributeStandsOnce() {
        expectProblem(
            properties: "@StorageUnique @StorageUnique var code: String", "'code' has @StorageUnique twice", column: 16,
            fix: "remove '@StorageUnique'")
    }

    // MARK: - References

    @Test(arguments: ["", "(User)", "(type)", "(User.other)", "(.self)"]) func aParentIsAType(arguments: String) {
        expectProblem(
            properties: "@StorageReference\(arguments) var userId: UUID",
            "the parent of @StorageReference has to be written as its type: 'Parent.self'",
            column: arguments.isEmpty ? 1 : 19)
    }

    @Test(arguments: ["onDelete", "onUpdate"]) func whatCannotBeNilDoesNotBecomeNil(label: String) {
        expectProblem(
            properties: "@StorageReference(User.self, \(label): .setNull) var userId: UUID",
            "'userId' cannot become nil, as '\(label): .setNull' says", column: 40,
            fix: "make it 'UUID?'",
            fixed: "@StorageReference(User.self, \(label): .setNull) var userId: UUID?")
    }

    @Test func anIdDoesNotBecomeNil() {
        expectProblem(
            """
            @StorageEntity
            struct Profile {
                @StorageReference(User.self, onDelete: ReferenceAction.setNull) var id: Int64?
            }
            """,
            "'id' cannot become nil, as 'onDelete: .setNull' says", line: 3, column: 44)
    }

    @Test(arguments: [
        "var userId: UUID", "var userId: UUID = UUID()", "var userId: Int = Self.next()",
    ]) func whatHasNoConstantDefaultIsNotSetToIt(property: String) {
        expectProblem(
            properties: "@StorageReference(User.self, onUpdate: .setDefault) \(property)",
            "'userId' needs a default value that is always the same, which 'onUpdate: .setDefault' sets", column: 40)
    }

    @Test(arguments: ["var userId = 7", "var userId: UUID?", "var userId: Kind = .none", "let userId = 7"])
    func whatHasAConstantDefaultOrMayBeNilIsSetToIt(property: String) {
        let expanded = expansion(
            of:
                "@StorageEntity struct Post { var id: Int; @StorageReference(User.self, onDelete: .setDefault) \(property) }"
        )
        #expect(expanded.contains(", to: User.self, onDelete: .setDefault)"))
    }

    /// A constant of the app's may be called like another action than it is.
    @Test(arguments: ["action", "Rules.cascade", "ReferenceAction.all.cascade"])
    func anActionIsWrittenOut(action: String) {
        expectProblem(
            properties: "@StorageReference(User.self, onDelete: \(action)) var userId: UUID",
            "the onDelete of @StorageReference has to be written out, such as '.cascade'", column: 40)
    }

    @Test(arguments: ["", "ReferenceAction", "StorageGRDB.ReferenceAction", "StorageKit.ReferenceAction"])
    func anActionMayNameItsType(type: String) {
        let expanded = expansion(
            of:
                "@StorageEntity struct Post { var id: Int; @StorageReference(User.self, onUpdate: \(type).cascade) var userId: Int }"
        )
        #expect(expanded.contains(", to: User.self, onUpdate: .cascade)"))
    }

    @Test(arguments: ["", "a b", "1", "class name"]) func aPathHasAName(name: String) {
        expectProblem(
            properties: "@StorageReference(User.self, as: \"\(name)\") var userId: UUID",
            "'\(name)' is no name that a path could have", column: 34)
    }

    @Test func aPathIsWrittenOut() {
        expectProblem(
            properties: "@StorageReference(User.self, as: name) var userId: UUID",
            "the as of @StorageReference has to be a string literal without interpolation", column: 34)
    }

    @Test func aPathThatIsGivenIsNotTheNameOfARelationByAnotherKey() {
        expectProblem(
            properties: """
                @StorageReference(User.self, as: "boss") var userId: UUID
                @StorageReference(User.self) var otherId: UUID
                @StorageBelongsTo(foreignKey: "otherId") var boss: User?
                """,
            "the path of 'userId' would be 'boss', which is the name of something else; give it another: 'as: \"...\"'",
            column: 1)
    }

    @Test(arguments: [
        ("@StorageReference(User.self) var TypeId: UUID", "TypeId", "Type"),
        ("@StorageReference(User.self, as: \"Protocol\") var userId: UUID", "userId", "Protocol"),
    ]) func noPathIsCalledAsSwiftCallsAnotherThingInAKeyPath(property: String, name: String, path: String) {
        expectProblem(
            properties: property,
            "the path of '\(name)' would be '\(path)', which is the name of something else; "
                + "give it another: 'as: \"...\"'",
            column: 1)
    }

    // MARK: - Former names

    @Test(arguments: ["", "()"]) func aFormerNameIsSaid(arguments: String) {
        expectProblem(
            properties: "@StorageRenamed\(arguments) var text: String",
            "@StorageRenamed needs a name that the property had before", column: 1)
    }

    @Test(arguments: [
        ("\"title\"", "'text' cannot be renamed from 'title', which is a column of today's\(wayOut)"),
        ("\"Title\"", "'text' cannot be renamed from 'Title', which is a column of today's\(wayOut)"),
        ("\"updatedAt\"", "'text' cannot be renamed from 'updatedAt', which is a column of today's\(wayOut)"),
        ("\"\"", "the former name is empty"),
        ("name", "the from of @StorageRenamed has to be a string literal without interpolation"),
    ])
    func aFormerNameIsNoColumnOfToday(name: String, message: String) {
        expectProblem(
            properties: "var title: String\n@StorageRenamed(from: \(name)) var text: String", message, line: 2,
            column: 23)
    }

    @Test(arguments: ["text", "TEXT"]) func aFormerNameIsNotTheOneThatThePropertyHas(name: String) {
        expectProblem(
            properties: "@StorageRenamed(from: \"\(name)\") var text: String",
            "'text' keeps its name: '\(name)' is its own column today\(sameName)", column: 23)
    }

    @Test func aFormerNameIsGivenOnce() {
        expectProblem(
            properties: "@StorageRenamed(from: \"a\", \"A\") var text: String", "the former name 'A' is given twice",
            column: 28)
    }

    @Test func aFormerNameIsThatOfOneProperty() {
        expectProblem(
            properties:
                "@StorageRenamed(from: \"a\") var text: String; @StorageRenamed(from: \"b\", \"a\") var more: String",
            "the former name 'a' is given twice", column: 73)
    }

    @Test func aFormerNameInAnotherCaseIsThatOfOnePropertyToo() {
        expectProblem(
            properties: """
                @StorageRenamed(from: "Body") var text: String
                @StorageRenamed(from: "body") var more: String
                """,
            "the former name 'body' is given twice", line: 2, column: 23)
    }

    @Test func aFormerPrefixIsNotThatOfToday() {
        expectProblem(
            """
            @StorageEntity
            struct Shop {
                struct Geo: Codable, Sendable {
                    var latitude: Double
                }
                var id: Int
                @StorageRenamed(from: "site") @StorageEmbedded(prefix: "site_") var geo: Geo
            }
            """,
            "'geo' keeps its name: 'site_latitude' is its own column today\(sameName)", line: 7, column: 27)
    }

    // MARK: - What is not stored

    @Test(arguments: [
        ("var isOpen: Bool", "isOpen"), ("let count: Int", "count"), ("let note: Int?", "note"),
        ("var note: Optional<Int>", "note"),
    ])
    func whatIsNotStoredHasADefault(declaration: String, name: String) {
        expectProblem(
            properties: "@StorageIgnored \(declaration)",
            "'\(name)' needs a default value, which it has in each entity that is read", column: 21)
    }

    @Test func theIdIsStored() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                @StorageIgnored var id = 1
            }
            """,
            "the primary key 'id' has to be a plain column, without @StorageIgnored", line: 3, column: 5,
            fix: "remove '@StorageIgnored'")
    }

    @Test(arguments: ["(@Sendable () -> Void)? = nil", "(Int, Int) = (1, 2)", "any Shape = Circle()", "Date = .now"])
    func whatIsNotStoredIsOfAnyType(declaration: String) {
        let source = """
            @StorageEntity
            struct User {
                var id: Int
                @StorageIgnored var other: \(declaration)
                @StorageIgnored let fresh: UUID = UUID()
            }
            """
        #expect(expansion(of: source).contains("try Self(id: row.nextValue() as Int)"))
    }

    // MARK: - Ids that SQLite gives

    @Test(arguments: ["Int64!", "Int32?", "UInt?", "Key?", "Int64??"]) func onlySomeIdsAreGiven(type: String) {
        let message =
            type == "Int64??"
            ? "'id' cannot be stored: an optional of an optional has no form in a database"
            : "the primary key 'id' cannot be optional"
        expectProblem(
            """
            @StorageEntity
            struct User {
                struct Key {}
                var id: \(type)
            }
            """,
            message, line: 4, column: 13, fix: type == "Int64??" ? nil : "make it '\(type.dropLast())'")
    }

    @Test func aTypeOfTheAppsOwnIsNotGiven() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                enum Int: String {
                    case one
                }
                var id: Int?
            }
            """,
            "the primary key 'id' cannot be optional", line: 6, column: 13, fix: "make it 'Int'")
    }

    @Test func aConstantIsNotGiven() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                let id: Int64? = nil
            }
            """,
            "'id' may not read back as it was saved: a constant has its value before the row can give one", line: 3,
            column: 5, fix: "make it a 'var'")
    }
}

private func expectProblem(
    entity arguments: String, _ message: String, line: Int = 1, column: Int, fix: String? = nil,
    fixed: String? = nil, at location: Testing.SourceLocation = #_sourceLocation
) {
    func source(_ arguments: String) -> String {
        """
        @StorageEntity(\(arguments))
        struct Reminder {
            struct Geo: Codable, Sendable {
                var latitude: Double
            }
            var id: UUID
            var position: Int
            var dueDate: Date?
            @StorageEmbedded var geo: Geo
            @StorageUnique var slug: String
            @StorageUnique(ignoringCase: true) var title: String
            @StorageHasMany(foreignKey: "reminderId") var tags: [Tag]
        }
        """
    }
    expectProblem(
        source(arguments), message, line: line, column: column, fix: fix, fixedSource: fixed.map(source),
        at: location)
}
