import Foundation

/// The bytes of a file or of standard input, read in pieces and handed out one by one.
final class ByteSource {
    private let nextPiece: () throws -> Data
    private var piece: [UInt8] = []
    private var next = 0
    private var isAtEnd = false
    /// How many bytes were read from the file.
    private(set) var bytesRead = 0
    /// Where the next byte stands.
    private(set) var position = Position(line: 1, column: 1)
    private var previous: UInt8 = 0

    /// - Parameter nextPiece: Gives the next piece; an empty one is the end.
    init(_ nextPiece: @escaping () throws -> Data) {
        self.nextPiece = nextPiece
    }

    /// - Parameters:
    ///   - path: The file, or `-` for standard input.
    ///   - pieceLength: How many bytes are read at a time.
    ///   - check: Called before each piece, and while a pipe or a terminal has nothing to read; an error ends the
    ///     reading.
    convenience init(path: String, pieceLength: Int = 1 << 16, check: @escaping () throws -> Void = {}) throws {
        if path != "-" { _ = try FileState(path) }
        guard let handle = path == "-" ? .standardInput : FileHandle(forReadingAtPath: path) else {
            throw ToolError.system(errno, path: path)
        }
        self.init {
            try check()
            while !handle.hasSomethingToRead { try check() }
            // What is there, and not the whole piece, for which a pipe would be waited for.
            var piece = Data(count: pieceLength)
            let count = piece.withUnsafeMutableBytes { read(handle.fileDescriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                throw ToolError(.inputOutput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
            }
            return piece.prefix(count)
        }
    }

    /// The next byte, which stays the next one; nil at the end.
    func peek() throws -> UInt8? {
        if next == piece.count {
            guard !isAtEnd else { return nil }
            piece = Array(try nextPiece())
            next = 0
            bytesRead += piece.count
            isAtEnd = piece.isEmpty
            if isAtEnd { return nil }
        }
        return piece[next]
    }

    /// The next byte; nil at the end.
    func take() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        next += 1
        move(over: byte)
        return byte
    }

    /// Goes past the mark of UTF-8 that some programs write first.
    func skipByteOrderMark() throws {
        guard try peek() == 0xEF else { return }
        while piece.count < 3 {
            let more = try nextPiece()
            if more.isEmpty { return }
            piece += more
            bytesRead += more.count
        }
        if piece[1] == 0xBB, piece[2] == 0xBF { next = 3 }
    }

    /// Lines end with LF, CR LF or CR; columns are counted in characters, not in bytes.
    private func move(over byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            if previous != UInt8(ascii: "\r") { position.line += 1 }
            position.column = 1
        } else if byte == UInt8(ascii: "\r") {
            position = Position(line: position.line + 1, column: 1)
        } else if byte & 0xC0 != 0x80 {
            position.column += 1
        }
        previous = byte
    }
}

/// A place in a text, counted from 1.
struct Position: Equatable {
    var line: Int
    var column: Int
}

/// What is wrong with a text that is imported, and where.
struct InputProblem: Error, Equatable {
    let position: Position
    let message: String
}

extension FileHandle {
    /// Whether a read would not wait: something is there, or the end, or an error for it to tell. Looks for a fifth of
    /// a second, and less where a signal ends the look.
    fileprivate var hasSomethingToRead: Bool {
        var question = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&question, 1, 200)
        return count > 0 || count < 0 && errno != EINTR
    }
}
