import GRDB
import StorageKit
import StorageTestSupport
import Testing

@testable import StorageGRDB

/// Columns that one model does not know and a later one does, and what becomes of the NULLs in between.
@Suite struct ReturnedColumnTests {
    private let file: ModelFile

    init() throws { file = try ModelFile() }

    private func people(_ columns: ColumnSchema...) -> TableSchema {
        TableSchema(name: "people", columns: [.id] + columns)
    }

    @Test func theNullsOfAPropertyThatCameBackAsOptionalAreValues() throws {
        let first = people(.text("phone"))
        try file.start(first)
        try file.start(people())
        try file.start(people(.text("phone", notNull: false)))
        try file.execute("INSERT INTO people VALUES ('1', NULL)")
        let error = try file.refuse(people(.text("phone"), .text("more", notNull: false))) as? SchemaConflictError
        #expect(error == SchemaConflictError(table: "people", columns: ["phone"], reason: .nulls(rows: 1)))
        // The first version of the app leaves them alone, too.
        try ModelFile.schema([first]).run(on: file.queue)
        #expect(try file.values("SELECT * FROM people") == ["1 NULL"])
    }

    @Test func theNullsOfAColumnThatWasDroppedAndAddedAnewAreValues() throws {
        try file.start(people(.text("phone")))
        try file.start(people())
        try file.start(people()) { $0.drop(column: "phone", ofTable: "people") }
        try file.execute("ALTER TABLE people ADD COLUMN phone TEXT; INSERT INTO people (id) VALUES ('1')")
        let error = try file.refuse(people(.text("phone"), .text("more", notNull: false))) as? SchemaConflictError
        #expect(error == SchemaConflictError(table: "people", columns: ["phone"], reason: .nulls(rows: 1)))
    }

    @Test func aRenamedColumnTakesWhatIsKnownOfItAlong() throws {
        try file.start(people(.text("phone")))
        try file.start(people())
        try file.execute("INSERT INTO people (id) VALUES ('1')")
        let renamed = TableSchema(
            name: "people", columns: [.id, .text("mobile")], formerColumnNames: ["mobile": ["phone"]])
        try file.start(renamed)
        #expect(try file.values("SELECT id, mobile FROM people") == ["1 "])
        #expect(try file.queue.read { try !$0.recordedModels().has(.nullable("phone", of: "people")) })
    }

    @Test func aColumnOfAStrictTableIsFilledAsWell() throws {
        try file.execute(
            "CREATE TABLE people (id TEXT PRIMARY KEY NOT NULL, active INTEGER NOT NULL) STRICT")
        let active = ColumnSchema(name: "active", type: "BOOLEAN", notNull: true)
        try file.start(people(active))
        try file.start(people())
        try file.execute("INSERT INTO people (id) VALUES ('1')")
        try file.start(people(active, .text("more", notNull: false)))
        #expect(try file.values("SELECT active FROM people") == ["0"])
    }

    enum Numbered {
        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            var code: Int?
        }
    }

    enum Named {
        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            var code: String = "007"
        }
    }

    enum Required {
        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            var code: Int
        }
    }

    enum Keyless {
        @StorageEntity(table: "doors")
        struct Door { var id: String }
    }

    enum Spelled {
        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            var code: String
        }
    }

    private func schema(_ record: (some StorageKitEntityRecord).Type) -> AppMigrations {
        var schema = AppMigrations()
        schema.autoSchema(record)
        return schema
    }

    @discardableResult
    private func start(_ record: (some StorageKitEntityRecord).Type, _ file: ModelFile) throws -> AppMigrations {
        let schema = schema(record)
        try schema.run(on: file.queue)
        return schema
    }

    @Test func aPropertyThatCameBackWithAnotherTypeIsFilledAsThat() throws {
        for (record, value) in [
            (Named.DoorRecord.self as any StorageKitEntityRecord.Type, "'007'"), (Spelled.DoorRecord.self, "''"),
        ] {
            let file = try ModelFile()
            try start(Required.DoorRecord.self, file)
            try start(Keyless.DoorRecord.self, file)
            try file.execute("INSERT INTO doors (id, updatedAt) VALUES ('1', '2026-01-01')")
            try start(record, file)
            #expect(try file.values("SELECT quote(code) FROM doors") == [value])
        }
    }

    struct Lock: Codable, Sendable {
        var metal: String
        var digits: Int?
    }

    enum Locked {
        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            @StorageEmbedded var lock: Lock = Lock(metal: "brass", digits: 4)
        }
    }

    enum LockedAgain {
        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            @StorageEmbedded var lock: Lock = Lock(metal: "brass", digits: 4)
            var colour: String?
        }
    }

    /// In the model that there was before, and in a new one.
    @Test func anEmbeddedValueThatCameBackIsFilledAsAWhole() throws {
        for record in [
            Locked.DoorRecord.self as any StorageKitEntityRecord.Type, LockedAgain.DoorRecord.self,
        ] {
            let file = try ModelFile()
            try start(Locked.DoorRecord.self, file)
            try file.execute("INSERT INTO doors (id, lock_metal, updatedAt) VALUES ('1', 'iron', '2026-01-01')")
            try start(Keyless.DoorRecord.self, file)
            try file.execute(
                """
                INSERT INTO doors (id, updatedAt) VALUES ('2', '2026-01-01');
                INSERT INTO doors (id, lock_digits, updatedAt) VALUES ('3', 7, '2026-01-01')
                """)
            let schema = schema(record)
            let fills = try schema.plan(on: file.queue).operations.compactMap { operation -> String? in
                guard case .fillColumn(let column, _) = operation else { return nil }
                return "\(column.name) \(column.defaultValue ?? "NULL")"
            }
            #expect(fills == ["lock_digits 4", "lock_metal 'brass'"])
            try schema.run(on: file.queue)
            #expect(
                try file.values("SELECT id, lock_metal, lock_digits FROM doors ORDER BY id")
                    == ["1 iron NULL", "2 brass 4", "3 brass 7"])
            #expect(try schema.plan(on: file.queue).operations == [])
        }
    }

    enum Bolted {
        struct Bolt: Codable, Sendable {
            var metal: String
            var length: Int
        }

        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            var colour: String = "red"
            @StorageEmbedded var bolt: Bolt = Bolt(metal: "brass", length: 3)
        }
    }

    @Test func whatAnEmbeddedValueIsFilledWithCountsAsItsOwn() throws {
        try start(Bolted.DoorRecord.self, file)
        try start(Keyless.DoorRecord.self, file)
        try file.execute(
            """
            INSERT INTO doors (id, updatedAt) VALUES ('1', '2026-01-01');
            INSERT INTO doors (id, bolt_metal, updatedAt) VALUES ('2', 'iron', '2026-01-01')
            """)
        let plan = try schema(Bolted.DoorRecord.self).plan(on: file.queue)
        let rows = zip(plan.operations, plan.costs).compactMap { operation, cost -> String? in
            guard case .fillColumn(let column, _) = operation else { return nil }
            return "\(column.name) \(cost.rows)"
        }
        #expect(rows == ["colour 2", "bolt_metal 1", "bolt_length 1"])
    }

    enum Relocked {
        struct Lock: Codable, Sendable {
            var metal: String
            var digits: String
        }

        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            @StorageEmbedded var lock: Lock = Lock(metal: "brass", digits: "007")
            var colour: String?
        }
    }

    @Test func aColumnOfAnEmbeddedValueThatGetsAnotherTypeIsFilledWhenItHasThat() throws {
        try start(Locked.DoorRecord.self, file)
        try start(Keyless.DoorRecord.self, file)
        try file.execute("INSERT INTO doors (id, updatedAt) VALUES ('2', '2026-01-01')")
        try start(Relocked.DoorRecord.self, file)
        #expect(try file.values("SELECT lock_metal, lock_digits FROM doors") == ["brass 007"])
    }

    enum Staged {
        enum State: String, Codable, Sendable { case open, done }

        @StorageEntity(table: "doors")
        struct Door {
            var id: String
            var code: State?
        }
    }

    @Test func anOptionalRawValueIsOneOfThoseThereAre() throws {
        try start(Numbered.DoorRecord.self, file)
        try file.execute("INSERT INTO doors VALUES ('1', 12, '2026-01-01'), ('2', NULL, '2026-01-01')")
        let error = #expect(throws: StorageError.self) { try start(Staged.DoorRecord.self, file) }
        guard case .migrationFailed(_, let underlying) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let expected = SchemaConflictError(table: "doors", columns: ["code"], reason: .values(type: "TEXT", rows: 1))
        #expect(underlying as? SchemaConflictError == expected)
    }

    @Test func aDefaultIsNotReadAsAValueOfTheOldType() throws {
        try start(Numbered.DoorRecord.self, file)
        try file.execute("INSERT INTO doors VALUES ('1', NULL, '2026-01-01'), ('2', 12, '2026-01-01')")
        let new = try start(Named.DoorRecord.self, file)
        #expect(try file.values("SELECT quote(code) FROM doors ORDER BY id") == ["'007'", "'12'"])
        #expect(try new.plan(on: file.queue).operations == [])
    }
}
