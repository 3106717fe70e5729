/// The table of an entity as generated code describes it, property by property.
public struct EntityDescription: Sendable {
    private(set) var parts: [SchemaPart] = []
    /// What it declares beside the columns.
    var declared = DeclaredSchema()

    /// Properties that are one column each, in the form that their types have: of their own, that of the raw value, or JSON.
    ///
    /// - Parameters:
    ///   - names: The names of the columns.
    ///   - types: The types of the properties.
    public mutating func columns(_ names: [String], _ types: [any Any.Type]) {
        for (name, type) in zip(names, types) { add(name, keptForm(of: type)) }
    }

    /// A property that is one column of JSON, whatever its type.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The type of the property.
    public mutating func json(_ name: String, _ type: any Any.Type) {
        add(name, jsonForm(of: type))
    }

    private mutating func add(_ name: String, _ kept: KeptForm) {
        let (storage, makeCoder) = kept
        let problem = storage.isAmbiguous ? "'\(name)' is an optional of a type that may be NULL itself" : nil
        parts.append(
            SchemaPart(
                columns: [(name, storage.schema(name: name, isId: name == "id"))], problem: problem,
                leafCoders: { makeCoder().map { [(name, $0)] } ?? [] }))
    }

    /// A property that may be missing and is spread over several columns.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - formerPrefixes: What the names of all of them began with in earlier versions of the model.
    public mutating func embedded<Value>(
        _ columns: OptionalEmbeddedColumns<Value, Value>, renamedFrom formerPrefixes: [String] = []
    ) {
        embedded(columns.columns, renamedFrom: formerPrefixes)
    }

    /// A property that is spread over several columns.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - formerPrefixes: What the names of all of them began with in earlier versions of the model.
    public mutating func embedded<Value>(
        _ columns: EmbeddedColumns<Value, Value>, renamedFrom formerPrefixes: [String] = []
    ) {
        let part = columns.schemaPart
        parts.append(part)
        guard !formerPrefixes.isEmpty else { return }
        for (_, column) in part.columns {
            let field = column.name.dropFirst(columns.prefix.count)
            declared.formerColumnNames[column.name] = formerPrefixes.map { $0 + field }
        }
    }
}

/// How a property is kept; of an optional, the coder of what it wraps.
private typealias KeptForm = (storage: ColumnStorage, makeCoder: @Sendable () -> LeafCoder?)

/// How a property of a type is kept: the choice that the compiler makes for its codec.
private func keptForm(of type: any Any.Type) -> KeptForm {
    if let type = type as? any ColumnValue.Type { return (ColumnStorage.of(type), { LeafCoder.ofProperty(type) }) }
    if let coder = LeafCoder.ofProperty(type) { return (coder.storage, { coder }) }
    guard let raw = (type as? any OptionalType.Type)?.wrappedType as? any RawRepresentable.Type,
        let type = raw.rawColumnType
    else { return jsonForm(of: type) }
    let (wrapped, coder) = (ColumnStorage.of(type), LeafCoder.ofProperty(raw))
    return (ColumnStorage(type: wrapped.type, isNullable: true, isAmbiguous: wrapped.isNullable), { coder })
}

private func jsonForm(of type: any Any.Type) -> KeptForm {
    let coder = LeafCoder.ofJSON(type)
    return (ColumnStorage(type: .text, isNullable: type is any OptionalType.Type), { coder })
}

/// What is known of an entity's table from its properties, found once for each type.
final class DescribedTable: Sendable {
    let parts: [SchemaPart]
    let columns: [ColumnSchema]
    let declared: DeclaredSchema

    private init(_ type: any GeneratedEntity.Type) {
        var description = EntityDescription()
        type._describe(&description)
        parts = description.parts
        declared = description.declared
        let columns = parts.flatMap { $0.columns.map(\.column) }
        self.columns =
            declared.columnsSetToDefault.isEmpty ? columns : DescribedTable.columns(columns, of: type, declared)
    }

    /// With the defaults of those that a reference sets to them.
    private static func columns(
        _ columns: [ColumnSchema], of type: any GeneratedEntity.Type, _ declared: DeclaredSchema
    ) -> [ColumnSchema] {
        let defaults = type.declaredDefaults(.standard)
        return columns.enumerated().map { place, column in
            guard defaults.indices.contains(place), declared.columnsSetToDefault.contains(column.name) else {
                return column
            }
            return column.withDefault(defaults[place].defaultLiteral)
        }
    }

    static func of<E: GeneratedEntity>(_ type: E.Type) -> DescribedTable {
        describedTables.value(of: type) { DescribedTable(type) }
    }
}

private let describedTables = TypeMemo()
