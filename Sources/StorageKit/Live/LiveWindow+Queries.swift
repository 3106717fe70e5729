public import StorageRepo

extension LiveWindow {
    /// A part of the entities of a query, in its order. Rows that are alike to that come by id.
    ///
    /// - Parameters:
    ///   - query: The query. One with a limit or an offset is an error, which stands in ``phase``.
    ///   - pageSize: How many entities a load brings.
    ///   - maximumPages: How many pages are kept. At least as many as the screen shows, and one more at either side.
    public convenience init(_ query: Query<Item>, pageSize: Int = 50, maximumPages: Int = 3)
    where Item: RegisteredEntity {
        let wishes = WindowWishes()
        let source = query.repository.live.window(
            query.plan, loading: query.loaded, pageSize: pageSize, maximumPages: maximumPages, wishes)
        self.init(wishes, source, storedId: query.repository.table.storedId(text:))
    }
}

extension LiveWindow where Item: RegisteredEntity {
    /// Shows the page around an entity. Half a page stands before it, if the list has so many.
    ///
    /// - Parameter id: The id as text; UUID and integer ids are parsed.
    /// - Returns: False if the query has no such entity, or could not be read, which ``error`` says then; nothing changes.
    @discardableResult
    public func jump(to id: String) async -> Bool {
        guard let id = storedId(id) else { return false }
        return await go(.row([id]))
    }

    /// Shows the page around an entity. Half a page stands before it, if the list has so many.
    ///
    /// - Parameter id: The id.
    /// - Returns: False if the query has no such entity, or could not be read, which ``error`` says then; nothing changes.
    @_disfavoredOverload @discardableResult
    public func jump(to id: Item.Id) async -> Bool {
        guard let id = RecordTable(Item.Record.self).storedId(id) else { return false }
        return await go(.row([id]))
    }
}
