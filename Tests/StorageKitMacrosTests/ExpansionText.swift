import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import StorageKitMacrosPlugin

/// What a source with one entity or selection expands to.
func expansion(of source: String) -> String { expanded(source).text }

/// The notes on a source with one entity.
func notes(on source: String) -> [String] {
    expanded(source).context.diagnostics.filter { $0.diagMessage.severity == .note }.map(\.message)
}

private func expanded(_ source: String) -> (text: String, context: BasicMacroExpansionContext) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let specs = [
        "StorageEntity": MacroSpec(type: StorageEntityMacro.self, conformances: ["RegisteredEntity"]),
        "StorageSelection": MacroSpec(type: StorageSelectionMacro.self, conformances: ["SelectedStruct"]),
    ]
    let text = file.expand(
        macroSpecs: specs,
        contextGenerator: {
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        }
    ).description
    return (text, context)
}
