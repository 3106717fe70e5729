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
        let models = try recordedModels()
        guard !models.hasStarted(fingerprint) else { return }
        let number = models.startCount + 1
        try recordMigration("\(SchemaRecord.idPrefix)\(RecordedModels.startPrefix)\(number):\(fingerprint)")
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
    private let records: Set<String>
    /// The models that have started on the file, in the order of their first starts.
    private let started: [String]
    /// What is on record of the columns of models, as JSON.
    private var columns: [Data] = []
    /// Whether some model is of a version of StorageKit that kept no more than its fingerprint.
    private(set) var hasUnknownModels = false
    /// The id of the latest model whose columns are on record.
    private(set) var latestModel: String?

    /// - Parameter migrations: What the file has on record.
    init(_ migrations: [String]) {
        let all = migrations.compactMap(SchemaRecord.body)
        records = Set(all)
        started = all.compactMap(RecordedModels.start).sorted { $0.number < $1.number }.map(\.fingerprint)
        let columns = Dictionary(grouping: all.filter { $0.contains(":") }) { $0.prefix { $0 != ":" } }
        for model in all where RecordedModels.isModel(model) {
            guard let records = columns[model[...]] else {
                hasUnknownModels = true
                continue
            }
            self.columns += records.map { Data($0.utf8.dropFirst(model.utf8.count + 1)) }
            latestModel = model
        }
    }

    private static func isModel(_ record: String) -> Bool {
        record.utf8.count == 8 && record.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// The columns that some model declared NOT NULL, as table and column. Few starts ask, so it is read when one does.
    var required: Set<[SQLName]> {
        var required: Set<[SQLName]> = []
        for json in columns {
            let tables = (try? JSONDecoder().decode([String: [String]].self, from: json)) ?? [:]
            for (table, columns) in tables { required.formUnion(columns.map { [table, $0].map(SQLName.init) }) }
        }
        return required
    }

    /// Whether a start has made it.
    func has(_ object: OwnObject) -> Bool { records.contains(object.record) }

    fileprivate static func place(_ column: String, _ table: String) -> [String] {
        [table.asciiLowercased, column.asciiLowercased]
    }
}

// MARK: - Starts

extension RecordedModels {
    /// How many models have started on the file.
    var startCount: Int { started.count }

    func hasStarted(_ fingerprint: String) -> Bool { started.contains(fingerprint) }

    /// Whether the model has started on the file before, and another one for the first time since then.
    func isOlder(_ fingerprint: String) -> Bool { hasStarted(fingerprint) && started.last != fingerprint }

    private static func start(_ record: String) -> (number: Int, fingerprint: String)? {
        guard let parts = record.following(startPrefix)?.split(separator: ":"), parts.count == 2,
            let number = Int(parts[0])
        else { return nil }
        return (number, String(parts[1]))
    }

    fileprivate static let startPrefix = "model:"
}

extension TableSchema {
    /// The columns that no insert may leave out, unless the file has a default for them: what the model has for one need not be
    /// there, where the table was made by an earlier model.
    fileprivate var requiredColumns: [String] {
        columns.filter { $0.notNull && !$0.primaryKey }.map(\.name)
    }
}
