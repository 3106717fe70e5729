import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import StorageKitMacrosPlugin

/// What a source with one entity or selection expands to.
func expansion(of source: String, macros: [String: MacroSpec] = typeMacros) -> String {
    expanded(source, macros).text
}

/// The macros that make something of a type.
let typeMacros = [
    "StorageEntity": MacroSpec(type: StorageEntityMacro.self, conformances: ["RegisteredEntity"]),
    "StorageSelection": MacroSpec(type: StorageSelectionMacro.self, conformances: ["SelectedStruct"]),
]

/// What is said of a source by all macros.
func problems(of source: String) -> [String] {
    expanded(source, storageMacros).context.diagnostics.map(\.message)
}

/// The notes on a source with one entity.
func notes(on source: String) -> [String] {
    expanded(source, typeMacros).context.diagnostics.filter { $0.diagMessage.severity == .note }.map(\.message)
}

private func expanded(_ source: String, _ macros: [String: MacroSpec]) -> (
    text: String, context: BasicMacroExpansionContext
) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let text = file.expand(
        macroSpecs: macros,
        contextGenerator: {
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        }
    ).description
    return (text, context)
}
