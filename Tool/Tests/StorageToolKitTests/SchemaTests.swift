import Foundation
import StorageKit
import StorageSQLite
import Testing

@testable import StorageToolKit

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite struct SchemaTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func library() throws -> String {
        try folder.database(
            "library.sqlite", "CREATE TABLE authors (id TEXT PRIMARY KEY, name TEXT NOT NULL)",
            """
            CREATE TABLE books (id INTEGER PRIMARY KEY, author TEXT NOT NULL REFERENCES authors, sequel INT REFERENCES books, \
            "shelf mark" VARCHAR(10, 2))
            """,
            "CREATE TABLE covers (book INTEGER UNIQUE REFERENCES books (id), authorId TEXT, data BLOB)",
            #"CREATE TABLE "a<b>&""c%" (x)"#, "CREATE INDEX books_author ON books (author)",
            "CREATE VIRTUAL TABLE words USING fts5(body)", "CREATE VIEW v AS SELECT * FROM books",
            "CREATE TRIGGER t AFTER INSERT ON books BEGIN DELETE FROM covers; END")
    }

    @Test func theSQLMakesTheSameSchemaAgain() throws {
        let path = try library()
        let run = try Program.run("schema", path)
        #expect(run.status == 0)
        let copy = try Connection(folder.path("copy.sqlite"), .create)
        for statement in try DatabaseFile(path).read({ SchemaText.statements(try Catalog($0)) }) {
            try copy.run(statement)
            #expect(run.output.contains(statement))
        }
        let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2"
        #expect(try copy.rows(sql) == DatabaseFile(path).read { try $0.rows(sql) })
    }

    /// SQLite calls it a shadow, by its name alone.
    @Test(arguments: ["fts5(body, content='docs_content')", "fts5(body, content='')", "fts4(body, content='')"])
    func aTableBesideAFullTextTableThatKeepsNoTextsIsTheApps(module: String) throws {
        let path = try folder.database(
            "docs.sqlite", "CREATE TABLE docs_content (id INTEGER PRIMARY KEY, body TEXT)",
            "CREATE VIRTUAL TABLE docs USING \(module)")
        let run = try Program.run("schema", path)
        #expect(run.output.contains("CREATE TABLE docs_content"), "\(run.output)\(run.error)")
        let rows = try folder.file("rows.csv", "id,body\n1,one\n")
        #expect(try Program.run("import", path, "docs_content", rows).status == 0)
    }

    @Test func aSchemaIsNoOtherThanThatOfItsSQL() throws {
        let path = try library()
        try Data(try Program.run("schema", path).output.utf8).write(to: URL(fileURLWithPath: folder.path("a.sql")))
        let run = try Program.run("schema", path, "--diff", folder.path("a.sql"))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.isEmpty)
    }

    @Test func aStoreWithCacheAndSearchIsNoOtherThanItsSQL() async throws {
        let path = try await NotesFile.make(in: folder)
        try Data(try Program.run("schema", path).output.utf8).write(to: URL(fileURLWithPath: folder.path("a.sql")))
        let run = try Program.run("schema", path, "--diff", folder.path("a.sql"))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.isEmpty)
    }

    @Test func eachDifferenceOfTwoFilesIsALine() throws {
        let old = try folder.database(
            "old.sqlite", "CREATE TABLE lists (id TEXT PRIMARY KEY)",
            "CREATE TABLE items (id TEXT PRIMARY KEY, listId TEXT NOT NULL, price REAL, old INT)",
            "CREATE INDEX by_price ON items (price)")
        let new = try folder.database(
            "new.sqlite",
            """
            CREATE TABLE items (price TEXT, id TEXT PRIMARY KEY, listId TEXT NOT NULL REFERENCES lists ON DELETE CASCADE, \
            note TEXT NOT NULL DEFAULT '')
            """,
            "CREATE TABLE lists (id TEXT PRIMARY KEY)", "CREATE UNIQUE INDEX by_note ON items (note)")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.status == 1)
        #expect(
            run.lines.filter { !$0.isEmpty }
                == [
                    "- items index by_price: CREATE INDEX by_price ON items (price)",
                    "+ items index by_note: CREATE UNIQUE INDEX by_note ON items (note)",
                    "+ items(listId) REFERENCES lists(id) ON DELETE CASCADE ON UPDATE NO ACTION",
                    "+ items.note TEXT NOT NULL DEFAULT ''", "- items.old INT", "- items.price REAL",
                    "+ items.price TEXT",
                ].sorted { $0.dropFirst(2) < $1.dropFirst(2) })
    }

    @Test func aReferenceOfTwoColumnsIsOne() throws {
        let parents = "CREATE TABLE p (a INT, b INT, PRIMARY KEY (a, b))"
        let old = try folder.database("old.sqlite", parents, "CREATE TABLE c (x INT, y INT)")
        let new = try folder.database(
            "new.sqlite", parents, "CREATE TABLE c (x INT, y INT, FOREIGN KEY (x, y) REFERENCES p (a, b))")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.lines == ["+ c(x, y) REFERENCES p(a, b) ON DELETE NO ACTION ON UPDATE NO ACTION"])
    }

    @Test func triggersAreCompared() throws {
        let trigger = "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END"
        let old = try folder.database("old.sqlite", "CREATE TABLE t (a)", trigger)
        let new = try folder.database("new.sqlite", "CREATE TABLE t (a)")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.status == 1)
        #expect(run.lines == ["- trigger r: \(trigger)"])
    }

    @Test func aColumnThatIsComputedIsNoOtherOfThatName() throws {
        let old = try folder.database("old.sqlite", "CREATE TABLE t (a INT, b INT)")
        let new = try folder.database("new.sqlite", "CREATE TABLE t (a INT, b INT AS (a))")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.status == 1)
        #expect(run.lines == ["- t.b INT", "+ t.b INT GENERATED"])
    }

    @Test func theOrderOfAKeyAndTheCollationsOfAUniqueOneAreCompared() throws {
        let old = try folder.database("old.sqlite", "CREATE TABLE t (a, b, c TEXT, PRIMARY KEY (a, b), UNIQUE (c))")
        let new = try folder.database(
            "new.sqlite", "CREATE TABLE t (a, b, c TEXT, PRIMARY KEY (b, a), UNIQUE (c COLLATE NOCASE))")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.status == 1)
        #expect(
            run.lines.filter { !$0.isEmpty }
                == [
                    "+ t UNIQUE (c COLLATE NOCASE)", "- t UNIQUE (c)", "- t.a PRIMARY KEY 1", "+ t.a PRIMARY KEY 2",
                    "+ t.b PRIMARY KEY 1", "- t.b PRIMARY KEY 2",
                ])
    }

    @Test func theCollationOfAKeyIsCompared() throws {
        let old = try folder.database("old.sqlite", "CREATE TABLE t (id TEXT PRIMARY KEY)")
        let new = try folder.database("new.sqlite", "CREATE TABLE t (id TEXT PRIMARY KEY COLLATE NOCASE)")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.lines.filter { !$0.isEmpty } == ["+ t PRIMARY KEY (id COLLATE NOCASE)"])
    }

    @Test func aKeyThatCountsUpIsCompared() throws {
        let old = try folder.database(
            "old.sqlite", "CREATE TABLE t (key INTEGER PRIMARY KEY AUTOINCREMENT)",
            "CREATE TABLE u (a /* autoincrement */ DEFAULT 'autoincrement', id INTEGER PRIMARY KEY)")
        let new = try folder.database(
            "new.sqlite", "CREATE TABLE t (key INTEGER PRIMARY KEY)",
            "CREATE TABLE u (a DEFAULT 'autoincrement', id INTEGER PRIMARY KEY)")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.status == 1)
        #expect(run.lines == ["+ t", "- t AUTOINCREMENT"])
    }

    @Test func blanksAreComparedInQuotesAlone() throws {
        let old = try folder.database(
            "old.sqlite", "CREATE TABLE t (a)", "CREATE INDEX i ON t (a) WHERE a = 'x  y'",
            "CREATE VIEW v AS\n  SELECT a -- it's all\nFROM t", "CREATE VIEW w AS SELECT \"a\" AS [b  c] FROM t")
        let new = try folder.database(
            "new.sqlite", "CREATE TABLE t (a)", "CREATE INDEX i ON t (a) WHERE a = 'x y'",
            "CREATE VIEW v AS SELECT a FROM t", "CREATE VIEW w AS SELECT \"a\" AS [b c] FROM t")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.status == 1)
        #expect(
            run.lines
                == [
                    "+ t index i: CREATE INDEX i ON t (a) WHERE a = 'x y'",
                    "- t index i: CREATE INDEX i ON t (a) WHERE a = 'x  y'",
                    "- view w: CREATE VIEW w AS SELECT \"a\" AS [b  c] FROM t",
                    "+ view w: CREATE VIEW w AS SELECT \"a\" AS [b c] FROM t",
                ].sorted { $0.dropFirst(2) < $1.dropFirst(2) })
    }

    @Test func columnsThatDifferInBytesAloneAreADifference() throws {
        let old = try folder.database("old.sqlite", "CREATE TABLE t (\"\u{E9}\")")
        let new = try folder.database("new.sqlite", "CREATE TABLE t (\"e\u{301}\")")
        let run = try Program.run("schema", old, "--diff", new)
        #expect(run.status == 1)
        #expect(run.output.utf8.elementsEqual("+ t.e\u{301}\n- t.\u{E9}\n".utf8), "\(run.output)")
    }

    @Test func indexesThatDifferInBytesAloneAreTwo() throws {
        let paths = try ["a", "b"].map { column in
            try folder.database(
                column, "CREATE TABLE t (a, b)", "CREATE INDEX \"\u{E9}\" ON t (a)",
                "CREATE INDEX \"e\u{301}\" ON t (\(column))")
        }
        #expect(try Program.run("schema", paths[0], "--diff", paths[1]).lines.count == 2)
    }

    @Test(arguments: ["ATTACH 'made.sqlite' AS m; CREATE TABLE m.t (a)", "VACUUM INTO 'made.sqlite'"])
    func aFileOfSQLMakesNoFiles(sql: String) throws {
        let made = folder.path("made.sqlite")
        let text = "CREATE TABLE t (a);" + sql.replacingOccurrences(of: "made.sqlite", with: made)
        let run = try Program.run("schema", try library(), "--diff", try folder.file("a.sql", text))
        #expect(run.status == 65)
        #expect(run.error.contains("a.sql: "))
        #expect(!FileManager.default.fileExists(atPath: made))
    }

    @Test func aFileOfSQLThatIsNoneIsNamed() throws {
        try Data("CREATE TABLE".utf8).write(to: URL(fileURLWithPath: folder.path("bad.sql")))
        let run = try Program.run("schema", try library(), "--diff", folder.path("bad.sql"))
        #expect(run.status == 65)
        #expect(run.error.contains("bad.sql"))
    }

    @Test func aFileOfSQLThatIsNoTextIsNamed() throws {
        let path = try folder.file("bad.sql", bytes: Array("SELECT 'ä'".utf16).flatMap { [0xFF, UInt8($0 & 0xFF)] })
        let run = try Program.run("schema", try library(), "--diff", path)
        #expect(run.status == 65)
        #expect(run.error.contains("bad.sql is no UTF-8 text"), "\(run.error)")
    }

    @Test func aCommentAtTheEndOfAStatementDoesNotReachIntoTheNext() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE t (a INT) STRICT -- one", "CREATE INDEX i ON t (a) /* never ended",
            "CREATE INDEX j ON t (a) -- all; of 'it",
            "CREATE VIEW v AS SELECT a, '/*' AS \"--\" FROM t -- it's \"all\";",
            "CREATE VIEW w AS SELECT 1 /* one */",
            "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; /* two */ END -- three")
        let output = try Program.run("schema", path).output
        try DatabaseQueue(path: folder.path("copy.sqlite")).write { try $0.execute(sql: output) }
        let sql = "SELECT type, name, tbl_name FROM sqlite_master ORDER BY 1, 2"
        let copy = try Connection(folder.path("copy.sqlite"), .read)
        #expect(try copy.rows(sql) == DatabaseFile(path).read { try $0.rows(sql) })
    }

    @Test func aTerminalGetsTheLinesOfAStatementAndNoControlCharacters() {
        #expect(Printable.lines("a -- one\r\nb\n\u{301}c\u{1B}\r") == "a -- one\nb\n\u{301}c\\u{1B}\\r")
    }

    @Test func theSchemaOfStorageKitRunsAgainToo() async throws {
        let path = try await NotesFile.make(in: folder)
        let copy = try Connection(folder.path("copy.sqlite"), .create)
        for statement in try DatabaseFile(path).read({ SchemaText.statements(try Catalog($0)) }) {
            try copy.run(statement)
        }
        #expect(try copy.integer("SELECT COUNT(*) FROM sqlite_master WHERE name = 'notes_fts_ai'") == 1)
    }

    @Test func whatSQLiteKeepsForItselfIsNotInTheSQL() throws {
        let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)"
        let path = try folder.database("a.sqlite", sql, "INSERT INTO t DEFAULT VALUES", "ANALYZE")
        #expect(try Program.run("schema", path).output == sql + ";\n")
    }

    @Test func aColumnInSmallLettersIsGuessedToReferToo() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE author (id INTEGER PRIMARY KEY)",
            "CREATE TABLE books (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL)")
        let run = try Program.run("schema", path, "--format", "mermaid")
        #expect(run.lines.last == #"    t1 ||..o{ t2 : "author_id""#)
    }

    @Test func aGuessIsTheFirstTableOfEitherNameThatHasAnId() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE author (name TEXT)", "CREATE TABLE authors (id INTEGER PRIMARY KEY)",
            "CREATE TABLE books (author_id INT, list_id INT)", "CREATE TABLE list (id INTEGER PRIMARY KEY)",
            "CREATE TABLE lists (id INTEGER PRIMARY KEY)")
        let run = try Program.run("schema", path, "--format", "mermaid")
        #expect(
            run.lines.suffix(2) == [#"    t2 |o..o{ t3 : "author_id""#, #"    t4 |o..o{ t3 : "list_id""#],
            "\(run.output)")
    }

    @Test func theLineOfAGuessIsDottedInThePictureAndNoOther() throws {
        let run = try Program.run("schema", try library(), "--format", "svg")
        #expect(run.lines.count { $0.contains("<polyline ") } == 4)
        #expect(run.lines.count { $0.contains("stroke-dasharray") } == 1)
    }

    @Test func mermaidHasTablesKeysAndReferences() throws {
        let run = try Program.run("schema", try library(), "--format", "mermaid")
        #expect(
            run.output == """
                erDiagram
                    t1["a<b>&'c_"] {
                        ANY x
                    }
                    t2["authors"] {
                        TEXT id PK
                        TEXT name
                    }
                    t3["books"] {
                        INTEGER id PK
                        TEXT author FK
                        INT sequel FK
                        VARCHAR(10__2) shelf_mark "shelf mark"
                    }
                    t4["covers"] {
                        INTEGER book FK
                        TEXT authorId FK
                        BLOB data
                    }
                    t2 ||--o{ t3 : "author"
                    t3 |o--o{ t3 : "sequel"
                    t3 |o--o| t4 : "book"
                    t2 |o..o{ t4 : "authorId"

                """)
    }

    @Test func aMarkThatBelongsToALetterEndsNoNameOfADiagram() throws {
        let path = try folder.database(
            "a.sqlite", "CREATE TABLE \"a\"\"\u{301}]b;\u{FE0F}\" (\"x\"\"\u{FE0F}\" INT)")
        let run = try Program.run("schema", path, "--format", "mermaid")
        #expect(run.lines[1].utf8.elementsEqual("    t1[\"a'\u{301}_b_\u{FE0F}\"] {".utf8), "\(run.lines)")
        #expect(run.lines[2].utf8.elementsEqual("        INT x_ \"x'\u{FE0F}\"".utf8), "\(run.lines)")
    }

    @Test func thePictureIsXMLThatNamesEveryTable() throws {
        let run = try Program.run("schema", try library(), "--format", "svg")
        let texts = SVGReader(run.output)
        #expect(texts.isWellFormed)
        #expect(Set(["a<b>&\"c%", "authors", "books", "covers", "shelf mark"]).isSubset(of: texts.texts))
        #expect(!texts.texts.contains("words_data"))
        #expect(!run.output.contains("http://www.w3.org/1999") && !run.output.contains("href"))
    }

    @Test(arguments: 0..<40)
    func noBoxTouchesAnotherAndNoLineABox(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let diagram = Diagram.random(&random)
        let layout = DiagramLayout(diagram)
        #expect(layout.boxes.count == diagram.entities.count)
        for (index, box) in layout.boxes.enumerated() {
            #expect(box.x >= 0 && box.y >= 0 && box.right <= layout.width && box.bottom <= layout.height)
            for other in layout.boxes[(index + 1)...] {
                let isApart =
                    box.right < other.x || other.right < box.x || box.bottom < other.y || other.bottom < box.y
                #expect(isApart)
            }
        }
        for line in layout.lines {
            for (from, to) in zip(line, line.dropFirst()) {
                #expect(from.x == to.x || from.y == to.y)
                for box in layout.boxes {
                    let isOutside =
                        max(from.x, to.x) <= box.x || min(from.x, to.x) >= box.right || max(from.y, to.y) <= box.y
                        || min(from.y, to.y) >= box.bottom
                    #expect(isOutside)
                }
            }
        }
        for (index, line) in layout.lines.enumerated() {
            for other in layout.lines[(index + 1)...] {
                // Each has a lane of its own, and they meet nowhere but at a table that both refer to.
                #expect(line[1].x != other[1].x)
                #expect(!line.leaves(onTheEndOf: other) && !other.leaves(onTheEndOf: line))
            }
        }
    }
}

extension DiagramLayout.Box {
    fileprivate var bottom: Double { y + height }
}

extension [DiagramLayout.Point] {
    /// Whether the first part of this line lies on the last part of another.
    fileprivate func leaves(onTheEndOf other: Self) -> Bool {
        let end = other.suffix(2).map { $0 }
        let (from, to) = (Swift.min(self[0].x, self[1].x), Swift.max(self[0].x, self[1].x))
        let (otherFrom, otherTo) = (Swift.min(end[0].x, end[1].x), Swift.max(end[0].x, end[1].x))
        return self[0].y == end[1].y && from < otherTo && otherFrom < to
    }
}

/// The texts of a picture.
private final class SVGReader: NSObject, XMLParserDelegate {
    private(set) var isWellFormed = false
    private(set) var texts: Set<String> = []
    private var text = ""

    init(_ svg: String) {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        isWellFormed = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        texts.insert(text)
    }
}

extension Diagram {
    /// A diagram of up to thirty tables, circles and references to itself included.
    fileprivate static func random(_ random: inout SeededGenerator) -> Diagram {
        let count = Int.random(in: 1...30, using: &random)
        let entities = (0..<count).map { index in
            let columns = (0..<Int.random(in: 2...12, using: &random)).map { column in
                Column(
                    name: "c\(column)" + String(repeating: "x", count: Int.random(in: 0...30, using: &random)),
                    type: "TEXT", isKey: column == 0, isReference: false, isNotNull: true)
            }
            return Entity(name: "table\(index)", columns: columns)
        }
        let relations = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            let (child, parent) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
            let column = entities[child].columns.dropFirst().randomElement(using: &random)?.name ?? ""
            let target = Bool.random(using: &random) ? entities[parent].columns[0].name : "gone"
            return Relation(
                child: child, columns: [column], parent: parent, parentColumns: [target], isOptional: false,
                isUnique: false, isGuess: false)
        }
        return Diagram(entities: entities, relations: relations)
    }
}
