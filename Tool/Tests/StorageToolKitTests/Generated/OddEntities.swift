// Written by `storagekit entities` for odd.sqlite. It is yours to change.

import StorageKit

// At the first start, autoSchema adds the column updatedAt to the tables that lack it.

@StorageEntity(table: "1 \\ü's")
struct Table1ÜS {
    var id: Int
    // 1 row cannot be read: what stands here is no Int.
    var n: Int
}

// Table "a\"b" has no entity: its name has a quotation mark in it.
// Its columns: id INTEGER

@StorageEntity(table: "categories")
struct Category {
    var id: String
    var `default`: String = "it's \"\\(x)"
    var type: String?
    var größe: Double?
    // "shelf mark" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    // It takes no NULL and has no default, so that no store starts on it before.
    @StorageHasMany(foreignKey: "category") var orderItems: [OrderItem]
}

@StorageEntity(table: "dates")
struct DateEntity {
    var id: String
    var day: Date
    var bytes: Data
}

// Table "log" has no entity: it has no column id, and no primary key.
// Its columns: line TEXT

// Table "loose" has no entity: its column id is not unique; give it a unique index in a migration.
// Its columns: id INTEGER

@StorageEntity(table: "order items")
struct OrderItem {
    var id: Int
    @StorageReference(Category.self) var category: String
    var `self`: Bool = false
    var price: Double?
    var bought: Date?
    var note: String?
    // "total" is computed by SQLite, and no property.
    var count: Int = 1
    var ratio: Double = 0.5
    var raw: String?
    var flag: Int?
    var big: UInt64?
    @StorageBelongsTo(foreignKey: "category") var categoryEntity: Category?
}

// Table "people" has no entity: it has no column id. Its primary key is "person_id"; rename it to id in a migration (ALTER TABLE ... RENAME COLUMN).
// Its columns: person_id INTEGER

// Table "tags" has no entity: it has no column id. Its primary key is made of "item", "tag"; add a column id in a migration.
// Its columns: item INTEGER, tag TEXT

// View "v" has no entity: it is a view; read it with GRDB, through context.storage.dbActor.
// Its columns: id

@StorageEntity
struct Word {
    var `Any`: Int?
    var type: Int?
    var `protocol`: Int?
    var record: Int?
    var E: Int?
    var `actor`: Int?
    var `as`: Int?
    var `associatedtype`: Int?
    var `async`: Int?
    // "await" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    var `case`: Int?
    var `class`: Int?
    var `default`: Int?
    var `deinit`: Int?
    var description: Int?
    var each: Int?
    var `extension`: Int?
    var `false`: Int?
    var `func`: Int?
    var get: Int?
    var hashValue: Int?
    var `if`: Int?
    var `import`: Int?
    var `in`: Int?
    var `init`: Int?
    var `inout`: Int?
    var `is`: Int?
    var lazy: Int?
    var `let`: Int?
    var macro: Int?
    var `nil`: Int?
    var nonisolated: Int?
    var open: Int?
    var `operator`: Int?
    var `private`: Int?
    var `return`: Int?
    var row: Int?
    var `self`: Int?
    var set: Int?
    var `some`: Int?
    var `static`: Int?
    var storagecolumns: Int?
    var `struct`: Int?
    var `subscript`: Int?
    var `super`: Int?
    var `switch`: Int?
    var `throws`: Int?
    var `true`: Int?
    var `try`: Int?
    var unowned: Int?
    var updatedAt: Int?
    var `var`: Int?
    var weak: Int?
    var `where`: Int?
    var `while`: Int?
    // "_" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    // "__" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    // "_row" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    // "_encode" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    var x1: Int?
    // "1x" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    var émile: Int?
    // "émile" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    var 名前: Int?
    // "🌱" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    // "a-b" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    // "$0" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    // "`" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    var now: Int?
    var db: Int?
    var Int: Int?
    var String: Int?
    var Swift: Int?
    var storagegrdb: Int?
    var Date: Int?
    var codingkeys: Int?
    // "StorageKit_x" cannot be the name of a property; rename it in a migration (ALTER TABLE ... RENAME COLUMN).
    var id: Int
}
