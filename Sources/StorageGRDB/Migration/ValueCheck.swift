import GRDB
import StorageSQLite

// Whether the values of a column may stay when it gets another type. They are copied as they are, and SQLite converts what the
// new type makes something else of: '7' becomes 7, 1 becomes 1.0.

extension Database {
    private static let trial = "temp.storagekit_trial"

    /// How many rows have a value that is none of the new type, or that would not be the same again under the old one.
    func rowsThatDoNotFit(
        _ column: ColumnSchema, _ new: ColumnSchema, of model: TableModel, in run: MigrationContext
    ) throws -> Int {
        let (name, table) = (column.name.quotedIdentifier, "main.\(model.schema.name.quotedIdentifier)")
        let isStrict = try isStrict(model.schema.name)
        let (oldAffinity, newAffinity) = (column.affinity(isStrict: isStrict), new.affinity(isStrict: isStrict))
        let kept = newAffinity.keptKinds.map(\.quotedLiteral).joined(separator: ", ")
        // Types in a strict table are checked, and here nothing must be refused.
        let (old, wanted) = (oldAffinity.columnType, newAffinity.columnType)
        // A strict table has no type for dates and flags: what is read and stored is what the model says.
        let declared = model.schema.columns.first { $0.name.isSameName(as: new.name) } ?? new
        try execute(sql: "CREATE TABLE \(Database.trial) (was, now \(wanted), again \(old))")
        defer { try? execute(sql: "DROP TABLE \(Database.trial)") }
        try execute(
            sql: """
                INSERT INTO \(Database.trial) (was, now) SELECT \(name), \(name) FROM \(table)
                WHERE \(name) IS NOT NULL AND typeof(\(name)) NOT IN (\(kept))
                """)
        try execute(sql: "UPDATE \(Database.trial) SET again = now")
        let isSame = "again IS was AND typeof(again) = typeof(was)"
        let changed = try Int.fetchOne(self, sql: "SELECT count(*) FROM \(Database.trial) WHERE NOT (\(isSame))") ?? 0
        let coder = model.record(of: new.name).leafCoders[new.name] ?? declared.coder
        return try changed
            + rowsThatCannotBeRead(
                """
                SELECT now FROM \(Database.trial) WHERE \(isSame)
                UNION ALL SELECT \(name) FROM \(table) WHERE typeof(\(name)) IN (\(kept))
                """, coder, of: declared, run.coders)
    }

    private func rowsThatCannotBeRead(
        _ sql: String, _ coder: LeafCoder, of column: ColumnSchema, _ coders: JSONCoders
    ) throws -> Int {
        var rows = 0
        try makeStatement(sql: sql).forEachRow(coders: coders) { row in
            let value = row.storedValue(at: 0)
            let error = coder.readingError(of: value, column: column.name, coders: coders)
            if error != nil || column.wouldChange(value, readBy: coder) { rows += 1 }
        }
        return rows
    }
}

extension Affinity {
    /// The kinds of values that a column keeps as they are. NULL is no value.
    fileprivate var keptKinds: [String] {
        switch self {
        case .text: ["text", "blob"]
        case .integer, .numeric: ["integer", "blob"]
        case .real: ["real", "blob"]
        case .blob: ["integer", "real", "text", "blob"]
        }
    }

    /// A type that has it.
    fileprivate var columnType: String { self == .blob ? "" : rawValue }
}

extension ColumnSchema {
    /// Whether the next save would store another value, which queries tell from this one: a `Bool` is true for 2, and is stored as 1; a
    /// `Date` can be read from a number and from other texts than the one that is stored, a `UUID` from bytes; of a decimal text, a
    /// `Decimal` keeps 38 digits, and of a number, a `Float` keeps 24 bits.
    fileprivate func wouldChange(_ value: StoredValue, readBy coder: LeafCoder) -> Bool {
        switch (ColumnType(rawValue: type.uppercased()), value) {
        case (.text, .blob): !coder.isJSON
        case (.real, .real): coder.storedAgain(value) != value
        case (.boolean, .integer(let number)): number != 0 && number != 1
        case (.datetime, .integer), (.datetime, .real): true
        case (.datetime, .text(let text)): !ValueForm.findsDate(by: text)
        case (.decimal, .text(let text)):
            // One with an exponent is compared by what is kept of it.
            value.decimal.map { compareDecimalTexts(text, $0.description) != .orderedSame } ?? false
                || text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } && text.utf8.count > 38
        default: false
        }
    }

    /// What reads the column where no property is known.
    fileprivate var coder: LeafCoder {
        switch type.uppercased() {
        case "INTEGER", "INT": .make(Int64.self)
        case ColumnType.unsigned.rawValue: .make(UInt64.self)
        case "REAL": .make(Double.self)
        case "BOOLEAN": .make(Bool.self)
        case "DATETIME": .make(Date.self)
        case "BLOB": .make(Data.self)
        case ColumnType.decimal.rawValue: .make(Decimal.self)
        default: .make(String.self)
        }
    }
}
