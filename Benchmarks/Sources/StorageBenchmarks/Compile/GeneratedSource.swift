/// Source files of the size of a large app's model.
enum GeneratedSource {
    private static let types = [
        "String", "String", "Int", "Double", "Bool", "String?", "Int?", "String", "Double",
    ]

    /// The properties of an entity: an id and nine more.
    private static var properties: [(name: String, type: String)] {
        [("id", "String")] + types.enumerated().map { ("field\($0.offset)", $0.element) }
    }

    private static var declarations: String {
        properties.map { "    public var \($0.name): \($0.type)" }.joined(separator: "\n")
    }

    /// So many entities of ten columns.
    static func entities(_ count: Int) -> String {
        let structs = (0..<count).map { "@StorageEntity\npublic struct Entity\($0) {\n\(declarations)\n}" }
        return (["import StorageKit"] + structs).joined(separator: "\n\n")
    }

    /// The same structs, with records of GRDB written by hand.
    static func handWritten(_ count: Int) -> String {
        let reading = properties.map { "        \($0.name) = row[\"\($0.name)\"]" }.joined(separator: "\n")
        let writing = properties.map { "        container[\"\($0.name)\"] = \($0.name)" }.joined(separator: "\n")
        let columns = properties.dropFirst().map { "            t.column(\"\($0.name)\", .text)" }
        let structs = (0..<count).map { number in
            """
            public struct Entity\(number): Sendable, Equatable, Codable {
            \(declarations)
            }

            extension Entity\(number): FetchableRecord, PersistableRecord {
                public static let databaseTableName = "entity\(number)s"

                public init(row: Row) throws {
            \(reading)
                }

                public func encode(to container: inout PersistenceContainer) throws {
            \(writing)
                }

                public static func createTable(_ db: Database) throws {
                    try db.create(table: databaseTableName) { t in
                        t.primaryKey("id", .text)
            \(columns.joined(separator: "\n"))
                    }
                }
            }
            """
        }
        return (["import GRDB"] + structs).joined(separator: "\n\n")
    }

    /// So many typical queries of a few entities.
    static func queries(_ count: Int) -> String {
        let forms = [
            "storage.query(Entity0.self).where { $0.field2 >= NUMBER }.orderBy(\\.field0).fetch()",
            "storage.query(Entity1.self).where { $0.field4 && $0.field3 < NUMBER.5 }.limit(20).fetch()",
            "storage.query(Entity2.self).where { $0.field0.hasPrefix(\"a\") || $0.field1 == \"NUMBER\" }.count()",
            "storage.query(Entity3.self).where { !$0.field4 && $0.field2 != NUMBER }.fetchOne()",
            "storage.query(Entity4.self).where { $0.field2 > NUMBER && $0.field3 > 1 && $0.field7.contains(\"b\") }"
                + ".orderBy(\\.field2, .descending).limit(50).offset(10).fetch()",
        ]
        let functions = (0..<count).map { number in
            let call = forms[number % forms.count].replacing("NUMBER", with: "\(number)")
            return "func query\(number)(_ storage: Storage) async throws {\n    _ = try await \(call)\n}"
        }
        return ([entities(5)] + functions).joined(separator: "\n\n")
    }
}
