import ContactBookModel
import StorageKit

/// Imports a CSV file chunk by chunk, each chunk in one transaction: what is there already is looked up in it too, so that
/// nothing is undone that another program writes meanwhile.
///
/// Whatever ends an import, the chunks before stay, and running it again completes it: ids come from the
/// content, and a contact that is there already and the same is not written.
struct ContactImport: Sendable {
    /// The book to import into.
    let book: ContactBook
    /// About how many records are saved at once.
    var recordsPerChunk = 2000

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - reader: The file.
    ///   - now: When contacts that are new came into the book.
    ///   - report: Called after each committed chunk.
    /// - Throws: ``StoppedImport``, or `StorageError` before the first chunk; nothing of a failing chunk is written.
    func run(
        _ reader: consuming CSVChunkReader, now: Date = Date(), report: (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportSummary {
        let file = reader.file
        let seen = try await SeenIds(book)
        var summary = ImportSummary(file: file)
        do {
            var columns: GoogleColumns?
            while let chunk = try reader.next(recordCount: recordsPerChunk) {
                var rows = try CSVRows.parse(chunk, of: file)[...]
                if columns == nil {
                    guard let header = rows.popFirst() else { continue }
                    columns = try GoogleColumns(header: header, file: file)
                }
                guard let columns else { continue }
                let people = try people(in: rows, columns, skipped: &summary.skipped)
                summary.add(try await save(people, seen: seen, now: now))
                report(
                    ImportProgress(
                        committed: summary.contacts, bytesRead: reader.bytesRead, byteCount: reader.byteCount))
            }
            guard columns != nil else { throw CSVProblem(file: file, reason: "the file is empty") }
        } catch {
            throw StoppedImport(cause: error, committed: summary.contacts)
        }
        return summary
    }

    private func people(
        in rows: ArraySlice<CSVRow>, _ columns: GoogleColumns, skipped: inout Int
    ) throws -> [ContactDetails] {
        var skippedHere = 0
        let people: [ContactDetails] = try rows.compactMap { row in
            if row.isBlank { return nil }
            let details = try columns.details(of: row)
            if details.isAnonymous { skippedHere += 1 }
            return details.isAnonymous ? nil : details
        }
        skipped += skippedHere
        return people
    }

    private func save(_ people: [ContactDetails], seen: SeenIds, now: Date) async throws -> ImportSummary.Chunk {
        try await book.storage.transaction { tx in
            var stored: [String: Contact] = [:]
            var current: [String: Contact] = [:]
            for details in people {
                let id = ContactIdentity.id(for: details)
                if current[id] == nil, let contact = try tx.get(Contact.self, id: id) {
                    stored[id] = contact
                    current[id] = contact
                }
                if current[id] == nil {
                    var contact = Contact(id: id, details: details, createdAt: now)
                    contact.isFavorite = details.isStarred
                    current[id] = contact
                } else {
                    current[id]?.apply(details)
                }
            }
            try tx.save(current.values.filter { stored[$0.id] != $0 })
            // What an earlier chunk of this run brought in was counted then.
            let firstSeen = try seen.insert(Array(current.keys), in: tx)
            return ImportSummary.Chunk(
                new: firstSeen.count { stored[$0] == nil },
                changed: firstSeen.count { stored[$0] != nil && stored[$0] != current[$0] },
                unchanged: firstSeen.count { stored[$0] == current[$0] },
                merged: people.count - firstSeen.count)
        }
    }
}

/// How far an import is.
struct ImportProgress: Equatable {
    /// The contacts that are in the database now, and stay there whatever happens.
    let committed: Int
    /// How much of the file was read.
    let bytesRead: Int
    /// The size of the file.
    let byteCount: Int
}

/// An import that ended early, and what of it is in the book.
struct StoppedImport: Error {
    let cause: any Error
    let committed: Int
}
