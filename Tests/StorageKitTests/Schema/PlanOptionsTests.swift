import GRDB
import StorageKit
import StorageTestSupport
import Testing

private enum MatchBefore {
    @StorageEntity(table: "option_matches")
    struct Match {
        var id: Int
    }
}

private struct Stretch: Codable, Sendable, Equatable {
    var start: Date
    static let epoch = Stretch(start: Date(timeIntervalSince1970: 5))
}

@StorageEntity(table: "option_matches")
private struct OptionMatch: Equatable {
    var id: Int
    @StorageJSON var goal: Date
    @StorageJSON var stretch: Stretch = .epoch
    var found: Date
}

/// A plan with the options that the app starts with.
@Suite struct PlanOptionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func itSaysWhatTheStartWithThemDoes() async throws {
        let clock = ManualClock()
        let options = StorageKit.StartOptions(
            clock: clock, configureEncoder: { $0.dateEncodingStrategy = .millisecondsSince1970 },
            configureDecoder: { $0.dateDecodingStrategy = .millisecondsSince1970 })
        let before = try StorageKit.start(at: folder.file(), options: options) {
            $0.autoSchema(MatchBefore.MatchRecord.self)
        }
        try await before.facade.save(MatchBefore.Match(id: 1))

        var schema = AppMigrations()
        schema.autoSchema(OptionMatchRecord.self)
        // In ISO 8601 there is no date for what is nothing in JSON.
        #expect(throws: StorageError.self) { try schema.plan(on: before.storage.pool) }
        let plan = try schema.plan(on: before.storage.pool, options: options)
        try await before.close()

        let context = try StorageKit.start(at: folder.file(), options: options) { $0 = schema }
        let match = try await context.facade.get(OptionMatch.self, id: 1)
        #expect(match == OptionMatch(id: 1, goal: Date(timeIntervalSince1970: 0), stretch: .epoch, found: clock.now))
        let defaults = try await context.storage.dbActor.read { db in
            try db.columns(in: "option_matches").compactMap(\.defaultValueSQL)
        }
        #expect(defaults.count == 3)
        for value in defaults {
            #expect(plan.operations.contains { "\($0)".hasSuffix(" DEFAULT \(value)") }, "\(value): \(plan)")
        }
        #expect(try schema.plan(on: context.storage.pool, options: options).operations == [])
    }
}
