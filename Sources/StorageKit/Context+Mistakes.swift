// None of these is ever there. They give the compiler words where the facade was forgotten.

extension StorageKit.Context {
    /// Never there: the facade has it.
    @available(*, unavailable, renamed: "facade.query")
    public func query<E: RegisteredEntity>(_ type: E.Type) -> Query<E> { facade.query(type) }

    /// Never there: the facade has it.
    @available(*, unavailable, renamed: "facade.save")
    public func save<E: RegisteredEntity>(_ entity: E) async throws {}

    /// Never there: the facade has it.
    @available(*, unavailable, renamed: "facade.get")
    public func get<E: RegisteredEntity, Id>(_ type: E.Type, id: Id) async throws -> E? { nil }

    /// Never there: the facade has it.
    @available(*, unavailable, renamed: "facade.all")
    public func all<E: RegisteredEntity>(_ type: E.Type) async throws -> [E] { [] }

    /// Never there: the facade has it.
    @available(*, unavailable, renamed: "facade.delete")
    public func delete<E: RegisteredEntity, Id>(_ type: E.Type, id: Id) async throws {}
}
