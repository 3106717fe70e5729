import StorageKit

/// What a writer does with one album, step by step. The seed says it all: the process that writes and the one that
/// looks at what is left need only tell each other how many steps there were.
package struct AlbumScript: Sendable {
    package enum Step: Sendable {
        case saveAlbum(Music.Album)
        /// The album and all its tracks anew, in one transaction.
        case replaceAll(Music.Album, [Music.Track])
        /// Several tracks in one call.
        case saveTracks([Music.Track])
        case delete(String)
    }

    package let id: String
    /// How many steps were taken.
    package private(set) var version = 0
    /// The album's rows after them.
    package private(set) var rows = MusicRows()
    private var generator: SeededGenerator

    /// - Parameters:
    ///   - seed: Of all scripts of one run.
    ///   - writer: The task that the script is for.
    ///   - number: Which of the task's albums it is.
    package init(seed: UInt64, writer: Int, number: Int) {
        id = "\(seed)-\(writer)-\(number)"
        generator = SeededGenerator(seed: seed &+ UInt64(writer * 1000 + number) &* 0x2545_F491_4F6C_DD1D)
    }

    package mutating func next() -> Step {
        version += 1
        let step = makeStep()
        switch step {
        case .saveAlbum(let album): rows.save(album)
        case .replaceAll(let album, let tracks):
            rows.delete(album: id)
            rows.save(album)
            rows.save(tracks)
        case .saveTracks(let tracks): rows.save(tracks)
        case .delete: rows.delete(album: id)
        }
        return step
    }

    private mutating func makeStep() -> Step {
        let kind = Int.random(in: 0..<10, using: &generator)
        let count = Int.random(in: 1...8, using: &generator)
        let album = Music.Album(id, version: version, shelf: count)
        let tracks = (0..<count).map { Music.Track($0, of: id, version: version) }
        switch kind {
        case 0..<4: return .saveAlbum(album)
        case 4..<6 where rows.albums[id] != nil: return .saveTracks(tracks)
        case 9: return .delete(id)
        default: return .replaceAll(album, tracks)
        }
    }

    /// Takes steps until that version.
    package mutating func advance(to version: Int) {
        while self.version < version { _ = next() }
    }
}
