import StorageKit
import Testing

/// The code of the article on windows, compiled and run.
enum Chat {
    @StorageEntity(indexes: [["roomId", "sentAt", "id"]])
    struct Message {
        var id: String
        var roomId: String
        var sentAt: Date
        var text: String
    }
}

@MainActor @Suite struct WindowsArticleTests {
    typealias Message = Chat.Message

    private let room = "garden"

    private func start() async throws -> StorageKit.Context {
        let context = try StorageKit.startInMemory { $0.autoSchema(Chat.MessageRecord.self) }
        try await context.facade.save(
            (100..<300).map { number in
                Message(
                    id: "\(number)", roomId: room, sentAt: Date(timeIntervalSince1970: Double(number)), text: "Hello")
            })
        return context
    }

    private func show(_ messages: [Message]) { #expect(messages.last?.id == "299" && messages.count == 50) }

    @Test func theWindowOfTheArticleGoesWhereItSays() async throws {
        let context = try await start()
        let storage = context.facade
        let message = try #require(try await storage.get(Message.self, id: "200"))
        // swift-format-ignore
        let window = LiveWindow(storage.query(Message.self).where { $0.roomId == room }.orderBy(\.sentAt), pageSize: 50, maximumPages: 3)
        await window.jumpToEnd()
        show(window.items)  // the newest 50, the oldest of them first
        if window.hasMoreBefore { await window.loadPrevious() }
        if window.hasMoreAfter { await window.loadNext() }
        #expect(window.items.count == 100)
        let isThere = await window.jump(to: message.id)  // half a page stands before it
        #expect(isThere && window.items[25] == message)
        await window.jumpToStart()
        #expect(window.items.first?.id == "100")
    }

    @Test func theChangesOfTheArticleArePlaces() async throws {
        let context = try await start()
        let storage = context.facade
        func apply(_ inserted: [Int], _ removed: [Int], _ moved: [ListMove], _ updated: [Int]) {
            #expect(inserted == Array(0..<200) && removed == [] && moved == [] && updated == [])
        }
        for await change in storage.query(Message.self).orderBy(\.sentAt).observeChanges() {
            apply(change.inserted, change.removed, change.moved, change.updated)
            break
        }
    }
}

#if canImport(SwiftUI)
import SwiftUI

extension Chat {
    struct MessageList: View {
        let window: LiveWindow<Message>

        var body: some View {
            List(window.items) { message in
                let asksNext = window.hasMoreAfter && message.id == window.items.last?.id
                let asksPrevious = window.hasMoreBefore && message.id == window.items.first?.id
                Text(message.text)
                    .task(id: asksNext) { if asksNext { await window.loadNext() } }
                    .task(id: asksPrevious) { if asksPrevious { await window.loadPrevious() } }
            }
        }
    }
}
#endif
