/// What leads from each struct to others, by the references of their tables. No two things in a struct have one name.
struct EntityRelations {
    /// A column that refers to the id of another entity.
    struct Reference {
        /// The property of the column, without backticks.
        let property: String
        /// The key of the table that it refers to.
        let parent: [UInt8]
        /// What the attribute says of deletions and updates.
        let actions: [String]
        /// Whether SQLite gives the ids that it refers to.
        let givesIds: Bool
    }

    /// The table of a struct.
    struct Entity {
        let table: Table
        let name: String
        /// The columns that refer to others, in the order of the table.
        let references: [Reference]
        /// The properties of its columns, without backticks.
        let properties: [String]

        fileprivate var key: [UInt8] { table.name.nameKey }
    }

    /// The properties for related entities, by the key of the table.
    private(set) var properties: [[UInt8]: [String]] = [:]
    /// The names of paths that are not those of their columns, by the key of the table and the column's property.
    private var paths: [[UInt8]: [String: String]] = [:]
    private let entities: [[UInt8]: Entity]
    private var taken: [[UInt8]: Set<String>]
    /// The tables whose structs the struct of a table holds.
    private var held: [[UInt8]: Set<[UInt8]>] = [:]

    init(_ all: [Entity]) {
        entities = Dictionary(all.map { ($0.key, $0) }) { first, _ in first }
        // A property hides the struct of its name.
        let names = all.map(\.name)
        taken = Dictionary(all.map { ($0.key, Set($0.properties + ["id", "updatedAt"] + names)) }) { first, _ in first
        }
        for entity in all {
            for reference in entity.references { addParent(of: entity, by: reference) }
        }
        for entity in all where !entity.isNothingButLink {
            for reference in entity.references { addChildren(entity, to: reference) }
        }
        for link in all where link.isLink {
            let (first, second) = (link.references[0], link.references[1])
            addLinked(by: link, from: first, to: second)
            addLinked(by: link, from: second, to: first)
        }
    }

    /// What stands before a column that refers to another entity.
    func attribute(of reference: Reference, in table: [UInt8]) -> String {
        let path = paths[table]?[reference.property].map { ["as: \(SwiftText.quoted($0))"] } ?? []
        let arguments = ["\(name(reference.parent)).self"] + reference.actions + path
        return "@StorageReference(\(arguments.joined(separator: ", ")))"
    }

    // MARK: - To one

    private mutating func addParent(of entity: Entity, by reference: Reference) {
        let usual = reference.property.withoutIdEnding
        let base = usual ?? pathName(of: reference)
        let path = free([base, base + "Entity"], in: entity.key)
        // A struct cannot hold itself, nor one that holds it.
        if holds(reference.parent, entity.key) {
            if path != usual { paths[entity.key, default: [:]][reference.property] = path }
            return
        }
        held[entity.key, default: []].insert(reference.parent)
        let key = SwiftText.quoted(reference.property)
        add("@StorageBelongsTo(foreignKey: \(key)) var \(path): \(name(reference.parent))?", to: entity.key)
    }

    /// What the path is called where the column's name does not say that it holds an id: `authorPerson` for `author`.
    private func pathName(of reference: Reference) -> String {
        let (property, parent) = (reference.property, name(reference.parent))
        if property == "id" { return parent.firstLowercased }
        return property.nameKey == parent.nameKey ? property : property + parent
    }

    /// Whether a struct is another, or holds it.
    private func holds(_ table: [UInt8], _ other: [UInt8]) -> Bool {
        // Each table once: many ways may lead to one.
        var (seen, next): (Set<[UInt8]>, [[UInt8]]) = ([table], [table])
        while let one = next.popLast() {
            if one == other { return true }
            next += held[one, default: []].filter { seen.insert($0).inserted }
        }
        return false
    }

    // MARK: - To many

    private mutating func addChildren(_ child: Entity, to reference: Reference) {
        let base = child.manyName
        let by = base + "By" + (reference.property.withoutIdEnding ?? reference.property).firstUppercased
        let isOnly =
            reference.parent != child.key && child.references.count { $0.parent == reference.parent } == 1
        let property = free(isOnly ? [base, by] : [by], in: reference.parent)
        let key = SwiftText.quoted(reference.property)
        add("@StorageHasMany(foreignKey: \(key)) var \(property): [\(child.name)]", to: reference.parent)
    }

    private mutating func addLinked(by link: Entity, from: Reference, to: Reference) {
        guard let other = entities[to.parent] else { return }
        var arguments = ["through: \(link.name).self"]
        var names = [other.manyName, other.manyName + "By" + link.name]
        if from.parent == to.parent {
            arguments += ["from: \(SwiftText.quoted(from.property))", "to: \(SwiftText.quoted(to.property))"]
            names = [other.manyName + "By" + (to.property.withoutIdEnding ?? to.property).firstUppercased]
        }
        let property = free(names, in: from.parent)
        add("@StorageHasMany(\(arguments.joined(separator: ", "))) var \(property): [\(other.name)]", to: from.parent)
    }

    // MARK: - Names

    private func name(_ table: [UInt8]) -> String { entities[table]?.name ?? "" }

    private mutating func add(_ line: String, to table: [UInt8]) {
        properties[table, default: []].append(line)
    }

    /// The first name that a property of the struct can have; where there is none, the last with a number.
    private mutating func free(_ names: [String], in table: [UInt8]) -> String {
        let last = names[names.count - 1]
        let name =
            names.first { isFree($0, in: table) }
            ?? (2...).lazy.map { "\(last)\($0)" }.first { isFree($0, in: table) } ?? last
        taken[table, default: []].insert(name)
        return name
    }

    /// Not one that needs backticks either: others have to write it in queries.
    private func isFree(_ name: String, in table: [UInt8]) -> Bool {
        SwiftText.property(name) == name && !Self.reserved.contains(name) && taken[table]?.contains(name) != true
    }

    /// What generated records have for themselves.
    private static let reserved: Set<String> = ["E", "databaseTableName", "schemaColumns"]
}

extension EntityRelations.Entity {
    /// Whether each row relates two others, which it does once.
    fileprivate var isLink: Bool {
        guard references.count == 2 else { return false }
        let keys = Set(references.map(\.property.nameKey))
        return isNothingButLink
            || table.indexes.contains { index in
                index.isUnique && !index.isPartial && Set(index.columns.compactMap { $0?.nameKey }) == keys
                    && index.columns.count == keys.count
            }
    }

    /// Whether it has nothing but that.
    fileprivate var isNothingButLink: Bool {
        references.count == 2
            && Set(properties).subtracting(references.map(\.property)).isSubset(of: ["id", "updatedAt"])
    }

    /// What a list of them is called: as the table is.
    fileprivate var manyName: String {
        let words = table.name.split { !SwiftText.isIdentifier("a\($0)") || $0 == "_" }.map(String.init)
        let name = words.prefix(1).joined().firstLowercased + words.dropFirst().map(\.firstUppercased).joined()
        return SwiftText.isIdentifier(name) ? name : self.name.firstLowercased + "s"
    }
}

extension String {
    /// A column's name without what says that it holds an id, as the macros read it; nil where nothing says it.
    fileprivate var withoutIdEnding: String? {
        let ending = ["_id", "Id", "ID"].first(where: hasSuffix)
        return ending.flatMap { count > $0.count ? String(dropLast($0.count)) : nil }
    }

    fileprivate var firstLowercased: String { prefix(1).lowercased() + dropFirst() }
    fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}
