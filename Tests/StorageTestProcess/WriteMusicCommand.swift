import StorageKit
import StorageTestSupport

/// `write-music FILE SEED WRITERS [DIE-AT-CALL]`: so many tasks take the steps of their albums for ever. Says `ready`, and
/// `done WRITER ALBUM VERSION` for each step that is committed.
///
/// With `DIE-AT-CALL` the process dies at that call to write to the disk, in the middle of what it would write.
struct WriteMusicCommand {
    /// How many albums each task has.
    private static let albumCount = 6

    private let file: URL
    private let seed: UInt64
    private let writers: Int
    private let lastCall: Int?

    init(_ arguments: [String]) throws {
        guard (3...4).contains(arguments.count), let seed = UInt64(arguments[1]), let writers = Int(arguments[2]) else {
            throw UsageError(message: "write-music FILE SEED WRITERS [DIE-AT-CALL]")
        }
        file = URL(fileURLWithPath: arguments[0])
        self.seed = seed
        self.writers = writers
        lastCall = arguments.count > 3 ? Int(arguments[3]) : nil
    }

    func run() async throws {
        if let lastCall {
            try FaultyDisk.install()
            FaultyDisk.begin(.init(call: .write, number: lastCall, effect: .death))
        }
        let context = try Music.start(at: file)
        say("ready")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers { group.addTask { try await write(writer, context) } }
            try await group.waitForAll()
        }
    }

    private func write(_ writer: Int, _ context: StorageKit.Context) async throws {
        var scripts = (0..<Self.albumCount).map { AlbumScript(seed: seed, writer: writer, number: $0) }
        while true {
            let number = Int.random(in: scripts.indices)
            try await scripts[number].next().perform(on: context)
            say("done \(writer) \(number) \(scripts[number].version)")
            // Reading puts entries into the caches that the next process finds.
            let script = scripts.randomElement() ?? scripts[number]
            let found = try await context.facade.get(Music.Album.self, id: script.id)
            guard found == script.rows.albums[script.id] else {
                throw UsageError(message: "get of \(script.id) returned version \(found?.version ?? -1)")
            }
        }
    }
}
