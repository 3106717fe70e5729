import GRDB

extension DatabaseActor {
    /// Rewrites the file without the space that deleted rows left.
    package func vacuum() async throws {
        try await convertingErrors(during: .write) {
            try await withWriter { db in
                try db.execute(sql: "VACUUM")
                // The new file stands in the log until then. Who reads an older state keeps the log as it is.
                _ = try? db.withoutWaitingForLocks(db.busyTimeout()) { try db.checkpoint(.truncate) }
            }
        }
    }

    /// Has SQLite count how many rows the indexes find, and choose by that from now on.
    package func analyze() async throws {
        try await convertingErrors(during: .write) {
            try await withWriter { try $0.analyze() }
        }
    }

    /// Checks the structure of the file, the foreign keys and the full-text indexes.
    package func checkIntegrity() async throws -> IntegrityReport {
        var report = try await convertingErrors(during: .read) { try await self.read { try $0.integrity() } }
        report.brokenIndexes = try await convertingErrors(during: .write) {
            try await withWriter { try $0.brokenFullTextIndexes() }
        }
        return report
    }
}

extension Database {
    fileprivate func analyze() throws {
        // Some rows of each index say enough, however many there are.
        try setting("analysis_limit", to: 400) {
            try inTransaction(.immediate) {
                // Connections that are open learn of statistics with the schema, which a table that is there already would not change.
                try execute(sql: "DROP TABLE IF EXISTS main.sqlite_stat1; ANALYZE main")
                return .commit
            }
        }
    }

    fileprivate func integrity() throws -> IntegrityReport {
        var report = IntegrityReport()
        do {
            report.damage = try damage()
            for table in try tablesWithForeignKeys() { try checkReferences(of: table, &report) }
        } catch let error as DatabaseError where error.isDamage {
            // What the check itself stumbles over.
            report.damage.append(error.message ?? "\(error.resultCode)")
        }
        return report
    }

    private func checkReferences(of table: String, _ report: inout IntegrityReport) throws {
        do {
            let rows = try Row.fetchAll(self, sql: "PRAGMA main.foreign_key_check(\(table.quotedIdentifier))")
            report.brokenReferences += rows.map {
                IntegrityReport.BrokenReference(table: $0[0], rowid: $0[1], parent: $0[2])
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // What has a collation that only another program knows is left out, as its indexes are.
            if error.isForeignKeyMismatch { report.damage.append(error.message ?? "\(error.resultCode)") }
        }
    }

    fileprivate func brokenFullTextIndexes() throws -> [String] {
        guard try !fullTextIndexes().isEmpty else { return [] }
        var broken: [String] = []
        // Others may write meanwhile, and what is compared has to be of one state.
        try inTransaction(configuration.readonly ? .deferred : .immediate) {
            for (name, isOwn, isThere) in try fullTextIndexes() where try isBroken(name, isOwn: isOwn, isThere: isThere)
            {
                broken.append(name)
            }
            return .rollback
        }
        return broken
    }

    /// The full-text indexes that the file has, and those of ours that it has lost.
    private func fullTextIndexes() throws -> [(name: String, isOwn: Bool, isThere: Bool)] {
        let tables = try Row.fetchAll(
            self, sql: "SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND sql IS NOT NULL"
        )
        let names: [String] = tables.filter { ($0["sql"] as String).makesFTS5Table }.map { $0["name"] }
        let own = try recordedMigrations().compactMap { $0.following(FullTextStep.idPrefix) }
        let lost = own.filter { name in !names.contains { $0.isSameName(as: name) } }
        return Set(names + lost).sorted().map { name in
            (name, own.contains { $0.isSameName(as: name) }, names.contains(name))
        }
    }

    private func isBroken(_ name: String, isOwn: Bool, isThere: Bool) throws -> Bool {
        do {
            if isThere, try !isSoundToFTS5(name) { return true }
            return try isOwn && isIncomplete(name)
        } catch let error as DatabaseError where error.isDamage {
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // What only another program can compare or compute is left out, as references are.
            return false
        }
    }

    /// FTS5 checks an index through an INSERT that changes nothing, but needs the write lock: where nothing can be
    /// written, it only opens the index.
    private func isSoundToFTS5(_ name: String) throws -> Bool {
        let table = name.quotedIdentifier
        do {
            try execute(
                sql: configuration.readonly
                    ? "SELECT 1 FROM main.\(table) LIMIT 1"
                    : "INSERT INTO main.\(table) (\(table), rank) VALUES ('integrity-check', 1)")
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // What FTS5 cannot do for lack of the table that it reads, or of its tokenizer, is an error to it.
            return false
        }
    }

    /// Whether an index of ours lacks its table, a trigger, or a document of a row. It may have more documents: of rows that were
    /// replaced, which searches do not find.
    private func isIncomplete(_ index: String) throws -> Bool {
        let table = String(index.dropLast(FullTextSearch.indexName(ofTable: "").count))
        let parts = try FullTextIndex(table: table, columns: [], tokenizer: "").partsInFile(on: self)
        // Of one that was dropped as a whole nothing is left.
        guard try !parts.isEmpty && hasTable(table) else { return false }
        return try FullTextIndex.inFile(of: table, on: self)?.hasDocumentsOfAllRows(on: self) != true
    }
}

extension DatabaseError {
    var isDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
