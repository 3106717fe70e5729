import StorageSQLite

/// What a file has, and which of it is the app's.
struct StudioSchema: Sendable {
    let catalog: Catalog
    let parts: StorageKitParts
    /// How the tables refer to each other.
    let diagram: Diagram

    init(_ connection: Connection) throws {
        catalog = try Catalog(connection)
        parts = try StorageKitParts(catalog, connection)
        diagram = Diagram(catalog, parts)
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
        guard !orderedIdentity.isEmpty else { return nil }
        return [rowidName].compactMap { $0 } + key.map(\.name)
    }

    /// The columns that settle an order of rows which are equal otherwise. None where a key may be NULL, which many
    /// rows may share.
    var orderedIdentity: [String] {
        guard kind == .table else { return [] }
        if let rowidName { return [rowidName] }
        // A key that is the rowid itself has no index, and is never NULL.
        let mayBeNull = hasRowid && indexes.contains { $0.origin == "pk" } && key.contains { !$0.isNotNull }
        return mayBeNull ? [] : key.map(\.name)
    }
}
