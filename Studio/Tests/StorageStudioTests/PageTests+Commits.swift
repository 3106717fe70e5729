import Foundation
import Testing

@testable import StorageStudio

/// What the page does when something is committed, and with what is under way then.
extension PageTests {
    private static func nameVerne(_ name: String, _ file: TemporaryFile) throws {
        try file.run("UPDATE authors SET name = '\(name)' WHERE id = 'ver'")
    }

    private static func goToAuthors(_ browser: Browser) async throws {
        try await browser.run("location.hash = 'table=authors'")
        try await browser.wait("document.querySelector('.grid').innerText.includes('Jules Verne')")
    }

    /// Holds back each question to a path until `window.go()`, and counts them in `window.held`.
    private static func holdBack(_ path: String, _ browser: Browser) async throws {
        try await browser.run(
            """
            window.held = 0;
            const plain = window.fetch;
            window.fetch = async (path, ...rest) => {
              if (path === "\(path)") {
                window.held += 1;
                await new Promise((go) => { window.go = go; });
              }
              return plain(path, ...rest);
            };
            """)
    }

    @Test func aCommitWhileThePageOpensShowsInItsRows() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            // Nothing is shown before the rows are counted.
            try await Self.holdBack("api/count", browser)
            try await browser.run(
                """
                window.reads = 0;
                const plain = window.fetch;
                window.fetch = (path, ...rest) => {
                  if (path === "api/rows") window.reads += 1;
                  return plain(path, ...rest);
                };
                location.hash = "table=authors";
                """)
            try await browser.wait("window.held === 1")
            try Self.nameVerne("J. Verne", file)
            try await browser.wait("window.reads > 1")
            try await browser.run("window.go()")
            try await browser.wait("document.querySelector('.grid').innerText.includes('J. Verne')")
        }
    }

    @Test func whatWasCommittedWhileThePageDidNotHearShowsOnceItHearsAgain() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            // The page that is loaded next hears what the test tells it, and nothing else.
            let source = """
                const plain = window.fetch;
                window.fetch = async (path, ...rest) => path !== "api/events" ? plain(path, ...rest)
                  : new Response(new ReadableStream({ start(events) {
                    window.tell = (event) => events.enqueue(new TextEncoder().encode(JSON.stringify(event) + "\\n"));
                  } }));
                """
            try await browser.chromium("Page.addScriptToEvaluateOnNewDocument", ["source": source])
            try await browser.reload()
            try await browser.wait("window.tell && document.querySelector('#live').textContent === 'live'")
            try await Self.goToAuthors(browser)
            try Self.nameVerne("J. Verne", file)
            try await browser.run("window.tell({ type: 'ready' })")
            try await browser.wait("document.querySelector('.cell.changed')?.title === 'was Jules Verne'")
        }
    }

    @Test func whatChangedIsShownWhileTheRowsAreBeingCounted() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await Self.goToAuthors(browser)
            try await Self.holdBack("api/count", browser)
            try Self.nameVerne("J. Verne", file)
            try await browser.wait("document.querySelector('.cell.changed')?.title === 'was Jules Verne'")
            try Self.nameVerne("Verne", file)
            try await browser.wait("document.querySelector('.cell.changed')?.title === 'was J. Verne'")
            #expect(try await browser.run("return String(window.held)") == "1")
        }
    }

    @Test func tablesAreCountedAgainOnlyBehindTheCountBefore() async throws {
        let file = try TemporaryFile(Self.library)
        try await Browser.visit(file) { browser, _ in
            try await Self.holdBack("api/file", browser)
            // The second that commits are gathered for is over at once.
            try await browser.run(
                """
                const plain = window.setTimeout;
                window.setTimeout = (work, delay) => plain(work, delay === 1000 ? 0 : delay);
                location.hash = "page=live";
                """)
            try await browser.wait("document.querySelector('h1').innerText === 'Live'")
            try Self.nameVerne("J. Verne", file)
            try await browser.wait("window.held === 1")
            try Self.nameVerne("Verne", file)
            try await browser.wait("document.querySelectorAll('.events article').length === 2")
            // Behind the timer that the commit may have begun.
            let held = try await browser.runWaiting("setTimeout(() => done(String(window.held)), 0);")
            #expect(held == "1")
            try await browser.run("window.go()")
            try await browser.wait("window.held === 2")
        }
    }

    @Test func aTableWhoseColumnsChangedIsShownUnderTheirHeadings() async throws {
        let file = try TemporaryFile(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, c TEXT); INSERT INTO t VALUES (1, 'B', 'C')")
        try await Browser.visit(file) { browser, _ in
            try await browser.run("location.hash = 'table=t'")
            try await browser.wait("document.querySelector('#cell-0-2')?.innerText === 'C'")
            try file.run("ALTER TABLE t DROP COLUMN b")
            try await browser.wait(
                """
                [...document.querySelectorAll(".heading .name")].map((name) => name.textContent).join() === "id,c"
                  && document.querySelector("#cell-0-1")?.innerText === "C" && !document.querySelector("#cell-0-2")
                """)
        }
    }

    @Test(arguments: ["api/rows", "api/count"])
    func rowsThatAreLeftStopWhatWasAskedForThem(path: String) async throws {
        try await Browser.visit(try TemporaryFile(Self.library)) { browser, _ in
            try await browser.run(
                """
                const plain = window.fetch;
                window.fetch = (path, options) => path !== "\(path)" ? plain(path, options) : new Promise((_, fail) => {
                  window.isAsked = true;
                  options.signal?.addEventListener("abort", () => {
                    window.isStopped = true;
                    fail(options.signal.reason);
                  });
                });
                location.hash = "table=books";
                """)
            try await browser.wait("window.isAsked")
            try await browser.run("location.hash = ''")
            try await browser.wait("window.isStopped")
        }
    }
}
