// One chain of re-exports, so that our names shadow Foundation's: see StorageCore/Exports.swift.
@_exported public import StorageKitMacros
@_exported public import StorageRepo
