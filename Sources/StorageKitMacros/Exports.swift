// What the macros expand to names types of StorageGRDB and StorageCore.
@_exported public import StorageGRDB
