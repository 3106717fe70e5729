/// A table or view of a file.
struct Table {
    /// What kind of thing it is.
    enum Kind: String {
        case table, view, virtual, shadow
    }

    /// A column, as the file declares it.
    struct Column {
        let name: String
        /// The declared type, in the writing of the file; may be empty.
        let type: String
        let isNotNull: Bool
        /// The SQL of the default, or nil.
        let defaultSQL: String?
        /// The place in the primary key, from 1; 0 for a column outside it.
        let keyPosition: Int
        let isGenerated: Bool

        /// Whether it is declared to hold dates.
        var isForDates: Bool {
            let type = type.folded
            return type == "date" || type == "datetime" || type.hasPrefix("timestamp")
        }

        /// Whether it is declared to hold decimal numbers as texts, as StorageKit keeps them.
        var isForDecimals: Bool { type.folded == "decimal_text" }
    }

    /// An index of the table.
    struct Index {
        let name: String
        let isUnique: Bool
        /// `c` for CREATE INDEX, `u` for UNIQUE, `pk` for PRIMARY KEY.
        let origin: String
        /// Whether it has only the rows that meet a condition.
        let isPartial: Bool
        /// The columns; nil stands for an expression or the rowid.
        let columns: [String?]
        /// By what each column is compared: BINARY, NOCASE or another.
        let collations: [String]
        /// Whether some column runs from the largest to the smallest.
        let hasDescending: Bool

        /// The constraint that it is there for, as SQL; nil for CREATE INDEX, and for a key that its columns tell.
        var constraint: String? {
            guard origin == "u" || origin == "pk" && collations.contains(where: { $0 != "BINARY" }) else { return nil }
            let list = zip(columns, collations).map { column, collation in
                (column ?? "") + (collation == "BINARY" ? "" : " COLLATE \(collation)")
            }
            return "\(origin == "pk" ? "PRIMARY KEY" : "UNIQUE") (\(list.joined(separator: ", ")))"
        }
    }

    /// A reference to another table.
    struct ForeignKey {
        var columns: [String] = []
        let parent: String
        /// The columns that are referred to; empty where the primary key is meant.
        var parentColumns: [String] = []
        /// SQL's words for what happens to the rows: NO ACTION, CASCADE.
        let onDelete: String
        let onUpdate: String
    }

    let name: String
    let kind: Kind
    let sql: String
    let isStrict: Bool
    let hasRowid: Bool
    var columns: [Column] = []
    var indexes: [Index] = []
    var foreignKeys: [ForeignKey] = []

    /// The columns of the primary key, in its order.
    var key: [Column] {
        columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
    }

    /// The names of the columns of the primary key and of each unique index; empty for an expression or the rowid.
    var uniqueKeys: [[String]] {
        [key.map(\.name)] + indexes.filter { $0.isUnique && !$0.isPartial }.map { $0.columns.map { $0 ?? "" } }
    }

    /// The columns that a row is inserted with.
    var storedColumns: [Column] { columns.filter { !$0.isGenerated } }

    /// The column of that name, compared as SQLite compares names.
    func column(_ name: String) -> Column? {
        let key = name.nameKey
        return columns.first { $0.name.nameKey == key }
    }

    /// The name that the rowid goes by; nil where there is none, or where columns have taken all its names.
    var rowidName: String? {
        hasRowid ? ["rowid", "_rowid_", "oid"].first { column($0) == nil } : nil
    }

    /// Whether SQLite numbers the rows, and gives no number twice.
    var hasAutoincrement: Bool {
        key.count == 1 && key[0].type.folded == "integer" && sql.outsideOfQuotes.folded.contains(/\bautoincrement\b/)
    }

    /// How its rows are kept, in SQL's words.
    var options: [String] {
        let words = [(hasAutoincrement, "AUTOINCREMENT"), (isStrict, "STRICT"), (!hasRowid, "WITHOUT ROWID")]
        return words.filter(\.0).map(\.1)
    }

    /// Whether SQLite gives each row its id, and none twice.
    var givesIds: Bool { hasAutoincrement && key[0].name.nameKey == "id".nameKey }

    /// The columns that the key refers to.
    func parentColumns(_ key: ForeignKey, in parent: Table?) -> [String] {
        key.parentColumns.isEmpty ? parent?.key.map(\.name) ?? [] : key.parentColumns
    }
}
