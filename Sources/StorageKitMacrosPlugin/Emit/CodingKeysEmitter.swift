/// Writes the coding keys of an entity with properties that are not stored, where the compiler writes its Codable. Without keys of
/// their own these need not be in JSON that the entity is read from, nor be of a type that can be.
struct CodingKeysEmitter {
    let model: EntityModel

    /// Nil where all properties have a key, or the struct names its keys itself.
    var declaration: String? {
        guard model.hasIgnored, !model.isCodedByProperties, !model.ownTypes.contains("CodingKeys") else { return nil }
        let names = model.properties.filter { !$0.isIgnored }.map(\.name)
        return """
            nonisolated enum CodingKeys: Swift.String, Swift.CodingKey {
                case \(names.joined(separator: ", "))
            }
            """
    }
}
