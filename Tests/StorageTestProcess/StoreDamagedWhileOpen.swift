import StorageKit
import StorageTestSupport

/// Does with a store whose files are written over meanwhile what an app does. Each call may work or throw a typed error.
struct StoreDamagedWhileOpen {
    private let context: StorageKit.Context
    private let reported: ErrorLog
    private(set) var mistakes: [String] = []
    private(set) var worked = 0
    private(set) var threw = 0
    private var rounds = 0

    /// Opens a store that keeps few pages in memory, and gives it a log.
    init(file: URL) async throws {
        reported = ErrorLog()
        let pragmas = PoolOptions.Preset.default.pragmas + ["PRAGMA cache_size = 5"]
        context = try Music.start(
            at: file, pool: PoolOptions(preset: .init(pragmas: pragmas), configure: { $0.busyMode = .timeout(1) }),
            onError: reported.handler)
        for number in 0..<30 { try await context.facade.save(Music.Album("base-\(number)", version: 500 + number)) }
    }

    /// Reads and writes with every kind of call.
    mutating func useEverything() async {
        rounds += 1
        await read()
        await write()
        await read()
        await attempt("integrity") { [context] in _ = try await context.checkIntegrity() }
    }

    /// What closing throws says that the file cannot be written, not that the store is still open.
    mutating func close() async {
        await attempt("close") { [context] in try await context.close() }
        let untyped = reported.untyped
        if !untyped.isEmpty { mistakes.append("reported \(Set(untyped))") }
    }

    private mutating func read() async {
        let storage = context.facade
        for number in stride(from: 0, to: 400, by: 23) {
            await attempt("get") { _ = try await storage.get(Music.Track.self, id: "base-\(number)/1") }
        }
        await attempt("all") { _ = try await storage.all(Music.Album.self) }
        await attempt("query") {
            _ = try await storage.query(Music.Album.self).where { $0.shelf > 1 }.orderBy("version").fetch()
        }
        await attempt("count") { _ = try await storage.count(Music.Track.self) }
        await attempt("page") { _ = try await storage.page(Music.Track.self, orderBy: "albumId", limit: 50) }
        await attempt("search") { _ = try await storage.search(Music.Album.self, query: "amber OR birch") }
    }

    private mutating func write() async {
        let (storage, version) = (context.facade, 1000 + rounds)
        for id in ["new", "base-1", "base-350"] {
            await attempt("save") { try await storage.save(Music.Album(id, version: version)) }
        }
        let tracks = (0..<20).map { Music.Track($0, of: "base-2", version: version) }
        await attempt("save of many") { try await storage.save(tracks) }
        await attempt("delete") { try await storage.delete(Music.Album.self, id: "base-\(100 + version % 100)") }
        await attempt("update by a query") {
            _ = try await storage.query(Music.Album.self).where { $0.version < 20 }
                .updateAll { [$0.notes.set(to: "\(version)")] }
        }
        await attempt("deletion by a query") {
            _ = try await storage.query(Music.Track.self).where { $0.version == 33 }.deleteAll()
        }
    }

    private mutating func attempt(_ what: String, _ body: () async throws -> Void) async {
        do {
            try await body()
            worked += 1
        } catch is StorageError {
            threw += 1
        } catch {
            mistakes.append("\(what) threw \(type(of: error)): \(error)")
        }
    }
}
