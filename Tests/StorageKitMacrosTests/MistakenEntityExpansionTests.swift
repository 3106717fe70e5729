import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// What is made of an entity with a mistake: what others need of it to compile, so that the mistake is all that is reported.
@Suite struct MistakenEntityExpansionTests {
    private func user(_ properties: String, arguments: String = "") -> String {
        expansion(
            of: """
                @StorageEntity\(arguments)
                public struct User {
                    public var id: String
                    public var name: String
                    \(properties)
                }
                """)
    }

    @Test(arguments: [
        #"(table: "")"#, #"(table: "a\(1)")"#, #"(table: "sqlite_x")"#, #"(indexes: [["nam"]])"#, "(indexes: keys)",
        #"(unique: [["name", "name"]])"#, #"(renamedFrom: "users")"#,
    ]) func aMistakeInTheAttributeLeavesAllOfTheEntity(arguments: String) {
        let (mistaken, right) = (user("", arguments: arguments), user(""))
        #expect(mistaken.declarations == right.declarations)
        #expect(mistaken.contains("fatalError") && !right.contains("fatalError"))
    }

    @Test(arguments: [
        "var made = makeIt()", "var (x, y) = (1, 2)", "weak var other: User?", "var odd: (Int, Int)",
        "@StorageJSON @StorageUnique(ignoringCase: 1) var tags: [String]", "@StorageIgnored var isOpen: Bool",
        "@StorageEmbedded var tags: [String]", "@StorageVersion let version = 0", "@StorageVersion var count: String",
        "@StorageHasMany(foreignKey: key) var posts: [Post]", "@StorageHasMany(foreignKey: \"x\") var posts: Post",
        "@StorageBelongsTo var owner: Owner", "@StorageBelongsTo var owner: Owner?",
        "@StorageReference(Owner.self, onDelete: .setNull) var ownerId: String",
        "@StorageRenamed(from: \"name\") var title: String", "var NAME: String", "var Record: String",
        "#if DEBUG\nvar note: String\n#endif",
    ]) func aPropertyWithAMistakeLeavesTheOthers(property: String) {
        let expanded = user(property)
        #expect(expanded.contains("public nonisolated struct UserRecord: StorageGRDB.GeneratedRecord"))
        #expect(expanded.contains("public var name: StorageGRDB.Column<String> { .init(\"name\") }"))
        #expect(expanded.contains("nonisolated extension User: StorageGRDB.RegisteredEntity"))
    }

    @Test func noBodyIsCheckedWhereThereIsAMistake() {
        let expanded = user(
            "@StorageVersion var version = 1; @StorageHasMany(foreignKey: \"x\") public var posts: [Post]")
        let bodies = expanded.matches(of: /(?m)^ *(?:[a-z@_]+ )*(?:init|func) ?.*\{\n +(.*)\n/).map { String($0.1) }
        #expect(bodies.count > 6)
        #expect(Set(bodies) == ["Swift.fatalError()", "self._row = _row", "}"])
    }

    @Test(arguments: [("Date()", "Date"), ("Date.init(x)", nil), ("[Tag]()", "[Tag]"), ("Shop.Tag()", "Shop.Tag")])
    func aMissingTypeIsThatOfTheInitialiserWhichIsCalled(value: String, type: String?) {
        let expanded = user("public var made = \(value)")
        #expect(expanded.contains("init(id: String, name: String\(type.map { ", made: \($0)" } ?? "")"))
        #expect(expanded.contains("StorageGRDB._type(at: \\Record.E.made)") == (type == nil))
    }

    @Test(arguments: [
        "var odd: (Int, Int)", "weak var odd: User?", "@StorageHasMany(foreignKey: \"x\") var odd: [[Int]]",
    ])
    func whatCannotBeStoredIsNoColumn(property: String) {
        let columns = user(property).split(separator: "struct StorageColumns").last?.split(separator: "init()").first
        #expect(columns?.contains("name") == true && columns?.contains("odd") == false)
    }

    @Test func whatHasNeitherTypeNorValueIsNoParameter() {
        #expect(user("public var odd").contains("init(id: String, name: String, updatedAt: Foundation.Date)"))
    }

    @Test(arguments: ["[Owner]", "Owner", "Owner?"]) func aParentIsThereInQueriesWhateverItsType(type: String) {
        #expect(user("@StorageBelongsTo var owner: \(type)").contains("var owner: StorageGRDB.OptionalToOne<Owner>"))
    }

    @Test(arguments: ["Post", "Post?", "Set<Post>"]) func childrenAreThereInQueriesWhateverTheirType(type: String) {
        let expanded = user("@StorageHasMany(foreignKey: \"x\") public var posts: \(type)")
        #expect(expanded.contains("var posts: StorageGRDB.ToMany<Post>"))
        #expect(expanded.contains("init(id: String, name: String) {"))
    }

    @Test func aPathWhoseNameIsTakenIsLeftOut() {
        let expanded = user("@StorageReference(Owner.self, as: \"name\") var ownerId: String")
        #expect(expanded.contains("var name: StorageGRDB.Column<String>"))
        #expect(!expanded.contains("var name: StorageGRDB.ToOne"))
    }

    @Test func aMissingIdIsStoodInFor() {
        let standIn = "nonisolated var id: Swift.String {"
        #expect(expansion(of: "@StorageEntity struct User { var name: String }").contains(standIn))
        #expect(expansion(of: "@StorageEntity public struct User {}").contains("public " + standIn))
        #expect(expansion(of: "@StorageEntity struct User { static let id = 5 }").contains(standIn))
        // A second one would be another mistake.
        #expect(!expansion(of: "@StorageEntity struct User { var id: String { \"\" } }").contains(standIn))
        #expect(!user("").contains(standIn))
    }

    @Test(arguments: [
        "class User {", "actor User {", "enum User {", "struct User<T> {", "struct User: ~Copyable {", "struct E {",
        "@StorageEntity struct User {", "struct User { enum Record {}",
    ]) func whatCanBeNoEntityExpandsToNothing(declaration: String) {
        let source = "@StorageEntity \(declaration) var id: String }"
        #expect(!expansion(of: source).contains("StorageGRDB"))
    }

    @Test func oneThingIsSaidOfAPropertyWhoseAttributesClash() {
        expectProblem(
            properties: "@StorageEmbedded @StorageHasMany(foreignKey: \"\") var tags: [String]",
            "'tags' cannot be both @StorageEmbedded and @StorageHasMany", column: 18, fix: "remove '@StorageHasMany'")
    }

    @Test func oneThingIsSaidOfAnIdThatCannotBeStored() {
        expectProblem(
            "@StorageEntity struct User { var id: Int?? }",
            "'id' cannot be stored: an optional of an optional has no form in a database", line: 1, column: 38)
    }
}

extension String {
    /// Its declarations, without what stands in functions. The name of the table is one of the mistakes, and `==` is never left to the
    /// compiler where there is one.
    fileprivate var declarations: [Substring] {
        split(separator: "\n").filter {
            $0.contains(/\b(?:struct|class|init|func|static|let|typealias)\b/)
                && !$0.contains("databaseTableName") && !$0.contains("_isEqual")
        }
    }
}
