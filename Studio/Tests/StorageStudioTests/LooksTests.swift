import Foundation
import StorageCore
import Testing

@testable import StorageStudio

/// Everything that the page shows, light and dark, on a wide and on a narrow screen.
@Suite(
    .serialized,
    .enabled(if: Browser.isNeeded, "Chromium's driver is missing: on Debian, apt-get install chromium-driver"))
struct LooksTests {
    /// Goes through all views in all looks.
    private func inEachView(
        _ body: @escaping @Sendable (Browser, View, Look) async throws -> Void
    ) async throws {
        let file = try TemporaryFile(PageTests.library)
        let model = file.folder.appendingPathComponent("model.sql")
        let other = PageTests.library.replacingOccurrences(of: "price REAL", with: "price TEXT")
        try Data((other + "CREATE TABLE new (x);").utf8).write(to: model)
        try await Browser.visit(file, model: model) { browser, studio in
            try file.run(
                """
                UPDATE books SET price = price + 1 WHERE id < 3; INSERT INTO loans (bookId, "to") VALUES (2, 'Alan');
                DELETE FROM loans WHERE id = 1; INSERT INTO books (title, author) VALUES ('Lost', 'nobody')
                """)
            let monitor = studio.server.monitor()
            let sql = "SELECT * FROM books WHERE price > ? ORDER BY title"
            for (scope, rows) in [(StreamRead.Scope.all, 380), (.rows, 1)] {
                monitor.record(
                    .streamRead(
                        StreamRead(
                            table: "books", sql: sql, scope: scope, rowCount: rows, isNew: true,
                            duration: .microseconds(400 + rows))))
            }
            monitor.record(
                .slowStatement(SlowStatement(sql: sql, duration: .milliseconds(182), plan: ["SCAN books"])))
            monitor.record(.cacheStatistics(CacheStatistics()))
            try await browser.wait("document.querySelector('#live').textContent === 'live'")
            for look in Look.all {
                try await browser.show(as: look)
                for view in View.all {
                    try await browser.go(to: view)
                    try await body(browser, view, look)
                }
            }
        }
    }

    /// By axe-core, what is of use for people who see, hear or move otherwise.
    @Test(.enabled(if: Axe.isNeeded, "axe-core is missing: scripts/prepare browser"))
    func nothingSeriousKeepsAnybodyFromUsingIt() async throws {
        let axe = try Axe.script()
        try await inEachView { browser, view, look in
            // A page that is loaded once keeps it.
            if try await browser.run("return typeof window.axe") == "undefined" { try await browser.run(axe) }
            let found = try await browser.runWaiting(
                """
                axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => done(violations
                  .filter(({ impact }) => ["serious", "critical"].includes(impact))
                  .flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`))
                  .join("\\n")), (error) => done(String(error)))
                """)
            #expect(found.isEmpty, "\(view.name), \(look.testDescription): \(found)")
        }
    }

    /// Pictures for people to look at, if STUDIO_SCREENSHOTS names a folder; nothing is compared.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["STUDIO_SCREENSHOTS"] != nil))
    func pictures() async throws {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["STUDIO_SCREENSHOTS"] ?? ".")
        try await inEachView { browser, view, look in
            try await browser.screenshot()
                .write(to: folder.appendingPathComponent("\(view.name)-\(look.testDescription).png"))
        }
    }
}

/// The library axe-core, which `scripts/prepare browser` puts beside what is built.
private enum Axe {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../.build/axe/axe_playwright_python/axe.min.js").standardizedFileURL

    /// Whether the tests with it can run. In CI they have to.
    static var isNeeded: Bool {
        FileManager.default.fileExists(atPath: file.path) || ProcessInfo.processInfo.environment["CI"] != nil
    }

    static func script() throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
