import GRDB
import GRDBSQLite

/// What a start leaves in a file that it found, or brought, up to date: the next one looks for it, and for nothing else.
///
/// It stands among the migrations, where the schema has tables of its own:
///
/// ```
/// storage_schema_checked:03f2a1...:77be10...        nothing to do, nothing to tell
/// storage_schema_checked:03f2a1...:77be10...:told   nothing to do; tables differ from the model, or migrations are unknown
/// ```
///
/// The first number is that of what the start was asked for, the second that of all tables, indexes, triggers and recorded
/// migrations in the file. So it does not matter who changes either, or how: another version of the app, SQL by hand, a backup
/// that is put back. Where a number is another, the start looks at everything.
///
/// It holds for what can be told from the schema. A start that depends on rows leaves no note, nor does one that compares the
/// file with what migrations do today.
struct StartNote {
    /// Of what a start is asked for.
    private let wanted: String

    /// To be changed when a step is due for other reasons than before.
    private static let version: UInt64 = 4

    /// Nil where nothing can be noted.
    init?(_ schema: AppMigrations) {
        guard !schema.options.eraseDatabaseOnSchemaChange, !schema.autoSchemaTables.isEmpty else { return nil }
        var fingerprint = Fingerprint()
        // What SQLite says of a table is its own to say.
        fingerprint.add(StartNote.version)
        fingerprint.add(String(cString: sqlite3_libversion()))
        fingerprint.add(schema.options.refusesUnknownMigrations ? 1 : 0)
        for step in schema.steps { step.describe(to: &fingerprint) }
        for index in schema.indexes { index.describe(to: &fingerprint) }
        wanted = fingerprint.digits
    }

    /// What there is in a file that a note can depend on, and the notes.
    struct Look {
        /// The state of the file, whatever the notes.
        let found: String
        fileprivate let notes: Set<String>
    }

    /// Whether a start has left a note on the file as it is.
    ///
    /// - Parameter tells: Whether somebody is there to hear of what stays other than the model.
    func isOn(_ look: Look, tells: Bool) -> Bool {
        look.notes.contains(id(look, hasWarnings: false)) || !tells && look.notes.contains(id(look, hasWarnings: true))
    }

    /// Leaves a note, and takes away those that no longer hold.
    ///
    /// - Parameters:
    ///   - look: What there is in the file, seen by the transaction that is open.
    ///   - plan: What was found.
    func write(to db: Database, _ look: Look, _ plan: MigrationPlan) throws {
        try db.execute(
            sql: "DELETE FROM main.\(Database.migrationsTable) WHERE identifier GLOB ? AND identifier NOT GLOB ?",
            arguments: ["\(SchemaRecord.notePrefix)*", "\(SchemaRecord.notePrefix)*:\(look.found)*"])
        try db.recordMigration(id(look, plan))
    }

    /// Whether ``write(to:_:_:)`` has been called for that.
    func isWritten(_ look: Look, _ plan: MigrationPlan) -> Bool { look.notes.contains(id(look, plan)) }

    private func id(_ look: Look, _ plan: MigrationPlan) -> String { id(look, hasWarnings: !plan.warnings.isEmpty) }

    private func id(_ look: Look, hasWarnings: Bool) -> String {
        "\(SchemaRecord.notePrefix)\(wanted):\(look.found)\(hasWarnings ? ":told" : "")"
    }
}

extension SchemaRecord {
    /// What the notes of starts begin with.
    package static let notePrefix = idPrefix + "checked:"
}

extension Database {
    /// Looks at the schema of the file and at its migrations, whoever made them; nil where it has none of those.
    func lookForNotes() throws -> StartNote.Look? {
        // The text of each names what it is, and of what. Those without a text are the indexes that belong to one.
        let sql = """
            SELECT max(type = 'table' AND name = '\(Database.migrationsTable)'), group_concat(sql, char(30))
            FROM main.sqlite_master
            """
        guard let row = try Row.fetchOne(self, sql: sql), row[0] as Bool? == true, let schema = row[1] as String? else {
            return nil
        }
        var fingerprint = Fingerprint()
        fingerprint.add(schema)
        let ids = try String.fetchAll(
            self, sql: "SELECT identifier FROM main.\(Database.migrationsTable) ORDER BY rowid")
        var notes: Set<String> = []
        for id in ids {
            if id.hasPrefix(SchemaRecord.notePrefix) { notes.insert(id) } else { fingerprint.add(id) }
        }
        return StartNote.Look(found: fingerprint.digits, notes: notes)
    }
}
