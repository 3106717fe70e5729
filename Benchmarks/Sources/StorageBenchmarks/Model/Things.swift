import Foundation
import StorageKit

// Fifty entities of eight columns, for the start of a store that has so many, with indexes, keys and references. They differ in
// their names only.

@StorageEntity(indexes: [["count", "score"]])
struct Thing00 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing01 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing02 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing03 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing04 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing05 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing06 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing07 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing08 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing09 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing10 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing11 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing12 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing13 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing14 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing15 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing16 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing17 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing18 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing19 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing20 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing21 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing22 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing23 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing24 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing25 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing26 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing27 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing28 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing29 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing30 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing31 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing32 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing33 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing34 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing35 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing36 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing37 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing38 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing39 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing40 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing41 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing42 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing43 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing44 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing45 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing46 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing47 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing48 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

@StorageEntity(indexes: [["count", "score"]])
struct Thing49 {
    var id: String
    @StorageUnique(ignoringCase: true) var title: String
    var count: Int
    @StorageRenamed(from: "points") var score: Double
    var isDone: Bool
    var dueAt: Date?
    @StorageReference(Thing00.self, onDelete: .setNull) var note: String?
    var image: Data?
}

extension AppMigrations {
    /// The schema of three entities, as the documents show it.
    mutating func describeFew() {
        addKVCache()
        autoSchema(Thing00Record.self, Thing01Record.self, Thing02Record.self)
    }

    /// The schema of all fifty.
    mutating func describeMany() {
        addKVCache()
        autoSchema(
            Thing00Record.self, Thing01Record.self, Thing02Record.self, Thing03Record.self, Thing04Record.self,
            Thing05Record.self, Thing06Record.self, Thing07Record.self, Thing08Record.self, Thing09Record.self,
            Thing10Record.self, Thing11Record.self, Thing12Record.self, Thing13Record.self, Thing14Record.self,
            Thing15Record.self, Thing16Record.self, Thing17Record.self, Thing18Record.self, Thing19Record.self,
            Thing20Record.self, Thing21Record.self, Thing22Record.self, Thing23Record.self, Thing24Record.self,
            Thing25Record.self, Thing26Record.self, Thing27Record.self, Thing28Record.self, Thing29Record.self,
            Thing30Record.self, Thing31Record.self, Thing32Record.self, Thing33Record.self, Thing34Record.self,
            Thing35Record.self, Thing36Record.self, Thing37Record.self, Thing38Record.self, Thing39Record.self,
            Thing40Record.self, Thing41Record.self, Thing42Record.self, Thing43Record.self, Thing44Record.self,
            Thing45Record.self, Thing46Record.self, Thing47Record.self, Thing48Record.self, Thing49Record.self)
    }
}
