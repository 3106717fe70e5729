import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the extension of the entity: its typed columns, and the codec that walks them by position.
///
/// Columns of standard types are computed, which spares the compiler finding their types out and keeping them. The others are
/// stored in a class: for a struct of so many the compiler makes functions that copy, move and destroy all of them.
struct EntityEmitter {
    private let model: EntityModel
    private let type: String

    init(_ model: EntityModel, type: String) {
        self.model = model
        self.type = type
    }

    var declaration: ExtensionDeclSyntax {
        get throws {
            let access = model.access.prefix
            let kind = storesColumns ? "final class" : "struct"
            let instance =
                storesColumns
                ? "let storageColumns = StorageColumns()"
                : "var storageColumns: StorageColumns { StorageColumns() }"
            return try ExtensionDeclSyntax(
                """
                \(raw: model.availabilityLines)nonisolated extension \(raw: type): \(raw: conformances) {
                    \(raw: access)typealias Record = \(raw: qualifiedRecord)
                    \(raw: access)nonisolated \(raw: kind) StorageColumns: Swift.Sendable {
                        \(raw: (visibleColumns + seenColumns).lines(indent: 2))
                        fileprivate init() {
                        }
                        fileprivate var _schemaParts: [any StorageGRDB.SchemaPart] {
                            [\(raw: names)]
                        }
                    }
                    \(raw: access)static \(raw: instance)
                    \(raw: members.joined(separator: "\n").indented)
                }
                """)
        }
    }

    private var members: [String] {
        [DecoderEmitter(model).initializer, encoder, hiddenColumns, equality].compactMap(\.self)
    }

    private var conformances: String {
        var protocols = ["StorageGRDB.RegisteredEntity"]
        if model.hasUnseenColumns { protocols.append("StorageGRDB.EntityWithUnseenColumns") }
        if needsEquality { protocols.append("StorageGRDB.ComparedByParts") }
        return protocols.joined(separator: ", ")
    }

    /// The extension stands at file scope, where a sibling of a nested entity needs its full name.
    private var qualifiedRecord: String {
        let outer = type.split(separator: ".").dropLast()
        return (outer + [model.recordName[...]]).joined(separator: ".")
    }
}

// MARK: - Columns

extension EntityEmitter {
    /// The type comes from a key path: the name that the source gives it may mean another type here.
    private func column(_ property: StoredProperty) -> String {
        let keyPath = "\\\(type).\(property.name)"
        let name = StringLiteralExprSyntax(content: property.columnName).description
        return switch property.role {
        case .json: "StorageGRDB._json(\(name), \(keyPath))"
        case .embedded(let value):
            "StorageGRDB._embedded(\(name), \(StringLiteralExprSyntax(content: value.prefix)), \(keyPath))"
        default: "StorageGRDB._column(\(name), \(keyPath))"
        }
    }

    private var visibleColumns: [String] {
        model.columns.filter { !$0.isHidden }.map { property in
            let (access, name, column) = (access(of: property), property.name, column(property))
            return property.standardType(outside: model.ownTypes).map {
                "\(access)var \(name): StorageGRDB.Column<\($0)> { \(column) }"
            } ?? "\(access)let \(name) = \(column)"
        }
    }

    /// Whether any visible column is not computed. Seen ones never are, and stand beside that of their embedded value.
    private var storesColumns: Bool {
        model.columns.contains { !$0.isHidden && $0.standardType(outside: model.ownTypes) == nil }
    }

    /// Columns of types that only the struct itself may name stand where only the struct sees them.
    private var hiddenColumns: String? {
        let hidden = model.columns.filter(\.isHidden)
        guard !hidden.isEmpty else { return nil }
        return """
            private nonisolated enum _HiddenColumns {
                \(hidden.map { "static let \($0.name) = \(column($0))" }.lines(indent: 1))
            }
            """
    }

    /// The fields of embedded values that can be seen, under the names that queries may give them. A name that would
    /// stand for two columns stands for none.
    private var seenColumns: [String] {
        let embedded = model.columns.filter { !$0.isHidden }.flatMap { property in
            guard case .embedded(let value) = property.role else { return [(StoredProperty, SeenColumn)]() }
            return (value.seen ?? []).map { (property, $0) }
        }
        let taken = Set(model.columns.map(\.columnName))
        let spellings = Dictionary(grouping: embedded) { $0.1.spelling }
        return embedded.compactMap { property, seen in
            let spelling = seen.spelling
            guard !seen.isPrivate, spelling.isIdentifier, !taken.contains(spelling), spellings[spelling]?.count == 1
            else { return nil }
            let name = StringLiteralExprSyntax(content: seen.column)
            let word = spelling.isValidSwiftIdentifier(for: .variableName) ? spelling : "`\(spelling)`"
            return "\(min(model.access, property.access, seen.access).prefix)let \(word) = "
                + "StorageGRDB._column(\(name), \\\(type).\(property.name)\(seen.keyPath))"
        }
    }

    private var names: String {
        model.columns.map { $0.isHidden ? "_HiddenColumns.\($0.name)" : "self.\($0.name)" }
            .joined(separator: ", ")
    }

    private func access(of property: StoredProperty) -> String {
        min(model.access, property.access).prefix
    }
}

// MARK: - Codec

extension EntityEmitter {
    private var encoder: String {
        """
        fileprivate func _encode(to row: inout StorageGRDB.RowWriter) throws {
            \(model.columns.map(encode).lines(indent: 1))
        }
        """
    }

    private func encode(_ property: StoredProperty) -> String {
        switch property.role {
        case .json: "try row.appendJSON(self.\(property.name))"
        case .embedded: "try row.append(self.\(property.name), \(property.columnReference))"
        default: "try row.append(self.\(property.name))"
        }
    }

    /// Written only where a value may lack an `==` of its own; otherwise the compiler's is as good.
    private var needsEquality: Bool {
        model.columns.contains { $0.type?.isSurelyEquatable(outside: model.ownTypes) == false }
    }

    private var equality: String? {
        guard needsEquality else { return nil }
        let comparisons = model.properties.map { "equality.compare(self.\($0.name), other.\($0.name))" }
        return """
            \(model.access.prefix)func _isEqual(to other: Self) -> Swift.Bool {
                var equality = StorageGRDB._Equality()
                \(comparisons.lines(indent: 1))
                return equality.holds
            }
            """
    }
}
