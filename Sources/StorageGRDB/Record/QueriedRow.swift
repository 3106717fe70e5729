/// What the closures of a query are asked about: an entity, or a ``StorageSelection()`` struct whose rows are asked again.
///
/// Conformed to by generated code.
public protocol QueriedRow {
    /// A value with what queries know of each property, which their closures look columns up in.
    associatedtype StorageColumns: Sendable

    /// The typed columns.
    static var storageColumns: StorageColumns { get }
    /// What its columns are called in SQL.
    static var _layout: _RowLayout { get }
}

/// What the columns of a row are called in SQL.
public struct _RowLayout: Sendable {
    /// What the rows are called.
    package let name: String
    package let columns: [String]
    /// The column by which an entity is known; empty where rows are no entities.
    package let idColumn: String
}

/// A struct of several selected values. Conformed to by generated code.
public protocol SelectedStruct: QueriedRow, SQLRow, Sendable {}

extension SelectedStruct {
    /// The layout of values of these types. A value of several columns has its name before theirs: `list.title`. Called by
    /// generated code.
    ///
    /// - Parameters:
    ///   - names: The names of the properties.
    ///   - types: Their types.
    public static func _layout(_ names: [String], _ types: [any Any.Type]) -> _RowLayout {
        let columns = zip(names, types).flatMap { name, type in
            let row = wrapped(type)
            guard let row = row as? any QueriedRow.Type else { return [name] }
            return row._layout.columns.map { "\(name).\($0)" }
        }
        return _RowLayout(name: "selection", columns: columns, idColumn: "")
    }
}

extension RegisteredEntity {
    /// The columns of the table.
    public static var _layout: _RowLayout {
        let table = RecordTable(Record.self).source
        return _RowLayout(name: table.name, columns: table.columns.map(\.name), idColumn: table.idColumn)
    }
}
