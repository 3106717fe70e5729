import StorageKit
import StorageTestSupport
import Testing

/// Several starts of one file at the same moment.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ConcurrentStartTests {
    private let rounds = programCount(quick: 2, full: 60)

    @Test(arguments: [2, 6]) func processesThatMakeOneFileAtOnceAllSucceed(processes: Int) async throws {
        for round in 0..<rounds {
            let folder = try TemporaryFolder()
            try await startTogether(processes, folder.file(), comment: "round \(round)")
            #expect(
                try Library.runs(in: folder.file())
                    == ["2026-01_runs", "2026-02_loud_titles", "2026-02_title_index"], "round \(round)")
        }
    }

    @Test(arguments: [2, 6]) func processesThatUpgradeOneFileAtOnceRunEachMigrationOnce(processes: Int) async throws {
        for round in 0..<rounds {
            let folder = try TemporaryFolder()
            try Library.make(at: folder.file(), books: 300)
            try await startTogether(processes, folder.file(), comment: "round \(round)")
            #expect(try Library.runs(in: folder.file()) == LibrarySchema.runsOfAnUpgrade, "round \(round)")
        }
    }

    @Test func eachMigrationIsLoggedByOneProcessOnly() async throws {
        let folder = try TemporaryFolder()
        try Library.make(at: folder.file(), books: 300)
        let children = try await startTogether(4, folder.file(), comment: "")
        let applied = children.flatMap(\.said).filter { $0.hasPrefix("log: Applied") }
        #expect(Set(applied).count == applied.count, "\(applied)")
        #expect(applied.count == 6)
    }

    @Test(arguments: [false, true]) func startsOfOneProcessAtOnceAllSucceed(fileExists: Bool) async throws {
        for round in 0..<rounds {
            let folder = try TemporaryFolder()
            let file = folder.file()
            if fileExists { try Library.make(at: file, books: 300) }
            let contexts = try await inParallel(6) { try Library.start(at: file, .new) }
            #expect(contexts.count == 6)
            let runs = try Library.runs(in: file)
            #expect(Set(runs).count == runs.count, "round \(round): \(runs)")
            #expect(runs.count == (fileExists ? 4 : 3), "round \(round): \(runs)")
        }
    }

    @Test func processesThatFindNothingToDoLeaveOneNoteAtMost() async throws {
        for round in 0..<rounds {
            let folder = try TemporaryFolder()
            _ = try Library.start(at: folder.file(), .new)
            // The store that is gone may still be closing its file.
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            let queue = try DatabaseQueue(path: folder.file().path, configuration: configuration)
            try await queue.write { db in
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE 'storage_schema_checked:%'")
            }
            try queue.close()
            try await startTogether(4, folder.file(), comment: "round \(round)")
            let dump = try DatabaseDump(of: folder.file()).text
            #expect(dump.components(separatedBy: "storage_schema_checked:").count <= 2, "round \(round)")
        }
    }

    @Test func whoeverIsKilledLetsTheOthersFinish() async throws {
        var generator = SeededGenerator()
        for round in 0..<rounds {
            let folder = try TemporaryFolder()
            try Library.make(at: folder.file(), books: 2000)
            let step = Int.random(in: 1...1500, using: &generator)
            let comment: Comment = "seed \(generator.seed), round \(round), step \(step)"
            let killed = try ChildProcess("start", folder.file().path, "new", "--kill-after", "\(step)")
            try await killed.line("ready")
            try killed.send("go")
            try await startTogether(2, folder.file(), comment: comment)
            try await killed.exit()
            #expect(try Library.integrity(of: folder.file()) == ["ok"], comment)
            #expect(try Library.runs(in: folder.file()) == LibrarySchema.runsOfAnUpgrade, comment)
        }
    }

    @Test func anOlderVersionThatStartsAtTheSameTimeGoesOnOrIsToldSoAndBreaksNothing() async throws {
        for round in 0..<rounds {
            let folder = try TemporaryFolder()
            let file = folder.file()
            try Library.make(at: file, books: 300)
            let versions = ["old", "new", "old", "new"]
            let children = try versions.map { try ChildProcess("start", file.path, $0, "--trace") }
            try await letGo(children)
            for (child, version) in zip(children, versions) {
                let exit = try await child.exit()
                let isTold = child.said.contains {
                    $0.hasPrefix("reason: ") && $0.contains("a newer version of this app has changed the database")
                }
                #expect(exit == .code(0) || version == "old" && isTold, "round \(round): \(child.said)")
            }
            let end = try DatabaseDump(of: file)
            #expect(try Library.runs(in: file) == LibrarySchema.runsOfAnUpgrade, "round \(round)")
            #expect(try Library.integrity(of: file) == ["ok"], "round \(round)")
            // Nothing is left to do for the newer one.
            try Library.upgrade(file, to: .new)
            #expect(try DatabaseDump(of: file) == end, "round \(round)")
        }
    }

    /// All are ready before the first one is let go.
    @discardableResult
    private func startTogether(_ count: Int, _ file: URL, comment: Comment) async throws -> [ChildProcess] {
        let children = try (0..<count).map { _ in try ChildProcess("start", file.path, "new", "--trace") }
        try await letGo(children)
        for child in children {
            #expect(try await child.exit() == .code(0), "\(comment): \(child.said)")
        }
        return children
    }

    private func letGo(_ children: [ChildProcess]) async throws {
        for child in children { try await child.line("ready") }
        for child in children { try child.send("go") }
    }
}
