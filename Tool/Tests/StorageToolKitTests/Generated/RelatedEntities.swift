// Written by `storagekit entities` for related.sqlite. It is yours to change.

import StorageKit

// At the first start, autoSchema adds the column updatedAt to the tables that lack it.

@StorageEntity(unique: [["personId", "friendId"]])
struct Friendship {
    var id: String
    @StorageReference(Person.self) var personId: String
    @StorageReference(Person.self) var friendId: String
    var since: Date?
    @StorageBelongsTo(foreignKey: "personId") var person: Person?
    @StorageBelongsTo(foreignKey: "friendId") var friend: Person?
}

@StorageEntity
struct List {
    var id: String
    var title: String
    @StorageReference(Person.self) var owner_id: String?
    @StorageBelongsTo(foreignKey: "owner_id") var owner: Person?
    @StorageHasMany(foreignKey: "selfId") var notesOfPeople: [NotesOfPeople]
    @StorageHasMany(foreignKey: "favorite_list_id") var persons: [Person]
    @StorageHasMany(foreignKey: "listId") var reminders: [Reminder]
}

@StorageEntity(table: "notes of people")
struct NotesOfPeople {
    @StorageReference(Person.self) var id: String
    @StorageReference(List.self) var selfId: String?
    @StorageReference(Tag.self) var type: String?
    @StorageBelongsTo(foreignKey: "id") var person: Person?
    @StorageBelongsTo(foreignKey: "selfId") var selfEntity: List?
    @StorageBelongsTo(foreignKey: "type") var typeTag: Tag?
}

@StorageEntity
struct Person {
    var id: String
    var name: String
    @StorageReference(List.self) var favorite_list_id: String?
    @StorageReference(Person.self, as: "bossPerson") var boss: String?
    @StorageHasMany(foreignKey: "personId") var friendshipsByPerson: [Friendship]
    @StorageHasMany(foreignKey: "friendId") var friendshipsByFriend: [Friendship]
    @StorageHasMany(foreignKey: "owner_id") var lists: [List]
    @StorageHasMany(foreignKey: "id") var notesOfPeople: [NotesOfPeople]
    @StorageHasMany(foreignKey: "boss") var personsByBoss: [Person]
    @StorageHasMany(foreignKey: "author") var remindersByAuthor: [Reminder]
    @StorageHasMany(foreignKey: "reviewer_id") var remindersByReviewer: [Reminder]
    @StorageHasMany(through: Friendship.self, from: "personId", to: "friendId") var personsByFriend: [Person]
    @StorageHasMany(through: Friendship.self, from: "friendId", to: "personId") var personsByPerson: [Person]
}

@StorageEntity
struct Reminder {
    var id: Int64?
    var title: String
    @StorageReference(List.self, onDelete: .cascade) var listId: String
    var list: String?
    @StorageReference(Reminder.self) var parentId: Int64?
    @StorageReference(Person.self) var author: String?
    @StorageReference(Person.self, onDelete: .setNull) var reviewer_id: String?
    @StorageBelongsTo(foreignKey: "listId") var listEntity: List?
    @StorageBelongsTo(foreignKey: "author") var authorPerson: Person?
    @StorageBelongsTo(foreignKey: "reviewer_id") var reviewer: Person?
    @StorageHasMany(foreignKey: "parentId") var remindersByParent: [Reminder]
    @StorageHasMany(through: Tagging.self) var tags: [Tag]
}

@StorageEntity
struct Tagging {
    var id: Int
    @StorageReference(Reminder.self) var reminderId: Int64
    @StorageReference(Tag.self) var tagId: String
    @StorageBelongsTo(foreignKey: "reminderId") var reminder: Reminder?
    @StorageBelongsTo(foreignKey: "tagId") var tag: Tag?
}

@StorageEntity
struct Tag {
    var id: String
    var reminders: Int = 0
    @StorageHasMany(foreignKey: "type") var notesOfPeople: [NotesOfPeople]
    @StorageHasMany(through: Tagging.self) var remindersByTagging: [Reminder]
}
