public import Foundation
import GRDBSQLite

extension Connection {
    /// Adds an SQL function. Unlike GRDB's, it gets texts beyond their first NUL.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - count: How many arguments it takes; nil for any number.
    ///   - isInnocuous: Whether views, triggers and indexes of a file that nobody trusts may call it too.
    ///   - function: The function, whose result depends on the arguments alone. What it throws ends the statement.
    public func addFunction(
        _ name: String, arguments count: Int? = 1, isInnocuous: Bool = false,
        _ function: @escaping @Sendable (FunctionArguments) throws -> SQLiteValue
    ) {
        typealias Function = Box<@Sendable (FunctionArguments) throws -> SQLiteValue>
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | (isInnocuous ? SQLITE_INNOCUOUS : 0)
        sqlite3_create_function_v2(
            pointer, name, Int32(count ?? -1), flags, Box(function).retained,
            { context, count, arguments in
                let function = Function.value(sqlite3_user_data(context))
                context?.setResult { try function(FunctionArguments(arguments, Int(count))) }
            }, nil, nil, { Function.release($0) })
    }

    /// Adds an SQL function that makes one value of those of many rows, NULL left out.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - initial: What it begins with.
    ///   - step: Adds the value of a row. What it throws ends the statement.
    ///   - result: Makes the value of it all.
    public func addAggregate<Sum>(
        _ name: String, from initial: @escaping @Sendable () -> Sum,
        step: @escaping @Sendable (inout Sum, ColumnCell) throws -> Void,
        result: @escaping @Sendable (Sum) throws -> SQLiteValue
    ) {
        let function = AggregateFunction(
            begin: { Running(initial()) },
            step: { try step(&unsafeDowncast($0, to: Running<Sum>.self).sum, $1) },
            result: { try result($0.map { unsafeDowncast($0, to: Running<Sum>.self).sum } ?? initial()) })
        sqlite3_create_function_v2(
            pointer, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, Box(function).retained, nil,
            { context, _, arguments in
                guard let context, let place = context.running(room: true) else { return }
                let cell = ColumnCell(arguments?[0])
                guard cell.storageClass != .null else { return }
                let function = Box<AggregateFunction>.value(sqlite3_user_data(context))
                let sum = place.pointee ?? Unmanaged.passRetained(function.begin()).toOpaque()
                place.pointee = sum
                do {
                    try function.step(Unmanaged<AnyObject>.fromOpaque(sum).takeUnretainedValue(), cell)
                } catch {
                    context.setError(error)
                }
            },
            { context in
                guard let context else { return }
                let function = Box<AggregateFunction>.value(sqlite3_user_data(context))
                let sum = context.running(room: false)?.pointee.map {
                    Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue()
                }
                context.setResult { try function.result(sum) }
            }, { Box<AggregateFunction>.release($0) })
    }

    /// Adds a collation.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - compare: The order of two texts.
    public func addCollation(_ name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult) {
        sqlite3_create_collation_v2(
            pointer, name, SQLITE_UTF8, Box(compare).retained,
            { box, leftCount, left, rightCount, right in
                let compare = Box<@Sendable (String, String) -> ComparisonResult>.value(box)
                return Int32(compare(text(left, leftCount), text(right, rightCount)).rawValue)
            }, { Box<@Sendable (String, String) -> ComparisonResult>.release($0) })
    }
}

extension Connection {
    /// What the names of collations begin with that sort as a language does. The identifier of a locale follows.
    private static let localizedCollation = "storagekit_localized_"

    /// The name of the collation that sorts as readers of a language expect it; nil for an identifier that no locale has.
    ///
    /// Foundation traps on signs beyond ASCII when it compares texts, and SQL ends at a NUL. Identifiers consist of letters, digits and
    /// a few signs, and none is as long as this.
    ///
    /// - Parameter identifier: The identifier of a locale.
    public static func localizedCollation(_ identifier: String) -> String? {
        let isPossible = identifier.utf8.count < 256 && identifier.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        return isPossible ? localizedCollation + identifier : nil
    }

    /// Has the collations of languages added, each when SQL first names it.
    public func addLocalizedCollations() {
        sqlite3_collation_needed(pointer, nil) { _, pointer, _, name in
            guard let pointer, let name = name.map({ String(cString: $0) }),
                name.hasPrefix(Connection.localizedCollation)
            else { return }
            let identifier = String(name.dropFirst(Connection.localizedCollation.count))
            // SQL of the app's may name any. Of one that is not added SQLite says that there is none.
            guard Connection.localizedCollation(identifier) != nil else { return }
            let locale = Locale(identifier: identifier)
            Connection(borrowing: pointer).addCollation(name) { $0.compare($1, locale: locale) }
        }
    }
}

private func text(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
}

/// What SQLite holds for as long as it has a function or a collation: retained once when it is added, released by SQLite.
private final class Box<Value> {
    private let value: Value

    init(_ value: Value) {
        self.value = value
    }

    var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func value(_ box: UnsafeMutableRawPointer?) -> Value {
        guard let box else { preconditionFailure("SQLite calls a function without what it was given with it") }
        return Unmanaged<Box<Value>>.fromOpaque(box).takeUnretainedValue().value
    }

    static func release(_ box: UnsafeMutableRawPointer?) {
        box.map { Unmanaged<Box<Value>>.fromOpaque($0).release() }
    }
}

/// The arguments that SQLite calls a function with.
public struct FunctionArguments {
    /// How many they are.
    public let count: Int
    private let values: UnsafeMutablePointer<OpaquePointer?>?

    fileprivate init(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int) {
        self.values = values
        self.count = count
    }

    /// An argument.
    ///
    /// - Parameter position: Its position, from 0.
    public subscript(position: Int) -> ColumnCell { ColumnCell(values?[position]) }
}

/// Why a function cannot give a result. The message becomes that of SQLite's error, so it must not hold values.
public struct FunctionFailure: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    /// Creates the error.
    public init(_ description: String) {
        self.description = description
    }
}

/// A function of many rows, its sum seen as an object. It is an object itself, so that a call for a row copies none of the three.
private final class AggregateFunction: Sendable {
    let begin: @Sendable () -> AnyObject
    let step: @Sendable (AnyObject, ColumnCell) throws -> Void
    let result: @Sendable (AnyObject?) throws -> SQLiteValue

    init(
        begin: @escaping @Sendable () -> AnyObject, step: @escaping @Sendable (AnyObject, ColumnCell) throws -> Void,
        result: @escaping @Sendable (AnyObject?) throws -> SQLiteValue
    ) {
        self.begin = begin
        self.step = step
        self.result = result
    }
}

/// A sum on its way.
private final class Running<Sum> {
    var sum: Sum

    init(_ sum: Sum) {
        self.sum = sum
    }
}

extension OpaquePointer {
    /// Where SQLite keeps the sum of the rows that a function is called for; nil before the first where there is to be no room.
    fileprivate func running(room: Bool) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        sqlite3_aggregate_context(self, room ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0)?
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    fileprivate func setResult(_ value: () throws -> SQLiteValue) {
        do {
            setResult(try value())
        } catch {
            setError(error)
        }
    }

    /// Ends the call with an error: one of SQLite's as it is, another with its words.
    fileprivate func setError(_ error: any Error) {
        guard let failure = error as? SQLiteFailure else { return sqlite3_result_error(self, "\(error)", -1) }
        sqlite3_result_error(self, failure.message, -1)
        sqlite3_result_error_code(self, failure.code)
    }

    /// Gives an SQL function's result to the context that it was called with.
    fileprivate func setResult(_ value: SQLiteValue) {
        switch value {
        case .null: sqlite3_result_null(self)
        case .integer(let number): sqlite3_result_int64(self, number)
        case .real(let number): sqlite3_result_double(self, number)
        case .text(let text):
            text.withBytes { utf8 in
                let start = UnsafeRawPointer(utf8.baseAddress) ?? BytesOwnership.noBytes
                sqlite3_result_text64(
                    self, start.assumingMemoryBound(to: CChar.self), UInt64(utf8.count), BytesOwnership.transient,
                    UInt8(SQLITE_UTF8))
            }
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                sqlite3_result_blob64(
                    self, bytes.baseAddress ?? BytesOwnership.noBytes, UInt64(bytes.count), BytesOwnership.transient)
            }
        }
    }
}
