import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct StorageKitMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        StorageEntityMacro.self, StoragePropertyMacro.self, StorageSelectionMacro.self,
    ]
}
