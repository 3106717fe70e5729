import GRDB

/// What a file remembers of the models that started on it, and of what auto-schema made for them, so that a later start can
/// tell what a version of the app had from what was made by hand. It stands among the migrations:
///
/// ```
/// auto_schema_2f3b0c11                                        the model was applied
/// storage_schema_2f3b0c11:{"users":["name","updatedAt"]}      the columns that it declares NOT NULL
/// storage_schema_nullable:"users"."phone"                     a start has let the column take NULL
/// storage_schema_model:3:77be10a42f3b0c11                     the third model that started on the file
/// storage_schema_index:CREATE INDEX "idx_users_email" ...     a start has made the index, with this text
/// storage_schema_reference:"users":"teamId" REFERENCES ...    a start has made the reference
/// ```
package enum SchemaRecord {
    static let idPrefix = "storage_schema_"

    /// What an id says of models, without what it begins with. In older files all of it begins as the models do.
    package static func body(of id: String) -> String? {
        [idPrefix, AutoSchemaStep.idPrefix].lazy.compactMap(id.following).first
    }
}

extension Database {
    /// Remembers which columns of a model no insert may leave out.
    func recordModel(_ tables: [TableSchema]) throws {
        try recordRequired(
            Dictionary(tables.map { ($0.name, $0.requiredColumns) }) { $0 + $1 }, model: tables.fingerprint)
    }

    func recordRequired(_ columns: [String: [String]], model: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try String(decoding: encoder.encode(columns), as: UTF8.self)
        try recordMigration("\(SchemaRecord.idPrefix)\(model):\(json)")
    }

    /// What is on record of models.
    func recordedModels() throws -> RecordedModels { RecordedModels(try recordedMigrations()) }

    /// Remembers a model as the latest one, if it is new to the file.
    func recordModel(_ fingerprint: String) throws {
        let models = StartedModels(try recordedMigrations())
        guard !models.contains(fingerprint) else { return }
        try recordMigration("\(SchemaRecord.idPrefix)\(StartedModels.prefix)\(models.count + 1):\(fingerprint)")
    }

    func record(_ object: OwnObject) throws { try recordMigration(SchemaRecord.idPrefix + object.record) }

    func forget(_ object: OwnObject) throws {
        try execute(
            sql: "DELETE FROM main.\(Database.migrationsTable) WHERE identifier IN (?, ?)",
            arguments: [SchemaRecord.idPrefix + object.record, AutoSchemaStep.idPrefix + object.record])
    }
}

/// Something that a start has made, which only so can be told from what was made by hand.
enum OwnObject {
    /// A column that takes NULL only because some model did not know it.
    case nullable(String, of: String)
    /// An index, by its text.
    case index(String)
    case reference(ReferenceSchema, of: String)

    fileprivate var record: String {
        switch self {
        case .nullable(let column, let table):
            "nullable:" + RecordedModels.place(column, table).map(\.quotedIdentifier).joined(separator: ".")
        case .index(let sql): "index:" + sql
        case .reference(let reference, let table):
            "reference:"
                + RecordedModels.place(reference.column, table).map(\.quotedIdentifier).joined(separator: ":")
                + " \(reference.sql)"
        }
    }
}

struct RecordedModels {
    private var required: Set<[SQLName]> = []
    private let records: Set<String>
    /// Whether some model is of a version of StorageKit that kept no more than its fingerprint.
    private(set) var hasUnknownModels = false
    /// The id of the latest model whose columns are on record.
    private(set) var latestModel: String?

    init(_ migrations: [String]) {
        let all = migrations.compactMap(SchemaRecord.body)
        records = Set(all)
        let columns = Dictionary(grouping: all.filter { $0.contains(":") }) { $0.prefix { $0 != ":" } }
        for model in all where RecordedModels.isModel(model) {
            guard let records = columns[model[...]] else {
                hasUnknownModels = true
                continue
            }
            for record in records { add(Data(record.utf8.dropFirst(model.utf8.count + 1))) }
            latestModel = model
        }
    }

    private static func isModel(_ record: String) -> Bool {
        record.utf8.count == 8 && record.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private mutating func add(_ json: Data) {
        let tables = (try? JSONDecoder().decode([String: [String]].self, from: json)) ?? [:]
        for (table, columns) in tables { required.formUnion(columns.map { [table, $0].map(SQLName.init) }) }
    }

    /// Whether a model declared the column NOT NULL.
    func require(_ column: String, of table: String) -> Bool {
        required.contains([table, column].map(SQLName.init))
    }

    /// Whether a start has made it.
    func has(_ object: OwnObject) -> Bool { records.contains(object.record) }

    fileprivate static func place(_ column: String, _ table: String) -> [String] {
        [table.asciiLowercased, column.asciiLowercased]
    }
}

/// The models that have started on a file, in the order of their first starts.
struct StartedModels {
    private let fingerprints: [String]

    /// - Parameter migrations: What the file has on record.
    init(_ migrations: [String]) {
        fingerprints = migrations.compactMap(SchemaRecord.body).compactMap(StartedModels.model).sorted {
            $0.number < $1.number
        }.map(\.fingerprint)
    }

    var count: Int { fingerprints.count }

    func contains(_ fingerprint: String) -> Bool { fingerprints.contains(fingerprint) }

    /// Whether the model has started on the file before, and another one for the first time since then.
    func isOlder(_ fingerprint: String) -> Bool { contains(fingerprint) && fingerprints.last != fingerprint }

    private static func model(_ record: String) -> (number: Int, fingerprint: String)? {
        guard let parts = record.following(prefix)?.split(separator: ":"), parts.count == 2, let number = Int(parts[0])
        else { return nil }
        return (number, String(parts[1]))
    }

    fileprivate static let prefix = "model:"
}

extension TableSchema {
    /// The columns that no insert may leave out, unless the file has a default for them: what the model has for one need not be
    /// there, where the table was made by an earlier model.
    fileprivate var requiredColumns: [String] {
        columns.filter { $0.notNull && !$0.primaryKey }.map(\.name)
    }
}
