import GRDB
import StorageSQLite

/// The copy of a store that a start would go back to.
struct MadeCopy {
    let backup: StoreBackup
    /// Those that were there too, newest first.
    let others: [StoreBackup]
}

extension MigrationRun {
    /// Copies the store beside itself, unless there is a copy of it as it is.
    ///
    /// - Parameters:
    ///   - db: Has the write lock, and has changed nothing: the copy is of the last commit, and none can follow it.
    ///   - recorded: The migrations that the file has had.
    ///   - stepsDue: How many steps follow.
    /// - Returns: The copy; nil where none is wanted, or there is nothing to copy.
    /// - Throws: ``BackupError``.
    func copyStore(_ db: Database, _ recorded: [String], stepsDue: Int) throws -> MadeCopy? {
        context.progress.expect(stepsDue + (safety == .none ? 0 : 2))
        guard case .backup = safety, let path = db.borrowedConnection?.filePath,
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.sqlite_master)") == true
        else { return nil }
        current = "backup"
        return try context.progress.during(.backup) {
            let copies = StoreCopies(of: URL(fileURLWithPath: path))
            let from = StoreVersion.of(recorded)
            let source: Connection
            do {
                source = try Connection(path: path, .read)
            } catch let error as SQLiteFailure {
                throw BackupError(path: path, cause: DatabaseError(error))
            }
            let earlier = try copies.all()
            let backup =
                try earlier.first { $0.from == from && $0.hasRows(of: source) }
                ?? copies.make(
                    from: source, from: from, to: StoreVersion.of(schema, on: recorded), now: context.now
                ) { try context.progress.told($0, of: $1) }
            return MadeCopy(backup: backup, others: earlier.filter { $0 != backup })
        }
    }

    /// Looks for references that a step has broken. A start that keeps a copy tells of all of them at the end, another throws at once.
    ///
    /// - Throws: ``SchemaConflictError`` for one of the model's whose parent has no key; ``ForeignKeysBrokenError``.
    func check(_ references: inout BrokenReferences, _ db: Database) throws {
        do {
            let broken = try references.newlyBroken(db)
            if safety == .none, let first = broken.first {
                throw ForeignKeysBrokenError(
                    table: first.place.table, parent: first.parent,
                    rows: broken.count { $0.place.table == first.place.table && $0.parent == first.parent })
            }
            findings += broken.map { .reference(table: $0.place.table, rowid: $0.place.row, parent: $0.parent) }
        } catch let error as DatabaseError where error.isForeignKeyMismatch {
            throw try error.namingReference(in: context.model, db)
        }
    }

    /// Looks at what is about to be committed, and reads the whole file for it.
    ///
    /// - Throws: ``StartCheckError``, with all that is wrong.
    func checkBeforeCommit(_ db: Database) throws {
        guard safety != .none else { return }
        current = "check"
        try context.progress.during(.check) {
            // Nobody reads more lines of what SQLite finds.
            findings += try db.damage(mostLines: 10_000).map { .damage($0) }
            if !findings.isEmpty { throw StartCheckError(findings: findings) }
        }
    }

    /// Once the change is committed. What others have copied since then stays. A copy that cannot be removed keeps nobody from using
    /// the store.
    func removeOldCopies(_ made: MadeCopy, _ log: (String) -> Void) {
        guard case .backup(let number) = safety else { return }
        for old in made.others.dropFirst(number - 1) {
            do {
                try FileManager.default.removeItem(at: old.url)
            } catch CocoaError.fileNoSuchFile {
                // Another process was faster.
            } catch {
                log("Warning: '\(old.url.lastPathComponent)' was not removed: \(error)")
            }
        }
    }
}

extension StartSafety {
    func check() throws {
        if case .backup(let number) = self, number < 1 {
            throw StorageError.invalidConfiguration(
                message: "a start that is to be undone keeps one copy or more, and not \(number)")
        }
    }
}

extension DatabaseError {
    /// What SQLite says of a reference to a table without its key, as the error that has the names; the same where it is none
    /// of the model's.
    fileprivate func namingReference(in model: [TableSchema], _ db: Database) throws -> any Error {
        for table in model {
            for parent in table.references.map(\.table) {
                let text =
                    "foreign key mismatch - \(table.name.quotedIdentifier) referencing \(parent.quotedIdentifier)"
                guard message?.isSameName(as: text) == true else { continue }
                let (installed, key) = try (db.installedTable(named: parent), db.primaryKey(of: parent))
                let columns = table.references.filter { reference in
                    reference.table.isSameName(as: parent) && installed.hasNoUniqueIndex(over: [reference.key])
                        && !(key.count == 1 && key[0].isSameName(as: reference.key))
                }.map(\.column)
                return SchemaConflictError(table: table.name, columns: columns, reason: .parentWithoutKey(parent))
            }
        }
        return self
    }
}

extension StoreBackup {
    /// Whether the copy can be opened, and has what the store has.
    fileprivate func hasRows(of store: Connection) -> Bool {
        // One that cannot be read, or compared, is no reason to make no other.
        (try? store.hasRows(of: Connection(path: url.path, .read))) == true
    }
}
