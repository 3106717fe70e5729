public import StorageCore

/// Makes a property hold ids of another entity's rows, which have to be there.
///
/// ```swift
/// @StorageEntity
/// struct Reminder {
///     var id: UUID
///     @StorageReference(RemindersList.self, onDelete: .cascade) var listId: UUID
///     @StorageReference(Person.self, onDelete: .setNull) var assigneeId: UUID?
/// }
/// // CREATE TABLE "reminders" ("id" TEXT PRIMARY KEY,
/// //     "listId" TEXT NOT NULL REFERENCES "reminderslists"("id") ON DELETE CASCADE,
/// //     "assigneeId" TEXT REFERENCES "persons"("id") ON DELETE SET NULL, ...)
/// // CREATE INDEX ... ON "reminders"("listId")
/// // CREATE INDEX ... ON "reminders"("assigneeId")
/// ```
///
/// A save of an id that no row of the parent has, and a deletion that leaves such an id, throw
/// ``StorageError/constraintViolated(_:)``. What an action does to other rows, caches and streams notice.
///
/// The property has to be of the type of the parent's id, or of its optional: nil refers to nothing. The parent may be the entity
/// itself, and two entities may refer to each other. The reference gets an index, unless another index, a unique key or the primary
/// one begins with the column.
///
/// - Parameters:
///   - parent: The other entity, which has to be in the schema.
///   - onDelete: What becomes of the row when the parent's is deleted. `.setNull` needs an optional property.
///     `.setDefault` sets the property's default value, which is the column's `DEFAULT` then: a literal, a case or a static member; nil
///     where an optional property has none. A table that is there already gets it from the start.
///   - onUpdate: What becomes of the row when the parent's id changes, which SQL alone can do.
///   - path: The name of the path to the parent in queries; nil for the property's name without `Id`.
@attached(peer)
public macro StorageReference(
    _ parent: Any.Type, onDelete: ReferenceAction = .noAction, onUpdate: ReferenceAction = .noAction,
    as path: String? = nil
) = #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")
