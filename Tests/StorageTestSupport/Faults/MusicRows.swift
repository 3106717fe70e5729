package import StorageKit

/// All rows of a ``Music`` store, or those that it should have.
package struct MusicRows: Sendable, Equatable {
    package var albums: [String: Music.Album] = [:]
    package var tracks: [String: Music.Track] = [:]

    package init() {}

    /// What the tables hold.
    package init(in storage: Storage) async throws {
        for album in try await storage.all(Music.Album.self) { albums[album.id] = album }
        for track in try await storage.all(Music.Track.self) { tracks[track.id] = track }
    }

    package mutating func save(_ album: Music.Album) {
        albums[album.id] = album
    }

    package mutating func save(_ saved: [Music.Track]) {
        for track in saved { tracks[track.id] = track }
    }

    /// Deletes an album, and its tracks with it.
    package mutating func delete(album id: String) {
        albums[id] = nil
        tracks = tracks.filter { $0.value.albumId != id }
    }

    package mutating func merge(_ other: MusicRows) {
        albums.merge(other.albums) { $1 }
        tracks.merge(other.tracks) { $1 }
    }

    /// The rows of one album.
    package func of(album id: String) -> MusicRows {
        var rows = MusicRows()
        rows.albums[id] = albums[id]
        rows.tracks = tracks.filter { $0.value.albumId == id }
        return rows
    }

    /// In what two sets of rows differ, in one line; nil if in nothing.
    package func difference(from expected: MusicRows) -> String? {
        guard self != expected else { return nil }
        let albumIds = Set(albums.keys).union(expected.albums.keys)
            .filter { albums[$0] != expected.albums[$0] }
        let trackIds = Set(tracks.keys).union(expected.tracks.keys)
            .filter { tracks[$0] != expected.tracks[$0] }
        let albumLines = albumIds.sorted().prefix(3).map { id in
            "\(id): \(version(albums[id]?.version)) and not \(version(expected.albums[id]?.version))"
        }
        let trackLines = trackIds.sorted().prefix(3).map { id in
            "\(id): \(version(tracks[id]?.version)) and not \(version(expected.tracks[id]?.version))"
        }
        return "\(albumIds.count + trackIds.count) rows: " + (albumLines + trackLines).joined(separator: "; ")
    }

    private func version(_ version: Int?) -> String { version.map { "version \($0)" } ?? "nothing" }
}

extension MusicRows {
    /// Looks at a store by all the roads there are: the tables, the caches, a search, an observation and SQLite's own
    /// checks.
    ///
    /// - Returns: What is not as it should be, in one line; nil if nothing is.
    package func firstMistake(in context: StorageKit.Context) async throws -> String? {
        let storage = context.facade
        if let wrong = try await MusicRows(in: storage).difference(from: self) { return "tables: \(wrong)" }
        if let wrong = try await mistakeOfCaches(storage) { return wrong }
        for word in (0..<5).map(Music.word) {
            let found = try await storage.search(Music.Album.self, query: word, limit: .max).map(\.entity)
            let expected = albums.values.filter { $0.title.hasPrefix(word) }
            guard found.sorted(by: { $0.id < $1.id }) == expected.sorted(by: { $0.id < $1.id }) else {
                return "search for \(word): \(found.count) and not \(expected.count) albums, or others"
            }
        }
        // Before the stream, since that of a damaged table has no value to wait for.
        let report = try await context.checkIntegrity()
        guard report.isIntact else { return "integrity: \(report)" }
        let first = try await StreamProbe(storage.observeAll(Music.Album.self)).next()
        return first == albums.values.sorted { $0.id < $1.id } ? nil : "observation: other albums"
    }

    /// Each album is asked for twice: the disk cache may know it, and then memory does.
    private func mistakeOfCaches(_ storage: Storage) async throws -> String? {
        for round in ["first", "second"] {
            for (id, album) in albums {
                let found = try await storage.get(Music.Album.self, id: id)
                guard found == album else {
                    return "\(round) get of \(id): version \(found?.version ?? -1) and not \(album.version)"
                }
            }
        }
        return nil
    }
}

extension MusicRows {
    /// What the store of the tests of disks holds at first.
    package static let onDisk = {
        var rows = MusicRows()
        for number in 0..<10 {
            let album = Music.Album("base-\(number)", version: number, shelf: number % 4)
            rows.save(album)
            rows.save((0..<3).map { Music.Track($0, of: album.id, version: number) })
        }
        return rows
    }()

    /// Makes a closed file that holds the rows, always at the same places: a seed then damages the same ones again.
    package func write(to file: URL) async throws {
        let context = try Music.start(at: file)
        let albums = albums.values.sorted { $0.id < $1.id }
        try await context.facade.save(albums)
        try await context.facade.save(tracks.values.sorted { $0.id < $1.id })
        // Each has an entry in the disk cache.
        for album in albums { try await context.facade.save(album) }
        try await context.close()
    }
}

extension MusicRows {
    /// What the files hold that are damaged: enough for indexes of several levels.
    package static let toDamage = {
        var rows = MusicRows()
        for number in 0..<400 {
            let album = Music.Album("base-\(number)", version: number, shelf: number % 4)
            rows.save(album)
            rows.save((0..<3).map { Music.Track($0, of: album.id, version: number) })
        }
        return rows
    }()
}
