/// An index that a schema declares beside its records.
struct DeclaredIndex: Sendable {
    let table: String
    let schema: IndexSchema

    func describe(to fingerprint: inout Fingerprint) {
        fingerprint.add(table)
        schema.describe(to: &fingerprint)
    }
}

extension AppMigrations {
    /// Adds an index of the rows that meet a condition: smaller than one of all rows, and for queries that look among
    /// these rows only.
    ///
    /// ```swift
    /// schema.autoSchema(ReminderRecord.self)
    /// schema.index(ReminderRecord.self, on: \.dueDate) { $0.status == .incomplete }
    /// // CREATE INDEX "idx_reminders_dueDate_8a02b5c1" ON "reminders" ("dueDate") WHERE "status" = 'incomplete'
    /// ```
    ///
    /// It is made and dropped as the indexes of the entity are. A start throws `StorageError.invalidConfiguration` if the condition
    /// is more than comparisons of the table's own columns with constants, if a column is none of the entity's, or if the entity
    /// is not in ``autoSchema(_:)``.
    ///
    /// - Parameters:
    ///   - record: The record type.
    ///   - columns: The columns, in the order of the index.
    ///   - unique: Whether two rows that meet the condition are refused if they have the same values.
    ///   - condition: The condition on the rows.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func index<R: StorageKitEntityRecord, each T>(
        _ record: R.Type, on columns: repeat KeyPath<ColumnRef<R.E>, Column<each T>>, unique: Bool = false,
        where condition: (ColumnRef<R.E>) -> some PredicateConvertible
    ) -> Self where R.E: RegisteredEntity {
        var rows = QueryPlan(RecordTable(record).source)
        rows.add(condition(ColumnRef(rows.newSource())).predicate.node)
        return index(rows, repeat each columns, unique: unique)
    }

    /// Adds an index of all rows, as `@StorageEntity(indexes:)` declares one beside the entity.
    ///
    /// ```swift
    /// schema.index(ReminderRecord.self, on: \.dueDate)
    /// // CREATE INDEX "idx_reminders_dueDate" ON "reminders" ("dueDate")
    /// ```
    ///
    /// - Parameters:
    ///   - record: The record type.
    ///   - columns: The columns, in the order of the index.
    ///   - unique: Whether two rows are refused if they have the same values.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func index<R: StorageKitEntityRecord, each T>(
        _ record: R.Type, on columns: repeat KeyPath<ColumnRef<R.E>, Column<each T>>, unique: Bool = false
    ) -> Self where R.E: RegisteredEntity {
        index(QueryPlan(RecordTable(record).source), repeat each columns, unique: unique)
    }

    /// Never there: it gives the compiler words for an entity where its record is wanted.
    @discardableResult
    @available(*, unavailable, message: "name the record that the macro made: 'UserRecord.self' for 'User.self'")
    public mutating func index<E: RegisteredEntity, each T>(
        _ entity: E.Type, on columns: repeat KeyPath<ColumnRef<E>, Column<each T>>, unique: Bool = false
    ) -> Self { self }

    /// - Parameter rows: Those in the index.
    private mutating func index<E: RegisteredEntity, each T>(
        _ rows: QueryPlan, _ keyPaths: repeat KeyPath<ColumnRef<E>, Column<each T>>, unique isUnique: Bool
    ) -> Self {
        let table = rows.table
        var nodes: [ExpressionNode] = []
        for keyPath in repeat each keyPaths { nodes.append(ColumnRef<E>()[keyPath: keyPath].node) }
        let columns = nodes.map { $0.columnName ?? "an expression" }
        var condition: String?
        do {
            for node in nodes { _ = try table.ownColumn(node) }
            condition = try rows.filter == nil ? nil : rows.filterLiteral()
        } catch {
            problems.append("the index of '\(table.name)' over \(columns.quoted): \(error.localizedDescription)")
        }
        let schema = IndexSchema(columns, isUnique: isUnique, condition: condition)
        indexes.append(DeclaredIndex(table: table.name, schema: schema))
        return self
    }

    /// Drops a column for good, with its values and with the indexes and the reference that auto-schema made for it. Nothing
    /// happens once the column is gone; whenever it is found, it is dropped.
    ///
    /// ```swift
    /// schema.autoSchema(UserRecord.self)
    /// schema.drop(column: "phone", of: UserRecord.self)
    /// // ALTER TABLE "users" DROP COLUMN "phone"
    /// ```
    ///
    /// A start throws `StorageError.invalidConfiguration` if the entity has the column. What the app made by hand over the column, such
    /// as a view or an index, makes the start fail: drop it in a migration before.
    ///
    /// - Parameters:
    ///   - column: The name of the column.
    ///   - record: The record type.
    /// - Returns: A copy of the list as it is now.
    @discardableResult
    public mutating func drop<R: StorageKitEntityRecord>(column: String, of record: R.Type) -> Self {
        add(DropColumnStep(column: column, table: record.databaseTableName))
    }

    /// Like ``drop(column:of:)``, for a table that is described at run time.
    @discardableResult
    package mutating func drop(column: String, ofTable table: String) -> Self {
        add(DropColumnStep(column: column, table: table))
    }

    /// Refuses what contradicts the records.
    func checkDeclarations() throws {
        let drops = steps.compactMap { $0 as? DropColumnStep }
        guard !drops.isEmpty || !indexes.isEmpty else { return }
        let tables = autoTables
        for step in drops {
            let models = tables.filter { $0.name.isSameName(as: step.table) }
            func refuse(_ why: String) -> StorageError {
                .invalidConfiguration(
                    message: "column '\(step.column)' of '\(step.table)' is to be dropped, and \(why)")
            }
            if models.contains(where: { $0.has(step.column) }) {
                throw refuse("the entity has a property for it: leave out one of the two")
            }
            let formerly = models.flatMap(\.formerColumnNames).first { _, names in
                names.contains { $0.isSameName(as: step.column) }
            }
            // A file that has the old name still would lose the values.
            if let formerly {
                throw refuse(
                    "it is an old name of '\(formerly.key)': where a file has both, drop it in a migration before autoSchema"
                )
            }
        }
        for index in indexes where !tables.contains(where: { $0.name.isSameName(as: index.table) }) {
            throw StorageError.invalidConfiguration(
                message: "an index of '\(index.table)' is declared, whose entity is not in autoSchema; add it")
        }
    }
}
