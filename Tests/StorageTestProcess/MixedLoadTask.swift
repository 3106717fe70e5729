import GRDB
import StorageKit
import StorageTestSupport

/// One task of a mixed load. It alone writes its albums, and so knows what each read has to return.
struct MixedLoadTask: Sendable {
    private let number: Int
    private let context: StorageKit.Context
    private var scripts: [AlbumScript]
    private var generator: SeededGenerator
    private(set) var operations = 0
    private(set) var increments = 0
    private(set) var cancelled = 0
    private(set) var mistakes: [String] = []

    private var storage: Storage { context.facade }
    /// The rows of its albums.
    var rows: MusicRows { scripts.reduce(into: MusicRows()) { $0.merge($1.rows) } }

    init(number: Int, seed: UInt64, context: StorageKit.Context) {
        self.number = number
        self.context = context
        scripts = (0..<4).map { AlbumScript(seed: seed, writer: number, number: $0) }
        generator = SeededGenerator(seed: seed &+ UInt64(number))
    }

    /// - Returns: The task as it is when its work is done.
    func run(until limit: WorkLimit) async throws -> MixedLoadTask {
        var task = self
        while limit.next() {
            try await task.doSomething()
            task.operations += 1
        }
        return task
    }

    private mutating func doSomething() async throws {
        let index = Int.random(in: scripts.indices, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<40: try await scripts[index].next().perform(on: context)
        case 40..<65: try await get(scripts[index])
        case 65..<75: try await query()
        case 75..<85: try await increment()
        case 85..<92: try await observe(scripts[index])
        default: try await cancelBatch()
        }
    }

    private mutating func get(_ script: AlbumScript) async throws {
        let found = try await storage.get(Music.Album.self, id: script.id)
        check(found, script, "get")
    }

    private mutating func observe(_ script: AlbumScript) async throws {
        let stream = storage.observe(Music.Album.self, id: script.id)
        for await first in stream {
            check(first, script, "observation")
            break
        }
    }

    private mutating func check(_ found: Music.Album?, _ script: AlbumScript, _ what: String) {
        guard found != script.rows.albums[script.id] else { return }
        mistakes.append("\(what) of \(script.id): version \(found?.version ?? -1), last saved \(script.version)")
    }

    private mutating func query() async throws {
        let shelf = Int.random(in: 1...8, using: &generator)
        let albums = try await storage.query(Music.Album.self).where { $0.shelf == shelf }.orderBy("version").fetch()
        if albums.contains(where: { $0.shelf != shelf }) {
            mistakes.append("a query returned others than it asked for")
        }
        let hits = try await storage.search(Music.Album.self, query: Music.word(shelf), limit: 20)
        if hits.contains(where: { !$0.entity.title.hasPrefix(Music.word(shelf)) }) {
            mistakes.append("a search returned others than it asked for")
        }
        _ = try await storage.count(Music.Track.self)
    }

    /// Reads a number and writes the next one: a commit in between would be lost.
    private mutating func increment() async throws {
        try await context.storage.dbActor.write { db in
            let value = try Int.fetchOne(db, sql: "SELECT value FROM counters WHERE id = 'shared'") ?? 0
            try db.execute(sql: "UPDATE counters SET value = ? WHERE id = 'shared'", arguments: [value + 1])
        }
        increments += 1
    }

    /// Cancels a batch at some moment. Then all of it is there, or it was cancelled and nothing is.
    private mutating func cancelBatch() async throws {
        let id = "cancelled-\(number)"
        let album = Music.Album(id, version: 1)
        let tracks = (0..<20).map { Music.Track($0, of: id, version: 1) }
        let batch = Task { [context] in try await AlbumScript.Step.replaceAll(album, tracks).perform(on: context) }
        for _ in 0..<Int.random(in: 0...20, using: &generator) { await Task.yield() }
        batch.cancel()
        var expected = 0
        do {
            try await batch.value
            expected = tracks.count
        } catch is CancellationError {
            cancelled += 1
        } catch {
            mistakes.append("a cancelled batch threw \(type(of: error)): \(error)")
        }
        let found = try await storage.query(Music.Track.self).where { $0.albumId == id }.count()
        if found != expected { mistakes.append("\(found) rows of a batch of which \(expected) should be there") }
        try await storage.delete(Music.Album.self, id: id)
    }
}
