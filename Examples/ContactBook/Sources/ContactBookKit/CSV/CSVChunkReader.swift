import StorageKit

/// Reads a CSV file chunk by chunk: never more of it is in memory than a chunk and a block.
struct CSVChunkReader: ~Copyable {
    /// The file as the user named it, for messages.
    let file: String
    /// The size of the file.
    let byteCount: Int
    /// How much of the file was read.
    private(set) var bytesRead = 0

    private let handle: FileHandle
    private let blockLength: Int
    private var cutter = RecordCutter()
    private var isAtEnd = false

    /// Opens a file.
    ///
    /// - Throws: ``CSVProblem`` if it cannot be read.
    init(_ file: String, blockLength: Int = 128 << 10) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
            throw CSVProblem(file: file, reason: "there is no such file")
        }
        guard !isFolder.boolValue else {
            throw CSVProblem(file: file, reason: "this is a folder, not a CSV file")
        }
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw CSVProblem(file: file, reason: "the file cannot be read; check its permissions")
        }
        self.file = file
        self.handle = handle
        self.blockLength = blockLength
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        byteCount = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    deinit {
        try? handle.close()
    }

    /// The next chunk of about that many records, or nil at the end of the file. A chunk of long records ends
    /// earlier: it is also measured in bytes.
    ///
    /// - Throws: ``CSVProblem`` if the file cannot be read on or a quote is never closed.
    mutating func next(recordCount: Int) throws -> CSVChunk? {
        while !isAtEnd, cutter.recordCount < recordCount, cutter.completeLength < 2 << 20 {
            try readBlock()
        }
        return cutter.recordCount == 0 ? nil : cutter.takeRecords()
    }

    private mutating func readBlock() throws {
        let block: Data?
        do {
            block = try handle.read(upToCount: blockLength)
        } catch {
            throw CSVProblem(file: file, reason: "the file cannot be read: \(error.localizedDescription)")
        }
        do {
            guard let block, !block.isEmpty else {
                isAtEnd = true
                return try cutter.finish()
            }
            bytesRead += block.count
            try block.withUnsafeBytes { try cutter.append($0) }
        } catch CuttingProblem.unterminatedQuote(let line) {
            throw CSVProblem(file: file, line: line, reason: "the quote that begins here is never closed")
        } catch CuttingProblem.recordTooLong(let line) {
            throw CSVProblem(
                file: file, line: line, reason: "the record that begins here has no end; a quote may be missing")
        }
    }
}
