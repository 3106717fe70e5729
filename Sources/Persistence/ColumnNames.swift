/// The names of a result's columns, shared by all its rows, and where each stands.
final class ColumnNames: Sendable {
    let names: [String]
    private let places: [SQLiteValue: Int]
    private let foldedPlaces: [SQLiteValue: Int]

    init(_ names: [String]) {
        self.names = names
        places = ColumnNames.firstPlaces(of: names)
        foldedPlaces = ColumnNames.firstPlaces(of: names.map(\.asciiLowercased))
    }

    /// The first column of that name, preferably in that spelling.
    func place(of name: String) -> Int? {
        places[.text(name)] ?? foldedPlaces[.text(name.asciiLowercased)]
    }

    private static func firstPlaces(of names: [String]) -> [SQLiteValue: Int] {
        Dictionary(zip(names.map(SQLiteValue.text), names.indices), uniquingKeysWith: { first, _ in first })
    }
}
