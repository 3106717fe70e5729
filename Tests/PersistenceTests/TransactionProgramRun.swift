import Persistence
import StorageTestSupport
import Synchronization
import Testing

/// What some work has left in the database, as far as its calls said.
struct Outcome: Sendable {
    /// The changes that stay if the work stays.
    var changes: [Int] = []
    /// Those whose call nobody waited for.
    var strays: [Task<Int?, Never>] = []
    /// The transactions in it that stay, each of which no other may have been in the midst of.
    var transactions: [Outcome] = []

    mutating func add(_ other: Outcome) {
        changes += other.changes
        strays += other.strays
        transactions += other.transactions
    }

    /// All changes, those of strays that came in time included.
    func allChanges() async -> Set<Int> {
        var all = Set(changes)
        for stray in strays {
            if let change = await stray.value { all.insert(change) }
        }
        return all
    }
}

/// Runs a random program and checks what it left against the serial model.
final class TransactionProgramRun: Sendable {
    private struct Undone: Error {}

    private let database: SQLiteDatabase
    private let folder: TemporaryFolder
    private let stayed = Mutex(Outcome())
    private let walks = Mutex<[(journal: Int, cells: [Int64])]>([])

    init() async throws {
        folder = try TemporaryFolder()
        database = try await SQLiteDatabase(path: folder.file().path, busyTimeout: .milliseconds(1))
        // The journal is written by a trigger: it has the order in which changes came to stay.
        try await database.execute(
            """
            PRAGMA synchronous = OFF;
            CREATE TABLE cells (id INTEGER PRIMARY KEY, value INTEGER NOT NULL, change INTEGER);
            INSERT INTO cells VALUES (0, 0, NULL), (1, 0, NULL), (2, 0, NULL);
            CREATE TABLE journal (place INTEGER PRIMARY KEY, change INTEGER NOT NULL);
            CREATE TRIGGER changed AFTER UPDATE ON cells BEGIN
                INSERT INTO journal (change) VALUES (new.change);
            END
            """)
    }

    /// - Returns: What is wrong, in words; nil if all is right.
    func run(_ program: TransactionProgram) async throws -> String? {
        await withTaskGroup(of: Void.self) { group in
            let tasks = program.tasks.map { deeds in
                Task { for deed in deeds { await perform(deed) } }
            }
            for (task, pauses) in program.cancellations {
                group.addTask {
                    for _ in 0..<pauses { await Task.yield() }
                    tasks[task].cancel()
                }
            }
            for task in tasks { await task.value }
        }
        let outcome = stayed.withLock { $0 }
        let expected = await outcome.allChanges()
        let journal = try await database.rows("SELECT change FROM journal ORDER BY place").map(integers).map {
            Int($0[0])
        }
        guard Set(journal) == expected, journal.count == expected.count else {
            return "\(journal) stayed, and not \(expected.sorted())"
        }
        let cells = try await database.rows("SELECT value FROM cells ORDER BY id").map { integers($0)[0] }
        guard cells == Cells(after: journal).values else { return "the cells hold \(cells) after \(journal)" }
        for walk in walks.withLock({ $0 }) where walk.cells != Cells(after: journal.prefix(walk.journal)).values {
            return "a walk after \(journal.prefix(walk.journal)) saw \(walk.cells)"
        }
        return await foreigner(in: outcome.transactions, journal)
    }

    /// The first transaction that another statement landed in.
    private func foreigner(in transactions: [Outcome], _ journal: [Int]) async -> String? {
        for transaction in transactions {
            let changes = await transaction.allChanges()
            let places = journal.indices.filter { changes.contains(journal[$0]) }
            if let first = places.first, let last = places.last, last - first + 1 != places.count {
                return "in \(journal) another landed among \(changes.sorted())"
            }
        }
        return nil
    }

    private func integers(_ row: Row) -> [Int64] {
        row.values.map { if case .integer(let number) = $0 { number } else { -1 } }
    }
}

// MARK: - Deeds

extension TransactionProgramRun {
    private func perform(_ deed: Deed) async {
        do {
            switch deed {
            case .change(let change):
                try await self.change(change, database)
                stayed.withLock { $0.changes.append(change) }
            case .transaction(let plan):
                let outcome = try await transaction(plan, on: database)
                stayed.withLock { $0.add(outcome) }
            case .walk: try await walk()
            }
        } catch is Undone {
        } catch is CancellationError {
        } catch {
            Issue.record("unexpected: \(error)")
        }
    }

    private func change(_ change: Int, _ db: SQLiteDatabase) async throws {
        let cell = SQLiteValue.integer(Int64(change % TransactionProgram.cellCount))
        try await db.execute(
            "UPDATE cells SET value = (value * 31 + ?1) % 1000003, change = ?1 WHERE id = ?2",
            [.integer(Int64(change)), cell])
    }

    private func walk() async throws {
        var rows: [[Int64]] = []
        // The journal is counted anew for each row.
        let sql = "SELECT value, (SELECT COUNT(*) FROM journal WHERE place > cells.id * 0) FROM cells ORDER BY id"
        try await database.forEachRow(sql) { row in
            rows.append(integers(row))
            await Task.yield()
        }
        #expect(Set(rows.map { $0[1] }).count == 1)
        walks.withLock { $0.append((Int(rows[0][1]), rows.map { $0[0] })) }
    }

    private func transaction(_ plan: Plan, on db: SQLiteDatabase) async throws -> Outcome {
        var outcome = try await db.withTransaction { handle in
            var outcome = Outcome()
            try await run(plan.steps, on: handle, into: &outcome)
            if plan.endsByThrowing { throw Undone() }
            return outcome
        }
        outcome.transactions.append(Outcome(changes: outcome.changes, strays: outcome.strays))
        return outcome
    }

    /// - Parameter outcome: What the steps left, also if they throw.
    private func run(_ steps: [Step], on db: SQLiteDatabase, into outcome: inout Outcome) async throws {
        for step in steps {
            switch step {
            case .change(let change):
                try await self.change(change, db)
                outcome.changes.append(change)
            case .refused: try await expectRefusal(db)
            case .pause: await Task.yield()
            case .callOutside: try await expectHeld()
            case .nested(let plan):
                do {
                    outcome.add(try await transaction(plan, on: db))
                } catch is Undone {}
            case .children(let children): await run(children, on: db, into: &outcome)
            case .stray(let change):
                outcome.strays.append(Task { await stray(change, db) })
            case .cancel: withUnsafeCurrentTask { $0?.cancel() }
            }
        }
    }

    private func run(_ children: [[Step]], on db: SQLiteDatabase, into outcome: inout Outcome) async {
        await withTaskGroup(of: Outcome.self) { group in
            for steps in children {
                group.addTask {
                    var outcome = Outcome()
                    do {
                        try await self.run(steps, on: db, into: &outcome)
                    } catch is CancellationError {
                    } catch {
                        Issue.record("unexpected in a child: \(error)")
                    }
                    return outcome
                }
            }
            for await child in group { outcome.add(child) }
        }
    }

    private func stray(_ change: Int, _ db: SQLiteDatabase) async -> Int? {
        do {
            try await self.change(change, db)
            return change
        } catch SQLiteError.transactionEnded {
            return nil
        } catch {
            Issue.record("unexpected in a stray: \(error)")
            return nil
        }
    }

    private func expectRefusal(_ db: SQLiteDatabase) async throws {
        do {
            try await db.execute("INSERT INTO cells VALUES (0, 0, NULL)")
            Issue.record("a second cell 0")
        } catch SQLiteError.sqlite(code: 1555, _, _) {}
    }

    private func expectHeld() async throws {
        do {
            try await change(-1, database)
            Issue.record("a call from within a transaction went through")
        } catch SQLiteError.heldByCaller {}
    }
}
