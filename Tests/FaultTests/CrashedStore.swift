import StorageKit
import StorageTestSupport
import Testing

/// A file whose writer is killed, again and again.
struct CrashedStore {
    private static let writers = 4
    private static let albums = 6

    private let folder: TemporaryFolder
    private var generator: SeededGenerator
    private var counts = CrashCounts()
    /// What all writers before have left.
    private var expected = MusicRows()

    /// Has a file's writer killed so many times.
    static func run(seed: UInt64, crashes: Int) async throws -> CrashCounts {
        var store = try CrashedStore(folder: TemporaryFolder(), generator: SeededGenerator(seed: seed))
        for number in 0..<crashes {
            let scriptSeed = store.generator.next()
            let comment: Comment = "seed \(seed), crash \(number)"
            let said = try await store.killWriter(seed: scriptSeed)
            #expect(!said.contains { $0.hasPrefix("failed") }, "\(comment): \(said.suffix(1))")
            try await store.look(at: said, seed: scriptSeed, comment)
        }
        return store.counts
    }

    private init(folder: TemporaryFolder, generator: SeededGenerator) {
        self.folder = folder
        self.generator = generator
    }

    /// - Returns: All that the writer said before it died.
    private mutating func killWriter(seed: UInt64) async throws -> [String] {
        let path = folder.file().path
        // Half of them die in the middle of a write to the disk, the others anywhere.
        if generator.next() % 2 == 0 {
            let call = Int.random(in: 0..<6000, using: &generator)
            let child = try ChildProcess("write-music", path, "\(seed)", "\(Self.writers)", "\(call)")
            #expect(try await child.exit() == .signal(SIGKILL), "\(child.said.suffix(1))")
            return child.said
        }
        let child = try ChildProcess("write-music", path, "\(seed)", "\(Self.writers)")
        let isEarly = generator.next() % 10 == 0
        if !isEarly { try await child.line("ready") }
        // The delay is the fault, and nothing waits for what happens meanwhile.
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...(isEarly ? 100 : 400), using: &generator)))
        child.kill()
        #expect(try await child.exit() == .signal(SIGKILL), "\(child.said.suffix(1))")
        return child.said
    }

    private mutating func look(at said: [String], seed: UInt64, _ comment: Comment) async throws {
        let context = try Music.start(at: folder.file()) { Issue.record("\(comment): \($0)") }
        let found = try await MusicRows(in: context.facade)
        let acknowledged = CrashedStore.acknowledged(in: said)
        for writer in 0..<Self.writers {
            var underWay = 0
            for number in 0..<Self.albums {
                var script = AlbumScript(seed: seed, writer: writer, number: number)
                script.advance(to: acknowledged[[writer, number]] ?? 0)
                underWay += judge(found.of(album: script.id), script, comment)
            }
            // A task takes one step after the other.
            #expect(underWay <= 1, "writer \(writer); \(comment)")
            counts.unacknowledged += underWay
        }
        counts.runs += 1
        counts.acknowledged += acknowledged.values.reduce(0, +)
        let mistake = try await expected.firstMistake(in: context)
        #expect(mistake == nil, comment)
        try await context.close()
    }

    /// Compares the rows of an album with those after its last acknowledged step and the one that may have followed.
    ///
    /// - Returns: 1 if that one has been committed, 0 if not.
    private mutating func judge(_ found: MusicRows, _ script: AlbumScript, _ comment: Comment) -> Int {
        var following = script
        _ = following.next()
        let isFollowing = found == following.rows && found != script.rows
        if found != script.rows, !isFollowing {
            let isOlder = (found.albums[script.id]?.version ?? 0) < (script.rows.albums[script.id]?.version ?? 0)
            if isOlder { counts.lost += 1 } else { counts.halfWritten += 1 }
            Issue.record("\(found.difference(from: script.rows) ?? ""); \(comment)")
        }
        expected.merge(found)
        return isFollowing ? 1 : 0
    }

    /// The version of each album that was acknowledged last, by its writer and its number.
    private static func acknowledged(in said: [String]) -> [[Int]: Int] {
        var versions: [[Int]: Int] = [:]
        for line in said where line.hasPrefix("done ") {
            let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
            if numbers.count == 3 { versions[[numbers[0], numbers[1]]] = numbers[2] }
        }
        return versions
    }
}
