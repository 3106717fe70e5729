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
        for (name, type) in zip(names, types) {
            let kept = KeptForm(of: type)
            let problem =
                kept.storage.isAmbiguous ? "'\(name)' is an optional of a type that may be NULL itself" : nil
            add(name, kept.storage, problem: problem, kept.makeCoder)
        }
    }

    /// A property that is one column of JSON, whatever its type.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The type of the property.
    public mutating func json(_ name: String, _ type: any Any.Type) {
        let kept = KeptForm(ofJSON: type)
        add(name, kept.storage, problem: nil, kept.makeCoder)
    }

    private mutating func add(
        _ name: String, _ storage: ColumnStorage, problem: String?, _ makeCoder: @escaping @Sendable () -> LeafCoder?
    ) {
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

/// How a property of a type is kept: the choice that the compiler makes for its codec.
private struct KeptForm {
    let storage: ColumnStorage
    /// Of an optional, the coder of what it wraps.
    let makeCoder: @Sendable () -> LeafCoder?

    init(of type: any Any.Type) {
        if let type = type as? any ColumnValue.Type {
            self.init(ColumnStorage.of(type)) { LeafCoder.ofProperty(type) }
        } else if let coder = LeafCoder.ofProperty(type) {
            self.init(coder.storage) { coder }
        } else if let raw = (type as? any OptionalType.Type)?.wrappedType as? any RawRepresentable.Type,
            let type = raw.rawColumnType
        {
            let (wrapped, coder) = (ColumnStorage.of(type), LeafCoder.ofProperty(raw))
            self.init(ColumnStorage(type: wrapped.type, isNullable: true, isAmbiguous: wrapped.isNullable)) { coder }
        } else {
            self.init(ofJSON: type)
        }
    }

    init(ofJSON type: any Any.Type) {
        let coder = LeafCoder.ofJSON(type)
        self.init(ColumnStorage(type: .text, isNullable: type is any OptionalType.Type)) { coder }
    }

    private init(_ storage: ColumnStorage, makeCoder: @escaping @Sendable () -> LeafCoder?) {
        self.storage = storage
        self.makeCoder = makeCoder
    }
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
        columns = parts.flatMap { $0.columns.map(\.column) }
    }

    static func of<E: GeneratedEntity>(_ type: E.Type) -> DescribedTable {
        describedTables.value(of: type) { DescribedTable(type) }
    }
}

private let describedTables = TypeMemo()
