/// A column and its new value, for `Query.updateAll(isolation:set:)`.
///
/// ```swift
/// storage.query(User.self).where { $0.age < 18 }.updateAll { [$0.isActive.set(to: false)] }
/// ```
public struct ColumnAssignment: Sendable {
    private let target: ExpressionNode
    private let value: @Sendable (JSONCoders) throws -> ExpressionNode
    /// What the compiler takes an expression for; nil for a value, which is looked at itself.
    private let type: (any Any.Type)?

    /// - Parameter type: The type of an expression.
    init(_ column: ExpressionNode, _ value: ExpressionNode, as type: (any Any.Type)? = nil) {
        target = column
        self.value = { _ in value }
        self.type = type
    }

    /// - Parameter value: Makes the value with the coders of the store.
    init(_ column: ExpressionNode, with value: @escaping @Sendable (JSONCoders) throws -> ExpressionNode) {
        target = column
        self.value = value
        type = nil
    }

    /// The column and its value, as a plan takes them.
    ///
    /// - Throws: `StorageError.queryFailed` for a column that cannot be set, or not to that.
    func checked<R>(in table: RecordTable<R>) throws -> (column: String, value: ExpressionNode) {
        if case .invalid(let reason) = target { throw StorageError.invalidQuery(reason) }
        guard case .column(_, let source) = target.settableColumn else {
            throw StorageError.invalidQuery("only a column can be set, or a value in one of JSON")
        }
        guard source.map({ $0.path == nil && $0.table === table.source }) ?? true else {
            throw problem("it is a column of another table")
        }
        let schema = try table.source.column(column).schema
        guard !schema.primaryKey else { throw problem("the id of a row is for life") }
        guard column != table.sql.versionColumn else { throw problem("each write counts the version up") }
        guard !table.sql.isInOptionalValue(column) else {
            throw problem("it belongs to an optional value, which is there as a whole or not at all; save the entity")
        }
        let value: ExpressionNode
        do {
            value = try self.value(table.coders)
        } catch {
            throw problem(ColumnEncodingError(error).reason)
        }
        if case .invalid(let reason) = value { throw problem(reason) }
        if case .json(_, let path) = target { return (column, try json(value, at: path, table.coders)) }
        if case .constant(.null, _) = value, schema.notNull { throw problem("it may not be NULL") }
        try value.checkNesting()
        try checkType(of: value, in: table)
        return (column, value)
    }

    /// A column that is named by a string, or found by its spelling, may be of another type than was said. What a record written by
    /// hand keeps there, nobody knows.
    private func checkType<R>(of value: ExpressionNode, in table: RecordTable<R>) throws {
        guard let coder = R.knownParts.leafCoder(of: column) else { return }
        let form = try table.source.column(column).form
        if let type = try value.form(in: table.source).type, let wanted = form.type, !wanted.takes(type) {
            throw problem("it holds \(wanted.rawValue), and the value is \(type.rawValue)")
        }
        // Not each text is one of an enum, or an id.
        if form.type == .text, let type, wrapped(type) != wrapped(coder.type) {
            throw problem("it holds values of type \(coder.type), and the expression is of type \(type)")
        }
        guard case .constant(let value, _) = value, value != .null else { return }
        if let error = coder.readingError(of: form.stored(value), column: column, coders: table.coders) {
            throw problem("it holds \(error.found), which is not a value of type \(error.expected)")
        }
    }

    var column: String { target.settableColumn.columnName ?? "" }

    /// The JSON of the column with the value at a place. What is set before in the same column stays.
    private func json(_ value: ExpressionNode, at path: JSONPath, _ coders: JSONCoders) throws -> ExpressionNode {
        let json: String?
        let place: String
        do {
            place = try path.find(coders).path
            guard case .constant(let stored, _) = value else { throw problem("a value in JSON is set to values only") }
            if let encode = path.encode {
                json = try encode(stored, coders)
            } else if case .text(let text) = stored {
                json = text
            } else {
                json = nil
            }
        } catch let error as StorageError {
            throw error
        } catch let error as InvalidQuery {
            throw problem(error.reason)
        } catch {
            throw problem(
                error is ColumnDecodingError ? "the value in JSON may not be nil" : ColumnEncodingError(error).reason)
        }
        let key = ExpressionNode.constant(.text(place), .text)
        guard let json else { return .call(SQLFunction("json_remove", type: .text), [target.settableColumn, key]) }
        return .call(
            SQLFunction("json_set", type: .text),
            [target.settableColumn, key, .call(SQLFunction("json"), [.constant(.text(json), .text)])])
    }

    /// What a row must meet to be changed: there has to be something that the value can be put into.
    var requirement: ExpressionNode? {
        guard case .json(let column, let path) = target, path.passesOptional else { return nil }
        return .json(column, path.isInObject)
    }

    var isInJSON: Bool { if case .json = target { true } else { false } }

    func problem(_ reason: String) -> StorageError {
        .invalidQuery("column '\(column)' cannot be set: \(reason)")
    }
}

extension [ColumnAssignment] {
    /// The columns and their values, as a plan takes them.
    ///
    /// - Parameter now: The time of the write, for the column that holds it.
    /// - Throws: Also if a column is set twice.
    package func checked<R>(
        in table: RecordTable<R>, now: Date
    ) throws -> [(column: String, value: ExpressionNode)] {
        var values: [(column: String, value: ExpressionNode)] = []
        for assignment in self {
            let (column, value) = try assignment.checked(in: table)
            guard let earlier = values.firstIndex(where: { $0.column == column }) else {
                values.append((column, value))
                continue
            }
            // Several values in one JSON are set one after the other.
            guard assignment.isInJSON, allSatisfy({ $0.column != column || $0.isInJSON }),
                case .call(let function, let arguments) = value
            else { throw assignment.problem("it is set twice") }
            values[earlier].value = .call(function, [values[earlier].value] + arguments.dropFirst())
        }
        if let column = table.sql.stampColumn, !values.contains(where: { $0.column == column }) {
            values.append((column, .constant(try stamp(now, in: column, of: R.self), .datetime)))
        }
        return values
    }

    private func stamp<R: StorageKitEntityRecord>(_ now: Date, in column: String, of type: R.Type) throws -> StoredValue
    {
        do {
            return try now.storedValue()
        } catch {
            var error = ColumnEncodingError(error)
            error.column = column
            throw StorageError.entityEncodingFailed(type: "\(R.E.self)", underlying: error)
        }
    }
}

extension Column where T: ColumnValue {
    /// A new value for the column. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value; nil is NULL.
    public func set(to value: T) -> ColumnAssignment {
        ColumnAssignment(node, .value(value))
    }
}

extension Column {
    /// A new value for the column, calculated from the row as it was. SQL: `"c" = "d" + 1`
    ///
    /// - Parameter value: The expression.
    @_disfavoredOverload
    public func set(to value: Column<T>) -> ColumnAssignment {
        ColumnAssignment(node, value.node.within(T.self), as: T.self)
    }

    /// A new value for a column that may be NULL, calculated from the row as it was.
    ///
    /// - Parameter value: The expression.
    @_disfavoredOverload
    public func set<Wrapped>(to value: Column<Wrapped>) -> ColumnAssignment where T == Wrapped? {
        ColumnAssignment(node, value.node.within(Wrapped.self), as: Wrapped.self)
    }
}

extension Column {
    /// Never there: it gives the compiler words for a value that may be nil.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "the value may be nil, as that of a division is, and the column may not: say '??' and another value"
    )
    public func set(to value: Column<T?>) -> ColumnAssignment { ColumnAssignment(node, value.node) }

    /// Never there: the value is of another type.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "the column is of another type than the value, or the value may be nil: unwrap it"
    )
    public func set<Value>(to value: Value) -> ColumnAssignment { ColumnAssignment(node, .never) }
}

extension ExpressionNode {
    /// The value, if it is calculated and of a type of fewer than 64 bits, as one of that type, or checked to be one: SQLite has one type
    /// of integers and one of other numbers. What SQL of the app's gives may have a fraction.
    fileprivate func within(_ type: any Any.Type) -> ExpressionNode {
        let plain = wrapped(type)
        if columnName == nil, plain == Float.self {
            return .call(SQLFunction(FunctionName.single, type: .real), [self])
        }
        guard columnName == nil, let integer = plain as? any FixedWidthInteger.Type, integer.bitWidth < 64 else {
            return isIntegerOfSQL ? .call(SQLFunction(FunctionName.whole), [self]) : self
        }
        return integer.checked(self)
    }
}

extension FixedWidthInteger {
    fileprivate static func checked(_ node: ExpressionNode) -> ExpressionNode {
        let range = [Int64(min), Int64(max)].map { ExpressionNode.constant(.integer($0), .integer) }
        return .call(SQLFunction(FunctionName.within), [node] + range)
    }
}

extension Column where T: RawRepresentable, T.RawValue: ColumnValue {
    /// A new raw value for the column. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value.
    @_disfavoredOverload
    public func set(to value: T) -> ColumnAssignment {
        ColumnAssignment(node, .value(value))
    }
}

extension Column {
    /// A new raw value for a column that may be NULL. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value; nil is NULL.
    @_disfavoredOverload
    public func set<Raw: RawRepresentable>(to value: Raw?) -> ColumnAssignment
    where T == Raw?, Raw.RawValue: ColumnValue {
        ColumnAssignment(node, .value(value))
    }
}

extension JSONColumn where T: Encodable & Sendable {
    /// A new value for a column of JSON, written with the coders of the store. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value.
    @_disfavoredOverload
    public func set(to value: T) -> ColumnAssignment {
        ColumnAssignment(node) { coders in try .json(value, with: coders) }
    }
}

extension JSONColumn {
    /// A new value for a column of JSON that may be NULL, written with the coders of the store. SQL: `"c" = ?`
    ///
    /// - Parameter value: The value; nil is NULL.
    public func set<Value: Encodable & Sendable>(to value: Value?) -> ColumnAssignment where T == Value? {
        ColumnAssignment(node) { coders in try value.map { try .json($0, with: coders) } ?? .constant(.null, .text) }
    }
}

extension ExpressionNode {
    fileprivate static func json(_ value: some Encodable, with coders: JSONCoders) throws -> ExpressionNode {
        .constant(.text(try JSONText.encode(value, with: coders.makeEncoder())), .text)
    }
}
