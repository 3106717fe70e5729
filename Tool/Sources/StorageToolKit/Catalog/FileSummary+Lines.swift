extension FileSummary {
    /// The summary for people to read.
    var lines: [String] {
        let log = logBytes.map { ", log of \(Amount.bytes($0))" } ?? ""
        let facts = [
            ("File", Printable.line(file)),
            (
                "Size",
                "\(Amount.bytes(bytes)), \(Amount.of(pages, "page")) of \(Amount.bytes(pageBytes)), \(freePages) free"
            ),
            ("Journal", journalMode + log), ("Encoding", encoding),
            ("Versions", "user_version \(userVersion), application_id \(applicationId)"),
        ]
        var lines = facts.map { TextWidth.padded($0.0 + ":", to: 11) + $0.1 }
        lines += section("Tables", tableLines, ifEmpty: "none")
        lines += section("Indexes", indexLines)
        lines += section("Views", views.map(Printable.line))
        lines += section("Triggers", triggers.map(Printable.line))
        lines += section("Migrations applied", migrations.map(Printable.line))
        lines += section("Caches", cacheLines)
        lines += section("Full-text search", fullTextLines)
        return lines
    }

    private func section(_ title: String, _ body: [String], ifEmpty: String? = nil) -> [String] {
        if body.isEmpty { return ifEmpty.map { ["", Terminal.bold(title) + ": " + $0] } ?? [] }
        return ["", Terminal.bold(title)] + body.map { "  " + $0 }
    }

    private var tableLines: [String] {
        guard !tables.isEmpty else { return [] }
        var text = TextTable(["NAME", "ROWS", "SIZE", "INDEXES", "COLUMNS"], rightAligned: [1, 2, 3])
        for table in tables {
            text.add([
                table.name, table.rows.map(String.init) ?? "?",
                table.bytes.map(Amount.bytes) ?? (table.kind == "virtual" ? "virtual" : "?"),
                "\(table.indexes.count)", FileSummary.listed(table.columns),
            ])
        }
        return text.lines
    }

    private var indexLines: [String] {
        var text = TextTable(["NAME", "TABLE", "COLUMNS", "SIZE", ""], rightAligned: [3])
        for table in tables {
            for index in table.indexes {
                text.add([
                    index.name, table.name, FileSummary.listed(index.columns), index.bytes.map(Amount.bytes) ?? "?",
                    index.unique ? "unique" : "",
                ])
            }
        }
        return tables.allSatisfy(\.indexes.isEmpty) ? [] : text.lines
    }

    private var cacheLines: [String] {
        caches.map { cache in
            "\(Printable.line(cache.table)): \(cache.entries) entries of \(Amount.bytes(cache.bytes)), "
                + "\(cache.expired) expired"
        }
    }

    private var fullTextLines: [String] {
        fullTextIndexes.map { index in
            let table = index.table.map { " of \(Printable.line($0))" } ?? ""
            let documents = index.documents.map { Amount.of($0, "document") } ?? "cannot be read here"
            return "\(Printable.line(index.name)): \(index.module)\(table), \(FileSummary.listed(index.columns)), "
                + documents
        }
    }

    private static func listed(_ names: [String]) -> String {
        let shown = names.prefix(8).map(Printable.line).joined(separator: ", ")
        return names.count > 8 ? "\(shown), … (\(names.count))" : shown
    }
}
