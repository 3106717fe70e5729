import StorageKit

/// Records that a parser can read at one go, and the line on which each begins.
struct CSVChunk {
    /// The records as guarded text: see ``RecordCutter``.
    var text: [UInt8] = []
    /// Where in ``text`` each record ends. Records stand one behind the other, each closed by a line feed.
    var ends: [Int] = []
    /// The line of the file on which each record begins, from 1.
    var lines: [Int] = []

    /// The text of one record, with its line feed.
    func record(_ index: Int) -> ArraySlice<UInt8> {
        text[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }
}

/// Cuts a CSV file that arrives in blocks of any size into records, so that no more than a chunk of it has to be
/// in memory. It knows quotes and line ends; what stands in the fields is the parser's business.
///
/// SwiftCSV reads text by characters as people see them, and there a comma with an accent behind it is no
/// comma, and a Unicode line separator ends a row. So the text is guarded on its way through: a noncharacter
/// (U+FDD0) keeps quotes and commas apart from what is not ASCII, and rare line separators outside quotes become
/// spaces. ``CSVRows`` takes the guards out again.
struct RecordCutter {
    /// The number of U+FDD0, which Unicode keeps out of all text.
    static let guardValue: UInt32 = 0xFDD0
    private static let guardBytes: [UInt8] = [0xEF, 0xB7, 0x90]
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private enum State {
        case fieldStart, unquoted, quoted, quoteInQuoted
    }

    private var state = State.fieldStart
    private var line = 1
    private var recordLine = 1
    private var quoteLine = 1
    private var previous: UInt8 = 0
    private var bytesSeen = 0
    private var markMatched = 0
    private var recordStart = 0
    private var chunk = CSVChunk()
    /// A record longer than this is a missing quote, and would otherwise swallow the file.
    private let maximumRecordLength: Int

    init(maximumRecordLength: Int = 4 << 20) {
        self.maximumRecordLength = maximumRecordLength
    }

    /// How many complete records wait to be taken.
    var recordCount: Int { chunk.ends.count }

    /// How many bytes the complete records have.
    var completeLength: Int { recordStart }

    /// Reads on.
    mutating func append(_ block: UnsafeRawBufferPointer) throws {
        for byte in block {
            if bytesSeen < 3, isByteOrderMark(byte) { continue }
            try append(byte)
        }
        if chunk.text.count - recordStart > maximumRecordLength {
            throw CuttingProblem.recordTooLong(line: recordLine)
        }
    }

    /// Closes the last record, which need not end with a line.
    mutating func finish() throws {
        if state == .quoted { throw CuttingProblem.unterminatedQuote(line: quoteLine) }
        if chunk.text.count > recordStart { endRecord() }
    }

    /// All complete records.
    mutating func takeRecords() -> CSVChunk {
        var taken = chunk
        chunk = CSVChunk()
        chunk.text = Array(taken.text[recordStart...])
        taken.text.removeSubrange(recordStart...)
        recordStart = 0
        return taken
    }

    /// Passes over a mark at the beginning of the file, which may come in several blocks.
    private mutating func isByteOrderMark(_ byte: UInt8) -> Bool {
        defer { bytesSeen += 1 }
        guard markMatched == bytesSeen, byte == RecordCutter.byteOrderMark[bytesSeen] else {
            // The beginning of a mark that is none: bytes to be read after all.
            if markMatched == bytesSeen { chunk.text += RecordCutter.byteOrderMark.prefix(markMatched) }
            return false
        }
        markMatched += 1
        return true
    }
}

// MARK: - Bytes

extension RecordCutter {
    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private mutating func append(_ byte: UInt8) throws {
        defer { previous = byte }
        switch byte {
        case RecordCutter.lineFeed, RecordCutter.carriageReturn:
            appendLineEnd(byte)
        case RecordCutter.quote:
            appendGuarded(byte)
            readQuote()
        case RecordCutter.comma:
            appendGuarded(byte)
            if state != .quoted { state = .fieldStart }
        case 0x20, 0x09:
            // Space before and behind a quoted field does not count.
            chunk.text.append(byte)
        case 0x0B, 0x0C:
            chunk.text.append(state == .quoted ? byte : 0x20)
        default:
            appendGuarded(byte)
            if state != .quoted {
                state = .unquoted
                if byte >= 0x80 { replaceLineSeparator() }
            }
        }
    }

    private mutating func readQuote() {
        switch state {
        case .fieldStart:
            state = .quoted
            quoteLine = line
        case .quoted: state = .quoteInQuoted
        case .quoteInQuoted: state = .quoted
        // Not allowed there; the parser says so, with the line of this record and not of some later one.
        case .unquoted: break
        }
    }

    /// LF, CR LF and CR alone end a line; LF after CR belongs to it.
    private mutating func appendLineEnd(_ byte: UInt8) {
        let isSecondHalf = byte == RecordCutter.lineFeed && previous == RecordCutter.carriageReturn
        if !isSecondHalf { line += 1 }
        if state == .quoted {
            chunk.text.append(byte)
        } else if isSecondHalf {
            recordLine = line
        } else {
            endRecord()
        }
    }

    private mutating func endRecord() {
        chunk.text.append(RecordCutter.lineFeed)
        chunk.ends.append(chunk.text.count)
        chunk.lines.append(recordLine)
        recordStart = chunk.text.count
        recordLine = line
        state = .fieldStart
    }

    /// Keeps quotes and commas apart from scalars that could join them in one character.
    private mutating func appendGuarded(_ byte: UInt8) {
        let joins = byte >= 0x80 ? isStructural(previous) : isStructural(byte) && previous >= 0x80
        if joins { chunk.text += RecordCutter.guardBytes }
        chunk.text.append(byte)
    }

    private func isStructural(_ byte: UInt8) -> Bool {
        byte == RecordCutter.quote || byte == RecordCutter.comma
    }

    /// U+0085, U+2028 and U+2029 end a row for SwiftCSV, but no line for anybody's editor.
    private mutating func replaceLineSeparator() {
        for separator: [UInt8] in [[0xC2, 0x85], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9]]
        where chunk.text.last == separator.last && chunk.text.suffix(separator.count).elementsEqual(separator) {
            chunk.text.removeLast(separator.count)
            chunk.text.append(0x20)
            return
        }
    }
}
