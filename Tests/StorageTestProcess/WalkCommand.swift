import Persistence

/// `walk FILE SQL`: reads all rows with `Persistence`, and says how many they are and by how many kB the most memory
/// that the process ever had has grown meanwhile.
struct WalkCommand {
    private let path: String
    private let sql: String

    init(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw UsageError(message: "walk FILE SQL") }
        path = arguments[0]
        sql = arguments[1]
    }

    func run() async throws {
        let database = try await SQLiteDatabase(path: path)
        var count = 0
        let before = try mostMemory()
        try await database.forEachRow(sql) { row in count += row.values.isEmpty ? 0 : 1 }
        say("rows \(count)")
        say("grown \(try mostMemory() - before)")
    }

    /// In kB, as Linux says.
    private func mostMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let number = line?.split(whereSeparator: { !$0.isNumber }).first, let size = Int(number) else {
            throw UsageError(message: "walk needs /proc/self/status")
        }
        return size
    }
}
