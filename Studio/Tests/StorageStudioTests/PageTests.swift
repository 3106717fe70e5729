import Foundation
import StorageSQLite
import Testing

@testable import StorageStudio

/// The page in a real browser.
@Suite(
    .serialized,
    .enabled(if: Browser.isNeeded, "Chromium's driver is missing: on Debian, apt-get install chromium-driver"))
struct PageTests {
    static let library = """
        CREATE TABLE authors (id TEXT PRIMARY KEY, name TEXT NOT NULL, born TEXT);
        INSERT INTO authors VALUES ('ada', 'Ada Lovelace', '1815-12-10'), ('sor', 'Natsume Sōseki', '1867-02-09'), ('ver', 'Jules Verne', NULL);
        CREATE TABLE books (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT REFERENCES authors (id), price REAL, cover BLOB, link TEXT, extra TEXT);
        CREATE INDEX books_author ON books (author);
        INSERT INTO books VALUES
            (1, 'Notes', 'ada', 12.5, x'89504E470D0A1A0A0000000D49484452000000010000000108060000001F15C4890000000A49444154789C6300010000050001', 'https://example.org/notes', '{"pages":12,"tags":["engine","numbers"]}'),
            (2, 'Kokoro', 'sor', NULL, NULL, NULL, NULL), (3, 'Botchan', 'sor', 8, NULL, NULL, NULL);
        WITH RECURSIVE n(x) AS (VALUES (4) UNION ALL SELECT x + 1 FROM n WHERE x < 400)
        INSERT INTO books (id, title, author, price) SELECT x, 'Volume ' || x, CASE x % 3 WHEN 0 THEN 'ada' WHEN 1 THEN 'sor' ELSE 'ver' END, x / 4.0 FROM n;
        CREATE VIEW cheap AS SELECT title, price FROM books WHERE price < 10;
        CREATE TABLE loans (id INTEGER PRIMARY KEY, bookId INTEGER, "to" TEXT, day TEXT);
        INSERT INTO loans VALUES (1, 1, 'Grace', '2026-11-20');
        """

    @Test func aRowIsFoundAndChangedByTheKeyboardAlone() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            #expect(try await browser.run("return location.hash") == "")
            // To the list of tables, to the second one there, and on to its rows.
            try await browser.run("document.querySelector('#tables input').focus()")
            try await browser.press(Key.tab, Key.tab, Key.enter)
            try await browser.wait("document.querySelector('.grid .cell.active')?.textContent === '1'")
            for _ in 0..<40 where try await browser.run("return document.activeElement.getAttribute('role')") != "grid"
            {
                try await browser.press(Key.tab)
            }
            try await browser.press(Key.down, Key.enter)
            try await browser.wait("document.activeElement.id === 'field-id'")
            try await browser.press(Key.tab)
            for _ in 0..<10 where try await browser.run("return document.activeElement.id") != "field-title" {
                try await browser.press(Key.tab)
            }
            try await browser.press("a", with: Key.control)
            try await browser.type("Heart")
            for _ in 0..<40 where try await browser.run("return document.activeElement.type") != "submit" {
                try await browser.press(Key.tab)
            }
            try await browser.press(Key.enter)
            try await browser.wait(
                "!document.querySelector('dialog') && document.querySelector('.grid').innerText.includes('Heart')")
        }
        #expect(try file.value("SELECT title FROM books WHERE id = 2") == .text("Heart"))
    }

    @Test func hostileNamesAndValuesRunNothing() async throws {
        let file = try TemporaryFile(
            #"""
            CREATE TABLE """><script>window.pwned=1</script><img src=x onerror=window.pwned=1>" (id INTEGER PRIMARY KEY, "<b onclick=x>" TEXT);
            INSERT INTO """><script>window.pwned=1</script><img src=x onerror=window.pwned=1>" VALUES
                (1, '<img src=x onerror=window.pwned=1>'), (2, 'javascript:window.pwned=1'), (3, '{"a":"</script><script>window.pwned=1</script>"}');
            """#)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("document.querySelector('#tables a').click()")
            try await browser.wait("document.querySelectorAll('.grid [role=gridcell]').length >= 6")
            for row in 0..<3 {
                try await browser.run(
                    "document.querySelector('#cell-\(row)-1').click(); document.querySelector('.grid').focus()")
                try await browser.press(Key.enter)
                try await browser.wait("document.querySelector('dialog')")
                try await browser.press(Key.escape)
                try await browser.wait("!document.querySelector('dialog')")
            }
            for page in ["schema", "doctor", "live"] {
                try await browser.run("location.hash = 'page=\(page)'")
                try await browser.wait("document.querySelector('h1').textContent.toLowerCase() === '\(page)'")
            }
            #expect(try await browser.run("return String(window.pwned)") == "undefined")
            #expect(
                try await browser.run(
                    "return document.querySelectorAll('main script, main [onerror], a[href^=javascript]').length")
                    == "0")
        }
    }

    @Test func aCommitOfAnotherProgramShowsInTheRowsAndOnTheLivePage() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=authors'")
            try await browser.wait("document.querySelector('.grid').innerText.includes('Jules Verne')")
            try file.run("UPDATE authors SET name = 'J. Verne' WHERE id = 'ver'")
            try await browser.wait("document.querySelector('.cell.changed')?.title === 'was Jules Verne'")
            try await browser.run("location.hash = 'page=live'")
            try await browser.wait(
                "document.querySelector('.events').innerText.includes('Jules Verne') && document.querySelector('.events').innerText.includes('J. Verne')"
            )
        }
    }

    @Test func aTableThatIsDroppedIsToldWithoutALinkToIt() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=authors'")
            try await browser.wait("document.querySelector('.grid').innerText.includes('Jules Verne')")
            try file.run("DROP TABLE loans")
            try await browser.run("location.hash = 'page=live'")
            try await browser.wait(
                "document.querySelector('.events')?.innerText.includes('loans is not there any more')")
            #expect(try await browser.run("return document.querySelectorAll('.events h3 a').length") == "0")
        }
    }

    @Test func sqlInTheAddressIsShownAndRunByTheUserAlone() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await browser.run(
                "location.hash = 'page=sql&sql=' + encodeURIComponent('SELECT title FROM books WHERE price > 99')")
            try await browser.wait("document.querySelector('textarea.sql').value.startsWith('SELECT title')")
            #expect(try await browser.run("return document.querySelector('.result').innerText") == "")
            try await browser.press(Key.enter, with: Key.control)
            try await browser.wait("document.querySelector('.plan .scan').innerText.includes('SCAN books')")
            #expect(try await browser.run("return document.querySelector('table.plain tbody').rows.length") == "4")
        }
    }

    @Test func sqlThatWritesIsShownCountedAndConfirmed() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'page=sql'")
            try await browser.wait("document.activeElement.className === 'sql'")
            try await browser.type("DELETE FROM loans ")
            try await browser.press(Key.enter, with: Key.control)
            try await browser.wait("document.querySelector('dialog pre').innerText.startsWith('DELETE FROM loans')")
            #expect(try file.value("SELECT count(*) FROM loans") == .integer(1))
            try await browser.run("document.querySelector('dialog button').click()")
            try await browser.wait("document.querySelector('dialog button.danger').innerText === 'Change 1 row'")
            #expect(try file.value("SELECT count(*) FROM loans") == .integer(1))
            try await browser.run("document.querySelector('dialog button.danger').click()")
            try await browser.wait("document.querySelector('.result').innerText === '1 row was changed.'")
        }
        #expect(try file.value("SELECT count(*) FROM loans") == .integer(0))
    }

    /// Counts what is sent to a path from now on, in `window.sent`.
    private static func countSent(to path: String, _ browser: Browser) async throws {
        try await browser.run(
            """
            window.sent = 0;
            const plain = window.fetch;
            window.fetch = (path, ...rest) => {
              if (path === "\(path)") window.sent += 1;
              return plain(path, ...rest);
            };
            """)
    }

    /// Has a statement that deletes loans run on trial by the keyboard, and counts what is sent from then on.
    private static func tryToDeleteLoans(_ browser: Browser) async throws {
        try await browser.run("location.hash = 'page=sql&sql=DELETE FROM loans'")
        try await browser.wait("document.querySelector('textarea.sql')")
        try await press("Run", browser)
        try await browser.wait("document.activeElement.innerText === 'Count the rows'")
        try await browser.press(Key.enter)
        try await browser.wait("document.querySelector('dialog button.danger')")
        try await countSent(to: "api/change/sql", browser)
    }

    @Test func enterPressedTwiceOnTheCountConfirmsNothing() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await Self.tryToDeleteLoans(browser)
            try await browser.press(Key.enter)
            #expect(try await browser.run("return String(window.sent)") == "0")
        }
        #expect(try file.value("SELECT count(*) FROM loans") == .integer(1))
    }

    @Test func aDoubleClickOnTheCountConfirmsNothing() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await Self.tryToDeleteLoans(browser)
            let sent = try await browser.run(
                """
                document.querySelector("dialog button.danger")
                  .dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true, cancelable: true }));
                return String(window.sent);
                """)
            #expect(sent == "0")
        }
        #expect(try file.value("SELECT count(*) FROM loans") == .integer(1))
    }

    @Test func whatTriggersWriteIsCountedApartBeforeItIsConfirmed() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE t (x); INSERT INTO t VALUES (1); CREATE TABLE log (x);
            CREATE TRIGGER t_au AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (1), (2); END;
            """)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'page=sql&sql=UPDATE t SET x = 2'")
            try await browser.wait("document.querySelector('h1').innerText.toLowerCase() === 'sql'")
            try await browser.run("document.querySelector('button.main').click()")
            try await browser.wait("document.querySelector('dialog pre')")
            try await browser.run("document.querySelector('dialog button').click()")
            try await browser.wait("document.querySelector('dialog button.danger')?.innerText === 'Change 3 rows'")
            let text = try await browser.run("return document.querySelector('dialog').innerText")
            #expect(
                text.contains("It would change 3 rows: 1 itself, and 2 by triggers, references and search indexes."),
                "\(text)")
        }
    }

    @Test func sqlIsCompletedByKeys() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            try await browser.run("location.hash = 'page=sql'")
            try await browser.wait("document.activeElement.className === 'sql'")
            try await browser.type("autho")
            try await browser.wait("document.querySelector('.choices [aria-selected=true]').innerText === 'authors'")
            try await browser.press(Key.down, Key.tab)
            #expect(try await browser.run("return document.querySelector('textarea.sql').value") == "author")
        }
    }

    @Test func editsThatWaitAreSavedTogetherAndAConflictIsShown() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=authors'")
            for (row, name) in [(0, "Ada K."), (1, "Sōseki")] {
                try await browser.wait("document.querySelector('#cell-\(row)-1')?.innerText.length > 0")
                try await browser.run(
                    "document.querySelector('#cell-\(row)-1').click(); document.querySelector('.grid').focus()")
                try await browser.press(Key.enter)
                try await browser.wait("document.querySelector('#field-name')")
                try await Self.saveLater(name, browser)
            }
            #expect(try file.value("SELECT count(*) FROM authors WHERE name IN ('Ada K.', 'Sōseki')") == .integer(0))
            try file.run("UPDATE authors SET name = 'Somebody' WHERE id = 'sor'")
            try await browser.run("document.querySelector('.bar button.main').click()")
            try await browser.wait("document.querySelector('.problem')?.innerText.includes('Somebody')")
            #expect(try file.value("SELECT count(*) FROM authors WHERE name IN ('Ada K.', 'Sōseki')") == .integer(0))
            try file.run("UPDATE authors SET name = 'Natsume Sōseki' WHERE id = 'sor'")
            try await browser.run("document.querySelector('.bar button.main').click()")
            try await browser.wait("!document.querySelector('.bar')")
        }
        #expect(try file.value("SELECT count(*) FROM authors WHERE name IN ('Ada K.', 'Sōseki')") == .integer(2))
    }

    /// Types a name into the dialog of a row.
    private static func typeName(_ name: String, _ browser: Browser) async throws {
        try await browser.run(
            "document.querySelector('#field-name').focus(); document.querySelector('#field-name').select()")
        try await browser.type(name)
    }

    /// Types a name into the dialog of a row, and has it wait.
    private static func saveLater(_ name: String, _ browser: Browser) async throws {
        try await typeName(name, browser)
        try await press("Save later, together", browser)
        try await browser.wait("!document.querySelector('dialog')")
    }

    @Test func aCellWithAnEditThatWaitsIsEditedFurther() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=authors'")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText.length > 0")
            for (old, new) in [("Ada Lovelace", "Ada K."), ("Ada K.", "Ada B.")] {
                try await browser.run("document.querySelector('.grid').focus()")
                try await browser.press(Key.enter)
                try await browser.wait("document.querySelector('#field-name')?.value === '\(old)'")
                try await Self.saveLater(new, browser)
            }
            try await browser.wait("document.querySelector('.bar').innerText.startsWith('1 change waits')")
            try await browser.run("document.querySelector('.bar button.main').click()")
            try await browser.wait("!document.querySelector('.bar')")
        }
        #expect(try file.value("SELECT name FROM authors WHERE id = 'ada'") == .text("Ada B."))
    }

    static let people = """
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, q TEXT);
        WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 250) INSERT INTO people SELECT x, 'person ' || x, 'q' FROM n;
        """

    /// The names of the first people in a file.
    private static func names(_ file: TemporaryFile) throws -> SQLiteValue {
        try file.value("SELECT group_concat(name) FROM (SELECT name FROM people ORDER BY id LIMIT 4)")
    }

    /// Opens a row of people by its number on screen, once it is there as a value of it says.
    private static func open(_ row: Int, whereItSays value: String, _ browser: Browser) async throws {
        try await browser.wait("document.querySelector('#cell-\(row)-1')?.innerText === '\(value)'")
        // The second click opens it, or a later one while the rows are read again.
        try await browser.wait(
            "document.querySelector('dialog[open] #field-name') || document.querySelector('#cell-\(row)-1').click()")
    }

    /// Presses a button by its text. The dialog that is open has the only ones that can be pressed.
    private static func press(_ text: String, _ browser: Browser) async throws {
        try await browser.wait(
            """
            (() => {
              const place = document.querySelector('dialog[open]') ?? document.querySelector('main');
              const button = [...place.querySelectorAll('button')].find((b) => b.innerText === '\(text)');
              button?.click();
              return button;
            })()
            """)
    }

    /// Has new names of some of the people wait.
    private static func haveWait(_ names: [(row: Int, name: String)], _ browser: Browser) async throws {
        try await browser.run("location.hash = 'table=people'")
        for (row, name) in names {
            try await open(row, whereItSays: "person \(row + 1)", browser)
            try await saveLater(name, browser)
        }
    }

    /// Has a change of the first of the people wait.
    private static func haveOneWait(_ browser: Browser) async throws {
        try await haveWait([(0, "new")], browser)
        try await browser.wait("document.querySelector('.bar').innerText.startsWith('1 change waits')")
    }

    @Test func aChangeThatWaitsGoesWithItsRow() async throws {
        let file = try TemporaryFile(Self.people)
        try await Browser.visit(file) { browser, _ in
            try await Self.haveOneWait(browser)
            try await Self.open(0, whereItSays: "person 1", browser)
            try await Self.press("Delete…", browser)
            try await browser.wait("document.querySelector('.row-summary')")
            try await Self.press("Delete", browser)
            try await browser.wait("!document.querySelector('dialog') && !document.querySelector('.bar')")
        }
        #expect(try file.value("SELECT count(*) FROM people WHERE id = 1") == .integer(0))
    }

    @Test func aRowIsSavedAloneWhateverWaits() async throws {
        let file = try TemporaryFile(Self.people)
        try await Browser.visit(file) { browser, _ in
            try await Self.haveOneWait(browser)
            try file.run("DELETE FROM people WHERE id = 1")
            try await Self.open(3, whereItSays: "person 5", browser)
            try await Self.typeName("five", browser)
            try await Self.press("Save", browser)
            try await browser.wait("!document.querySelector('dialog')")
            try await browser.wait("document.querySelector('.bar').innerText.startsWith('1 change waits')")
        }
        #expect(try Self.names(file) == .text("person 2,person 3,person 4,five"))
    }

    @Test func aChangeOfARowThatIsGoneIsNamedAndDroppedAlone() async throws {
        let file = try TemporaryFile(Self.people)
        try await Browser.visit(file) { browser, _ in
            try await Self.haveWait([(0, "new"), (1, "new")], browser)
            try file.run("DELETE FROM people WHERE id = 2")
            try await Self.press("Save all", browser)
            try await browser.wait("document.querySelector('.problem')")
            let text = try await browser.run("return document.querySelector('.problem').innerText")
            #expect(text.contains("Change of people: 2") && text.contains("not there any more"), "\(text)")
            try await Self.press("Drop", browser)
            try await browser.wait("document.querySelector('.bar').innerText.startsWith('1 change waits')")
            try await Self.press("Save all", browser)
            try await browser.wait("!document.querySelector('.bar')")
        }
        #expect(try Self.names(file) == .text("new,person 3,person 4,person 5"))
    }

    @Test func aRowThatChangedMeanwhileIsSavedOnceItWasShown() async throws {
        let file = try TemporaryFile(Self.people)
        try await Browser.visit(file) { browser, _ in
            try await Self.haveWait([(1, "new 2"), (2, "new 3"), (3, "new 4")], browser)
            try file.run("UPDATE people SET name = 'somebody' WHERE id = 3")
            try await Self.press("Save all", browser)
            try await browser.wait("document.querySelector('main .problem')?.innerText.includes('Change of people: 3')")
            #expect(try Self.names(file) == .text("person 1,person 2,somebody,person 4"))
            try await Self.press("Open", browser)
            try await browser.wait("document.querySelector('dialog .problem')?.innerText.includes('somebody')")
            #expect(try await browser.run("return document.querySelector('#field-name').value") == "new 3")
            try await Self.press("Save", browser)
            try await browser.wait("!document.querySelector('dialog')")
            #expect(try Self.names(file) == .text("person 1,person 2,new 3,person 4"))
            try await Self.press("Save all", browser)
            try await browser.wait("!document.querySelector('.bar')")
        }
        #expect(try Self.names(file) == .text("person 1,new 2,new 3,new 4"))
    }

    /// Opens the first of the people to be saved or deleted, whom another program changes while the dialog is open.
    private static func beOvertaken(_ button: String, _ file: TemporaryFile, _ browser: Browser) async throws {
        try await browser.run("location.hash = 'table=people'")
        try await open(0, whereItSays: "person 1", browser)
        try await typeName("new", browser)
        if button == "Delete" {
            try await press("Delete…", browser)
            try await browser.wait("document.querySelector('.row-summary')")
        }
        try file.run("UPDATE people SET name = 'somebody' WHERE id = 1")
    }

    /// Saves or deletes the first of the people, whom another program changed.
    private static func beRefused(_ button: String, _ file: TemporaryFile, _ browser: Browser) async throws {
        try await beOvertaken(button, file, browser)
        try await press(button, browser)
        try await browser.wait("document.querySelector('dialog .problem')?.innerText.includes('somebody')")
        #expect(try file.value("SELECT name FROM people WHERE id = 1") == .text("somebody"))
    }

    @Test(arguments: ["Save", "Delete"])
    func whatIsRefusedGoesThroughFromTheDialogThatShowedTheRow(button: String) async throws {
        let file = try TemporaryFile(Self.people)
        try await Browser.visit(file) { browser, _ in
            try await Self.beRefused(button, file, browser)
            try await Self.press(button, browser)
            try await browser.wait("!document.querySelector('dialog')")
        }
        let names = button == "Delete" ? "person 2,person 3,person 4,person 5" : "new,person 2,person 3,person 4"
        #expect(try Self.names(file) == .text(names))
    }

    @Test(arguments: ["Save", "Delete"])
    func aDoubleClickWritesNotOverWhatItsFirstClickShows(button: String) async throws {
        let file = try TemporaryFile(Self.people)
        try await Browser.visit(file) { browser, _ in
            try await Self.beRefused(button, file, browser)
            let sent = try await browser.run(
                """
                let sent = 0;
                const plain = window.fetch;
                window.fetch = (...question) => { sent += 1; return plain(...question); };
                [...document.querySelectorAll("dialog[open] button")].find((b) => b.innerText === "\(button)")
                  .dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true, cancelable: true }));
                window.fetch = plain;
                return String(sent);
                """)
            #expect(sent == "0")
        }
    }

    @Test(arguments: ["Save", "Delete"])
    func enterPressedTwiceWritesNotOverWhatTheFirstShows(button: String) async throws {
        let file = try TemporaryFile(Self.people)
        try await Browser.visit(file) { browser, _ in
            try await Self.beOvertaken(button, file, browser)
            try await Self.focus(button, browser)
            try await browser.press(Key.enter)
            try await browser.wait("document.querySelector('dialog .problem')?.innerText.includes('somebody')")
            try await Self.countSent(to: "api/change/rows", browser)
            try await browser.press(Key.enter)
            #expect(try await browser.run("return String(window.sent)") == "0")
        }
        #expect(try file.value("SELECT name FROM people WHERE id = 1") == .text("somebody"))
    }

    /// Has the keyboard at a button by its text.
    private static func focus(_ text: String, _ browser: Browser) async throws {
        try await browser.run(
            """
            const place = document.querySelector('dialog[open]') ?? document.querySelector('main');
            [...place.querySelectorAll('button')].find((b) => b.innerText === '\(text)').focus();
            """)
    }

    // MARK: - Other pages, and writes under way

    /// Presses "Save all", and holds back what it sends until `window.go()`.
    private static func beginToSaveAll(_ browser: Browser) async throws {
        try await browser.run(
            """
            const plain = window.fetch;
            window.fetch = async (path, ...rest) => {
              if (path === "api/change/rows") await new Promise((go) => { window.go = go; });
              return plain(path, ...rest);
            };
            """)
        try await press("Save all", browser)
        try await browser.wait("window.go")
    }

    private static let peopleAndOthers = people + "CREATE TABLE others (id INTEGER PRIMARY KEY);"

    private static func goToOthers(_ browser: Browser) async throws {
        try await browser.run("location.hash = 'table=others'")
        try await browser.wait("document.querySelector('h1').innerText === 'others'")
    }

    @Test func aDialogThatOutlivesItsPageHasItsChangeWaitOnTheNext() async throws {
        try await Browser.visit(try TemporaryFile(Self.peopleAndOthers)) { browser, _ in
            try await browser.run("location.hash = 'table=people'")
            try await Self.open(0, whereItSays: "person 1", browser)
            try await Self.goToOthers(browser)
            try await Self.saveLater("new", browser)
            try await browser.wait("document.querySelector('.bar')?.innerText.startsWith('1 change waits')")
        }
    }

    @Test func whatIsSavedWhileAnotherPageOpensWaitsNotOnThat() async throws {
        let file = try TemporaryFile(Self.peopleAndOthers)
        try await Browser.visit(file) { browser, _ in
            try await Self.haveOneWait(browser)
            try await Self.beginToSaveAll(browser)
            try await Self.goToOthers(browser)
            try await browser.wait("document.querySelector('.bar')")
            try await browser.run("window.go()")
            try await browser.wait("!document.querySelector('.bar')")
        }
        #expect(try file.value("SELECT name FROM people WHERE id = 1") == .text("new"))
    }

    @Test func whyNothingWasSavedIsSaidOnThePageThatOpenedMeanwhile() async throws {
        let file = try TemporaryFile(Self.peopleAndOthers)
        try await Browser.visit(file) { browser, _ in
            try await Self.haveOneWait(browser)
            try await Self.beginToSaveAll(browser)
            try file.run("DELETE FROM people WHERE id = 1")
            try await Self.goToOthers(browser)
            try await browser.run("window.go()")
            try await browser.wait("document.querySelector('main .problem')?.innerText.includes('not there any more')")
        }
    }

    @Test func aPageThatComesLateTakesWhatWaitsFromNoOther() async throws {
        try await Browser.visit(try TemporaryFile(Self.peopleAndOthers)) { browser, _ in
            try await Self.haveOneWait(browser)
            try await Self.goToOthers(browser)
            try await browser.wait("document.querySelector('.bar')")
            // The page of people asks for rows right behind what it does with the bar.
            try await browser.run(
                """
                document.querySelector(".bar").dataset.isOld = true;
                const plain = window.fetch;
                window.fetch = async (path, ...rest) => {
                  const isOfPeople = rest[0]?.body?.includes('"people"');
                  if (path === "api/table" && isOfPeople) await new Promise((go) => { window.go = go; });
                  if (path === "api/rows" && isOfPeople) window.came = true;
                  return plain(path, ...rest);
                };
                location.hash = "table=people";
                """)
            try await browser.wait("window.go")
            try await Self.goToOthers(browser)
            try await browser.wait("document.querySelector('.bar:not([data-is-old])')")
            try await browser.run("window.go()")
            try await browser.wait("window.came")
            try await Self.press("Discard all", browser)
            try await browser.wait("!document.querySelector('.bar')")
        }
    }

    @Test func whatIsBeingSavedCanNeitherBeOpenedNorDropped() async throws {
        try await Browser.visit(try TemporaryFile(Self.people)) { browser, _ in
            try await Self.haveOneWait(browser)
            try await Self.beginToSaveAll(browser)
            let isInert = "return String(document.querySelector('.bar').matches('[inert] *'))"
            #expect(try await browser.run(isInert) == "true")
            try await browser.run("window.go()")
            try await browser.wait("!document.querySelector('.bar')")
        }
    }

    @Test(arguments: ["Save all", "Discard all"])
    func theKeyboardGoesOnInTheRowsWhenNothingWaitsAnyMore(button: String) async throws {
        try await Browser.visit(try TemporaryFile(Self.people)) { browser, _ in
            try await Self.haveOneWait(browser)
            try await Self.focus(button, browser)
            try await browser.press(Key.enter)
            try await browser.wait(
                "!document.querySelector('.bar') && document.activeElement.getAttribute('role') === 'grid'")
        }
    }

    @Test func aNewRowThatWaitsIsOpenedAndCorrectedFromAnotherTable() async throws {
        let file = try TemporaryFile(Self.peopleAndOthers)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=people'")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText === 'person 1'")
            try await Self.press("Add row", browser)
            try await browser.wait("document.querySelector('#field-q')")
            try await browser.run("document.querySelector('#field-q').focus()")
            try await browser.type("mine")
            try await Self.press("Save later, together", browser)
            try await browser.wait("!document.querySelector('dialog')")
            try await browser.run("location.hash = 'table=others'")
            try await browser.wait("document.querySelector('h1').innerText === 'others'")
            try await Self.press("Save all", browser)
            try await browser.wait("document.querySelector('.problem')")
            let text = try await browser.run("return document.querySelector('.problem').innerText")
            #expect(text.contains("New row of people") && text.contains("NOT NULL"), "\(text)")
            try await Self.press("Open", browser)
            try await browser.wait("document.querySelector('#field-q')?.value === 'mine'")
            try await Self.saveLater("given", browser)
            try await browser.wait("document.querySelector('.bar').innerText.startsWith('1 change waits')")
            try await Self.press("Save all", browser)
            try await browser.wait("!document.querySelector('.bar')")
        }
        #expect(try file.value("SELECT name || q FROM people WHERE id = 251") == .text("givenmine"))
    }

    @Test func whatWaitsIsListedAndDroppedOneByOneByTheKeyboard() async throws {
        let file = try TemporaryFile(Self.people)
        try await Browser.visit(file) { browser, _ in
            try await Self.haveWait([(0, "new"), (1, "new")], browser)
            try await browser.run("document.querySelector('.bar button').focus()")
            try await browser.press(Key.enter)
            try await browser.wait("document.querySelectorAll('.waits li').length === 2")
            let text = try await browser.run("return document.querySelector('.waits li').innerText")
            #expect(text.contains("Change of people: 1") && text.contains("name: person 1 → new"), "\(text)")
            // The dialog begins at the first Open; Drop is beside it.
            try await browser.press(Key.tab, Key.enter)
            try await browser.wait("document.querySelectorAll('.waits li').length === 1")
            #expect(
                try await browser.run("return document.activeElement.getAttribute('aria-label')")
                    == "Drop Change of people: 2")
            try await browser.press(Key.enter)
            try await browser.wait("!document.querySelector('dialog') && !document.querySelector('.bar')")
        }
        #expect(try Self.names(file) == .text("person 1,person 2,person 3,person 4"))
    }

    @Test func leavingWarnsWhileChangesWait() async throws {
        try await Browser.visit(try TemporaryFile(Self.people)) { browser, _ in
            let leave =
                "const e = new Event('beforeunload', { cancelable: true }); dispatchEvent(e); return String(e.defaultPrevented)"
            try await browser.run("location.hash = 'table=people'")
            try await Self.open(0, whereItSays: "person 1", browser)
            #expect(try await browser.run(leave) == "false")
            try await Self.saveLater("new", browser)
            #expect(try await browser.run(leave) == "true")
            try await Self.press("Discard all", browser)
            #expect(try await browser.run(leave) == "false")
        }
    }

    @Test func referencesAreLinksInBothDirections() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            try await browser.run("location.hash = 'table=books'")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText === 'Notes'")
            try await browser.run(
                "document.querySelector('#cell-0-1').click(); document.querySelector('.grid').focus()")
            try await browser.press(Key.enter)
            try await browser.wait("document.querySelectorAll('dialog section a').length === 2")
            #expect(
                try await browser.run(
                    "return [...document.querySelectorAll('dialog section a')].map((a) => a.innerText).join()")
                    == "→ authors (author),← loans (bookId)")
            try await browser.run("document.querySelector('dialog section a').click()")
            try await browser.wait(
                "document.querySelector('h1').innerText === 'authors' && document.querySelector('#cell-0-0')?.innerText === 'ada' && !document.querySelector('#cell-1-0')"
            )
        }
    }

    @Test func aSecondClickOpensARow() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            try await browser.run("location.hash = 'table=authors'")
            try await browser.wait("document.querySelector('#cell-0-0')?.innerText === 'ada'")
            try await browser.run("document.querySelector('#cell-0-0').click()")
            #expect(try await browser.run("return String(document.querySelector('dialog'))") == "null")
            try await browser.run("document.querySelector('#cell-0-0').click()")
            try await browser.wait("document.querySelector('dialog h2').innerText === 'authors: ada'")
        }
    }

    @Test func aLongTextIsReadAsAWholeToBeEdited() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE long (id INTEGER PRIMARY KEY, t TEXT); INSERT INTO long VALUES (1, printf('%.*c', 9000, 'é'))"
        )
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=long'")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText.length > 0")
            try await browser.run(
                "document.querySelector('#cell-0-1').click(); document.querySelector('.grid').focus()")
            try await browser.press(Key.enter)
            try await browser.wait("document.querySelector('dialog .extras button')")
            try await browser.run("document.querySelector('dialog .extras button').click()")
            try await browser.wait(
                "document.activeElement.id === 'field-t' && document.activeElement.value.length === 9000")
            try await browser.press(Key.end, with: Key.control)
            try await browser.type("!")
            try await browser.run("document.querySelector('dialog button[type=submit]').click()")
            try await browser.wait("!document.querySelector('dialog')")
        }
        #expect(try file.value("SELECT length(t) || substr(t, -2) FROM long") == .text("9001é!"))
    }

    @Test func ofALongTextWithoutAKeyItIsSaidThatOnlyItsBeginningIsShown() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO notes VALUES (1, printf('%.*c', 5000, 'x'));
            CREATE VIEW bodies AS SELECT body FROM notes;
            """)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=bodies'")
            try await browser.wait("document.querySelector('#cell-0-0')?.innerText.length > 0")
            try await browser.run("document.querySelector('.grid').focus()")
            try await browser.press(Key.enter)
            try await browser.wait(
                """
                document.querySelector('dialog .extras')?.innerText
                  .includes('Only its beginning can be shown: the rows of bodies have no key.')
                """)
            #expect(try await browser.run("return document.querySelectorAll('dialog .extras button').length") == "0")
        }
    }

    @Test func anEditKeepsTheKindOfANumberAndTheEndsOfLines() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE loose (id INTEGER PRIMARY KEY, x, t TEXT);
            INSERT INTO loose VALUES (1, 1.5, 'a' || char(13, 10) || 'b');
            """)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=loose'")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText === '1.5'")
            try await browser.run(
                "document.querySelector('#cell-0-1').click(); document.querySelector('.grid').focus()")
            try await browser.press(Key.enter)
            try await browser.wait("document.querySelector('#field-t')")
            try await browser.run(
                """
                for (const [id, value] of [["field-x", "2.5"], ["field-t", "a\\nbc"]]) {
                  const area = document.getElementById(id);
                  area.value = value;
                  area.dispatchEvent(new Event("input"));
                }
                document.querySelector('dialog button[type=submit]').click()
                """)
            try await browser.wait("!document.querySelector('dialog')")
        }
        #expect(try file.value("SELECT typeof(x) || x FROM loose") == .text("real2.5"))
        #expect(try file.value("SELECT hex(t) FROM loose") == .text("610D0A6263"))
    }

    @Test func anEditLeavesTheLineEndsThatNobodyTouched() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE nl (id INTEGER PRIMARY KEY, t, u);
            INSERT INTO nl VALUES (1, 'a' || char(13, 10) || 'b' || char(10) || 'c', 'd' || char(13) || 'e');
            """)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=nl'")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText.length > 0")
            try await browser.run(
                "document.querySelector('#cell-0-1').click(); document.querySelector('.grid').focus()")
            try await browser.press(Key.enter)
            try await browser.wait("document.querySelector('#field-u')")
            for id in ["field-t", "field-u"] {
                try await browser.run("document.querySelector('#\(id)').focus()")
                try await browser.press(Key.end, with: Key.control)
                try await browser.type("!")
            }
            try await browser.run("document.querySelector('dialog button[type=submit]').click()")
            try await browser.wait("!document.querySelector('dialog')")
        }
        #expect(try file.value("SELECT hex(t) FROM nl") == .text("610D0A620A6321"))
        #expect(try file.value("SELECT hex(u) FROM nl") == .text("640D6521"))
    }

    /// A text, what is typed over it, and what is written.
    @Test(arguments: [
        [#"a\r\nb\nc"#, #"a\nxb\nc"#, #"a\r\nxb\nc"#], [#"a\r\nb"#, #"a\nb\nc"#, #"a\r\nb\r\nc"#],
        [#"a\rb\nc"#, #"a\n\nc"#, #"a\r\n\nc"#], ["", #"a\nb"#, #"a\nb"#], [#"a\r\nb\n"#, "", ""],
    ])
    func linesKeepTheirEndsAroundAnEdit(texts: [String]) async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            let written = try await browser.runWaiting(
                """
                import("/lines.js").then(({ keepingLineEnds }) =>
                  done(String(keepingLineEnds("\(texts[0])", "\(texts[1])") === "\(texts[2])")));
                """)
            #expect(written == "true")
        }
    }

    @Test func whyEventsAreRefusedIsTold() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            let told = try await browser.runWaiting(
                """
                window.fetch = async () => new Response('{"error":"too many pages listen already"}', { status: 503 });
                import("/api.js").then(({ listen }) =>
                  listen((event) => done(`${event.type}: ${event.text}`), () => {}));
                """)
            #expect(told == "trouble: Changes are not shown: too many pages listen already")
        }
    }

    @Test func aMillionRowsAreScrolledToAnyPlace() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE many (id INTEGER PRIMARY KEY, x TEXT);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 1000000) INSERT INTO many SELECT x, 'row ' || x FROM n;
            """)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=many'")
            try await browser.wait("document.querySelector('.grid').getAttribute('aria-rowcount') === '1000001'")
            try await browser.run("document.querySelector('.grid').focus()")
            try await browser.press(Key.end, with: Key.control)
            try await browser.wait("document.querySelector('.grid').innerText.includes('row 1000000')")
            try await browser.run("const g = document.querySelector('.grid'); g.scrollTop = g.scrollHeight / 2")
            try await browser.wait("/row (49|50)\\d{4}/.test(document.querySelector('.grid').innerText)")
            try await browser.press(Key.home, with: Key.control)
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText === 'row 1'")
            // What is far away is not kept.
            #expect(try await browser.run("return document.querySelectorAll('.grid [role=row]').length < 80") == "1")
        }
    }

    @Test func aSortWithoutAnIndexIsScrolledToAnyPlaceAndSaysHowFarItIs() async throws {
        let file = try TemporaryFile(
            """
            CREATE TABLE many (id INTEGER PRIMARY KEY, x TEXT);
            WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 60000)
            INSERT INTO many SELECT x, printf('row %05d', x * 7919 % 60013) FROM n;
            """)
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=many&sort=x'")
            try await browser.wait("document.querySelector('.grid').getAttribute('aria-rowcount') === '60001'")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText.startsWith('row 0000')")
            // The rows wait until the page has said how far the sort is: they may come before it hears of that.
            try await browser.run(
                """
                const plain = window.fetch;
                const wait = new Promise((go) => { window.go = go; });
                window.fetch = async (path, ...rest) => {
                  const answer = await plain(path, ...rest);
                  if (path === "api/rows") await wait;
                  return answer;
                };
                document.querySelector(".grid").focus();
                """)
            try await browser.press(Key.end, with: Key.control)
            try await browser.wait(
                "/by x without an index: [\\d,]+ of 60,000 rows/.test(document.querySelector('.sorting')?.innerText)")
            try await browser.run("window.go()")
            try await browser.wait("document.querySelector('#cell-59999-1')?.innerText === 'row 60012'")
            try await browser.wait("!document.querySelector('.sorting')")
        }
    }

    /// Shows the rows of a table in an order, with the page of them in `window.page`.
    private static func showSorted(_ table: String, by column: String, _ browser: Browser) async throws {
        _ = try await browser.runWaiting(
            """
            Promise.all([import("/rows.js"), import("/dom.js")]).then(async ([{ rowsPage }, { replace }]) => {
              const draw = (...content) => replace(document.getElementById("main"), ...content);
              const route = { table: "\(table)", sort: "\(column)" };
              window.page = await rowsPage(draw, route, { file: { isReadOnly: false } });
              done("");
            });
            """)
        try await browser.wait("document.querySelector('#cell-0-0:not(.waiting)')")
    }

    @Test func howFarASortIsIsNotSaidBehindItsRows() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            try await Self.showSorted("loans", by: "day", browser)
            let shown = try await browser.run(
                """
                window.page.hear({ type: "sorting", sorting: { table: "loans", sort: "day", seen: 1, count: 1 } });
                return String(document.querySelector(".sorting"));
                """)
            #expect(shown == "null")
        }
    }

    @Test func howFarASortIsGoesWithThePieceThatNobodyWaitsFor() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            try await Self.showSorted("books", by: "price", browser)
            // No piece comes any more, and each can be stopped.
            try await browser.run(
                """
                const plain = window.fetch;
                window.fetch = (path, options) => path !== "api/rows" ? plain(path, options) : new Promise((_, fail) =>
                  options.signal.addEventListener("abort", () => fail(options.signal.reason)));
                document.querySelector(".grid").scrollTop = 400 * 30;
                """)
            try await browser.wait(
                """
                (window.page.hear({ type: "sorting", sorting: { table: "books", sort: "price", seen: 1, count: 400 } }),
                  document.querySelector(".sorting"))
                """)
            try await browser.run("document.querySelector('.grid').scrollTop = 0")
            try await browser.wait("!document.querySelector('.sorting')")
        }
    }

    @Test func aColumnWithoutANameIsSortedBy() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, \"\" TEXT); INSERT INTO t VALUES (1, 'b'), (2, 'a')")
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=t'")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText === 'b'")
            try await browser.run("document.querySelectorAll('.sort')[1].click()")
            try await browser.wait("document.querySelector('#cell-0-1')?.innerText === 'a'")
        }
    }

    @Test func theKeyIsNeitherInTheAddressNorOfUseTwice() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, studio in
            #expect(try await browser.run("return location.href") == "\(studio.origin)/")
            // A page that is loaded again still has its token; one without it has no way in.
            try await browser.open("\(studio.origin)/#page=schema")
            try await browser.run("sessionStorage.clear()")
            try await browser.reload()
            try await browser.wait("document.querySelector('h1').innerText === 'Locked'")
            try await browser.open("\(studio.origin)/?again#code=\(studio.code)")
            try await browser.wait("document.querySelector('h1').innerText === 'Locked'")
        }
    }

    /// Chromium's own tree of what a screen reader is told.
    @Test func aSecondClickOnSaveWritesNothingTwice() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await Self.countSent(to: "api/change/rows", browser)
            try await browser.run("location.hash = 'table=loans'")
            try await browser.wait("document.querySelector('#cell-0-0')?.innerText === '1'")
            try await browser.run("document.querySelector('main button.main').click()")
            try await browser.wait("document.querySelector('#field-day')")
            try await browser.run("document.querySelector('#field-day').focus()")
            try await browser.type("now")
            try await browser.run("const b = document.querySelector('dialog button.main'); b.click(); b.click()")
            try await browser.wait("!document.querySelector('dialog')")
            #expect(try await browser.run("return String(window.sent)") == "1")
        }
        #expect(try file.value("SELECT count(*) FROM loans WHERE day = 'now'") == .integer(1))
    }

    @Test func aPageThatComesLateIsNotDrawnOverAnother() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            try await browser.run(
                """
                const plain = window.fetch;
                window.fetch = async (path, ...rest) => {
                  if (path === "api/doctor") await new Promise((go) => { window.go = go; });
                  const answer = await plain(path, ...rest);
                  if (path === "api/doctor") setTimeout(() => { window.came = true; }, 300);
                  return answer;
                };
                location.hash = 'page=doctor'
                """)
            try await browser.wait("window.go")
            try await browser.run("location.hash = 'page=live'")
            try await browser.wait("document.querySelector('h1').innerText === 'Live'")
            try await browser.run("window.go()")
            try await browser.wait("window.came")
            #expect(try await browser.run("return document.querySelector('h1').innerText") == "Live")
        }
    }

    @Test func aLockedPageComesInByANewAddressInTheSameTab() async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, studio in
            try await browser.run("sessionStorage.clear()")
            try await browser.reload()
            try await browser.wait("document.querySelector('h1')?.innerText === 'Locked'")
            try await browser.open(try #require(studio.server.newAddress()))
            try await browser.wait("document.querySelector('#live')?.textContent === 'live'")
            #expect(try await browser.run("return location.hash") == "")
        }
    }

    @Test(arguments: ["", "table=books", "page=sql&sql=SELECT+1", "page=schema", "page=doctor", "page=live"])
    func everythingThatCanBeUsedHasAName(hash: String) async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            try await browser.run("location.hash = '\(hash)'")
            try await browser.wait("document.querySelector('main h1') && !document.querySelector('.grid:empty')")
            let tree = try await browser.chromium("Accessibility.getFullAXTree", [:]) as? [String: Any]
            let nodes = try #require(tree?["nodes"] as? [[String: Any]])
            let used: Set = [
                "button", "link", "textbox", "searchbox", "combobox", "grid", "checkbox", "navigation", "image",
                "columnheader",
            ]
            for node in nodes where node["ignored"] as? Bool != true {
                let role = (node["role"] as? [String: Any])?["value"] as? String ?? ""
                let name = (node["name"] as? [String: Any])?["value"] as? String ?? ""
                if used.contains(role) { #expect(!name.isEmpty, "\(role) without a name on '\(hash)'") }
            }
            #expect(nodes.contains { (($0["role"] as? [String: Any])?["value"] as? String) == "main" })
        }
    }
}
