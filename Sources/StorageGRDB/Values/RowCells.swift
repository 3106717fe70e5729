import GRDBSQLite
import StorageSQLite

/// The columns of a row, by position from 0. Each value is nil where the column holds something else.
protocol RowCells {
    func name(at index: Int32) -> String
    func storageClass(at index: Int32) -> StorageClass
    /// An INTEGER, or a REAL with a whole value.
    func integer(at index: Int32) -> Int64?
    func real(at index: Int32) -> Double?
    func text(at index: Int32) -> String?
    func blob(at index: Int32) -> Data?
    /// Those of TEXT or BLOB.
    func bytes(at index: Int32) -> Data?
    /// A TEXT that is a date, or a number of seconds since 1970.
    func date(at index: Int32) -> Date?
    func storedValue(at index: Int32) -> StoredValue
    /// The same, to ask SQLite for it again; nil for a text that is not UTF-8.
    func exactValue(at index: Int32) -> StoredValue?
    /// How many bytes the column takes.
    func storedSize(at index: Int32) -> Int
    /// Goes to the next row.
    ///
    /// - Returns: What SQLite says.
    func step() -> Int32
}

/// The columns of the row that a statement is at.
struct StatementCells: RowCells {
    let statement: StatementHandle

    func name(at index: Int32) -> String { statement.columnName(at: index) }

    private func cell(at index: Int32) -> ColumnCell { statement.cell(at: index) }

    func storageClass(at index: Int32) -> StorageClass { cell(at: index).storageClass }

    func integer(at index: Int32) -> Int64? {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case .integer: cell.integer
        case .real: Int64(exactly: cell.real)
        default: nil
        }
    }

    func real(at index: Int32) -> Double? {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case .real, .integer: cell.real
        default: nil
        }
    }

    func text(at index: Int32) -> String? {
        let cell = cell(at: index)
        return cell.storageClass == .text ? String(decoding: cell.text, as: UTF8.self) : nil
    }

    func blob(at index: Int32) -> Data? {
        let cell = cell(at: index)
        return cell.storageClass == .blob ? Data(cell.blob) : nil
    }

    func bytes(at index: Int32) -> Data? {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case .text: Data(cell.text)
        case .blob: Data(cell.blob)
        default: nil
        }
    }

    func date(at index: Int32) -> Date? {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case .text: DateText.parse(cell.text)
        case .integer, .real: Date(timeIntervalSince1970: cell.real)
        default: nil
        }
    }

    func storedValue(at index: Int32) -> StoredValue { cell(at: index).value }

    func exactValue(at index: Int32) -> StoredValue? { cell(at: index).exactValue }

    /// As of a `StoredValue`, without a copy of it.
    func storedSize(at index: Int32) -> Int {
        let cell = cell(at: index)
        return switch cell.storageClass {
        case .null: 1
        case .integer, .real: 8
        case .text: cell.text.count
        case .blob: cell.blob.count
        }
    }

    func step() -> Int32 { statement.stepping() }
}

/// A row that is a list of values.
struct ValueCells: RowCells {
    let values: [StoredValue]
    let names: [String]
    /// The columns whose text was not UTF-8.
    let inexact: Set<Int32>

    func name(at index: Int32) -> String { names[Int(index)] }

    func storedValue(at index: Int32) -> StoredValue { values[Int(index)] }

    func exactValue(at index: Int32) -> StoredValue? { inexact.contains(index) ? nil : values[Int(index)] }

    func storedSize(at index: Int32) -> Int { values[Int(index)].storedSize }

    func storageClass(at index: Int32) -> StorageClass { values[Int(index)].storageClass }

    func integer(at index: Int32) -> Int64? {
        switch values[Int(index)] {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        default: nil
        }
    }

    func real(at index: Int32) -> Double? {
        switch values[Int(index)] {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    func text(at index: Int32) -> String? {
        if case .text(let value) = values[Int(index)] { value } else { nil }
    }

    func blob(at index: Int32) -> Data? {
        if case .blob(let value) = values[Int(index)] { value } else { nil }
    }

    func bytes(at index: Int32) -> Data? {
        switch values[Int(index)] {
        case .text(let text): Data(text.utf8)
        case .blob(let bytes): bytes
        default: nil
        }
    }

    func date(at index: Int32) -> Date? {
        switch values[Int(index)] {
        case .text(var text): text.withUTF8(DateText.parse)
        case .integer(let seconds): Date(timeIntervalSince1970: Double(seconds))
        case .real(let seconds): Date(timeIntervalSince1970: seconds)
        default: nil
        }
    }

    /// There is no other.
    func step() -> Int32 { SQLITE_DONE }
}
