/// Source files of the size of a large app's model.
enum GeneratedSource {
    /// The properties of an entity as apps have them: ids, texts, numbers, flags, times, some bytes and a case of an enum.
    private static let properties = [
        ("id", "String"), ("title", "String"), ("count", "Int"), ("score", "Double"), ("isActive", "Bool"),
        ("createdAt", "Date"), ("changedAt", "Date"), ("dueAt", "Date?"), ("image", "Data"), ("kind", "Kind"),
    ]

    private static let kind = "public enum Kind: String, Codable, Sendable { case small, medium, large }"

    private static var declarations: String {
        properties.map { "    public var \($0.0): \($0.1)" }.joined(separator: "\n")
    }

    /// So many entities of ten columns.
    static func entities(_ count: Int) -> String {
        let structs = (0..<count).map { "@StorageEntity\npublic struct Entity\($0) {\n\(declarations)\n}" }
        return (["import Foundation\nimport StorageKit", kind] + structs).joined(separator: "\n\n")
    }

    /// The same structs as GRDB's Codable records.
    static func records(_ count: Int) -> String {
        let protocols = "Codable, Sendable, Equatable, FetchableRecord, PersistableRecord"
        let structs = (0..<count).map { "public struct Entity\($0): \(protocols) {\n\(declarations)\n}" }
        return (["import Foundation\nimport GRDB", kind] + structs).joined(separator: "\n\n")
    }

    /// So many typical queries of a few entities.
    static func queries(_ count: Int) -> String {
        let forms = [
            "storage.query(Entity0.self).where { $0.count >= NUMBER }.orderBy(\\.title).fetch()",
            "storage.query(Entity1.self).where { $0.isActive && $0.score < NUMBER.5 }.limit(20).fetch()",
            "storage.query(Entity2.self).where { $0.title.hasPrefix(\"a\") || $0.kind == .small }.count()",
            "storage.query(Entity3.self).where { !$0.isActive && $0.count != NUMBER }.fetchOne()",
            "storage.query(Entity4.self).where { $0.count > NUMBER && $0.score > 1 && $0.title.contains(\"b\") }"
                + ".orderBy(\\.count, .descending).limit(50).offset(10).fetch()",
        ]
        let functions = (0..<count).map { number in
            let call = forms[number % forms.count].replacing("NUMBER", with: "\(number)")
            return "func query\(number)(_ storage: Storage) async throws {\n    _ = try await \(call)\n}"
        }
        return ([entities(5)] + functions).joined(separator: "\n\n")
    }
}
