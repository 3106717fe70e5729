import Foundation
import Testing

@testable import StorageStudio

extension Browser {
    /// Runs a studio and opens its page, for the length of a closure.
    ///
    /// - Parameters:
    ///   - file: The database.
    ///   - model: What the schema ought to be; nil for nothing.
    ///   - body: Is given the browser, which stands on the list of tables.
    static func visit(
        _ file: TemporaryFile, model: URL? = nil,
        _ body: @escaping @Sendable (Browser, RunningStudio) async throws -> Void
    ) async throws {
        try await RunningStudio.run(file, model: model) { studio in
            let browser = try await Browser()
            do {
                try await browser.open("\(studio.origin)/#code=\(studio.code)")
                try await browser.wait("document.querySelector('#live').textContent === 'live'")
                try await body(browser, studio)
            } catch {
                try await browser.end()
                throw error
            }
            try await browser.end()
        }
    }

    /// Has the page look as on another screen.
    func show(as look: Look) async throws {
        try await chromium(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": look.isDark ? "dark" : "light"]]])
        try await chromium(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": look.isNarrow ? 390 : 1280, "height": look.isNarrow ? 780 : 720, "deviceScaleFactor": 1,
                "mobile": look.isNarrow,
            ])
    }

    /// Goes to a view of the page and waits until all of it is there.
    func go(to view: View) async throws {
        try await run("document.querySelector('dialog')?.close(); location.hash = ''")
        try await wait("document.querySelector('h1').innerText === 'Tables' && !document.querySelector('dialog')")
        let hash = String(decoding: try JSONEncoder().encode(view.hash), as: UTF8.self)
        try await run("location.hash = \(hash)")
        try await wait(view.isThere)
        try await run(view.action)
        if let isDone = view.isDone { try await wait(isDone) }
    }
}

/// A screen and its colours.
struct Look: CustomTestStringConvertible, Sendable {
    let isDark: Bool
    let isNarrow: Bool

    static let all = [false, true].flatMap { isNarrow in [false, true].map { Look(isDark: $0, isNarrow: isNarrow) } }

    var testDescription: String { "\(isNarrow ? "narrow" : "wide")-\(isDark ? "dark" : "light")" }
}

/// Something that the page shows of ``PageTests/library``.
struct View: Sendable {
    let name: String
    var hash = ""
    /// What is true once it can be used.
    let isThere: String
    /// What is done there.
    var action = ""
    /// What is true behind that.
    var isDone: String?

    private static let rowsAreThere = "document.querySelectorAll('.grid [role=gridcell]:not(.waiting)').length > 6"
    private static func isTitled(_ title: String) -> String {
        "document.querySelector('h1').innerText.toLowerCase() === '\(title)'"
    }
    private static let openRow = """
        document.querySelector('#cell-0-1').click(); document.querySelector('.grid').focus(); \
        document.querySelector('.grid').dispatchEvent(new KeyboardEvent('keydown', {key: '%', bubbles: true}))
        """

    static let all = [
        View(name: "tables", isThere: isTitled("tables")),
        View(
            name: "rows", hash: "table=books", isThere: rowsAreThere,
            action: "document.querySelector('#cell-1-1').click()"),
        View(
            name: "filtered",
            hash:
                #"table=books&sort=price&filters=[{"column":"title","text":"Volume"},{"column":"price","text":">20"}]"#,
            isThere: rowsAreThere),
        View(
            name: "row", hash: "table=books&sort=id", isThere: rowsAreThere,
            action: openRow.replacingOccurrences(of: "%", with: "Enter"),
            isDone: "document.querySelector('dialog form')"),
        View(
            name: "new-row", hash: "table=loans", isThere: "document.querySelector('#cell-0-0:not(.waiting)')",
            action: "document.querySelector('main button.main').click()",
            isDone: "document.querySelector('dialog form')"),
        View(
            name: "delete", hash: "table=books&sort=id", isThere: rowsAreThere,
            action: openRow.replacingOccurrences(of: "%", with: "Delete"),
            isDone: "document.querySelector('dialog button.danger')"),
        View(
            name: "waiting", hash: "table=loans", isThere: "document.querySelector('#cell-0-0:not(.waiting)')",
            action: """
                document.querySelector('main button.main').click(); \
                [...document.querySelectorAll('dialog button')].find((b) => b.innerText.startsWith('Save later')).click(); \
                document.querySelector('.bar button').click()
                """,
            isDone: "document.querySelector('dialog .waits')"),
        View(
            name: "sql",
            hash:
                "page=sql&sql=SELECT a.name, count(*) AS books FROM authors a JOIN books b ON b.author = a.id WHERE b.price > 5 GROUP BY 1",
            isThere: isTitled("sql"), action: "document.querySelector('button.main').click()",
            isDone: "document.querySelector('table.plain')"),
        View(
            name: "write", hash: "page=sql&sql=DELETE FROM books WHERE price > 90", isThere: isTitled("sql"),
            action: "document.querySelector('button.main').click()", isDone: "document.querySelector('dialog pre')"),
        View(
            name: "schema", hash: "page=schema", isThere: isTitled("schema"),
            isDone: "document.querySelector('img').complete"),
        View(
            name: "doctor", hash: "page=doctor",
            isThere: isTitled("doctor") + " && !document.body.innerText.includes('Examining')"),
        View(
            name: "live", hash: "page=live", isThere: isTitled("live") + " && document.querySelector('.events article')"
        ),
    ]
}
