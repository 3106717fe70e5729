/// A value that a store keeps: Codable, Sendable, Equatable, and known by its `id`, in SwiftUI's lists too.
///
/// ``StorageEntity(table:indexes:unique:renamedFrom:)`` adds the conformance; write it by hand only together with a record of your own.
public protocol StorageKitEntity: Codable, Sendable, Equatable, Identifiable where ID == Id {
    /// The type of the primary key: `String`, `UUID`, an integer or any other column type.
    associatedtype Id: Hashable & Sendable
    /// The primary key. Saving another value with the same id replaces the first.
    var id: Id { get }
}
