import Foundation
import NIOCore
import StorageKit
import Testing

@testable import StorageStudio

@StorageEntity
struct Note {
    var id: String
    var title: String
}

/// An app that shows its own store.
@Suite struct ServedAppTests {
    @Test func theCommitsAndCachesOfAnAppAreShown() async throws {
        let file = try TemporaryFile()
        let url = file.url
        let studio = StudioServer(file: url)
        let context = try StorageKit.start(at: url, options: .init(monitor: studio.monitor())) { schema in
            schema.autoSchema(NoteRecord.self)
        }
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        let serving = Task {
            try await studio.run { address.yield($0) }
        }
        let opened = try #require(await addresses.first { _ in true })
        let parts = try #require(opened.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/#code=(.*)/))
        let page = RunningStudio(server: studio, port: try #require(Int(parts.1)), code: String(parts.2))
        let headers = page.headers(token: try await page.token()).map { ($0.key, $0.value) }
        let stream = try await Exchange(port: page.port, .get, "/api/events", headers: headers)
        var text = ""
        for try await part in stream.parts {
            let before = text
            text += String(buffer: part)
            if text.contains("ready"), !before.contains("ready") {
                try await context.facade.save(Note(id: "n1", title: "Water the plants"))
                await context.reportCacheStatistics()
            }
            if text.contains("Water the plants"), text.contains("caches: memory") { break }
        }
        #expect(text.contains(#""kind":"inserted""#))
        serving.cancel()
        _ = await serving.result
        try context.storage.pool.close()
    }
}
