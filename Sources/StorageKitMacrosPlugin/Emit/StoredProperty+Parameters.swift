// How initialisers name what becomes a property.

extension StoredProperty {
    /// The parameter, which has another name inside where the property's means the struct itself.
    var parameter: String { columnName == "self" ? "self \(value)" : name }

    /// What the parameter is called inside: where not by its own name, by one that no column can have.
    var value: String { name.asValue }

    /// What its value is called from where it is read to where it is set last.
    var local: String { name == columnName ? "_\(name)" : "`_\(columnName)`" }

    /// The parameter handed on under the same label.
    var argument: String { "\(name.asLabel): \(value)" }
}

extension String {
    /// What a parameter of the name is called inside.
    var asValue: String { unquoted == "self" ? "storageKit_self" : self }
}
