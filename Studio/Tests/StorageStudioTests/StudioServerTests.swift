import Foundation
import NIOCore
import StorageCore
import StorageSQLite
import Synchronization
import Testing

@testable import StorageStudio

@Suite struct StudioServerTests {
    @Test func aReleaseBuildIsRefusedUnlessItIsToldTo() {
        #expect(StudioServer.refusal(.init(), isDebugBuild: true) == nil)
        #expect(StudioServer.refusal(.init(), isDebugBuild: false) == .releaseBuild)
        #expect(StudioServer.refusal(.init(runsInReleaseBuilds: true), isDebugBuild: false) == nil)
    }

    @Test func aFileThatIsMissingIsSaid() async throws {
        let server = StudioServer(file: URL(fileURLWithPath: "/nothing/here.sqlite"))
        await #expect(throws: StudioServer.Failure.self) { try await server.run { _ in } }
        #expect(server.newAddress() == nil)
    }

    @Test func aFileWhoseTablesCannotBeReadIsSaid() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        let handle = try FileHandle(forUpdating: file.url)
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data(repeating: 0xAB, count: 3996))
        try handle.close()
        let server = StudioServer(file: file.url)
        await #expect(throws: StudioServer.Failure.self) { try await runUntilItServes(server) }
    }

    @Test func aModelThatIsMissingIsSaid() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        let model = file.folder.appendingPathComponent("missing.sql")
        let server = StudioServer(file: file.url, options: .init(model: model))
        await #expect(throws: StudioServer.Failure.self) { try await runUntilItServes(server) }
    }

    /// Root may listen on any port, so that none can be asked for.
    @Test func aPortThatTheSystemForbidsIsSaid() {
        let error = StudioServer.reason(of: IOError(errnoCode: EACCES, reason: "bind"), port: 80)
        #expect(error as? StudioServer.Failure == .portForbidden(80))
    }

    @Test func aStudioThatHasEndedHasNoAddress() async throws {
        let door = Door()
        try await RunningStudio.run(try TemporaryFile(), door: door) { studio in
            #expect(studio.server.newAddress() != nil)
        }
        #expect(door.address() == nil)
    }

    @Test func aPageHearsThatTheFileIsGone() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        try await RunningStudio.run(file) { studio in
            let stream = try await studio.events()
            var text = ""
            for try await part in stream.parts {
                let before = text
                text += String(buffer: part)
                if text.contains("ready"), !before.contains("ready") {
                    try FileManager.default.removeItem(at: file.url)
                }
                // A sign of life comes behind a hundred looks, whatever they show.
                if text.contains("trouble") || text.contains("quiet") { break }
            }
            #expect(text.contains("there is no such file"))
        }
    }

    @Test func connectionsBeyondABoundWaitUntilSilentOnesAreClosed() async throws {
        let limits = ConnectionLimits(most: 2, idleTime: .seconds(2))
        try await RunningStudio.run(try TemporaryFile("CREATE TABLE t (x)"), limits: limits) { studio in
            // Of those that have come meanwhile the server takes 16 together before it counts them.
            let silent = try (0..<20).map { _ in try SilentConnection(port: studio.port) }
            #expect(try await studio.send(.get, "/api/file", headers: studio.headers()).status == 401)
            #expect(silent.contains { $0.isClosed })
        }
    }

    @Test func aPageThatListensIsNotSilent() async throws {
        let limits = ConnectionLimits(idleTime: .seconds(2))
        try await RunningStudio.run(try TemporaryFile("CREATE TABLE t (x)"), limits: limits) { studio in
            let stream = try await studio.events()
            let silent = try SilentConnection(port: studio.port)
            while !silent.isClosed { await Task.yield() }
            studio.server.monitor().record(.migration("late"))
            for try await part in stream.parts where String(buffer: part).contains("late") { return }
            Issue.record("the stream has ended")
        }
    }

    @Test func aPageHearsOfSlowStatementsOfTheAppThatServesIt() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        try await RunningStudio.run(file) { studio in
            let stream = try await studio.events()
            let monitor = studio.server.monitor()
            var text = ""
            for try await part in stream.parts {
                text += String(buffer: part)
                if text.contains("ready"), !text.contains("slow") {
                    monitor.record(
                        .slowStatement(SlowStatement(sql: "SELECT 1", duration: .seconds(2), plan: ["SCAN t"])))
                }
                if text.contains("\"type\":\"slow\"") { break }
            }
            #expect(text.contains("SCAN t") && text.contains("\"milliseconds\":2000"))
        }
    }

    @Test func aMonitorHandsOnWhatItHears() {
        final class Counter: StorageMonitor {
            let slowStatementThreshold: Duration? = .milliseconds(7)
            let count = Mutex(0)
            func record(_ event: StorageEvent) { count.withLock { $0 += 1 } }
        }
        let counter = Counter()
        let monitor = StudioServer(file: URL(fileURLWithPath: "/nothing")).monitor(alongside: counter)
        monitor.record(.migration("x"))
        #expect(counter.count.withLock { $0 } == 1)
        #expect(monitor.slowStatementThreshold == .milliseconds(7))
    }

    @Test func anotherMonitorHearsSoManyRowsOfACommitAsItAsksFor() {
        final class Listener: StorageMonitor {
            let committedRowLimit = 3
            let heard = Mutex<[CommittedRows]>([])
            func record(_ event: StorageEvent) {
                if case .commit(let rows) = event { heard.withLock { $0.append(rows) } }
            }
        }
        let listener = Listener()
        let monitor = StudioServer(file: URL(fileURLWithPath: "/nothing")).monitor(alongside: listener)
        let row = CommittedRows.Row(before: nil, after: [.integer(1)])
        let tables = ["a", "b"].map { CommittedRows.Table(name: $0, columns: ["id"], rows: [row, row], count: 2) }
        monitor.record(.commit(CommittedRows(tables: tables)))
        let heard = listener.heard.withLock { $0 }.flatMap(\.tables)
        #expect(heard.map(\.rows.count) == [2, 1])
        #expect(heard.map(\.count) == [2, 2])
    }

    @Test func commitsOfTheAppAreCollectedOnlyWhileAPageListens() throws {
        let (events, commits) = (StudioEvents(), KnownCommits())
        let monitor = StudioMonitor(events: events, commits: commits, streams: StreamFigures(), other: nil)
        let row = CommittedRows.Row(before: nil, after: [.integer(1)])
        let rows = CommittedRows(tables: [.init(name: "t", columns: ["id"], rows: [row], count: 1)])
        monitor.record(.commit(rows))
        #expect(commits.take().isEmpty)
        let page = try #require(events.listen(first: .ready))
        withExtendedLifetime(page) { monitor.record(.commit(rows)) }
        #expect(commits.take().count == 1)
    }

    @Test(arguments: [(nil, 500), (3, 500), (1000, 1000)] as [(Int?, Int)])
    func soManyRowsOfACommitAreAskedForAsSomebodyWants(other: Int?, expected: Int) {
        struct Listener: StorageMonitor {
            let committedRowLimit: Int
            func record(_ event: StorageEvent) {}
        }
        let listener = other.map { Listener(committedRowLimit: $0) }
        let monitor = StudioServer(file: URL(fileURLWithPath: "/nothing")).monitor(alongside: listener)
        #expect(monitor.committedRowLimit == expected)
    }

    @Test(
        arguments: [
            .slowStatement(SlowStatement(sql: "SELECT 1", duration: .seconds(2))),
            .streamRead(
                StreamRead(
                    table: "t", sql: "SELECT 1", scope: .all, rowCount: 1, isNew: true, duration: .milliseconds(1))),
            .commit(CommittedRows(tables: [])),
        ] as [StorageEvent])
    func anotherMonitorHearsNothingThatItDoesNotAskFor(event: StorageEvent) {
        final class Listener: StorageMonitor {
            let slowStatementThreshold: Duration? = nil
            let count = Mutex(0)
            func record(_ event: StorageEvent) { count.withLock { $0 += 1 } }
        }
        let listener = Listener()
        StudioServer(file: URL(fileURLWithPath: "/nothing")).monitor(alongside: listener).record(event)
        #expect(listener.count.withLock { $0 } == 0)
    }

    @Test func aPageThatIsSlowMissesWhatIsOld() async throws {
        let events = StudioEvents()
        let stream = try #require(events.listen(first: .ready))
        for number in 1...150 { events.tell(.note("\(number)", isProblem: false)) }
        let first = try #require(await stream.first { _ in true })
        guard case .note(let text, _) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(text == "51")
    }

    @Test func soManyPagesListenAndOneThatGoesMakesRoom() async {
        let events = StudioEvents()
        let streams = (0..<StudioEvents.mostListeners).compactMap { _ in events.listen(first: .ready) }
        #expect(events.listen(first: .ready) == nil)
        let page = Task { for await _ in streams[0] {} }
        page.cancel()
        await page.value
        #expect(events.listen(first: .ready) != nil)
        #expect(streams.count == StudioEvents.mostListeners)
    }

    /// Runs a studio until it serves or fails.
    private func runUntilItServes(_ server: StudioServer) async throws {
        let (running, end) = AsyncStream.makeStream(of: Void.self)
        let serving = Task {
            defer { end.finish() }
            try await server.run { _ in end.finish() }
        }
        for await _ in running {}
        serving.cancel()
        try await serving.value
    }
}
