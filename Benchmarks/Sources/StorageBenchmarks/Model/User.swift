import Foundation
import StorageKit

/// The entity that all sides store: ten columns, two of them dates and two optional.
///
/// It declares its `updatedAt`, so that every side reads and writes the same ten values.
@StorageEntity
struct User {
    var id: String
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool
    var createdAt: Date
    var bio: String?
    var avatar: Data?
    var updatedAt: Date
}
