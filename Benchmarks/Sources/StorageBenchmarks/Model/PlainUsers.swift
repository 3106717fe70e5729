import Foundation
import GRDB

/// The user as a program writes it that uses GRDB with care: columns by name, nothing through Codable.
struct HandWrittenUser: FetchableRecord, PersistableRecord, PlainUser {
    static let databaseTableName = "users"

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

    init(_ user: User) {
        id = user.id
        name = user.name
        email = user.email
        age = user.age
        score = user.score
        isActive = user.isActive
        createdAt = user.createdAt
        bio = user.bio
        avatar = user.avatar
        updatedAt = user.updatedAt
    }

    init(row: Row) throws {
        id = row["id"]
        name = row["name"]
        email = row["email"]
        age = row["age"]
        score = row["score"]
        isActive = row["isActive"]
        createdAt = row["createdAt"]
        bio = row["bio"]
        avatar = row["avatar"]
        updatedAt = row["updatedAt"]
    }

    func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["name"] = name
        container["email"] = email
        container["age"] = age
        container["score"] = score
        container["isActive"] = isActive
        container["createdAt"] = createdAt
        container["bio"] = bio
        container["avatar"] = avatar
        container["updatedAt"] = updatedAt
    }
}

/// The user as most programs write it that use GRDB: everything through Codable.
struct CodableUser: Codable, FetchableRecord, PersistableRecord, PlainUser {
    static let databaseTableName = "users"

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

    init(_ user: User) {
        id = user.id
        name = user.name
        email = user.email
        age = user.age
        score = user.score
        isActive = user.isActive
        createdAt = user.createdAt
        bio = user.bio
        avatar = user.avatar
        updatedAt = user.updatedAt
    }
}

/// What the two plain GRDB records share, so that a workload is written once for both.
protocol PlainUser: FetchableRecord, PersistableRecord, StoredUser, Sendable {
    init(_ user: User)
}
