import StorageKit
import StorageKitTesting
import Testing

/// The code of the article on app groups, compiled, and run as far as it can be without any.
enum Shared {
    @StorageEntity
    struct Note {
        var id: String
        var title: String
    }

    static func open() throws -> StorageKit.Context {
        let context = try StorageKit.start(appGroup: "group.com.example.notes") { schema in
            schema.autoSchema(NoteRecord.self)
        }
        return context
    }

    static func open(at url: URL) throws -> StorageKit.Context {
        var options = StartOptions()
        options.sharesFile = true
        let context = try StorageKit.start(at: url, options: options) { schema in
            schema.autoSchema(NoteRecord.self)
        }
        return context
    }
}

@Suite struct AppGroupsArticleTests {
    #if !canImport(Darwin)
    @Test func aSystemWithoutAppGroupsSaysSo() {
        #expect(throws: StorageError.self) { try Shared.open() }
    }
    #endif

    @Test func aFileElsewhereIsSharedToo() async throws {
        let folder = try TemporaryFolder()
        let first = try Shared.open(at: folder.file())
        let second = try Shared.open(at: folder.file())
        try await first.facade.save(Shared.Note(id: "1", title: "Tea"))
        #expect(try await second.facade.get(Shared.Note.self, id: "1")?.title == "Tea")
    }
}

#if canImport(SwiftUI)
import SwiftUI

extension Shared {
    struct NotesApp: App {
        @Environment(\.scenePhase) private var phase

        var body: some Scene {
            WindowGroup { NoteList() }
                .onChange(of: phase) { _, phase in
                    if phase == .background {
                        StorageKit.suspendSharedStores()
                    } else {
                        StorageKit.resumeSharedStores()
                    }
                }
        }
    }

    struct NoteList: View {
        var body: some View { Text("Notes") }
    }
}
#endif

#if os(iOS)
extension Shared {
    func save(_ note: Note, in storage: Storage) {
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Save a note") { expired in
            if expired { return StorageKit.suspendSharedStores() }
            StorageKit.resumeSharedStores()
            let saved = DispatchSemaphore(value: 0)
            Task {
                do { try await storage.save(note) } catch { print(error) }
                saved.signal()
            }
            saved.wait()  // the activity lasts as long as this closure, which has a thread of its own
        }
    }
}
#endif
