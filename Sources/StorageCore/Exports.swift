// `import StorageKit` alone gives an app `UUID`, `Date` and `URL`, as the documents write their snippets.
// Foundation is re-exported here, at the end of the chain StorageKit -> StorageRepo -> StorageGRDB ->
// StorageCore, and nowhere else: a name found in one of our modules then shadows Foundation's of the same
// name (`Predicate`, `SortOrder`), because every road to Foundation leads through us.
@_exported public import Foundation
@_exported public import enum StorageSQLite.SQLiteValue
@_exported public import struct StorageSQLite.CommittedRows

/// A value as SQLite keeps it in one column of one row.
public typealias StoredValue = SQLiteValue
