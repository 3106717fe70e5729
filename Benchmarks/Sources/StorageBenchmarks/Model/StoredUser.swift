import Foundation

/// What is looked at of a user that came back, whatever its type.
protocol StoredUser {
    var id: String { get }
    var age: Int { get }
    var createdAt: Date { get }
}

extension User: StoredUser {}

extension StoredUser {
    /// A number that another user, or one that was read wrongly, hardly has.
    var checksum: Int { age &* 31 &+ Int(createdAt.timeIntervalSince1970) }
}

extension Sequence where Element: StoredUser {
    /// The same for all of them, so that no side can come out ahead by doing less.
    var checksum: Int { reduce(0) { $0 &* 7 &+ $1.checksum } }
}

extension Collection where Index == Int {
    /// So many elements, from the beginning again where there are not enough.
    func cycled(_ count: Int) -> [Element] {
        (0..<count).map { self[$0 % self.count] }
    }

    /// The elements in so many parts of nearly the same size.
    func parts(_ count: Int) -> [[Element]] {
        (0..<count).map { part in (part * self.count / count..<(part + 1) * self.count / count).map { self[$0] } }
    }
}
