/// What a selection takes: a column, any other expression, an entity, a struct made of several.
///
/// Conformed to by StorageKit's types. Each says what to select, and makes a value of what a row then holds.
public protocol Selectable<Value>: Sendable {
    /// What each row gives.
    associatedtype Value
    /// What is selected for it.
    var _selected: _Selected<Value> { get }
}

/// What is selected for a value, and how a row is read as one.
public struct _Selected<Value>: Sendable {
    @usableFromInline let all: _SelectedNodes
    /// Reads the value from the next columns, as many as there are expressions.
    @usableFromInline package let read: @Sendable (inout RowReader) throws -> Value
    /// Reads the values of all rows, from the one that the reader is at.
    @usableFromInline package let readAll: @Sendable (inout RowReader, inout [Value]) throws -> Void

    package var nodes: [ExpressionNode] { all.nodes }
    /// Whether entities are among what is selected.
    package var holdsEntities: Bool { all.holdsEntities }
    /// Whether embedded values are among what is selected.
    package var holdsEmbedded: Bool { all.holdsEmbedded }

    /// The same values, read from columns that hold what was selected for them.
    package func reading(_ columns: [ExpressionNode]) -> _Selected {
        var all = all
        all.nodes = columns
        return _Selected(all, read: read, readAll: readAll)
    }

    package init(_ nodes: [ExpressionNode], read: @escaping @Sendable (inout RowReader) throws -> Value) {
        self.init(_SelectedNodes(nodes: nodes), read: read)
    }

    fileprivate init(_ all: _SelectedNodes, read: @escaping @Sendable (inout RowReader) throws -> Value) {
        self.init(all, read: read) { row, values in
            repeat { values.append(try read(&row)) } while row.advance()
        }
    }

    @usableFromInline init(
        _ all: _SelectedNodes, read: @escaping @Sendable (inout RowReader) throws -> Value,
        readAll: @escaping @Sendable (inout RowReader, inout [Value]) throws -> Void
    ) {
        self.all = all
        self.read = read
        self.readAll = readAll
    }
}

/// The expressions that are selected.
public struct _SelectedNodes: Sendable {
    package var nodes: [ExpressionNode] = []
    /// What is read beside the rows, by one more statement each.
    var related: [SelectedRelation] = []
    fileprivate var holdsEntities = false
    fileprivate var holdsEmbedded = false

    package init(nodes: [ExpressionNode]) {
        self.nodes = nodes
    }

    @usableFromInline init() {}

    /// The compiler takes a tuple for one of nothing where some part of it can be in no selection.
    @usableFromInline mutating func refuseNothing() {
        if nodes.isEmpty { nodes = [.invalid("a part of the selection is nothing that SQL computes, as a list is")] }
    }

    @usableFromInline mutating func add(_ others: _SelectedNodes) {
        related += others.related.map { $0.behind(nodes.count) }
        nodes += others.nodes
        holdsEntities = holdsEntities || others.holdsEntities
        holdsEmbedded = holdsEmbedded || others.holdsEmbedded
    }
}

extension _Selected {
    /// All that a closure selects.
    @inlinable
    public static func _of<Given, each S: Selectable>(
        _ given: Given, _ selection: (Given) -> (repeat each S)
    ) -> _Selected<Value> where Value == (repeat (each S).Value) {
        let parts = selection(given)
        return ._together(repeat each parts)
    }

    fileprivate init(entity nodes: [ExpressionNode], read: @escaping @Sendable (inout RowReader) throws -> Value) {
        var all = _SelectedNodes(nodes: nodes)
        all.holdsEntities = true
        self.init(all, read: read)
    }

    /// A value with columns for its properties, be it one.
    init(embedded nodes: [ExpressionNode], read: @escaping @Sendable (inout RowReader) throws -> Value) {
        var all = _SelectedNodes(nodes: nodes)
        all.holdsEmbedded = true
        self.init(all, read: read)
    }

    /// All that several ask for, one behind the other.
    ///
    /// The app's own compiler makes it for the types in question: where they are known only at run time each row would have the
    /// tuple's looked up.
    @inlinable
    public static func _together<each S: Selectable>(
        _ parts: repeat each S
    ) -> _Selected<Value> where Value == (repeat (each S).Value) {
        let selected = (repeat (each parts)._selected)
        var all = _SelectedNodes()
        for part in repeat each selected { all.add(part.all) }
        all.refuseNothing()
        let reads = (repeat (each selected).read)
        return _Selected(all) { row in
            (repeat try (each reads)(&row))
        } readAll: { row, values in
            repeat { values.append((repeat try (each reads)(&row))) } while row.advance()
        }
    }
}

// MARK: - Expressions

extension Column: Selectable {
    /// The expression's value.
    public typealias Value = T

    /// The expression.
    public var _selected: _Selected<T> {
        guard let coder = LeafCoder.ofColumn(T.self) else {
            return _Selected([.invalid("\(T.self) is no type of a column, so that it cannot be selected")]) { row in
                throw row.mismatch(at: 0, expected: T.self)
            }
        }
        if case .column(let name, let source?) = node, source.path != nil {
            // The error is told as one of the query's own entity, whose column it is not.
            return _Selected([node]) { row in
                do {
                    return try coder.next(&row)
                } catch var error as ColumnDecodingError {
                    error.column = "\(source.table.name).\(name)"
                    throw error
                }
            }
        }
        guard node.columnName == nil else { return _Selected([node]) { try coder.next(&$0) } }
        let isChecked = node.isCheckedWhenRead
        // What was calculated is no fault of a row.
        return _Selected([node]) { row in
            if isChecked, row.isReal(at: row.index) {
                throw StorageError.invalidQuery("a number is beyond the range of Int64")
            }
            do {
                return try coder.next(&row)
            } catch let error as ColumnDecodingError {
                throw StorageError.queryFailed(sql: nil, underlying: error)
            }
        }
    }
}

// MARK: - Constants

extension ColumnValue where Self: Selectable {
    /// The value itself, beside what each row gives.
    public var _selected: _Selected<Self> { Column<Self>(.value(self))._selected }
}

extension Bool: Selectable {}
extension Int: Selectable {}
extension Double: Selectable {}
extension String: Selectable {}
extension Date: Selectable {}
extension UUID: Selectable {}

// MARK: - JSON

extension JSONColumn: Selectable where T: Decodable {
    /// The column's value.
    public typealias Value = T

    /// The column.
    public var _selected: _Selected<T> {
        _Selected([node], read: JSONForm(isInside: way != nil).next)
    }
}

private struct JSONForm<Value: Decodable>: Sendable {
    /// Whether it is a value inside JSON, which SQL gives as NULL where it is `null`.
    let isInside: Bool

    func next(_ row: inout RowReader) throws -> Value {
        guard isInside, row.isNull(at: row.index), !(Value.self is any OptionalType.Type) else {
            return try row.nextJSON()
        }
        return try row.nextNullOfJSON()
    }
}

// MARK: - Entities

extension ColumnRef: Selectable where E: RegisteredEntity {
    /// The entity.
    public typealias Value = E

    /// All columns of the entity.
    public var _selected: _Selected<E> {
        _Selected(entity: columnNodes) { try $0.nextEntity(E.self) }
    }

    /// All columns of an entity that may not be there, and nil then.
    package var selectedIfAny: _Selected<E?> {
        let table = source.table
        let idIndex = Int32(table.columns.firstIndex { $0.name == table.idColumn } ?? 0)
        return _Selected(entity: columnNodes) { row in
            guard row.isNull(at: row.index + idIndex) else { return try row.nextEntity(E.self) }
            row.index += Int32(table.columns.count)
            return nil
        }
    }

    private var columnNodes: [ExpressionNode] { source.table.columns.map { .column($0.name, of: source) } }
}

extension RowReader {
    /// Reads an entity from the next columns.
    ///
    /// - Throws: `StorageError.entityDecodingFailed`.
    fileprivate mutating func nextEntity<E: RegisteredEntity>(_ type: E.Type) throws -> E {
        let start = index
        // A record may have columns that the entity has not, such as the time of the last save.
        defer { index = start + Int32(RecordSQL.of(E.Record.self).columns.count) }
        return try EntityCodec.decode(E.Record.self, &self)
    }
}
