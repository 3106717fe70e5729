public import StorageGRDB
public import StorageRepo

// What names a column by a text, with a key path in the place of the text: the compiler checks the name.

extension Storage {
    /// All entities, sorted.
    ///
    /// ```swift
    /// let users = try await storage.all(User.self, orderBy: \.name)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - column: The column to sort by.
    ///   - ascending: The direction.
    /// - Throws: ``StorageError`` if the table cannot be read.
    public func all<E: RegisteredEntity, T>(
        _ type: E.Type, orderBy column: KeyPath<ColumnRef<E>, Column<T>>, ascending: Bool = true
    ) async throws -> [E] {
        try await sorted(type, column, ascending).fetch()
    }

    /// A page of the sorted entities.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - column: The column to sort by; entities that are alike there stand by id.
    ///   - ascending: The direction.
    ///   - limit: How many items the page may have, at least 1.
    ///   - offset: How many items to pass over.
    /// - Throws: ``StorageError/queryFailed(sql:underlying:)`` for a limit below 1 or a negative offset.
    public func page<E: RegisteredEntity, T>(
        _ type: E.Type, orderBy column: KeyPath<ColumnRef<E>, Column<T>>, ascending: Bool = true, limit: Int,
        offset: Int = 0
    ) async throws -> RepoPage<E> {
        let repository = repository(type)
        let plan = sorted(type, column, ascending).orderBy(repository.table.idColumn).plan
        return try await repository.run(repository.page(plan, limit: limit, offset: offset))
    }

    /// All entities, now and after each change of the table. The loop has each value on its own actor.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - column: The column to sort by.
    ///   - ascending: The direction.
    public func observeAll<E: RegisteredEntity, T>(
        _ type: E.Type, orderBy column: KeyPath<ColumnRef<E>, Column<T>>, ascending: Bool = true
    ) -> AsyncStream<[E]> {
        sorted(type, column, ascending).observe()
    }

    /// All entities, now and whenever the list is another. The loop has each value on its own actor.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - column: The column to sort by.
    ///   - ascending: The direction.
    public func observeAllDistinct<E: RegisteredEntity, T>(
        _ type: E.Type, orderBy column: KeyPath<ColumnRef<E>, Column<T>>, ascending: Bool = true
    ) -> AsyncStream<[E]> {
        sorted(type, column, ascending).observeDistinct()
    }

    /// The entities whose foreign key points to a parent.
    ///
    /// ```swift
    /// let posts = try await storage.loadChildren(Post.self, where: \.authorId, equals: author.id, orderBy: \.title)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The child.
    ///   - foreignKey: The column of the child that holds the parent's id.
    ///   - parentId: The parent's id.
    ///   - column: The column to sort by.
    ///   - ascending: The direction.
    /// - Throws: ``StorageError`` if the table cannot be read.
    public func loadChildren<Child: RegisteredEntity, Id, T>(
        _ type: Child.Type, where foreignKey: KeyPath<ColumnRef<Child>, Column<Id>>, equals parentId: Id,
        orderBy column: KeyPath<ColumnRef<Child>, Column<T>>, ascending: Bool = true
    ) async throws -> [Child] {
        try await sorted(type, column, ascending).where { $0[keyPath: foreignKey] == parentId }.fetch()
    }

    /// The entities whose foreign key points to a parent, sorted by id.
    ///
    /// - Parameters:
    ///   - type: The child.
    ///   - foreignKey: The column of the child that holds the parent's id.
    ///   - parentId: The parent's id.
    /// - Throws: ``StorageError`` if the table cannot be read.
    public func loadChildren<Child: RegisteredEntity, Id>(
        _ type: Child.Type, where foreignKey: KeyPath<ColumnRef<Child>, Column<Id>>, equals parentId: Id
    ) async throws -> [Child] {
        let id = repository(type).table.idColumn
        return try await query(type).where { $0[keyPath: foreignKey] == parentId }.orderBy(id).fetch()
    }

    /// Deletes the entities whose column holds that value.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - column: The column to compare.
    ///   - value: The value it must hold.
    /// - Returns: How many they were.
    /// - Throws: ``StorageError``; then nothing was deleted.
    @discardableResult
    public func deleteAll<E: RegisteredEntity, T>(
        _ type: E.Type, where column: KeyPath<ColumnRef<E>, Column<T>>, equals value: T
    ) async throws -> Int {
        try await query(type).where { $0[keyPath: column] == value }.deleteAll()
    }

    private func sorted<E: RegisteredEntity, T>(
        _ type: E.Type, _ column: KeyPath<ColumnRef<E>, Column<T>>, _ ascending: Bool
    ) -> Query<E> {
        query(type).orderBy(column, ascending ? .ascending : .descending)
    }
}
