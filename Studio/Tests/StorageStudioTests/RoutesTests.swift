import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import StorageCore
import StorageSQLite
import Synchronization
import Testing

@testable import StorageStudio

@Suite struct RoutesTests {
    /// Names and values as a stranger chooses them.
    static let hostile = #"""
        CREATE TABLE """><script>alert(1)</script>" (id INTEGER PRIMARY KEY, "a""b" TEXT, "'; DROP TABLE x;--" TEXT);
        INSERT INTO """><script>alert(1)</script>" VALUES (1, '<img src=x onerror=alert(1)>', '');
        CREATE TABLE images (id INTEGER PRIMARY KEY, b BLOB);
        INSERT INTO images VALUES (1, x'89504E470D0A1A0A00'), (2, CAST('<script>alert(1)</script>' AS BLOB));
        CREATE VIEW evil AS SELECT load_extension('x') AS x;
        """#

    private func ask(_ studio: RunningStudio, _ token: String, _ path: String, _ body: [String: Any]) async throws
        -> RunningStudio.Answer
    {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        return try await studio.send(.post, path, text, headers: studio.headers(token: token))
    }

    @Test func hostileNamesAreNamesAndNothingElse() async throws {
        let file = try TemporaryFile(Self.hostile)
        try await RunningStudio.run(file) { studio in
            let token = try await studio.token()
            let name = #""><script>alert(1)</script>"#
            let facts = try await studio.send(.get, "/api/file", headers: studio.headers(token: token))
            #expect(facts.status == 200 && facts.text.contains("alert(1)"))
            #expect(facts.head.headers.first(name: "Content-Type")?.hasPrefix("application/json") == true)
            for column in ["id", "a\"b", "'; DROP TABLE x;--"] {
                let rows = try await ask(
                    studio, token, "/api/rows",
                    ["table": name, "sort": column, "filters": [["column": column, "text": "!null"]]])
                #expect(rows.status == 200 && rows.text.contains("onerror"), "\(rows.text)")
            }
            #expect(try await ask(studio, token, "/api/rows", ["table": "x\"; DROP TABLE images; --"]).status == 404)
            #expect(
                try await ask(studio, token, "/api/rows", ["table": name, "sort": "1; DROP TABLE images"]).status == 404
            )
            let edit = try await ask(
                studio, token, "/api/change/rows",
                [
                    "edits": [
                        [
                            "kind": "update", "table": name, "key": [["i": "1"], ["i": "1"]],
                            "old": ["'; DROP TABLE x;--": ""],
                            "new": ["'; DROP TABLE x;--": "'); DROP TABLE images; --"],
                        ]
                    ]
                ])
            #expect(edit.status == 200, "\(edit.text)")
            #expect(try await ask(studio, token, "/api/rows", ["table": "evil"]).status != 200)
            let schema = try await studio.send(.get, "/api/schema", headers: studio.headers(token: token))
            #expect(schema.status == 200 && !schema.text.contains(#">\u003cscript"#))
        }
        #expect(try file.value("SELECT count(*) FROM images") == .integer(2))
    }

    @Test func aValueOfARowThatIsGoneIsNotThere() async throws {
        try await RunningStudio.run(try TemporaryFile(Self.hostile)) { studio in
            let answer = try await ask(
                studio, try await studio.token(), "/api/cell",
                ["table": "images", "key": [["i": "9"], ["i": "9"]], "column": "b"])
            #expect(answer.status == 404 && answer.text.contains("not there any more"), "\(answer.text)")
        }
    }

    @Test func aValueOfARowWithoutAKeyIsRefusedWithTheReason() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x TEXT); CREATE VIEW v AS SELECT x FROM t")
        try await RunningStudio.run(file) { studio in
            let answer = try await ask(studio, try await studio.token(), "/api/cell", ["table": "v", "column": "x"])
            #expect(answer.status == 400 && answer.text.contains("the rows of 'v' have no key"), "\(answer.text)")
        }
    }

    @Test func aRowThatChangedMeanwhileIsAnsweredAsAConflict() async throws {
        let file = try TemporaryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t VALUES (1, 'new')")
        try await RunningStudio.run(file) { studio in
            let answer = try await ask(
                studio, try await studio.token(), "/api/change/rows",
                [
                    "edits": [
                        [
                            "kind": "update", "table": "t", "key": [["i": "1"], ["i": "1"]], "old": ["x": "old"],
                            "new": ["x": "mine"],
                        ]
                    ]
                ])
            #expect(answer.status == 409 && answer.text.contains(#""isConflict":true"#), "\(answer.text)")
        }
        #expect(try file.value("SELECT x FROM t") == .text("new"))
    }

    @Test func aQuestionThatIsNoneIsNotUnderstood() async throws {
        try await RunningStudio.run(try TemporaryFile("CREATE TABLE t (x)")) { studio in
            let headers = studio.headers(token: try await studio.token())
            for question in ["{", "[]", "{}", #"{"table":7}"#, #"{"table":"t","after":[{"i":"x"}]}"#] {
                let answer = try await studio.send(.post, "/api/rows", question, headers: headers)
                #expect(answer.status == 400 && answer.text == #"{"error":"the request is not understood"}"#)
            }
        }
    }

    @Test(arguments: [false, true])
    func thePageIsToldWhetherRowsCanBeLookedAtOnly(isReadOnly: Bool) async throws {
        try await RunningStudio.run(try TemporaryFile("CREATE TABLE t (x)"), isReadOnly: isReadOnly) { studio in
            let facts = try await studio.send(
                .get, "/api/file", headers: studio.headers(token: try await studio.token()))
            #expect(facts.text.contains("\"isReadOnly\":\(isReadOnly)"), "\(facts.text)")
        }
    }

    @Test func anImageIsKnownByItsBytesAndAllElseIsADownload() async throws {
        try await RunningStudio.run(try TemporaryFile(Self.hostile)) { studio in
            let token = try await studio.token()
            let image = try await ask(
                studio, token, "/api/cell", ["table": "images", "key": [["i": "1"], ["i": "1"]], "column": "b"])
            #expect(image.head.headers.first(name: "Content-Type") == "image/png")
            let other = try await ask(
                studio, token, "/api/cell", ["table": "images", "key": [["i": "2"], ["i": "2"]], "column": "b"])
            #expect(other.head.headers.first(name: "Content-Type") == "application/octet-stream")
            #expect(other.head.headers.first(name: "Content-Disposition") == "attachment")
        }
    }

    @Test func sqlIsAnsweredWithItsPlanAndWhatWritesIsNotRun() async throws {
        let file = try TemporaryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, x); INSERT INTO t (x) VALUES (1), (2)")
        try await RunningStudio.run(file) { studio in
            let token = try await studio.token()
            let rows = try await ask(studio, token, "/api/sql", ["sql": "SELECT x FROM t WHERE x > 1"])
            #expect(
                rows.text.contains(#""isFullScan":true"#) && rows.text.contains(#""rows":[[{"i":"2"}]]"#),
                "\(rows.text)")
            let write = try await ask(studio, token, "/api/sql", ["sql": "DELETE FROM t"])
            #expect(write.status == 200 && write.text.contains(#""writes":true"#), "\(write.text)")
            for sql in [
                "DROP TABLE t", "VACUUM INTO 'copy.sqlite'", "ATTACH 'x' AS y", "PRAGMA journal_mode = WAL", "BEGIN",
            ] {
                #expect(try await ask(studio, token, "/api/sql", ["sql": sql]).status == 403, "\(sql)")
                #expect(
                    try await ask(studio, token, "/api/change/sql", ["sql": sql, "expectedChanges": 0]).status >= 400)
            }
            #expect(try await ask(studio, token, "/api/sql", ["sql": "SELECT 1; DELETE FROM t"]).status == 400)
        }
        #expect(try file.value("SELECT count(*) FROM t") == .integer(2))
    }

    @Test(.timeLimit(.minutes(10)), arguments: [("count", "/api/rows"), ("rows", "/api/count")])
    func neitherRowsNorTheirCountWaitForTheOther(busy: String, path: String) async throws {
        let file = try TemporaryFile("CREATE TABLE notes (id INTEGER PRIMARY KEY); INSERT INTO notes VALUES (1)")
        try await serve(file, holding: busy == "count" ? \.counts : \.pages) { port in
            let exchange = try await Exchange(port: port, .post, path, #"{"table":"notes"}"#)
            #expect(exchange.head.status == .ok)
        }
    }

    @Test func whatIsNotThereOrTooLongIsToldInWords() async throws {
        try await RunningStudio.run(try TemporaryFile()) { studio in
            let headers = studio.headers(token: try await studio.token())
            for answer in [
                try await studio.send(.get, "/api/nothing", headers: headers),
                try await studio.send(.get, "/api/rows", headers: headers),
                try await studio.send(.post, "/api/nothing", "{}", headers: headers),
            ] {
                #expect(answer.status == 404 && answer.text == #"{"error":"there is no such page"}"#)
            }
            let long = String(repeating: " ", count: 5 << 20)
            let refused = try await studio.send(.post, "/api/sql", long, headers: headers)
            #expect(refused.status == 413 && refused.text == #"{"error":"a question has 4 MiB at the most"}"#)
        }
    }

    @Test(arguments: ["EXPLAIN SELECT 1", "-- how?\nEXPLAIN SELECT 1", "/* how? */ explain query plan SELECT 1"])
    func anExplanationIsItsOwnPlan(sql: String) async throws {
        try await RunningStudio.run(try TemporaryFile()) { studio in
            let answer = try await ask(studio, try await studio.token(), "/api/sql", ["sql": sql])
            #expect(answer.status == 200 && answer.text.contains(#""plan":[]"#), "\(answer.text)")
        }
    }

    @Test func whyRowsCannotBeReadIsToldInTheWordsOfSQLite() async throws {
        let file = try TemporaryFile("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t; DROP TABLE t;")
        try await RunningStudio.run(file) { studio in
            let token = try await studio.token()
            let view = try await ask(studio, token, "/api/rows", ["table": "v"])
            #expect(view.status == 400 && view.text.contains("no such table: main.t"), "\(view.text)")
        }
    }

    @Test func anRTreeIsReadAsATable() async throws {
        let file = try TemporaryFile(
            "CREATE VIRTUAL TABLE r USING rtree(id, low, high, +note); INSERT INTO r VALUES (1, 2.5, 3, 'here')")
        try await RunningStudio.run(file) { studio in
            let token = try await studio.token()
            let rows = try await ask(studio, token, "/api/rows", ["table": "r"])
            #expect(rows.status == 200 && rows.text.contains(#"{"r":"2.5"}"#), "\(rows.text)")
            #expect(rows.text.contains(#""here""#))
            let count = try await ask(studio, token, "/api/count", ["table": "r"])
            #expect(count.text == #"{"count":1}"#)
            let answer = try await ask(studio, token, "/api/sql", ["sql": "SELECT note FROM r WHERE low < 3"])
            #expect(answer.status == 200 && answer.text.contains(#""here""#), "\(answer.text)")
        }
    }

    @Test func aCommitOfAnotherConnectionIsToldWithItsRows() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t (x) VALUES ('old')")
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        #expect(try await watch.poll() == nil)
        #expect(try await watch.poll() == nil)
        try file.run("UPDATE t SET x = 'new'; INSERT INTO t (x) VALUES ('more')")
        let commit = try #require(try await watch.poll())
        #expect(commit.tables.map(\.name) == ["t"])
        let changes = commit.tables[0].changes.sorted { $0.kind.rawValue < $1.kind.rawValue }
        #expect(changes.map(\.kind) == [.inserted, .updated])
        #expect(changes[1].before?.last?.cell == .text("old") && changes[1].after?.last?.cell == .text("new"))
    }

    @Test func aTableThatIsLargeIsNotCompared() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 2001) INSERT INTO t SELECT x FROM n;
            """)
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try file.run("DELETE FROM t WHERE id = 5")
        #expect(try await watch.poll()?.uncompared == ["t"])
    }

    @Test func tablesThatAreTooLargeLeaveRoomForTheOthers() async throws {
        let large = (0..<3).map { number in
            """
            CREATE TABLE a\(number) AS WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 2000)
            SELECT x, printf('%.*c', 3900, 'x') AS t FROM n;
            """
        }
        let file = try TemporaryFile(large.joined() + "CREATE TABLE z (id INTEGER PRIMARY KEY);")
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try file.run("INSERT INTO z VALUES (1)")
        let commit = try await watch.poll()
        #expect(commit?.tables.map(\.name) == ["z"])
        #expect(commit?.uncompared == [])
    }

    @Test func aTableOfLongValuesIsComparedByTheirBeginnings() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 20)
            INSERT INTO t SELECT x, zeroblob(1000000) FROM n;
            """)
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try file.run("UPDATE t SET b = zeroblob(1000001) WHERE id = 5")
        #expect(try await watch.poll()?.tables.map(\.changes.count) == [1])
    }

    @Test func aTableWithMoreBytesInLongValuesThanALookReadsIsNotComparedAndOthersAre() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (b BLOB); INSERT INTO t VALUES (zeroblob(34000000)), (zeroblob(34000000));
            CREATE TABLE z (id INTEGER PRIMARY KEY);
            """)
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try file.run("INSERT INTO z VALUES (1)")
        let commit = try await watch.poll()
        #expect(commit?.uncompared == ["t"])
        #expect(commit?.tables.map(\.name) == ["z"])
    }

    @Test func aTableThatCallsAFunctionOfTheAppIsComparedByWhatItStores() async throws {
        let file = try TemporaryFile("CREATE TABLE a (id INTEGER PRIMARY KEY);")
        let app = try Connection(path: file.path, .write)
        app.addFunction("app_only", isInnocuous: true) { $0[0].value }
        try app.runAll("CREATE TABLE g (id INTEGER PRIMARY KEY, y AS (app_only(id))); INSERT INTO g (id) VALUES (1);")
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try app.runAll("BEGIN; INSERT INTO a VALUES (1); INSERT INTO g (id) VALUES (2); COMMIT;")
        let tables = try #require(try await watch.poll()).tables
        #expect(tables.map(\.name) == ["a", "g"])
        #expect(tables.map(\.columns) == [["id"], ["id"]])
    }

    @Test func ofACommitOfLongRowsAFewAreTold() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 400)
            INSERT INTO a SELECT x, printf('%.*c', 3900, 'x') FROM n;
            CREATE TABLE b AS SELECT * FROM a LIMIT 5;
            """)
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try file.run("UPDATE a SET x = x || 'y'; UPDATE b SET x = x || 'y'")
        let tables = try #require(try await watch.poll()).tables
        #expect(tables.map { $0.changes.count + $0.more } == [400, 5])
        let told = tables.flatMap(\.changes).flatMap { ($0.before ?? []) + ($0.after ?? []) }
        let bytes = told.reduce(0) { $0 + ($1.cell.text?.utf8.count ?? 0) }
        #expect((1...CommitWatch.mostToldBytes).contains(bytes))
    }

    @Test func equalValuesAreEqualTextsToThePage() throws {
        let image = CellJSON(.blob(Data([0xFF, 0xD8, 0xFF])))
        #expect(String(buffer: try JSONAnswer.buffer([image])) == #"[{"b64":"/9j/","n":3,"type":"image/jpeg"}]"#)
    }

    @Test func aCommitOfTheStudioIsToldWithAllItsRows() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE large (id INTEGER PRIMARY KEY, x TEXT);
            CREATE TABLE other (id INTEGER PRIMARY KEY);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 3000) INSERT INTO large SELECT x, 'old' FROM n;
            INSERT INTO other SELECT id FROM large;
            CREATE TRIGGER large_au AFTER UPDATE ON large BEGIN DELETE FROM other WHERE id = new.id; END;
            """)
        let commits = KnownCommits()
        let watch = CommitWatch(StudioConnection(file.path, .look), commits)
        let change = StudioConnection(file.path, .change, commits: commits)
        _ = try await watch.poll()
        func run(_ sql: String, isKept: Bool = true) async throws {
            try await change.write { connection, _ in (try connection.run(sql), isKept: isKept) }
        }
        try await run("UPDATE large SET x = 'undone' WHERE id < 10", isKept: false)
        #expect(try await watch.poll() == nil)
        try await run("UPDATE large SET x = 'new' WHERE id = 7")
        let commit = try #require(try await watch.poll())
        #expect(commit.uncompared.isEmpty)
        #expect(commit.tables.map(\.name) == ["large", "other"])
        #expect(commit.tables.map(\.columns) == [["id", "x"], ["id"]])
        #expect(commit.tables[0].changes.map(\.before) == [[CellJSON(.integer(7)), CellJSON(.text("old"))]])
        #expect(commit.tables[0].changes.map(\.after) == [[CellJSON(.integer(7)), CellJSON(.text("new"))]])
        #expect(commit.tables[1].changes.map(\.kind) == [.deleted])
        try await run("UPDATE large SET x = 'all'")
        let all = try #require(try await watch.poll()?.tables.first)
        #expect(all.changes.count + all.more == 3000 && all.changes.count <= KnownCommits.mostRows)
    }

    @Test func rowsThatAreToldBeforeALookShowsTheirCommitAreToldWithIt() async throws {
        let (file, commits) = (try largeFile(), KnownCommits())
        let watch = CommitWatch(StudioConnection(file.path, .look), commits)
        _ = try await watch.poll()
        commits.add(rowSeven)
        #expect(try await watch.poll() == nil)
        try file.run("UPDATE large SET x = 'new' WHERE id = 7")
        let commit = try #require(try await watch.poll())
        #expect(commit.uncompared.isEmpty && commit.tables.map(\.changes.count) == [1])
        #expect(try await watch.poll() == nil)
    }

    @Test func rowsThatAreToldAfterALookHasShownTheirCommitAreToldByThemselves() async throws {
        let (file, commits) = (try largeFile(), KnownCommits())
        let watch = CommitWatch(StudioConnection(file.path, .look), commits)
        _ = try await watch.poll()
        try file.run("UPDATE large SET x = 'new' WHERE id = 7")
        #expect(try await watch.poll()?.uncompared == ["large"])
        commits.add(rowSeven)
        #expect(try await watch.poll() == nil)
        #expect(try await watch.poll()?.tables.map(\.changes.count) == [1])
        #expect(try await watch.poll() == nil)
    }

    private func largeFile() throws -> TemporaryFile {
        try TemporaryFile(
            """
            CREATE TABLE large (id INTEGER PRIMARY KEY, x TEXT);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 3000) INSERT INTO large SELECT x, 'old' FROM n;
            """)
    }

    private var rowSeven: CommittedRows {
        let row = CommittedRows.Row(before: [.integer(7), .text("old")], after: [.integer(7), .text("new")])
        return CommittedRows(tables: [.init(name: "large", columns: ["id", "x"], rows: [row], count: 1)])
    }

    @Test func looksAtTheSameTimeTellACommitOnce() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 1000) INSERT INTO t SELECT x FROM n;
            """)
        let watch = CommitWatch(StudioConnection(file.path, .look), KnownCommits())
        _ = try await watch.poll()
        try file.run("DELETE FROM t WHERE id = 5")
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await watch.poll() == nil ? 0 : 1 } }
            return try await group.reduce(0, +)
        }
        #expect(count == 1)
    }

    @Test func aCommitThatAPageFindsAsItComesIsToldToOneThatListensByThen() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 1500) INSERT INTO t SELECT x FROM n;
            """)
        let (events, commits) = (StudioEvents(), KnownCommits())
        let other = Mutex<AsyncStream<StudioEvent>?>(nil)
        // Another page begins to listen while the look runs.
        let connection = StudioConnection(
            file.path, .look,
            heartbeat: {
                other.withLock { page in
                    if page == nil { page = events.listen(first: .ready) }
                }
            })
        let watch = CommitWatch(connection, commits)
        _ = try await watch.poll()
        // None listens when the page asks.
        other.withLock { $0 = nil }
        try file.run("DELETE FROM t WHERE id = 5")
        let routes = StudioRoutes(
            studio: StudioFile(file.path, isReadOnly: true, model: nil, commits: commits, events: events), door: Door(),
            events: events, watch: watch, streams: StreamFigures())
        #expect(try await eventsWithoutServer(routes).status == .ok)
        events.tell(.quiet)
        let page = other.withLock { $0 }
        var told = try #require(page).makeAsyncIterator()
        _ = await told.next()
        guard case .commit = await told.next() else {
            Issue.record("the other page does not hear of the commit")
            return
        }
    }

    @Test func aPageHearsOfACommit() async throws {
        let file = try TemporaryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
        try await RunningStudio.run(file) { studio in
            let stream = try await studio.events()
            var text = ""
            for try await part in stream.parts {
                text += String(buffer: part)
                // The first line says that the watch has begun.
                if text.contains("ready") { break }
            }
            try file.run("INSERT INTO t (x) VALUES ('hello')")
            for try await part in stream.parts {
                text += String(buffer: part)
                if text.contains("hello") { break }
            }
            #expect(text.contains(#""kind":"inserted""#))
        }
    }

    @Test func aFileOf2000TablesIsListed() async throws {
        let script = (0..<2000).map { "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY, x REFERENCES t0 (id));" }
        let file = try TemporaryFile("BEGIN;" + script.joined() + "COMMIT;")
        try await RunningStudio.run(file) { studio in
            let token = try await studio.token()
            let facts = try await studio.send(.get, "/api/file", headers: studio.headers(token: token))
            #expect(facts.status == 200 && facts.text.contains("\"t1999\""))
        }
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: [("sql", "/api/schema"), ("sql", "/api/doctor"), ("sql", "/api/file"), ("doctor", "/api/file")])
    func noOtherQuestionWaitsForSQLOrTheDoctor(busy: String, path: String) async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        try await serve(file, holding: busy == "sql" ? \.sql : \.doctor) { port in
            let status = try await Exchange(port: port, .get, path).head.status
            #expect(status == .ok)
        }
    }

    /// Serves a file for the length of a closure, and keeps one of its connections busy meanwhile, however long that takes.
    private func serve(
        _ file: TemporaryFile, holding connection: KeyPath<StudioFile, StudioConnection>,
        _ body: (Int) async throws -> Void
    ) async throws {
        let (events, commits) = (StudioEvents(), KnownCommits())
        let studio = StudioFile(file.path, isReadOnly: true, model: nil, commits: commits, events: events)
        let routes = StudioRoutes(
            studio: studio, door: Door(), events: events, watch: CommitWatch(studio.watch, commits),
            streams: StreamFigures())
        let held = studio[keyPath: connection]
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let busy = Task {
            // Whoever waits for a connection that did not open waits no longer.
            defer { begin.finish() }
            try await held.run { _ in
                begin.yield()
                gate.wait()
            }
        }
        do {
            defer { gate.signal() }
            _ = await begun.first { _ in true }
            try await routes.router().serve(body)
        }
        try await busy.value
    }

    @Test func aPageThatComesIsToldWhatStreamsHaveReadBefore() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x)")
        let (events, commits, streams) = (StudioEvents(), KnownCommits(), StreamFigures())
        let studio = StudioFile(file.path, isReadOnly: true, model: nil, commits: commits, events: events)
        let routes = StudioRoutes(
            studio: studio, door: Door(), events: events, watch: CommitWatch(studio.watch, commits), streams: streams)
        streams.add(
            StreamRead(
                table: "t", sql: "SELECT 1", scope: .all, rowCount: 1, isNew: true, duration: .milliseconds(1)))
        // Told to those who listen already.
        #expect(streams.takeChanged().count == 1)
        #expect(try await eventsWithoutServer(routes).status == .ok)
        #expect(streams.takeChanged().map(\.sql) == ["SELECT 1"])
    }

    @Test func differencesToAModelAreTold() async throws {
        let file = try TemporaryFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        let model = file.folder.appendingPathComponent("model.sql")
        try Data("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT);".utf8).write(to: model)
        try await RunningStudio.run(file, model: model) { studio in
            let schema = try await studio.send(
                .get, "/api/schema", headers: studio.headers(token: try await studio.token()))
            #expect(schema.text.contains("+ t.x TEXT"))
        }
    }

    /// Asks for events as a page does, but without a server, which would end the answer only with the page.
    private func eventsWithoutServer(_ routes: StudioRoutes) async throws -> Response {
        try await routes.router().buildResponder().respond(
            to: Request(
                head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/api/events"),
                body: RequestBody(buffer: ByteBuffer())),
            context: BasicRequestContext(
                source: ApplicationRequestContextSource(
                    channel: NIOAsyncTestingChannel(), logger: Logger(label: "test"))))
    }
}
