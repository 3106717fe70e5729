import Foundation
import StorageKit

extension Workload {
    /// The value is decoded from JSON; the baseline selects its bytes.
    static let diskCacheGet = Workload(
        "W11", "disk cache: get", per: "get", goal: 2.5, grows: [.entries]
    ) { world in
        let (keys, file) = try await filledCache(world)
        let raw = try RawStore(file)
        let kit = try KitStore(file, hasCacheTable: true)
        let some = scattered(keys, world.operations)
        return [
            .baseline(some.count, name: "raw SELECT of the bytes") { _ in { try raw.countEach(some, in: cacheTable) } },
            .peer("raw SELECT, JSON decoded", some.count) { _ in
                { try raw.countEach(some, in: cacheTable, decoding: true) }
            },
            .storageKit(some.count) { _ in { await kit.countEach(some) } },
        ]
    }

    /// The baseline is the same SELECT as for get. StorageKit also writes what it leaves for later.
    static let diskCacheSet = Workload(
        "W11s", "disk cache: set, own transaction", per: "set", goal: 5, grows: [.entries]
    ) { world in
        let (keys, file) = try await filledCache(world)
        let raw = try RawStore(file)
        let kit = try KitStore(file, hasCacheTable: true)
        let written = try RawStore(try await filledCache(world).file)
        let some = scattered(keys, world.operations)
        return [
            .baseline(some.count, name: "raw SELECT of the bytes") { _ in { try raw.countEach(some, in: cacheTable) } },
            .peer("raw upsert of JSON", some.count) { repetition in
                { try written.setEach(some, from: repetition * 1_000_000, in: cacheTable) }
            },
            .storageKit(some.count) { repetition in
                {
                    let count = await kit.setEach(some, from: repetition * 1_000_000)
                    await kit.settleDiskCache()
                    return count
                }
            },
        ]
    }

    static let memoryCacheGet = Workload(
        "W12", "memory cache: get", per: "get", goal: 1.5, grows: [.entries]
    ) { world in
        let users = UserGenerator.users(world.entries)
        let dictionary = LockedDictionary(capacity: users.count)
        let cache = memoryCache(users.count)
        for user in users {
            dictionary.set(user, user.id)
            await cache.set(user, for: user.id, ttl: nil)
        }
        let keys = scattered(users.map(\.id), world.operations * 10)
        return [
            .baseline(keys.count, name: "dictionary behind a Mutex") { _ in
                { keys.reduce(0) { $0 &+ (dictionary.user($1)?.age ?? 0) } }
            },
            .storageKit(keys.count) { _ in
                {
                    var sum = 0
                    for key in keys { sum &+= await cache.get(key)?.age ?? 0 }
                    return sum
                }
            },
        ]
    }

    /// Both are full, and every key is a new one. The goal is a cost that does not grow with the capacity.
    static let memoryCacheSet = Workload(
        "W12s", "memory cache: set at capacity", per: "set", goal: nil, grows: [.entries]
    ) { world in
        let users = UserGenerator.users(world.entries)
        let dictionary = LockedDictionary(capacity: users.count)
        let cache = memoryCache(users.count)
        for user in users {
            dictionary.set(user, user.id)
            await cache.set(user, for: user.id, ttl: nil)
        }
        let count = world.operations * 10
        return [
            .baseline(count, name: "dictionary behind a Mutex") { repetition in
                let new = newcomers(users, count, repetition)
                return {
                    for (key, user) in new { dictionary.set(user, key) }; return count
                }
            },
            .storageKit(count) { repetition in
                let new = newcomers(users, count, repetition)
                return {
                    for (key, user) in new { await cache.set(user, for: key, ttl: nil) }; return count
                }
            },
        ]
    }

    private static let cacheTable = "kv_cache"

    /// Fills the disk cache through StorageKit, which closes the file again.
    private static func filledCache(_ world: World) async throws -> (keys: [String], file: URL) {
        let file = try world.workspace.store()
        let keys = (0..<world.entries).map { "settings-of-user-\($0)" }
        let kit = try KitStore(file, hasCacheTable: true)
        _ = await kit.setEach(keys, from: 0)
        return (keys, file)
    }

    private static func memoryCache(_ capacity: Int) -> MemoryCache<String, User> {
        MemoryCache(capacity: capacity, defaultTTL: 300, clock: SystemClock())
    }

    private static func newcomers(_ users: [User], _ count: Int, _ repetition: Int) -> [(String, User)] {
        (0..<count).map { ("\(repetition)-\($0)", users[$0 % users.count]) }
    }

    private static func scattered(_ keys: [String], _ count: Int) -> [String] {
        var random = SeededRandom(seed: 3)
        return (0..<count).map { _ in keys[Int.random(in: 0..<keys.count, using: &random)] }
    }
}
