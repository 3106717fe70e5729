/// Marks the children of an entity: those whose foreign key holds its id. The property is no column.
///
/// ```swift
/// @StorageEntity
/// struct Author {
///     var id: String
///     var name: String
///     @StorageHasMany(foreignKey: "authorId")
///     var posts: [Post]
/// }
///
/// let author = Author(id: "1", name: "Ada")                     // no need to name the posts
/// let posts = try await storage.loadChildren(Post.self, where: "authorId", equals: author.id)
/// let request = AuthorRecord.including(all: AuthorRecord.posts)  // GRDB's association
/// ```
///
/// A fetched entity has an empty array unless the query includes them.
///
/// - Parameter foreignKey: The column of the child's table that holds the parent's id.
@attached(peer)
public macro StorageHasMany(foreignKey: String) =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")

/// Marks the entities that rows of a link relate to an entity. The property is no column.
///
/// ```swift
/// @StorageEntity
/// struct Tag {
///     var id: String
///     @StorageHasMany(through: Tagging.self) var reminders: [Reminder]
/// }
///
/// @StorageEntity(unique: [["reminderId", "tagId"]])
/// struct Tagging {
///     var id: UUID
///     @StorageReference(Reminder.self, onDelete: .cascade) var reminderId: UUID
///     @StorageReference(Tag.self, onDelete: .cascade) var tagId: String
/// }
///
/// storage.query(Tag.self).where { $0.reminders.exists { $0.isFlagged } }
/// ```
///
/// Each of them counts once, however often it is linked. A fetched entity has an empty array unless the query includes them.
///
/// - Parameters:
///   - link: The entity of the link.
///   - from: The link's column that refers to this entity; nil for the only ``StorageReference(_:onDelete:onUpdate:as:)`` to it.
///   - to: The link's column that refers to the others; nil for the only reference to them.
@attached(peer)
public macro StorageHasMany(through link: Any.Type, from: String? = nil, to: String? = nil) =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")

/// Marks the parent of an entity: the one whose id its foreign key holds. The property is no column; the foreign key
/// is.
///
/// ```swift
/// @StorageEntity
/// struct Post {
///     var id: String
///     var authorId: String
///     @StorageBelongsTo
///     var author: Author?
/// }
///
/// let author = try await storage.loadParent(Author.self, id: post.authorId)
/// let request = PostRecord.including(required: PostRecord.author)  // GRDB's association
/// ```
///
/// A fetched entity has nil unless the query includes the parent.
///
/// - Parameter foreignKey: The column that holds the parent's id; nil for the property's name and "Id".
@attached(peer)
public macro StorageBelongsTo(foreignKey: String? = nil) =
    #externalMacro(module: "StorageKitMacrosPlugin", type: "StoragePropertyMacro")
