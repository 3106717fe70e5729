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
    // It takes no NULL and has no default, so that no new row can be saved before.
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
    // Refers to "categories" ("id").
    var category: String
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
}

// Table "people" has no entity: it has no column id. Its primary key is "person_id"; rename it to id in a migration (ALTER TABLE ... RENAME COLUMN).
// Its columns: person_id INTEGER

// Table "tags" has no entity: it has no column id. Its primary key is made of "item", "tag"; add a column id in a migration.
// Its columns: item INTEGER, tag TEXT

// View "v" has no entity: it is a view; read it with GRDB, through context.storage.dbActor.
// Its columns: id
