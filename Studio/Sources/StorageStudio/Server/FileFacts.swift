import Foundation
import StorageSQLite

/// The file and its tables, for the first look.
struct FileFacts: Encodable, Sendable {
    struct TableFacts: Encodable, Sendable {
        let name: String
        let kind: String
        /// Nil where counting takes long.
        let rows: Int?
        let bytes: Int?
        /// Whether it is the app's, and not StorageKit's own.
        let isOfTheApp: Bool
        let columns: [String]
    }

    let name: String
    let bytes: Int
    let isReadOnly: Bool
    let tables: [TableFacts]

    /// From so many bytes on sizes of tables are not told: SQLite reads the whole file for them.
    private static let mostBytes = 256 << 20
    private static let countingTime = Duration.milliseconds(500)

    init(_ path: String, isReadOnly: Bool, _ connection: Connection, _ schema: StudioSchema) throws {
        name = URL(fileURLWithPath: path).lastPathComponent
        bytes = (try? DatabaseFile(path).byteCount) ?? 0
        self.isReadOnly = isReadOnly
        let sizes = bytes <= FileFacts.mostBytes ? FileSummary.sizes(connection) : [:]
        let end = ContinuousClock.now + FileFacts.countingTime
        tables = schema.catalog.tables.filter { $0.kind != .shadow }.map { table in
            let isCounted = table.kind == .table && ContinuousClock.now < end
            // Without a condition it is one step, which nothing interrupts.
            let count = "SELECT COUNT(*) FROM \(table.source) WHERE 1"
            return TableFacts(
                name: table.name, kind: table.kind.rawValue,
                rows: isCounted ? try? connection.integer(count) : nil,
                bytes: table.kind == .table ? sizes[table.name.nameKey] : nil,
                isOfTheApp: schema.parts.isOfTheApp(table), columns: table.columns.map(\.name))
        }
    }
}

/// A table with its columns and references.
struct TableFacts: Encodable, Sendable {
    struct Column: Encodable, Sendable {
        let name: String
        let type: String
        let isKey: Bool
        let isRequired: Bool
        let isGenerated: Bool
        let `default`: String?
        /// Whether an index has its order.
        let isIndexed: Bool
    }

    struct Reference: Encodable, Sendable {
        let columns: [String]
        let table: String
        let tableColumns: [String]
        /// Whether only the names of the columns speak for it.
        let isGuess: Bool
    }

    let name: String
    let kind: String
    let sql: String
    let columns: [Column]
    /// What the rows refer to.
    let references: [Reference]
    /// What refers to the rows: the columns are those of this table.
    let referrers: [Reference]
    let isEditable: Bool

    init(_ table: Table, _ connection: Connection, _ schema: StudioSchema) {
        name = table.name
        kind = table.kind.rawValue
        sql = table.sql
        columns = table.columns.map { column in
            Column(
                name: column.name, type: column.type, isKey: column.keyPosition > 0, isRequired: column.isNotNull,
                isGenerated: column.isGenerated, default: column.defaultSQL,
                isIndexed: table.hasOrder(column, connection))
        }
        // The diagram knows the references, those that only names speak for too.
        let diagram = schema.diagram
        let own = diagram.entities.firstIndex { $0.name.nameKey == table.name.nameKey }
        references = diagram.relations.filter { $0.child == own }.map { relation in
            Reference(
                columns: relation.columns, table: diagram.entities[relation.parent].name,
                tableColumns: relation.parentColumns, isGuess: relation.isGuess)
        }
        referrers = diagram.relations.filter { $0.parent == own }.map { relation in
            Reference(
                columns: relation.parentColumns, table: diagram.entities[relation.child].name,
                tableColumns: relation.columns, isGuess: relation.isGuess)
        }
        isEditable = table.identity != nil && schema.parts.isOfTheApp(table) && table.sharedColumnName == nil
    }
}
