/// An entity whose stored form is not known before it is saved, so that a save returns it.
public protocol ReturnedBySave: StorageKitEntity {}

/// An entity whose id SQLite gives: its `id` is an `Int64?` or an `Int?`, nil until it is inserted.
///
/// ```swift
/// @StorageEntity
/// struct LogLine {
///     var id: Int64?
///     var text: String
/// }
/// // CREATE TABLE "loglines" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "text" TEXT NOT NULL, ...)
///
/// let line = try await storage.insert(LogLine(id: nil, text: "begun"))    // has its id
/// ```
///
/// One that is saved without an id is inserted, and one that has an id keeps it. No row has nil, so that nil finds none.
public protocol EntityWithGivenId: ReturnedBySave {}
