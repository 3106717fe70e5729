/// Rows of several tables side by side, as the closures of a ``JoinedQuery`` are given them: two, three or four.
///
/// Conformed to by StorageKit's types.
public protocol JoinedRows: Sendable {
    /// A row of each table.
    associatedtype Row
    /// The rows of a group, of each table.
    associatedtype Grouped
    /// The entities of the rows.
    associatedtype Values: Sendable

    /// The rows that sources stand for, in the order of the tables.
    static func _row(_ places: [ColumnPlace]) -> Row
    /// The rows of a group that sources stand for.
    static func _rows(_ places: [ColumnPlace]) -> Grouped
    /// The entities of rows.
    static func _selected(_ row: Row) -> _Selected<Values>
}

/// Rows of two tables.
public enum TwoRows<A: JoinedRow, B: JoinedRow>: JoinedRows {
    /// The rows that sources stand for.
    public static func _row(_ places: [ColumnPlace]) -> (A, B) { (A._row(places[0]), B._row(places[1])) }

    /// The rows of a group that sources stand for.
    public static func _rows(_ places: [ColumnPlace]) -> (A.Grouped, B.Grouped) {
        (A._rows(places[0]), B._rows(places[1]))
    }

    /// The entities of rows.
    public static func _selected(_ row: (A, B)) -> _Selected<(A.Value, B.Value)> { ._together(row.0, row.1) }
}

/// Rows of three tables.
public enum ThreeRows<A: JoinedRow, B: JoinedRow, C: JoinedRow>: JoinedRows {
    /// The rows that sources stand for.
    public static func _row(_ places: [ColumnPlace]) -> (A, B, C) {
        (A._row(places[0]), B._row(places[1]), C._row(places[2]))
    }

    /// The rows of a group that sources stand for.
    public static func _rows(_ places: [ColumnPlace]) -> (A.Grouped, B.Grouped, C.Grouped) {
        (A._rows(places[0]), B._rows(places[1]), C._rows(places[2]))
    }

    /// The entities of rows.
    public static func _selected(_ row: (A, B, C)) -> _Selected<(A.Value, B.Value, C.Value)> {
        ._together(row.0, row.1, row.2)
    }
}

/// Rows of four tables.
public enum FourRows<A: JoinedRow, B: JoinedRow, C: JoinedRow, D: JoinedRow>: JoinedRows {
    /// The rows that sources stand for.
    public static func _row(_ places: [ColumnPlace]) -> (A, B, C, D) {
        (A._row(places[0]), B._row(places[1]), C._row(places[2]), D._row(places[3]))
    }

    /// The rows of a group that sources stand for.
    public static func _rows(_ places: [ColumnPlace]) -> (A.Grouped, B.Grouped, C.Grouped, D.Grouped) {
        (A._rows(places[0]), B._rows(places[1]), C._rows(places[2]), D._rows(places[3]))
    }

    /// The entities of rows.
    public static func _selected(_ row: (A, B, C, D)) -> _Selected<(A.Value, B.Value, C.Value, D.Value)> {
        ._together(row.0, row.1, row.2, row.3)
    }
}
