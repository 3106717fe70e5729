import Foundation
import StorageSQLite
import StudioSQLite
import Synchronization

/// A table in an order that is asked for.
struct RowOrder: Equatable, Sendable {
    let table: String
    /// The column; nil for the numbers of the rows.
    let sort: String?
    let isDescending: Bool
    /// Which of its rows, as SQL with what is bound to it.
    let condition: String
    let values: [Cell]

    /// The table as SQL names it.
    var source: String { "main.\(table.quotedName)" }

    /// Names and conditions are compared by their bytes, as SQLite does: Swift takes a composed and a decomposed letter for one.
    static func == (left: RowOrder, right: RowOrder) -> Bool {
        left.texts == right.texts && left.isDescending == right.isDescending && left.values == right.values
    }

    private var texts: [[UInt8]?] { [table, sort, condition].map { text in text.map { Array($0.utf8) } } }
}

/// Orders of large tables that no index serves: sorted once, and kept until something is committed.
///
/// Kept are the rowids, in a file without a name: eight bytes a row, none of them in memory. Keys of every n-th row would be less, but SQLite
/// would still have to look at every row of the table to find those behind such a key; with the rowids a place is found as fast in a million
/// rows as in a thousand.
final class RowOrders: Sendable {
    /// Fewer rows are sorted each time.
    static let fewest = 20_000
    /// So many orders are kept.
    private static let most = 4

    private struct Kept {
        let order: RowOrder
        let version: FileVersion
        /// Nil where the rows are few.
        let rowids: RowidFile?
    }

    /// What is being sorted.
    private struct Work {
        let order: RowOrder
        /// The address of SQLite's statement.
        let statement: UInt
        let rowCount: Int
        var told: ContinuousClock.Instant
    }

    private let path: String
    private let tell: @Sendable (SortProgress) -> Void
    private let kept = Mutex<[Kept]>([])
    private let work = Mutex<Work?>(nil)
    private static let interval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - path: The file.
    ///   - tell: Told how far it is, now and then.
    init(_ path: String, tell: @escaping @Sendable (SortProgress) -> Void) {
        self.path = path
        self.tell = tell
    }

    /// The rowids of some rows of an order. The first call for a place behind the beginning sorts.
    ///
    /// - Parameters:
    ///   - offset: How many rows stand in front of them.
    ///   - sql: Gives all rowids in the order.
    ///   - connection: Reads one state of the file.
    /// - Returns: Nil where the rows are so few that they are sorted each time, and where the first ones are asked for and nothing is
    ///   sorted yet: those are found sooner than all are sorted.
    /// - Throws: ``SQLiteFailure``, also where it takes too long; an error of the disk.
    func rowids(
        of order: RowOrder, from offset: Int, limit: Int, _ sql: String, _ connection: Connection
    ) throws -> [Int64]? {
        let version = try FileVersion(path, connection)
        let known = kept.withLock { kept in
            kept.removeAll { $0.version != version }
            return kept.first { $0.order == order }
        }
        if let known { return try known.rowids?.rowids(from: offset, limit: limit) }
        if offset == 0 { return nil }
        let made = Kept(
            order: order, version: version,
            rowids: try areFew(order, connection) ? nil : try sorted(order, sql, connection))
        kept.withLock { kept in
            kept.insert(made, at: 0)
            if kept.count > RowOrders.most { kept.removeLast() }
        }
        return try made.rowids?.rowids(from: offset, limit: limit)
    }

    private func areFew(_ order: RowOrder, _ connection: Connection) throws -> Bool {
        try connection.rows(
            "SELECT 1 FROM \(order.source) WHERE \(order.condition) LIMIT 1 OFFSET \(RowOrders.fewest)", order.values
        ).isEmpty
    }

    private func sorted(_ order: RowOrder, _ sql: String, _ connection: Connection) throws -> RowidFile {
        // Without a condition it is one step, which nothing interrupts.
        let rowCount = try connection.integer("SELECT COUNT(*) FROM \(order.source) WHERE 1")
        let statement = try connection.prepare(sql)
        try statement.bind(order.values)
        let address = UInt(bitPattern: statement.handle.pointer)
        work.withLock {
            $0 = Work(order: order, statement: address, rowCount: rowCount, told: .now - RowOrders.interval)
        }
        defer { work.withLock { $0 = nil } }
        let file = try RowidFile()
        while try statement.handle.step() { try file.add(statement.handle.cell(at: 0).integer) }
        try file.end()
        return file
    }

    /// Tells how far the sort is, if there is one. Called now and then by the thread that runs it.
    func beat() {
        let progress: SortProgress? = work.withLock { work in
            guard let current = work, .now - current.told >= RowOrders.interval else { return nil }
            work?.told = .now
            return SortProgress(current.order, rowsSeen(current.statement), of: current.rowCount)
        }
        if let progress { tell(progress) }
    }

    private func rowsSeen(_ statement: UInt) -> Int {
        UnsafeMutableRawPointer(bitPattern: statement).map { Int(studio_rows_seen($0)) } ?? 0
    }
}

/// How far a sort is.
struct SortProgress: Encodable, Sendable {
    let table: String
    let sort: String?
    let seen: Int
    let count: Int

    fileprivate init(_ order: RowOrder, _ seen: Int, of count: Int) {
        (table, sort, self.seen, self.count) = (order.table, order.sort, min(seen, count), count)
    }
}

/// Which state of which file a connection reads.
struct FileVersion: Equatable, Sendable {
    private let file: [Int]
    private let commits: Cell

    init(_ path: String, _ connection: Connection) throws {
        file = try FileState(path).identity
        commits = try connection.rows("PRAGMA data_version").first?.first ?? .null
    }
}

/// Rowids in a file that has no name, and so is gone with the process.
private final class RowidFile: Sendable {
    private struct State {
        var count = 0
        var waiting: [Int64] = []
    }

    private static let width = MemoryLayout<Int64>.size
    private static let atATime = 8192
    private let handle: FileHandle
    private let state = Mutex(State())

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("studio-\(UUID().uuidString)").path
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw StudioError(.failed, "no temporary file can be made for the sorted rows")
        }
        handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
    }

    func add(_ rowid: Int64) throws {
        try state.withLock { state in
            state.waiting.append(rowid)
            if state.waiting.count == RowidFile.atATime { try write(&state) }
        }
    }

    func end() throws {
        try state.withLock { try write(&$0) }
    }

    private func write(_ state: inout State) throws {
        try handle.write(contentsOf: state.waiting.withUnsafeBytes { Data($0) })
        state.count += state.waiting.count
        state.waiting.removeAll(keepingCapacity: true)
    }

    func rowids(from offset: Int, limit: Int) throws -> [Int64] {
        try state.withLock { state in
            let count = min(limit, state.count - offset)
            guard count > 0 else { return [] }
            try handle.seek(toOffset: UInt64(offset * RowidFile.width))
            let bytes = try handle.read(upToCount: count * RowidFile.width) ?? Data()
            return bytes.withUnsafeBytes { bytes in
                (0..<bytes.count / RowidFile.width).map {
                    bytes.loadUnaligned(fromByteOffset: $0 * RowidFile.width, as: Int64.self)
                }
            }
        }
    }
}
