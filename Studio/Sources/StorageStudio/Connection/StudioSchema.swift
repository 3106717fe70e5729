import StorageSQLite

/// What a file has, and which of it is the app's.
struct StudioSchema: Sendable {
    let catalog: Catalog
    let parts: StorageKitParts

    init(_ connection: Connection) throws {
        catalog = try Catalog(connection)
        parts = try StorageKitParts(catalog, connection)
    }

    /// The table or view of that name.
    ///
    /// - Throws: ``StudioError`` if there is none.
    func table(_ name: String) throws -> Table {
        guard let table = catalog.table(name), table.kind != .shadow else {
            throw StudioError(.notFound, "there is no table '\(name)'")
        }
        return table
    }
}

extension Table {
    /// The table as SQL names it.
    var source: String { "main.\(name.quotedName)" }

    /// The column of that name.
    ///
    /// - Parameter kind: What the error says if there is none: that it was not found, or that an edit is invalid.
    /// - Throws: ``StudioError`` of that kind.
    func knownColumn(_ name: String, _ kind: StudioError.Kind = .notFound) throws -> Column {
        guard let column = self.column(name) else {
            throw StudioError(kind, "there is no column '\(name)' in '\(self.name)'")
        }
        return column
    }

    /// A name that two columns share, written with other characters for the same accents; nil if there is none. SQLite tells such
    /// columns apart; a dictionary of their values does not.
    var sharedColumnName: String? {
        var names: Set<String> = []
        return columns.map(\.name).first { !names.insert($0).inserted }
    }

    /// What a row is known by: its rowid, and the columns of its key. Nil where rows cannot be told apart.
    var identity: [String]? {
        guard kind == .table else { return nil }
        let names = [rowidName].compactMap { $0 } + key.map(\.name)
        return names.isEmpty ? nil : names
    }

    /// The columns that settle an order of rows which are equal otherwise.
    var orderedIdentity: [String] {
        guard kind == .table else { return [] }
        return rowidName.map { [$0] } ?? key.map(\.name)
    }
}
