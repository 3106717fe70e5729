import StorageSQLite

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
            let cell = row.cell(at: Int32(column))
            let storageClass = cell.storageClass
            let fits =
                switch storageClass {
                case .integer: Swift.withUnsafeBytes(of: cell.integer, append)
                case .real: Swift.withUnsafeBytes(of: cell.real, append)
                case .text: append(UnsafeRawBufferPointer(cell.text))
                case .blob: append(cell.blob)
                default: true
                }
            guard fits else { return nil }
            start.storeBytes(of: UInt32(end), toByteOffset: column * 4, as: UInt32.self)
            start.storeBytes(of: UInt8(storageClass.rawValue), toByteOffset: columns * 4 + column, as: UInt8.self)
        }
        self.start = UnsafeRawPointer(start)
        self.columns = columns
        let used = (end + CopiedCells.alignment - 1) & ~(CopiedCells.alignment - 1)
        free = UnsafeMutableRawBufferPointer(rebasing: free[min(used, free.count)...])
    }

    private static func headerSize(_ columns: Int) -> Int { columns * 5 }

    fileprivate static func size(of row: StatementCells, _ columns: Int) -> Int {
        (0..<Int32(columns)).reduce(headerSize(columns)) { size, index in
            let cell = row.cell(at: index)
            return switch cell.storageClass {
            case .integer, .real: size + 8
            case .text: size + cell.text.count
            case .blob: size + cell.blob.count
            default: size
            }
        }
    }

    func cell(at index: Int32) -> CopiedCell {
        let column = Int(index)
        let begin = column == 0 ? CopiedCells.headerSize(columns) : end(of: column - 1)
        return CopiedCell(
            storageClass: StorageClass(
                rawValue: Int32(start.load(fromByteOffset: columns * 4 + column, as: UInt8.self))) ?? .null,
            blob: UnsafeRawBufferPointer(start: start + begin, count: end(of: column) - begin))
    }

    private func end(of column: Int) -> Int { Int(start.load(fromByteOffset: column * 4, as: UInt32.self)) }
}

/// One column of the copy of a row.
struct CopiedCell: RawCell {
    let storageClass: StorageClass
    let blob: UnsafeRawBufferPointer

    var integer: Int64 { blob.loadUnaligned(as: Int64.self) }
    var real: Double { storageClass == .integer ? Double(integer) : blob.loadUnaligned(as: Double.self) }
    var text: UnsafeBufferPointer<UInt8> { blob.assumingMemoryBound(to: UInt8.self) }
}
