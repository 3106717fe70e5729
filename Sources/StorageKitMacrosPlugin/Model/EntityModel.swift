import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// What the macro knows of an entity: read from the syntax once, and all that the emitters look at.
struct EntityModel {
    let name: String
    let table: String
    /// `public `, `package `, `fileprivate ` or empty: what generated members that others use begin with.
    let access: String
    let properties: [StoredProperty]

    var recordName: String { name.hasSuffix("`") ? "`\(name.unquoted)Record`" : name + "Record" }
    var hasUpdatedAt: Bool { properties.contains { $0.columnName == "updatedAt" } }

    /// Reads a declaration.
    ///
    /// - Throws: `DiagnosticsError` with everything that keeps it from being an entity.
    init(_ declaration: some SyntaxProtocol, attribute: AttributeSyntax) throws {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            throw DiagnosticsError(diagnostics: [EntityModel.notAStruct(declaration, attribute)])
        }
        var problems: [Diagnostic] = []
        name = structure.name.text
        access = EntityModel.access(of: structure)
        if let generics = structure.genericParameterClause {
            problems.append(MacroProblem.generic(name: name).at(generics))
        }
        properties = StoredProperty.all(in: structure.memberBlock, problems: &problems)
        let explicitTable = EntityModel.tableArgument(attribute, problems: &problems)
        table = explicitTable ?? name.unquoted.lowercased() + "s"
        if problems.isEmpty, !properties.contains(where: { $0.columnName == "id" }) {
            problems.append(EntityModel.missingId(structure))
        }
        guard problems.isEmpty else { throw DiagnosticsError(diagnostics: problems) }
    }

    private static func notAStruct(_ declaration: some SyntaxProtocol, _ attribute: AttributeSyntax) -> Diagnostic {
        if let type = declaration.as(ClassDeclSyntax.self) {
            let fix = FixIt.replace(
                message: Suggestion(message: "make it a struct"),
                oldNode: type.classKeyword,
                newNode: type.classKeyword.with(\.tokenKind, .keyword(.struct)))
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

    private static func missingId(_ structure: StructDeclSyntax) -> Diagnostic {
        var fixed = structure.memberBlock
        let property: DeclSyntax = "\n    var id: String"
        fixed.members.insert(MemberBlockItemSyntax(decl: property), at: fixed.members.startIndex)
        let fix = FixIt.replace(
            message: Suggestion(message: "add 'var id: String'"), oldNode: structure.memberBlock, newNode: fixed)
        return MacroProblem.missingId(name: structure.name.text).at(structure.name, fixIts: [fix])
    }

    /// A private type at file scope is visible in the whole file, and so must be what is made beside it.
    private static func access(of structure: StructDeclSyntax) -> String {
        for modifier in structure.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.public): return "public "
            case .keyword(.package): return "package "
            case .keyword(.private), .keyword(.fileprivate): return "fileprivate "
            default: continue
            }
        }
        return ""
    }

    private static func tableArgument(_ attribute: AttributeSyntax, problems: inout [Diagnostic]) -> String? {
        guard case .argumentList(let arguments) = attribute.arguments,
            let argument = arguments.first(where: { $0.label?.text == "table" }),
            !argument.expression.is(NilLiteralExprSyntax.self)
        else { return nil }
        guard let table = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
            problems.append(MacroProblem.tableNotLiteral.at(argument.expression))
            return nil
        }
        if table.isEmpty { problems.append(MacroProblem.emptyTable.at(argument.expression)) }
        return table
    }
}
