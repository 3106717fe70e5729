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
        let studio = StudioServer(file: url, options: .init(), door: .ofTests(), limits: ConnectionLimits())
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
        let stream = try await page.events()
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

    @Test func rowsOfALargeTableAndTheReadsOfStreamsAreShown() async throws {
        let file = try TemporaryFile()
        let studio = StudioServer(file: file.url, options: .init(), door: .ofTests(), limits: ConnectionLimits())
        let context = try StorageKit.start(at: file.url, options: .init(monitor: studio.monitor())) { schema in
            schema.autoSchema(NoteRecord.self)
        }
        let storage = context.facade
        try await storage.save((1...2500).map { Note(id: "n\($0)", title: "before") })
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        let serving = Task {
            defer { address.finish() }
            try await studio.run { address.yield($0) }
        }
        let opened = try #require(await addresses.first { _ in true })
        let parts = try #require(opened.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/#code=(.*)/))
        let page = RunningStudio(server: studio, port: try #require(Int(parts.1)), code: String(parts.2))
        let stream = try await page.events()
        var notes = storage.query(Note.self).where { $0.title == "after" }.observe().makeAsyncIterator()
        #expect(await notes.next()?.isEmpty == true)
        var text = ""
        for try await part in stream.parts {
            let before = text
            text += String(buffer: part)
            if text.contains("ready"), !before.contains("ready") {
                try await storage.save(Note(id: "n7", title: "after"))
                #expect(await notes.next()?.count == 1)
            }
            if text.contains(#""after":["n7","after""#), text.contains(#""scope":"rows""#) { break }
        }
        #expect(text.contains(#""before":["n7","before""#))
        serving.cancel()
        _ = await serving.result
        try context.storage.pool.close()
    }
}
