import GRDB

extension ConstraintViolation {
    /// What SQLite's error says by itself; nil if it is about no constraint.
    ///
    /// SQLite writes `table.column, table.column` without quotes. Names with a dot or a comma in them are left out.
    init?(_ error: DatabaseError) {
        guard error.resultCode == .SQLITE_CONSTRAINT else { return nil }
        let plain = ConstraintViolation(kind: Kind(error), message: error.message)
        // By scalars: a column's name may begin with a mark that makes one character with the dot before it.
        let places = (plain.subject?.components(separatedBy: ", ") ?? []).map { place in
            place.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        }
        guard let table = places.first?.first, plain.kind != .check, plain.namedIndex == nil,
            // Only a key has several columns.
            places.count == 1 || plain.kind == .unique,
            places.allSatisfy({ $0.count == 2 && $0[0] == table })
        else {
            self = plain
            return
        }
        let isRowid = error.extendedResultCode == .SQLITE_CONSTRAINT_ROWID
        self.init(kind: plain.kind, table: table, columns: isRowid ? [] : places.map { $0[1] }, message: plain.message)
    }

    /// What the message is about: columns, an index, or the name or text of a check.
    var subject: String? {
        guard let message else { return nil }
        switch kind {
        case .unique: return message.following("UNIQUE constraint failed: ")
        case .notNull: return message.following("NOT NULL constraint failed: ")
        case .check: return message.following("CHECK constraint failed: ")
        // As in "cannot store TEXT value in INTEGER column t.c"; the words before have no spaces of their own.
        case .type: return message.firstRange(of: " column ").map { String(message[$0.upperBound...]) }
        case .foreignKey, .trigger, .other: return nil
        }
    }

    /// The index that the message may name, which it does where one is on expressions.
    var namedIndex: String? {
        guard kind == .unique, let subject, subject.hasPrefix("index '"), subject.hasSuffix("'") else { return nil }
        return String(subject.dropFirst("index '".count).dropLast()).replacing("''", with: "'")
    }
}

extension ConstraintViolation.Kind {
    fileprivate init(_ error: DatabaseError) {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: self = .unique
        case .SQLITE_CONSTRAINT_FOREIGNKEY: self = .foreignKey
        case .SQLITE_CONSTRAINT_NOTNULL: self = .notNull
        case .SQLITE_CONSTRAINT_CHECK: self = .check
        // SQLite makes a trigger of its own for ON DELETE RESTRICT.
        case .SQLITE_CONSTRAINT_TRIGGER:
            self = error.message == "FOREIGN KEY constraint failed" ? .foreignKey : .trigger
        case .SQLITE_CONSTRAINT_DATATYPE: self = .type
        default: self = .other
        }
    }
}
