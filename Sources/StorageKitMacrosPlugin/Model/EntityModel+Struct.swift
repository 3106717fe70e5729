import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

// What the struct itself has to be.

extension EntityModel {
    static func notAStruct(_ declaration: some SyntaxProtocol, _ attribute: AttributeSyntax) -> Diagnostic {
        if let type = declaration.as(ClassDeclSyntax.self) {
            let fix = FixIt.replacing(type.classKeyword, with: .keyword(.struct), "make it a struct")
            return MacroProblem.notAStruct(kind: "a class").at(type.classKeyword, fixIts: [fix])
        }
        if let type = declaration.as(ActorDeclSyntax.self) {
            return MacroProblem.notAStruct(kind: "an actor").at(type.actorKeyword)
        }
        if let type = declaration.as(EnumDeclSyntax.self) {
            return MacroProblem.notAStruct(kind: "an enum").at(type.enumKeyword)
        }
        return MacroProblem.notAStruct(kind: "this declaration").at(attribute)
    }

    static func checkShape(
        of structure: StructDeclSyntax, inside around: [any DeclGroupSyntax], problems: inout [Diagnostic]
    ) {
        let name = structure.name.text
        if let generics = structure.genericParameterClause {
            problems.append(MacroProblem.generic(name: name).at(generics))
        }
        checkCopyable(structure, problems: &problems)
        for outer in around {
            guard let generic = outer.asProtocol((any WithGenericParametersSyntax).self),
                generic.genericParameterClause != nil
            else { continue }
            let outerName = outer.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
            problems.append(MacroProblem.genericAround(name: name, outer: outerName).at(structure.name))
        }
        checkReach(of: structure, inside: around, problems: &problems)
    }

    /// A value is copied on its way from a row.
    static func checkCopyable(_ structure: StructDeclSyntax, problems: inout [Diagnostic]) {
        for inherited in structure.inheritanceClause?.inheritedTypes ?? [] {
            guard let suppressed = inherited.type.as(SuppressedTypeSyntax.self) else { continue }
            problems.append(MacroProblem.noncopyable(name: structure.name.text).at(suppressed))
        }
    }

    /// What is generated at file scope has to see the struct.
    static func checkReach(
        of structure: StructDeclSyntax, inside around: [any DeclGroupSyntax], problems: inout [Diagnostic]
    ) {
        let name = structure.name.text
        // At file scope private means fileprivate; inside a type it hides the struct from its own extension.
        for outer in around.dropLast() where outer.modifiers.contains(where: \.isPrivate) {
            let outerName = outer.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
            problems.append(MacroProblem.privateAround(name: name, outer: outerName).at(structure.name))
        }
        if !around.isEmpty, let keyword = structure.modifiers.first(where: \.isPrivate) {
            let wider = keyword.with(\.name.tokenKind, .keyword(.fileprivate))
            let fix = FixIt.replacing(keyword, with: wider, "make it fileprivate")
            problems.append(MacroProblem.privateNested(name: name).at(keyword, fixIts: [fix]))
        }
    }

    /// What the macro makes takes these names, and says `E` for the entity.
    static func checkNames(in structure: StructDeclSyntax, problems: inout [Diagnostic]) {
        if structure.name.text == "E" { problems.append(MacroProblem.reservedName(name: "E").at(structure.name)) }
        for member in structure.memberBlock.members {
            if let type = member.decl.asProtocol((any NamedDeclSyntax).self),
                ["Record", "StorageColumns", "_HiddenColumns"].contains(type.name.text),
                !member.decl.is(FunctionDeclSyntax.self)
            {
                problems.append(MacroProblem.reservedName(name: type.name.text).at(type.name))
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStatic else { continue }
            for pattern in variable.bindings.map(\.pattern) where pattern.trimmedDescription == "storageColumns" {
                problems.append(MacroProblem.reservedName(name: "storageColumns").at(pattern))
            }
        }
    }

    static func tableArgument(_ attribute: AttributeSyntax, problems: inout [Diagnostic]) -> String? {
        guard let expression = attribute.argument("table") else { return nil }
        guard let table = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            problems.append(MacroProblem.tableNotLiteral.at(expression))
            return nil
        }
        if table.isEmpty {
            problems.append(MacroProblem.emptyTable.at(expression))
        } else if ["sqlite_", "storagekit_"].contains(where: table.lowercased().hasPrefix)
            || table.utf8.contains(where: [0, UInt8(ascii: "\"")].contains)
        {
            problems.append(MacroProblem.reservedTable(name: table).at(expression))
        }
        return table
    }
}
