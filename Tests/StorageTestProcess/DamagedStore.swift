import StorageKit
import StorageTestSupport

/// Does with a damaged file all that an app does. Each call may work or throw a typed error.
struct DamagedStore {
    private let file: URL
    private let isUpgrading: Bool
    private let reported = ErrorLog()
    private(set) var mistakes: [String] = []
    private(set) var worked = 0
    private(set) var threw = 0

    init(file: URL, isUpgrading: Bool) {
        self.file = file
        self.isUpgrading = isUpgrading
    }

    mutating func useEverything() async {
        var opened: StorageKit.Context?
        let (file, isUpgrading, handler) = (file, isUpgrading, reported.handler)
        await attempt("start") { opened = try Music.start(at: file, upgrading: isUpgrading, onError: handler) }
        guard let context = opened else { return }
        // Not before: a start adds a column whose name was damaged, and SQLite's own UPDATE of a migration may change other
        // rows than it should where pages are damaged.
        let witness = PlainAlbums(of: file)
        await readAll(context, witness)
        await lookUp(context, witness)
        await observe(context)
        await search(context)
        await write(context)
        await attempt("integrity") { _ = try await context.checkIntegrity() }
        await attempt("vacuum") { try await context.vacuum() }
        await context.stores.settle()
        // Closing says nothing of the file's state but what GRDB says.
        try? context.storage.dbActor.close()
        let untyped = reported.untyped
        if !untyped.isEmpty { mistakes.append("reported \(Set(untyped))") }
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

    /// A list is what SQLite alone reads from the file, or an error where SQLite has one.
    private mutating func readAll(_ context: StorageKit.Context, _ witness: PlainAlbums) async {
        var found: [Music.Album]?
        await attempt("all") { found = try await context.facade.all(Music.Album.self) }
        guard let found else { return }
        guard let plain = witness.rows else {
            mistakes.append("all returned \(found.count) albums, where SQLite notices damage")
            return
        }
        if found.count != plain.count { mistakes.append("all returned \(found.count) albums of \(plain.count)") }
        for album in found where !witness.mayHold(album) {
            mistakes.append("all returned another album \(album.id)")
        }
    }

    private mutating func lookUp(_ context: StorageKit.Context, _ witness: PlainAlbums) async {
        for id in PlainAlbums.lookedUp {
            var found: Music.Album?
            await attempt("get") { found = try await context.facade.get(Music.Album.self, id: id) }
            guard let found, !witness.mayHold(found), !witness.mayFind(found, for: id) else { continue }
            mistakes.append("get of \(id) returned another album")
        }
        await attempt("query") {
            _ = try await context.facade.query(Music.Album.self).where { $0.shelf > 1 }.orderBy("version").fetch()
        }
        await attempt("count") { _ = try await context.facade.count(Music.Album.self) }
        await attempt("page") { _ = try await context.facade.page(Music.Track.self, orderBy: "albumId", limit: 50) }
    }

    /// The first value comes, or an error does.
    private mutating func observe(_ context: StorageKit.Context) async {
        let (events, event) = AsyncStream<Void>.makeStream()
        let albums = context.facade.query(Music.Album.self).observe(onError: { [reported] error in
            reported.handler(error)
            event.yield()
        })
        let reader = Task {
            for await _ in albums { event.yield() }
        }
        var iterator = events.makeAsyncIterator()
        _ = await iterator.next()
        reader.cancel()
    }

    private mutating func search(_ context: StorageKit.Context) async {
        let storage = context.facade
        await attempt("search") { _ = try await storage.search(Music.Album.self, query: "amber OR birch") }
        await attempt("text search") { _ = try await storage.searchText(Music.Album.self, "coral alb") }
        await attempt("snippets") {
            _ = try await storage.searchWithSnippets(Music.Album.self, query: "note", snippetColumn: 1)
        }
    }

    /// What was saved without an error reads back so, where SQLite finds it.
    private mutating func write(_ context: StorageKit.Context) async {
        let storage = context.facade
        for album in [Music.Album("new", version: 4), Music.Album("base-1", version: 400)] {
            var isSaved = false
            await attempt("save") {
                try await storage.save(album)
                isSaved = true
            }
            guard isSaved else { continue }
            var found: Music.Album? = album
            await attempt("get of what was saved") { found = try await storage.get(Music.Album.self, id: album.id) }
            if found != album, PlainAlbums.finds(album, in: file) {
                mistakes.append("get of \(album.id) did not return what was saved")
            }
        }
        let tracks = (0..<20).map { Music.Track($0, of: "base-2", version: 9) }
        await attempt("save of many") { try await storage.save(tracks) }
        await attempt("delete") { try await storage.delete(Music.Album.self, id: "base-3") }
        await attempt("deletion by a query") {
            _ = try await storage.query(Music.Track.self).where { $0.version < 20 }.deleteAll()
        }
    }
}
