import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// A writer goes from state to state as ``WriterState`` says, and answers each call as it says.
@Suite(.timeLimit(.minutes(20))) struct WriterStatesTests {
    /// A call that rests in its turn until it is let go.
    private struct Call: Sendable {
        let isBrief: Bool
        /// It stays in the line until the next turn.
        var isCancelled = false
        let rest = Rest()
        let task: Task<Void, any Error>

        init(isBrief: Bool, _ writer: Writer) {
            self.isBrief = isBrief
            task = Task { [rest] in
                if isBrief {
                    try await writer.queue(.init { _ in rest.enter() })
                } else {
                    try await writer.withConnection { _ in rest.enter() }
                }
            }
        }
    }

    /// A writer, and what it has to be like.
    private struct Drive {
        let folder: TemporaryFolder
        let db: DatabaseActor
        var state = WriterState.free
        /// Who has the connection.
        var running: [Call] = []
        var line: [Call] = []
        private var waiting: [Call] { line.filter { !$0.isCancelled } }
        private var writer: Writer { db.writer }

        init() throws {
            folder = try TemporaryFolder()
            db = DatabaseActor(pool: try GRDB.DatabasePool(path: folder.file().path))
        }

        /// Makes something happen, if it can, and checks what comes of it.
        mutating func make(_ event: WriterState.Event, _ random: inout SeededGenerator) async throws {
            let isPossible =
                switch event {
                case .endsAlone: waiting.isEmpty
                case .endsBeforeBrief: waiting.first?.isBrief == true
                case .endsBeforeLong: waiting.first?.isBrief == false
                case .cancel: !waiting.isEmpty
                default: true
                }
            guard isPossible, let transition = state.after(event) else { return }
            state = transition.next
            switch event {
            case .atOnce:
                let isDone = try writer.writeAtOnce { _ in }
                #expect(isDone == (transition.effect == .runs))
                // Its turn is over.
                if isDone { state = state.after(.endsAlone)?.next ?? state }
            case .brief, .long: try await call(isBrief: event == .brief, transition.effect)
            case .endsAlone, .endsBeforeBrief, .endsBeforeLong:
                try await endTurn()
                if transition.effect == .runs { await beginTurn() } else { line = [] }
            case .cancel:
                guard let place = line.indices.filter({ !line[$0].isCancelled }).randomElement(using: &random) else {
                    return
                }
                line[place].isCancelled = true
                line[place].task.cancel()
                let task = line[place].task
                await #expect(throws: CancellationError.self) { try await task.value }
            case .close:
                writer.close()
                for call in waiting {
                    #expect(await call.task.result.message == "SQLite error 21: the store is closed")
                }
                line = []
            }
            let isFree = state == .free || state == .closedFree
            try await untilTrue { writer.waitingCount == waiting.count && writer.isIdle == isFree }
        }

        private mutating func call(isBrief: Bool, _ effect: WriterState.Effect) async throws {
            let call = Call(isBrief: isBrief, writer)
            switch effect {
            case .runs:
                running = [call]
                await call.rest.begun()
            case .waits:
                line.append(call)
                try await untilTrue { writer.waitingCount == waiting.count }
            default: #expect(await call.task.result.message == "SQLite error 21: the store is closed")
            }
        }

        /// Lets all go who have the connection.
        private mutating func endTurn() async throws {
            for (place, call) in running.enumerated() {
                if place > 0 { await call.rest.begun() }
                call.rest.leave()
            }
            for call in running { try await call.task.value }
            running = []
        }

        /// Sees that those have the connection who are next.
        private mutating func beginTurn() async {
            line = waiting
            running = line[0].isBrief ? Array(line.prefix { $0.isBrief }) : [line[0]]
            line.removeFirst(running.count)
            await running[0].rest.begun()
        }
    }

    @Test func aWriterGoesFromStateToStateAsTheTableSays() async throws {
        let seed = SeededGenerator().seed
        for number in 0..<programCount(short: 20, quick: 100, full: 2_000) {
            var random = SeededGenerator(seed: seed &+ UInt64(number))
            var drive = try Drive()
            var events: [WriterState.Event] = []
            for _ in 0..<20 {
                let event = WriterState.Event.allCases.randomElement(using: &random) ?? .brief
                // A store is closed once in two programs, and not in its first steps.
                if event == .close, Int.random(in: 0..<4, using: &random) > 0 { continue }
                events.append(event)
                try await drive.make(event, &random)
            }
            while !drive.running.isEmpty {
                for event in [WriterState.Event.endsAlone, .endsBeforeBrief, .endsBeforeLong] {
                    try await drive.make(event, &random)
                }
            }
            #expect(drive.state == .free || drive.state == .closedFree, "STORAGEKIT_SEED=\(random.seed), \(events)")
        }
    }
}
