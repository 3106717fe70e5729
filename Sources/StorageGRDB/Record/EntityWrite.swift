import GRDB

/// A write of one entity, made ready before it runs: what will be stored is known by then, but for an id that SQLite gives.
package struct EntityWrite<R: StorageKitEntityRecord>: Sendable {
    package enum Kind: Sendable {
        /// Inserts the row, or updates the one that has the id.
        case save
        /// Inserts the row; the id must not be there.
        case insert
        /// Updates the row; the id must be there.
        case update
    }

    let table: RecordTable<R>
    let kind: Kind
    /// Where the id stands among the columns.
    let idPlace: Int
    /// The entity as it will be read back; without an id if SQLite is to give it.
    private let ready: SavedEntity<R.E>
    /// The version that the row must have; nil where the entity counts none, or is new.
    private let expected: Int?

    /// - Throws: `StorageError.entityEncodingFailed` for an entity that cannot be stored.
    init(_ kind: Kind, _ entity: R.E, _ table: RecordTable<R>, now: Date) throws {
        self.table = table
        // What has no id yet is new, whatever its version says.
        let kind = kind == .save && table.isGivenId(of: entity) ? .insert : kind
        self.kind = kind
        let version = table.version(of: entity)
        expected = kind == .insert ? nil : version
        // No row has counted to the greatest number: an entity that says so is a conflict.
        let next = version.map { table.entity(entity, withVersion: kind == .insert ? 1 : $0 &+ 1) } ?? entity
        let values = try table.values(of: next, now: now)
        guard let place = table.sql.idPlace else {
            throw StorageError.invalidConfiguration(
                message: "table '\(table.name)' has no column for the id of '\(R.E.self)'")
        }
        idPlace = place
        ready = try table.saved(values)
    }

    private var values: [StoredValue] { ready.values }
    private var id: StoredValue { values[idPlace] }

    /// Runs it. It may need more than one statement, of which all is undone by the caller if it throws.
    ///
    /// - Parameter isAlone: Whether the transaction ends with it, so that no foreign key may stay broken.
    /// - Returns: What is stored.
    /// - Throws: `StorageError.conflict`, `StorageError.entityNotFound`, `StorageError.constraintViolated`, and what SQLite says.
    @discardableResult
    func run(_ db: Database, isAlone: Bool) throws -> SavedEntity<R.E> {
        try db.namingConstraints(of: table, values: { values }) {
            if takesGivenId { try table.checkGivesIds(db) }
            try run(db)
            let saved = try takesGivenId ? withGivenId(db) : withSpelledId(db)
            if isAlone { try db.refuseBrokenKeys() }
            return saved
        }
    }

    /// Whether SQLite gives the id.
    var takesGivenId: Bool { id == .null && R.givesIds }

    /// What was just inserted, with the id that SQLite gave it.
    private func withGivenId(_ db: Database) throws -> SavedEntity<R.E> {
        guard db.changesCount > 0 else { throw table.rowKeptByTrigger }
        return try ready(withId: .integer(db.lastInsertedRowID))
    }

    /// What was written, with the id as the row spells it: a collation may take several spellings for one id.
    private func withSpelledId(_ db: Database) throws -> SavedEntity<R.E> {
        guard kind != .insert, case .text = id, db.collation(of: table.idColumn, in: table.name) != "BINARY",
            let spelled = try db.storedId(of: table, id: id)
        else { return ready }
        return try ready(withId: spelled)
    }

    private func ready(withId id: StoredValue) throws -> SavedEntity<R.E> {
        var values = values
        values[idPlace] = id
        return try table.saved(values)
    }

    private func run(_ db: Database) throws {
        switch (kind, expected) {
        case (.insert, _): try run(table.sql.insertSQL, db)
        case (.save, nil): try run(table.sql.upsertSQL, db)
        case (.save, 0?):
            try run(table.sql.insertIfNewSQL, db)
            if db.changesCount == 0 { try checkVersion(db, expected: 0) }
        case (.update, nil):
            let isWritten = try run(table.sql.updateSQL, where: table.sql.idArguments(id), db)
            // A trigger may leave a row as it is.
            if !isWritten, try db.storedId(of: table, id: id) == nil { throw notFound }
        case (.save, let expected?), (.update, let expected?):
            let arguments = table.sql.idArguments(id) + [.integer(Int64(expected))]
            let isWritten = try run(table.sql.updateVersionSQL, where: arguments, db)
            if !isWritten { try checkVersion(db, expected: expected) }
        }
    }

    /// Runs an insert of all values.
    private func run(_ sql: String, _ db: Database) throws {
        try db.run(sql, coders: table.coders) { try EntityCodec.bind(values, to: &$0, of: table) }
    }

    /// Runs an update of all values but the id.
    ///
    /// - Returns: Whether it wrote anything.
    private func run(_ sql: String, where arguments: [StoredValue], _ db: Database) throws -> Bool {
        let others = table.columns.indices.filter { $0 != idPlace }
        return try db.didWrite {
            try db.run(sql, coders: table.coders) { row in
                try EntityCodec.bind(
                    others.map { values[$0] } + arguments, to: &row, of: table,
                    columns: others.map { table.columns[$0] })
            }
        }
    }

    private var notFound: StorageError {
        .entityNotFound(type: "\(R.E.self)", id: table.text(ofId: id))
    }

    /// Says what is wrong where no row was written: one that never had a version is not missed. Nothing is if a trigger left things as
    /// they were: no row where it was to be new, or the row with the version that was expected.
    private func checkVersion(_ db: Database, expected: Int) throws {
        let found = try db.version(of: table, id: id)
        let isNew = kind == .save && expected == 0
        if found == (isNew ? nil : expected) { return }
        guard kind == .save || found != nil || (expected > 0 && id != .null) else { throw notFound }
        throw table.conflict(id: id, expected: expected, found: found)
    }
}

extension Database {
    /// Runs an UPDATE or DELETE of one row.
    ///
    /// - Returns: Whether anything was written, by it or by triggers in its place, where SQLite counts no row of it. No
    ///   trigger runs unless it found the row.
    fileprivate func didWrite(_ statement: () throws -> Void) rethrows -> Bool {
        let before = totalChangesCount
        try statement()
        return totalChangesCount != before
    }

    /// The id of the row that is found by an id; nil if there is none.
    fileprivate func storedId<R>(of table: RecordTable<R>, id: StoredValue) throws -> StoredValue? {
        try firstRow(table.sql.selectIdSQL, table.sql.idArguments(id)) { $0.storedValue(at: 0) }
    }

    /// The version of a row; nil if there is none.
    func version<R>(of table: RecordTable<R>, id: StoredValue) throws -> Int? {
        try table.sql.selectVersionSQL.flatMap { sql in
            try EntityCodec.namingEntity(R.E.self) {
                try firstRow(sql, table.sql.idArguments(id)) { try $0.next() as Int }
            }
        }
    }

    /// Deletes the row of an entity, if it has the entity's version.
    ///
    /// - Parameter isAlone: Whether the transaction ends with it, so that no foreign key may stay broken.
    /// - Throws: `StorageError.conflict`, and what SQLite says.
    func delete<R: StorageKitEntityRecord>(_ entity: R.E, from table: RecordTable<R>, isAlone: Bool) throws {
        guard let id = table.storedId(entity.id) else { return }
        guard let version = table.version(of: entity) else {
            return try delete(id: id, from: table, isAlone: isAlone)
        }
        try namingConstraints(ofRowWith: id, in: table, isAlone: isAlone) {
            try readSchema()
            let isWritten = try didWrite {
                try run(table.sql.deleteVersionSQL, table.sql.idArguments(id) + [.integer(Int64(version))])
            }
            guard !isWritten else { return }
            let found = try self.version(of: table, id: id)
            // A trigger may keep a row, and there is none of what was never saved.
            guard found != version, version > 0 || found != nil else { return }
            throw table.conflict(id: id, expected: version, found: found)
        }
    }

    /// Deletes the row with that id, if there is one.
    ///
    /// - Parameter isAlone: Whether the transaction ends with it, so that no foreign key may stay broken.
    func delete<R>(id: StoredValue, from table: RecordTable<R>, isAlone: Bool) throws {
        try namingConstraints(ofRowWith: id, in: table, isAlone: isAlone) {
            try readSchema()
            try run(table.sql.deleteByIdSQL, table.sql.idArguments(id))
        }
    }

    /// Inserts an entity, or updates the row that has its id, in a transaction that goes on.
    func save<R: StorageKitEntityRecord>(_ entity: R.E, into table: RecordTable<R>, now: Date) throws {
        try namingConstraints(of: table, values: { try table.values(of: entity, now: now) }) {
            try upsert(entity, into: table, now: now)
        }
    }

    /// The same, for who names a constraint that the entity breaks.
    func upsert<R: StorageKitEntityRecord>(_ entity: R.E, into table: RecordTable<R>, now: Date) throws {
        try table.checkGivesId(to: entity, self)
        try run(table.sql.upsertSQL, coders: table.coders) {
            try EntityCodec.bind(entity, to: &$0, of: table, now: now)
        }
    }

    /// Saves all entities, a later one with the same id after the one before.
    func saveAll<R: StorageKitEntityRecord>(_ entities: [R.E], into table: RecordTable<R>, now: Date) throws {
        guard table.sql.versionColumn != nil else { return try upsertAll(entities, into: table, now: now) }
        try withLateReferences(of: table, rows: entities.count, now: now) {
            _ = try entities.writingEach { try EntityWrite(.save, $0, table, now: now).run(self, isAlone: false) }
            return entities
        }
    }

    /// Runs the writes of several rows of a table. If the table refers to itself, references are looked at once all rows are
    /// there, so that a row may come before the one that it refers to.
    ///
    /// - Parameter body: Returns what it wrote.
    @discardableResult
    func withLateReferences<R: StorageKitEntityRecord>(
        of table: RecordTable<R>, rows: Int, now: Date, _ body: () throws -> [R.E]
    ) throws -> [R.E] {
        guard rows > 1, isInsideTransaction, try refersToItself(table.name), try !isOn("PRAGMA defer_foreign_keys")
        else { return try body() }
        let isBroken = hasBrokenKeys
        try cachedStatement(sql: "PRAGMA defer_foreign_keys = ON").run()
        // SQLite counts broken keys, and does not say whose they are: after some of the app's own, the commit tells.
        guard !isBroken else { return try body() }
        // The end of the transaction does it too.
        defer { try? cachedStatement(sql: "PRAGMA defer_foreign_keys = OFF").run() }
        let written = try body()
        try namingConstraints(ofAny: written, in: table, now: now, refuseBrokenKeys)
        return written
    }

    private func refersToItself(_ table: String) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1, 'main') WHERE "table" = ?1 COLLATE NOCASE)
            """
        return try firstRow(sql, [.text(table)]) { try $0.next() } ?? false
    }

    private func isOn(_ pragma: String) throws -> Bool { try firstRow(pragma, []) { try $0.next() } ?? false }
}

extension RecordTable {
    /// Says that a row has another version than was expected, or that there is none.
    func conflict(id: StoredValue, expected: Int, found: Int?) -> StorageError {
        .conflict(type: "\(R.E.self)", id: text(ofId: id), expected: expected, found: found)
    }

    /// Says that there is nothing to return.
    var rowKeptByTrigger: StorageError {
        .invalidConfiguration(message: "a trigger of table '\(name)' kept the row from being saved")
    }

    /// Whether SQLite gives the entity its id.
    func isGivenId(of entity: R.E) -> Bool { R.givesIds && storedId(entity.id) == nil }

    /// - Throws: As ``checkGivesIds(_:)``, for an entity that has no id yet.
    func checkGivesId(to entity: R.E, _ db: Database) throws {
        if isGivenId(of: entity) { try checkGivesIds(db) }
    }

    /// - Throws: `StorageError.invalidConfiguration` for a table in which a row without an id would have none.
    func checkGivesIds(_ db: Database) throws {
        guard try db.givesIds(in: idColumn, of: name) else {
            throw StorageError.invalidConfiguration(
                message: "SQLite gives no ids in table '\(name)', whose column '\(idColumn)' is no INTEGER PRIMARY KEY")
        }
    }

    /// An id as text, for errors.
    func text(ofId id: StoredValue) -> String {
        if let text = id.idText { return text }
        if id == .null { return "nil" }
        let row = RowReader(values: [id], names: [idColumn], coders: coders)
        return (R.E.Id.self as? any ColumnValue.Type).flatMap { try? "\($0.read(from: row, at: 0))" } ?? "?"
    }
}
