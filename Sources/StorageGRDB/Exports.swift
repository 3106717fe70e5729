@_exported public import StorageCore
public import GRDB
// One protocol, not the module: it makes the members of GRDB's types (`db.create(table:)`, the defaults of its
// record protocols) visible to an app that turns on MemberImportVisibility, and brings no operator with it.
@_exported public import protocol GRDB.FetchableRecord

/// The direction of a sort, by a name that Foundation has not: `StorageGRDB.SortOrder`.
public typealias SortOrder = StorageCore.SortOrder

// The GRDB names that the documents' snippets and generated code use. GRDB itself is never re-exported: its
// operators would join every overload set and make a long predicate take seconds to type-check.

/// GRDB's connection, as closures of `read`, `write` and migrations receive it.
public typealias Database = GRDB.Database
/// GRDB's pool of one writer and several readers on a file in WAL mode.
public typealias DatabasePool = GRDB.DatabasePool
/// GRDB's single serialized connection, also in memory.
public typealias DatabaseQueue = GRDB.DatabaseQueue
/// What a pool and a queue have in common: reading.
public typealias DatabaseReader = GRDB.DatabaseReader
/// What a pool and a queue have in common: writing.
public typealias DatabaseWriter = GRDB.DatabaseWriter
/// GRDB's settings of a connection.
public typealias Configuration = GRDB.Configuration
/// A row as GRDB fetches it, columns by name.
public typealias Row = GRDB.Row
/// The arguments of an SQL string.
public typealias StatementArguments = GRDB.StatementArguments
/// GRDB's error, with SQLite's result code, message and SQL.
public typealias DatabaseError = GRDB.DatabaseError
/// A foreign key, for associations.
public typealias ForeignKey = GRDB.ForeignKey
/// A type that can be made from a row.
public typealias FetchableRecord = GRDB.FetchableRecord
/// A type that GRDB can insert, update and delete.
public typealias PersistableRecord = GRDB.PersistableRecord
/// A type that has a table.
public typealias TableRecord = GRDB.TableRecord
/// Where a record puts its columns.
public typealias PersistenceContainer = GRDB.PersistenceContainer
