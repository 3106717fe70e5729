import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct StorageKitMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        StorageEntityMacro.self, StorageEmbeddedMacro.self, StorageHasManyMacro.self, StorageBelongsToMacro.self,
        StorageJSONMacro.self, StorageVersionMacro.self, StorageReferenceMacro.self, StorageUniqueMacro.self,
        StorageRenamedMacro.self, StorageIgnoredMacro.self, StorageSelectionMacro.self,
    ]
}
