import StorageRepo

extension LiveWindow {
    /// A part of the rows of a selection, of joined tables, or of a query of selected rows, in its order. Rows that are alike to that come
    /// by id, those of joined tables by the ids of all, and groups by their keys.
    ///
    /// - Parameters:
    ///   - query: The question. One with a limit or an offset is an error, which stands in ``phase``.
    ///   - pageSize: How many rows a load brings.
    ///   - maximumPages: How many pages are kept. At least as many as the screen shows, and one more at either side.
    public convenience init<Rows: RowQuery>(_ query: Rows, pageSize: Int = 50, maximumPages: Int = 3)
    where Rows.Row == Item {
        let (wishes, rows) = (WindowWishes(), query._rows)
        let source = rows.repository.live.window(
            rows.plan, rows.selected, pageSize: pageSize, maximumPages: maximumPages, wishes)
        self.init(wishes, source, storedId: rows.repository.table.storedId(text:))
    }

    /// Shows the page around a row of a selection. Half a page stands before it, if the list has so many.
    ///
    /// ```swift
    /// let cities = LiveWindow(storage.query(User.self).group(by: \.city).select { ($0.city, $0.count()) })
    /// await cities.jump(to: "Kyiv")
    /// ```
    ///
    /// - Parameter values: What the row is known by: the id of the entity that it is selected of, or the keys of a group.
    /// - Returns: False if there is no such row, or it could not be read, which ``error`` says then; nothing changes.
    @_disfavoredOverload @discardableResult
    public func jump<each V: Sendable>(to values: repeat each V) async -> Bool {
        // No row holds what cannot be stored.
        guard let stored = try? RowWriter.storedValues(of: repeat each values) else { return false }
        return await go(.row(stored))
    }
}
