import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import StorageKitMacrosPlugin

/// What a source with one entity expands to.
func expansion(of source: String) -> String { expanded(source).text }

/// The notes on a source with one entity.
func notes(on source: String) -> [String] {
    expanded(source).context.diagnostics.filter { $0.diagMessage.severity == .note }.map(\.message)
}

private func expanded(_ source: String) -> (text: String, context: BasicMacroExpansionContext) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let spec = MacroSpec(type: StorageEntityMacro.self, conformances: ["RegisteredEntity"])
    let text = file.expand(
        macroSpecs: ["StorageEntity": spec],
        contextGenerator: {
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        }
    ).description
    return (text, context)
}
