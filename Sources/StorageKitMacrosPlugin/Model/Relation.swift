import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// A way from an entity to others, which queries follow.
struct Relation {
    enum Way {
        /// To the one row that a key refers to.
        case toOne(key: String, isOptional: Bool)
        /// To the rows that hold the id in a column.
        case toMany(key: String)
        /// To the rows that rows of a link refer to.
        case through(link: String, from: String?, to: String?)
    }

    /// What queries call it.
    let name: String
    let way: Way
    /// The other entity, as a type inside the entity says it.
    let target: String
    /// The property that it comes from: a relation, or the key alone.
    let property: StoredProperty
    /// Where its name is given.
    private let place: Syntax

    /// Whether the property is for the others themselves, and can be set.
    var isSettable: Bool { !property.role.isStored && !property.isLet }

    /// Those of a struct's properties. What nobody but the struct may see may be of a type that nobody else may see. What a query finds under
    /// a name is one thing: one whose name is taken is left out, and told.
    static func all(
        of properties: [StoredProperty], _ scope: EntityScope, problems: inout [Diagnostic]
    ) -> [Relation] {
        let seen = properties.filter { !$0.isPrivate }
        let declared = seen.compactMap { Relation.declared($0, properties, scope) }
        let keys = seen.compactMap { Relation.key($0, declared, scope) }
        guard !declared.isEmpty || !keys.isEmpty else { return [] }
        var taken = takenNames(of: properties)
        let needed = (declared + keys.filter { !$0.isSpare(beside: declared) }).filter { relation in
            let name = relation.name.unquoted
            if taken.insert(name).inserted { return true }
            problems.append(MacroProblem.pathTaken(path: name, property: relation.property.name).at(relation.place))
            return false
        }
        return needed + keys.filter { $0.isSpare(beside: declared) && taken.insert($0.name.unquoted).inserted }
    }

    /// Whether a belongs-to property leads to the same row, so that this is left out where something else has its name.
    private func isSpare(beside declared: [Relation]) -> Bool {
        property.traits.reference?.path == nil && declared.contains { $0.key == property.columnName }
    }

    /// The key of a way to one row.
    private var key: String? { if case .toOne(let key, _) = way { key } else { nil } }

    private static func declared(
        _ property: StoredProperty, _ properties: [StoredProperty], _ scope: EntityScope
    ) -> Relation? {
        guard let type = property.type else { return nil }
        // One that is neither of them has a mistake, and means this nevertheless.
        let entity = type.wrappedInOptional ?? type
        let way: Way
        switch property.role {
        case .hasMany(_, let key): way = .toMany(key: key)
        case .hasManyThrough(let link, let from, let to):
            way = .through(link: scope.naming(link), from: from, to: to)
        case .belongsTo(let parent, let key):
            let column = properties.first { $0.role.isSingleColumn && $0.columnName == key }
            way = .toOne(key: key, isOptional: column?.alwaysRefers(to: parent) != true)
        default: return nil
        }
        return Relation(
            name: property.name, way: way,
            target: (entity.arrayElement ?? entity.setElement ?? entity).naming(scope, isOutside: false),
            property: property, place: Syntax(property.pattern))
    }

    /// The path of a key with a reference. A belongs-to property of its name takes its place; that of a name which is given, one with the
    /// same key only.
    private static func key(
        _ property: StoredProperty, _ declared: [Relation], _ scope: EntityScope
    ) -> Relation? {
        guard let reference = property.traits.reference, let path = reference.path ?? property.columnName.pathName
        else { return nil }
        let isThere = declared.contains { relation in
            relation.name.unquoted == path && relation.key != nil
                && (reference.path == nil || relation.key == property.columnName)
        }
        if isThere { return nil }
        let isName = path.isValidSwiftIdentifier(for: .variableName)
        return Relation(
            name: isName ? path : "`\(path)`",
            way: .toOne(key: property.columnName, isOptional: !property.alwaysRefers(to: reference.parent)),
            target: scope.naming(reference.parent), property: property, place: Syntax(reference.attribute))
    }

    /// What queries call columns, as far as it is seen, and what means something else to Swift in a key path.
    static func takenNames(of properties: [StoredProperty]) -> Set<String> {
        var names = Set(properties.filter(\.role.isStored).map(\.columnName) + ["Type", "Protocol"])
        for case .embedded(let value) in properties.map(\.role) {
            names.formUnion((value.seen ?? []).map(\.spelling))
        }
        return names
    }
}

extension StoredProperty {
    /// Whether the column refers to a row of the entity that is always there.
    fileprivate func alwaysRefers(to parent: String) -> Bool {
        guard let reference = traits.reference, type?.wrappedInOptional == nil else { return false }
        // One may be named with the types around it.
        return reference.parent.split(separator: ".").last == parent.split(separator: ".").last
    }
}

extension EntityScope {
    /// A type that stands in an attribute, with `Self` written out.
    fileprivate func naming(_ type: String) -> String {
        guard type.contains("Self") else { return type }
        let type: TypeSyntax = "\(raw: type)"
        return type.naming(self, isOutside: false)
    }
}

extension String {
    /// The name of a key without what says that it is one; nil where nothing says it.
    fileprivate var pathName: String? {
        let ending = ["_id", "Id", "ID"].first(where: hasSuffix)
        return ending.flatMap { count > $0.count ? String(dropLast($0.count)) : nil }
    }
}
