import StorageKit

/// What an import did.
struct ImportSummary: Equatable {
    /// The file as the user named it.
    let file: String
    var new = 0
    var changed = 0
    var unchanged = 0
    /// Rows that went into the contact of an earlier row.
    var merged = 0
    /// Rows without name, email and phone.
    var skipped = 0

    /// What one transaction of an import did.
    struct Chunk: Sendable {
        let new: Int
        let changed: Int
        let unchanged: Int
        let merged: Int
    }

    /// Counts a transaction that was committed.
    mutating func add(_ chunk: Chunk) {
        new += chunk.new
        changed += chunk.changed
        unchanged += chunk.unchanged
        merged += chunk.merged
    }

    /// The contacts that the file speaks of and the book now has.
    var contacts: Int { new + changed + unchanged }

    /// The lines to show, such as `Imported 120 contacts (118 new, 2 changed) from contacts.csv`.
    var lines: [String] {
        var parts = ["\(new) new", "\(changed) changed"]
        if unchanged > 0 { parts.append("\(unchanged) unchanged") }
        let contactsWord = contacts == 1 ? "contact" : "contacts"
        var lines = ["Imported \(contacts) \(contactsWord) (\(parts.joined(separator: ", "))) from \(file)"]
        if merged > 0 {
            lines.append("Merged \(rows(merged)) into a contact met before: the later row wins")
        }
        if skipped > 0 {
            lines.append("Skipped \(rows(skipped)) without name, email and phone")
        }
        return lines
    }

    private func rows(_ count: Int) -> String {
        count == 1 ? "1 row" : "\(count) rows"
    }
}
