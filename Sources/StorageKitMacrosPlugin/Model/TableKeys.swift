import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// What `@StorageEntity` says of a table beside its name: indexes, unique keys, and what the table was called before.
struct TableKeys {
    /// The columns of an index or a key.
    struct Columns {
        let names: [String]
        fileprivate let literals: [StringLiteralExprSyntax]
        fileprivate let list: ArrayExprSyntax
    }

    let indexes: [Columns]
    let unique: [Columns]
    private let formerNames: [PropertyTraits.FormerName]

    var formerTables: [String] { formerNames.map(\.name) }

    init(_ attribute: AttributeSyntax, problems: inout [Diagnostic]) {
        indexes = TableKeys.lists("indexes", of: attribute, problems: &problems)
        unique = TableKeys.lists("unique", of: attribute, problems: &problems)
        formerNames =
            attribute.arguments("renamedFrom").isEmpty
            ? [] : PropertyTraits.formerNames(attribute, "renamedFrom", problems: &problems)
    }

    private static func lists(
        _ label: String, of attribute: AttributeSyntax, problems: inout [Diagnostic]
    ) -> [Columns] {
        guard let argument = attribute.argument(label) else { return [] }
        guard let array = argument.as(ArrayExprSyntax.self) else {
            problems.append(MacroProblem.notALiteralList(label: label).at(argument))
            return []
        }
        return array.elements.compactMap { element in
            guard let list = element.expression.as(ArrayExprSyntax.self) else {
                problems.append(MacroProblem.notALiteralList(label: label).at(element.expression))
                return nil
            }
            return columns(list, label, problems: &problems)
        }
    }

    private static func columns(
        _ list: ArrayExprSyntax, _ label: String, problems: inout [Diagnostic]
    ) -> Columns? {
        if list.elements.isEmpty { problems.append(MacroProblem.emptyList(label: label).at(list)) }
        var names: [String] = []
        var literals: [StringLiteralExprSyntax] = []
        for expression in list.elements.map(\.expression) {
            guard let literal = expression.as(StringLiteralExprSyntax.self), let name = literal.representedLiteralValue
            else {
                problems.append(MacroProblem.notALiteralList(label: label).at(expression))
                continue
            }
            if names.contains(name) { problems.append(MacroProblem.doubledColumn(column: name).at(literal)) }
            names.append(name)
            literals.append(literal)
        }
        return Columns(names: names, literals: literals, list: list)
    }
}

// MARK: - Checks

extension TableKeys {
    func check(
        _ columns: KnownColumns, entity: String, table: String, _ properties: [StoredProperty],
        problems: inout [Diagnostic]
    ) {
        for key in indexes + unique {
            for (name, literal) in zip(key.names, key.literals) where !columns.mayHave(name) {
                problems.append(unknownColumn(name, literal, columns.names, entity))
            }
        }
        var known = Set(properties.filter { $0.traits.unique?.ignoresCase == false }.map { [$0.columnName] })
        for key in unique + indexes where !known.insert(key.names).inserted {
            problems.append(MacroProblem.sameKey(columns: key.names).at(key.list))
        }
        for former in formerNames {
            if former.name.isEmpty {
                problems.append(MacroProblem.emptyTable.at(former.literal))
            } else if former.name.lowercased() == table.lowercased() {
                problems.append(MacroProblem.formerTableOfToday(name: former.name).at(former.literal))
            }
        }
    }

    private func unknownColumn(
        _ name: String, _ literal: StringLiteralExprSyntax, _ columns: [String], _ entity: String
    ) -> Diagnostic {
        let nearest = columns.nearest(to: name)
        let fix = nearest.map {
            FixIt.replacing(literal, with: StringLiteralExprSyntax(content: $0), "change it to '\($0)'")
        }
        return MacroProblem.unknownColumn(entity: entity, column: name, nearest: nearest).at(literal, fixIts: [fix])
    }
}
