import SwiftDiagnostics
import SwiftSyntax

/// The columns of a table as far as the macro sees them.
struct KnownColumns {
    let names: [String]
    /// What the columns begin with that belong to embedded values of types declared elsewhere.
    private let unseenPrefixes: [String]

    init(of properties: [StoredProperty]) {
        let seen = properties.flatMap(\.knownColumns).map(\.column)
        names = seen.contains("updatedAt") ? seen : seen + ["updatedAt"]
        unseenPrefixes = properties.compactMap { property in
            guard case .embedded(let value) = property.role, value.seen == nil else { return nil }
            return value.prefix
        }
    }

    /// Whether there is such a column, or may be: of those that are not seen the start of the program tells.
    func mayHave(_ name: String) -> Bool {
        names.contains(name) || unseenPrefixes.contains { name.hasPrefix($0) }
    }

    /// Data is not moved to where data is: a former name is neither a column of today nor that of another one before.
    func checkFormerNames(of properties: [StoredProperty], problems: inout [Diagnostic]) {
        guard properties.contains(where: { !$0.traits.formerNames.isEmpty }) else { return }
        let today = Set(names.map { $0.lowercased() })
        var former: Set<String> = []
        for property in properties {
            for (name, columns) in zip(property.traits.formerNames, property.formerColumns) {
                if name.name.isEmpty, !property.isEmbedded {
                    problems.append(MacroProblem.emptyFormerName.at(name.literal))
                } else if let column = columns.first, property.hasColumns(columns) {
                    problems.append(MacroProblem.formerNameKept(property: property.name, name: column).at(name.literal))
                } else if let column = columns.first(where: { today.contains($0.lowercased()) }) {
                    problems.append(
                        MacroProblem.formerNameOfToday(property: property.name, name: column).at(name.literal))
                } else if let column = columns.first(where: { former.contains($0.lowercased()) }) {
                    problems.append(MacroProblem.formerNameTwice(name: column).at(name.literal))
                }
                former.formUnion(columns.map { $0.lowercased() })
            }
        }
    }
}

extension StoredProperty {
    /// Whether its columns are these today, in whatever case.
    fileprivate func hasColumns(_ columns: [String]) -> Bool {
        knownColumns.map { $0.column.lowercased() } == columns.map { $0.lowercased() }
    }

    /// What the names of an embedded value's columns began with: the prefix itself, or that which a former name of the property
    /// stands for.
    var formerPrefixes: [String] {
        guard isEmbedded else { return [] }
        return traits.formerNames.map { $0.name.isEmpty || $0.name.hasSuffix("_") ? $0.name : $0.name + "_" }
    }

    /// For each former name, the columns that it stands for, as far as they are seen.
    fileprivate var formerColumns: [[String]] {
        guard case .embedded(let value) = role else { return traits.formerNames.map { [$0.name] } }
        return formerPrefixes.map { prefix in
            (value.seen ?? []).map { prefix + $0.column.dropFirst(value.prefix.count) }
        }
    }
}
