// `import Persistence` alone gives an app `Date`, `Data`, `URL` and `JSONEncoder`, which models and schemas are
// written with.
@_exported public import Foundation
// Of the module that speaks to SQLite, an app sees this type alone.
@_exported public import enum StorageSQLite.SQLiteValue
