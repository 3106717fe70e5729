/// A table cannot be brought to the model as the file is. The file is as it was before the start.
public struct SchemaConflictError: Error, Sendable, Equatable {
    /// What stands in the way.
    public enum Reason: Sendable, Equatable {
        /// So many rows have values of a unique key that another row has too.
        case duplicates(rows: Int)
        /// So many rows refer to rows of that table which are not there.
        case brokenReferences(to: String, rows: Int)
        /// The columns refer to that table by what is neither its key nor unique there.
        case parentWithoutKey(String)
        /// So many rows have NULL in a column that takes none in the model, and has no default that all of them could get.
        case nulls(rows: Int)
        /// So many rows have a value that is none of the new type, or that would be another one under it.
        case values(type: String, rows: Int)
        /// The file has the column or table under its former name too.
        case formerName(String)
        /// The column refers to something else, by the hand of the app.
        case otherReference
        /// The column was made by hand, takes no NULL and has no default, so that no row could be saved.
        case unknownColumn
        /// The SQL of the table is not understood.
        case notUnderstood
    }

    /// The table.
    public let table: String
    /// The columns; none where it is about the table itself.
    public let columns: [String]
    /// What stands in the way.
    public let reason: Reason
}

extension SchemaConflictError: LocalizedError {
    /// The table, the columns and what to do.
    public var errorDescription: String? {
        let what = columns.isEmpty ? "table '\(table)'" : "\(columns.quoted) of table '\(table)'"
        switch reason {
        case .duplicates(let rows):
            return
                "\(what) cannot be a unique key: \(rows.rows("shares its values", "share their values")) with another row. Write a migration "
                + "that leaves one of each"
        case .brokenReferences(let parent, let rows):
            return
                "\(what) cannot refer to '\(parent)': \(rows.rows("names", "name")) a row that is not there. Write a migration that "
                + "mends or deletes them"
        case .parentWithoutKey(let parent):
            return
                "\(what) cannot refer to '\(parent)': what it names there is neither the key nor unique. Add the entity of "
                + "'\(parent)' to autoSchema, or give the table a key or a unique index in a migration, before autoSchema"
        case .nulls(let rows):
            return
                "\(what) cannot refuse NULL: \(rows.rows("has", "have")) it. Give the property a constant default value that breaks no "
                + "unique key, make it optional, or write a migration that fills them"
        case .values(let type, let rows):
            return
                "\(what) cannot become \(type): \(rows.rows("has", "have")) a value that is none, or that would change. Write a "
                + "migration that converts them"
        case .formerName(let former):
            return
                "\(what) is in the file, and so is '\(former)', which it was called before. Write a migration that moves "
                + "what is to stay, and drop the other"
        case .otherReference:
            return "\(what) refers to something else in the file, which was made by hand. Change it in a migration"
        case .unknownColumn:
            return
                "\(what) is in no version's model, takes no NULL and has no default, so that no row could be saved. Add a property for "
                + "it, or drop it or give it a default in a migration"
        case .notUnderstood:
            return "\(what) cannot be changed, since the SQL of the table is not understood. Change it in a migration"
        }
    }
}

extension Int {
    fileprivate func rows(_ one: String, _ several: String) -> String {
        self == 1 ? "1 row \(one)" : "\(self) rows \(several)"
    }
}

/// A newer version of the app has changed the file so that this one cannot use it. The file was left as it is.
public struct OlderModelError: Error, Sendable, Equatable {
    /// Why the file cannot be used.
    public enum Reason: Sendable, Equatable {
        /// The table is no longer there under its name.
        case tableIsGone
        /// The column is no longer there under its name.
        case columnIsGone(String)
        /// The column has other values, or takes no NULL.
        case columnHasChanged(String)
        /// A column that this version does not know has to be filled in each new row.
        case insertsAreRefused(String)
    }

    /// The table.
    public let table: String
    /// Why the file cannot be used.
    public let reason: Reason
}

extension OlderModelError: LocalizedError {
    /// The table, the column and what to do.
    public var errorDescription: String? {
        let what =
            switch reason {
            case .tableIsGone: "has no table '\(table)' any more"
            case .columnIsGone(let column): "has no column '\(column)' of '\(table)' any more"
            case .columnHasChanged(let column): "has another column '\(column)' of '\(table)'"
            case .insertsAreRefused(let column): "needs a value in column '\(column)' of each new row of '\(table)'"
            }
        return "a newer version of this app has changed the database, which \(what); update the app"
    }
}
