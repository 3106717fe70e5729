/// The names of a result's columns, shared by all its rows, and where each stands.
final class ColumnNames: Sendable {
    let names: [String]
    private let places: [SQLiteValue: Int]
    private let foldedPlaces: [SQLiteValue: Int]

    init(_ names: [String]) {
        self.names = names
        places = ColumnNames.firstPlaces(of: names)
        foldedPlaces = ColumnNames.firstPlaces(of: names.map(\.folded))
    }

    /// The first column of that name, preferably in that spelling.
    func place(of name: String) -> Int? {
        places[.text(name)] ?? foldedPlaces[.text(name.folded)]
    }

    private static func firstPlaces(of names: [String]) -> [SQLiteValue: Int] {
        Dictionary(zip(names.map(SQLiteValue.text), names.indices), uniquingKeysWith: { first, _ in first })
    }
}

extension String {
    /// The name as SQLite compares it: A to Z are a to z, and no other letter has a case.
    var folded: String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return self }
        return String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The name as SQL, whatever stands in it. By bytes: a quotation mark with a combining accent is one letter to Swift,
    /// and two to SQLite.
    var quoted: String {
        let mark = UInt8(ascii: "\"")
        return String(decoding: [mark] + utf8.flatMap { $0 == mark ? [mark, mark] : [$0] } + [mark], as: UTF8.self)
    }
}
