import GRDBSQLite

/// Copies of rows, to be read in another order than they came in. They go when this does.
struct CopiedRows: ~Copyable {
    private static let blockSize = 1 << 20

    private let columns: Int
    private var blocks: [UnsafeMutableRawPointer] = []
    /// What is free of the last block.
    private var free = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    init(columns: Int) {
        self.columns = columns
    }

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// Copies the row that a statement is at.
    mutating func append(_ row: StatementCells) -> CopiedCells {
        if let copy = CopiedCells(copying: row, columns, to: &free) { return copy }
        let size = max(CopiedRows.blockSize, CopiedCells.size(of: row, columns))
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: CopiedCells.alignment)
        blocks.append(block)
        free = UnsafeMutableRawBufferPointer(start: block, count: size)
        guard let copy = CopiedCells(copying: row, columns, to: &free) else {
            preconditionFailure("a row takes more than its size")
        }
        return copy
    }
}

/// The copy of a row: where each column ends, what each holds, and then the columns themselves. A number takes eight bytes.
struct CopiedCells: RawCells {
    static let alignment = MemoryLayout<UInt32>.alignment

    private let start: UnsafeRawPointer
    private let columns: Int

    /// Copies a row into the beginning of what is free, which is then less.
    ///
    /// - Returns: Nil if the row takes more.
    fileprivate init?(copying row: StatementCells, _ columns: Int, to free: inout UnsafeMutableRawBufferPointer) {
        var end = CopiedCells.headerSize(columns)
        guard let start = free.baseAddress, end <= free.count else { return nil }
        func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
            guard end + bytes.count <= free.count else { return false }
            if let source = bytes.baseAddress { (start + end).copyMemory(from: source, byteCount: bytes.count) }
            end += bytes.count
            return true
        }
        for column in 0..<columns {
            let index = Int32(column)
            let storageClass = row.storageClass(at: index)
            let fits =
                switch storageClass {
                case SQLITE_INTEGER: Swift.withUnsafeBytes(of: row.rawInteger(at: index), append)
                case SQLITE_FLOAT: Swift.withUnsafeBytes(of: row.rawReal(at: index), append)
                case SQLITE_TEXT: append(UnsafeRawBufferPointer(row.rawText(at: index)))
                case SQLITE_BLOB: append(row.rawBlob(at: index))
                default: true
                }
            guard fits else { return nil }
            start.storeBytes(of: UInt32(end), toByteOffset: column * 4, as: UInt32.self)
            start.storeBytes(of: UInt8(storageClass), toByteOffset: columns * 4 + column, as: UInt8.self)
        }
        self.start = UnsafeRawPointer(start)
        self.columns = columns
        let used = (end + CopiedCells.alignment - 1) & ~(CopiedCells.alignment - 1)
        free = UnsafeMutableRawBufferPointer(rebasing: free[min(used, free.count)...])
    }

    private static func headerSize(_ columns: Int) -> Int { columns * 5 }

    fileprivate static func size(of row: StatementCells, _ columns: Int) -> Int {
        (0..<Int32(columns)).reduce(headerSize(columns)) { size, index in
            switch row.storageClass(at: index) {
            case SQLITE_INTEGER, SQLITE_FLOAT: size + 8
            case SQLITE_TEXT: size + row.rawText(at: index).count
            case SQLITE_BLOB: size + row.rawBlob(at: index).count
            default: size
            }
        }
    }

    func storageClass(at index: Int32) -> Int32 {
        Int32(start.load(fromByteOffset: columns * 4 + Int(index), as: UInt8.self))
    }

    func rawInteger(at index: Int32) -> Int64 { bytes(of: index).loadUnaligned(as: Int64.self) }

    func rawReal(at index: Int32) -> Double {
        storageClass(at: index) == SQLITE_INTEGER
            ? Double(rawInteger(at: index)) : bytes(of: index).loadUnaligned(as: Double.self)
    }

    func rawText(at index: Int32) -> UnsafeBufferPointer<UInt8> { bytes(of: index).assumingMemoryBound(to: UInt8.self) }

    func rawBlob(at index: Int32) -> UnsafeRawBufferPointer { bytes(of: index) }

    private func bytes(of index: Int32) -> UnsafeRawBufferPointer {
        let begin = index == 0 ? CopiedCells.headerSize(columns) : end(of: Int(index) - 1)
        return UnsafeRawBufferPointer(start: start + begin, count: end(of: Int(index)) - begin)
    }

    private func end(of column: Int) -> Int { Int(start.load(fromByteOffset: column * 4, as: UInt32.self)) }
}
