import StorageKit
import StorageTestSupport
import Testing

/// JSON that is nested deeper than Foundation reads it is never written: its row would keep all others from being read.
@Suite struct JSONDepthFuzzTests {
    @Test(arguments: RunLength.current == .short ? [1, 512, 513] : [1, 500, 511, 512, 513, 514, 600, 2_000])
    func aValueIsReadAgainOrWasRefused(depth: Int) async throws {
        let store = try TemporaryStore { $0.autoSchema(DeepRecord.self) }
        for wrap in [{ .array(["]\"\\[", $0]) }, { .object(["}\"": "\\", "{": $0]) }] as [(AnyCodable) -> AnyCodable] {
            let deep = Deep(id: "1", value: (1..<depth).reduce(depth > 0 ? wrap(1) : 1) { value, _ in wrap(value) })
            let error = await storageError { try await store.storage.save(deep) }
            guard case .entityEncodingFailed(_, let cause as ColumnEncodingError) = error else {
                #expect(error == nil && depth <= 512, "\(depth)")
                #expect(try await store.storage.all(Deep.self) == [deep])
                continue
            }
            // Foundation stops somewhere around 512.
            #expect(depth > 500)
            #expect(cause.column == "value")
        }
    }

    @Test func aDiskCacheKeepsNothingThatItCouldNotRead() async throws {
        let store = try TemporaryStore { $0.addKVCache() }
        let errors = ErrorLog()
        let cache = DiskCache<AnyCodable>(db: store.db, config: store.context.config, onError: errors.handler)
        let deep = (1...513).reduce(AnyCodable.int(1)) { value, _ in .array([value]) }
        await cache.set(deep, for: "key", ttl: nil)
        #expect(errors.cases == ["cacheEncodingFailed"])
        #expect(await cache.get("key") == nil)
        #expect(errors.cases == ["cacheEncodingFailed"])
    }
}

@StorageEntity
struct Deep: Equatable {
    var id: String
    var value: AnyCodable
}
