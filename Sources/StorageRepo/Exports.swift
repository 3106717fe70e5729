@_exported public import StorageGRDB
