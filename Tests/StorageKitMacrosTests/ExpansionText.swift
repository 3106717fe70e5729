import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import StorageKitMacrosPlugin

/// What a source with one entity expands to.
func expansion(of source: String) -> String {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
        sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let spec = MacroSpec(type: StorageEntityMacro.self, conformances: ["RegisteredEntity"])
    return file.expand(
        macroSpecs: ["StorageEntity": spec],
        contextGenerator: {
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        }
    ).description
}
