import GRDB
import StorageKit
import StorageTestSupport

/// What an app does with a store, from its start to its end, on a disk that fails at some point. A model beside it knows
/// what was acknowledged.
struct DiskWorkload {
    private let file: URL
    private let fault: FaultyDisk.Fault
    private var hasFault: Bool { fault.number < .max }
    /// A start tries again for as long as it waits for locks.
    private var pool: PoolOptions { fault.isBusy ? PoolOptions(configure: { $0.busyMode = .timeout(2) }) : .patient }
    private let reported = ErrorLog()
    private let events = EventLog(committedRowLimit: 5)
    private var model = MusicRows.onDisk
    private(set) var mistakes: [String] = []
    private var failures: [String] = []
    var failedOperations: Int { failures.count }

    init(file: URL, fault: FaultyDisk.Fault) {
        self.file = file
        self.fault = fault
    }

    /// - Returns: How many calls there were of the kind that fails, and how many failed.
    mutating func run() async throws -> (calls: Int, failures: Int) {
        FaultyDisk.begin(fault)
        let context = try await start()
        let albums = StreamProbe(context.facade.observeAll(Music.Album.self))
        // None comes while the disk cannot be read.
        _ = try? await albums.next(within: .seconds(1))
        for operation in DiskOperation.all {
            await perform(operation, on: context)
        }
        let counts = FaultyDisk.end(counting: fault.call)
        try await lookAfterTheFault(context, albums)
        return counts
    }

    /// A start that fails leaves the file as it was. The next one, when the disk is well again, succeeds.
    private mutating func start() async throws -> StorageKit.Context {
        for id in model.albums.keys { model.albums[id]?.shelf += 1000 }
        do {
            return try Music.start(
                at: file, upgrading: true, pool: pool, monitor: events, onError: reported.handler)
        } catch {
            note(error, "start")
            if fault.count > 1 { FaultyDisk.end() }
            return try Music.start(
                at: file, upgrading: true, pool: pool, monitor: events, onError: reported.handler)
        }
    }

    private mutating func perform(_ operation: DiskOperation, on context: StorageKit.Context) async {
        let commits = commitsOfMusic
        do {
            try await operation.perform(context, file)
            operation.apply(&model)
        } catch {
            note(error, operation.name)
            // What nobody said at once is said behind the writes that wait.
            try? await context.storage.pool.writeWithoutTransaction { _ in }
            if commitsOfMusic > commits { mistakes.append("\(operation.name) failed, and was told as committed") }
        }
        await look(after: operation, context)
    }

    /// How many commits the monitor heard of that changed albums or tracks.
    private var commitsOfMusic: Int {
        events.events.count { event in
            guard case .commit(let rows) = event else { return false }
            return rows.tables.contains { ["albums", "tracks"].contains($0.name) }
        }
    }

    /// While the disk fails, reads may fail too, but what they return is right.
    private mutating func look(after operation: DiskOperation, _ context: StorageKit.Context) async {
        do {
            let found = try await MusicRows(in: context.facade)
            if let wrong = found.difference(from: model) { mistakes.append("after \(operation.name): \(wrong)") }
            for id in ["base-1", "base-2", "new", "batch"] {
                let album = try await context.facade.get(Music.Album.self, id: id)
                if album != model.albums[id] {
                    mistakes.append("get of \(id) after \(operation.name): version \(album?.version ?? -1)")
                }
            }
        } catch {
            note(error, "read after \(operation.name)")
        }
    }

    private mutating func note(_ error: any Error, _ what: String) {
        failures.append("\(what): \(error)")
        // A closure's own errors pass unchanged, and GRDB's are those of the closures here.
        let isTyped = error is StorageError || error is DatabaseError && what.contains("closure")
        if !isTyped { mistakes.append("\(what) threw \(type(of: error)): \(error)") }
        if !hasFault { mistakes.append("\(what) failed on a disk that works: \(error)") }
    }

    /// The store that lived through the fault works, and so does the next one on the file.
    private mutating func lookAfterTheFault(
        _ context: StorageKit.Context, _ albums: StreamProbe<[Music.Album]>
    ) async throws {
        // Who begins to listen finds the log's index, if it could not be had before.
        let album = StreamProbe(context.facade.observe(Music.Album.self, id: "base-1"))
        _ = try await album.next(within: .seconds(120))
        // Another program's commit, while nothing of the store's is under way.
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        let stranger = try GRDB.DatabaseQueue(path: file.path, configuration: configuration)
        try await stranger.write { try $0.execute(sql: "UPDATE albums SET shelf = shelf + 1") }
        try stranger.close()
        for id in model.albums.keys { model.albums[id]?.shelf += 1 }
        await expect(albums, "after another's commit")
        let last = Music.Album("last", version: 77)
        try await context.facade.save(last)
        model.save(last)
        await expect(albums, "after the fault")
        albums.cancel()
        album.cancel()
        await judge(context, "after the fault")
        try await context.close()
        let next = try Music.start(at: file, upgrading: true, pool: pool, onError: reported.handler)
        await judge(next, "in the next store")
        try await next.close()
        let untyped = reported.untyped
        if !untyped.isEmpty { mistakes.append("reported: \(untyped)") }
    }

    private mutating func expect(_ albums: StreamProbe<[Music.Album]>, _ moment: String) async {
        let sorted = model.albums.values.sorted { $0.id < $1.id }
        do {
            _ = try await albums.first(within: .seconds(120)) { $0 == sorted }
        } catch {
            mistakes.append("the stream did not come to what the table holds \(moment)")
        }
    }

    private mutating func judge(_ context: StorageKit.Context, _ moment: String) async {
        do {
            if let wrong = try await model.firstMistake(in: context) { mistakes.append("\(moment): \(wrong)") }
        } catch {
            mistakes.append("\(moment): \(error); earlier: \(failures)")
        }
    }
}
