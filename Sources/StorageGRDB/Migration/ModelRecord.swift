import GRDB

/// What a file remembers of the models that started on it, so that a later start can tell a column that a version of the
/// app had from one that was made by hand. It stands among the migrations: older versions pass over ids that begin so.
///
/// ```
/// auto_schema_2f3b0c11                                     the model was applied
/// auto_schema_2f3b0c11:{"users":["name","updatedAt"]}      the columns that it declares NOT NULL, without default
/// auto_schema_nullable:"users"."phone"                     a start has let the column take NULL
/// ```
extension Database {
    /// Remembers which columns of a model no insert may leave out.
    func recordModel(_ tables: [TableSchema], id: String) throws {
        let required = Dictionary(tables.map { ($0.name, $0.requiredColumns) }) { $0 + $1 }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try recordMigration("\(id):\(String(decoding: encoder.encode(required), as: UTF8.self))")
    }

    /// The models on record.
    func recordedModels() throws -> RecordedModels { RecordedModels(try recordedMigrations()) }

    /// Remembers that a column takes NULL only because some model did not know it.
    func recordNullable(_ column: String, of table: String) throws {
        try recordMigration(RecordedModels.nullableId(column, table))
    }
}

struct RecordedModels {
    private var required: Set<[String]> = []
    private let nullable: Set<String>
    /// Whether some model is of a version of StorageKit that kept no more than its fingerprint.
    private(set) var hasUnknownModels = false

    fileprivate init(_ migrations: [String]) {
        nullable = Set(migrations.filter { $0.hasPrefix(RecordedModels.nullablePrefix) })
        let ids = migrations.filter { $0.wholeMatch(of: /auto_schema_[0-9a-f]{8}/) != nil }
        for id in ids {
            let records = migrations.filter { $0.hasPrefix("\(id):") }
            for record in records { add(Data(record.utf8.dropFirst(id.utf8.count + 1))) }
            if records.isEmpty { hasUnknownModels = true }
        }
    }

    private mutating func add(_ json: Data) {
        let tables = (try? JSONDecoder().decode([String: [String]].self, from: json)) ?? [:]
        for (table, columns) in tables { required.formUnion(columns.map { RecordedModels.place($0, table) }) }
    }

    /// Whether a model declared the column NOT NULL, without default.
    func require(_ column: String, of table: String) -> Bool {
        required.contains(RecordedModels.place(column, table))
    }

    /// Whether the column takes NULL only because some model did not know it.
    func madeNullable(_ column: String, of table: String) -> Bool {
        nullable.contains(RecordedModels.nullableId(column, table))
    }

    private static func place(_ column: String, _ table: String) -> [String] {
        [table.asciiLowercased, column.asciiLowercased]
    }

    private static let nullablePrefix = AutoSchemaStep.idPrefix + "nullable:"

    fileprivate static func nullableId(_ column: String, _ table: String) -> String {
        nullablePrefix + place(column, table).map(\.quotedIdentifier).joined(separator: ".")
    }
}

extension TableSchema {
    /// The columns that no insert may leave out.
    fileprivate var requiredColumns: [String] {
        columns.filter { $0.notNull && !$0.primaryKey && $0.defaultValue == nil }.map(\.name)
    }
}
