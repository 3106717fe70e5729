/// Writes how an entity is Codable, one key for each property: what the compiler would write, in a third of the time that it takes
/// to compile that.
struct CodableEmitter {
    let model: EntityModel

    /// Nothing where the compiler is left to write it.
    var members: [String] {
        guard model.isCodedByProperties else { return [] }
        // What is ignored has its default value.
        let properties = model.properties.filter { !$0.isIgnored }
        let readings = properties.filter { !$0.isConstant }.map { property in
            let method = property.isChildren ? "children" : "value"
            return "self.\(property.name) = try properties.\(method)(\(property.key))"
        }
        let writings = properties.map { "try properties.append(self.\($0.name), \($0.key))" }
        return [
            """
            \(model.deprecationLine)\(model.access.prefix)init(_properties properties: inout StorageGRDB.PropertyDecoder) throws {
                \(model.body(readings))
            }
            """,
            """
            \(model.deprecationLine)\(model.access.prefix)func _encodeProperties(to properties: inout StorageGRDB.PropertyEncoder) throws {
                \(model.body(writings))
            }
            """,
        ]
    }
}

extension StoredProperty {
    /// Its name in JSON.
    fileprivate var key: String { name.unquoted.source }
}
