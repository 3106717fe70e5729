import SwiftSyntax

/// Writes the extension of the entity: its conformance, and the half of the codec that writes.
struct EntityEmitter {
    let model: EntityModel
    let type: String

    var declaration: String {
        """
        \(model.availabilityLines)nonisolated extension \(type): \(conformances) {
            \(members.joined(separator: "\n").indented)
        }
        """
    }

    private var members: [String] {
        let record = "\(model.access.prefix)typealias Record = \(qualifiedRecord)"
        return [
            record, InitializerEmitter(model: model).initializer, DecoderEmitter(model: model).inExtension, encoder,
            equality, version,
        ]
        .compactMap(\.self) + CodableEmitter(model: model).members
    }

    private var conformances: String {
        var protocols = ["StorageGRDB.RegisteredEntity", "StorageGRDB.GeneratedEntity"]
        if model.givesIds { protocols.append("StorageGRDB.EntityWithGivenId") }
        if model.version != nil { protocols.append("StorageGRDB.VersionedEntity") }
        if needsEquality { protocols.append("StorageGRDB.ComparedByParts") }
        if model.isCodedByProperties { protocols.append("StorageGRDB.CodedByProperties") }
        return protocols.joined(separator: ", ")
    }

    /// The extension stands at file scope, where a sibling of a nested entity needs its full name.
    private var qualifiedRecord: String {
        let outer = type.split(separator: ".").dropLast()
        return (outer + [model.recordName[...]]).joined(separator: ".")
    }
}

// MARK: - Codec

extension EntityEmitter {
    private var encoder: String {
        """
        \(model.deprecationLine)\(model.access.prefix)func _encode(to row: inout StorageGRDB.RowWriter) throws {
            \(model.body(model.columns.map(encode)))
        }
        """
    }

    private func encode(_ property: StoredProperty) -> String {
        switch property.form {
        case .value: "try row.appendValue(self.\(property.name))"
        case .json: "try row.appendJSON(self.\(property.name))"
        case .embedded: "try row.append(self.\(property.name), \(property.columnReference))"
        case .rawValue, .unknown, nil: "try row.append(self.\(property.name))"
        }
    }

    /// Written only where a value may lack an `==` of its own or is not compared, or a related entity may have no hash; otherwise the
    /// compiler's is as good.
    private var needsEquality: Bool {
        !model.isSound || model.hasIgnored || (model.isHashable && model.properties.contains { !$0.role.isStored })
            || model.columns.contains { mayLackEquality($0) || $0.isWrapped }
    }

    /// What is said to be JSON may be of an app's own type that is called like one of Foundation's.
    private func mayLackEquality(_ property: StoredProperty) -> Bool {
        let others = property.isJSON ? model.ownTypes.union(TypeSyntax.foundationNames) : model.ownTypes
        return property.type?.isSurelyEquatable(outside: others) == false
    }

    private var equality: String? {
        guard needsEquality else { return nil }
        let comparisons = model.properties.filter { !$0.isIgnored }.map {
            "equality.compare(self.\($0.name), other.\($0.name))"
        }
        let body = ["var equality = StorageGRDB._Equality()"] + comparisons + ["return equality.holds"]
        return """
            \(model.deprecationLine)\(model.access.prefix)func _isEqual(to other: Self) -> Swift.Bool {
                \(model.body(body))
            }
            """
    }
}

// MARK: - Version

extension EntityEmitter {
    private var version: String? {
        guard let property = model.version else { return nil }
        let access = model.access.prefix
        return """
            \(model.deprecationLine)\(access)var _version: Swift.Int {
                get { \(model.body(["self.\(property.name)"])) }
                set { \(model.body(["self.\(property.name) = newValue"])) }
            }
            \(access)static var _versionColumn: Swift.String { \(property.columnName.source) }
            """
    }
}
