import GRDB
import StorageKit
import StorageTestSupport

/// One step of a ``PowerWorkload``.
enum PowerStep: Sendable {
    /// Opens the store. With the migration, which changes every album, the file has it from then on.
    case start(upgrading: Bool)
    case close
    /// Copies all of the log to the database, in that mode.
    case checkpoint(String)
    case write(DiskOperation)

    /// Whether all that was written before is on the platter once the step is done, however SQLite syncs.
    var keepsAll: Bool {
        switch self {
        case .close, .checkpoint: true
        case .start, .write: false
        }
    }

    func apply(to rows: inout MusicRows) {
        switch self {
        case .start(upgrading: true):
            for id in rows.albums.keys { rows.albums[id]?.shelf += 1000 }
        case .start, .close, .checkpoint: break
        case .write(let operation): operation.apply(&rows)
        }
    }
}

extension PowerStep {
    /// Takes steps one after the other.
    ///
    /// - Parameters:
    ///   - steps: The steps, by their numbers.
    ///   - open: The store, unless the first step opens it.
    /// - Returns: The store, unless the last step closed it.
    static func take(
        _ steps: some Sequence<(number: Int, step: PowerStep)>, of writer: Int, at file: URL, _ pool: PoolOptions,
        _ log: WorkLog, on open: StorageKit.Context? = nil
    ) async throws -> StorageKit.Context? {
        var open = open
        for (number, step) in steps {
            log.note(writer, number, isDone: false)
            if case .start(let isUpgrading) = step {
                open = try Music.start(at: file, upgrading: isUpgrading, pool: pool)
            } else if let context = open {
                if case .close = step { open = nil }
                try await step.perform(on: context, file)
            }
            log.note(writer, number, isDone: true)
        }
        return open
    }

    private func perform(on context: StorageKit.Context, _ file: URL) async throws {
        switch self {
        case .start: break
        case .close: try await context.close()
        case .checkpoint(let mode): try await PowerStep.checkpoint(context, mode)
        case .write(let operation): try await operation.perform(context, file)
        }
    }

    private static func checkpoint(_ context: StorageKit.Context, _ mode: String) async throws {
        let counts = try await context.storage.pool.writeWithoutTransaction { db in
            try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(mode))").map { [$0[0], $0[1], $0[2]] as [Int] }
        }
        guard let counts, counts[0] == 0, counts[1] == counts[2] else {
            throw UsageError(message: "a checkpoint did not copy all of the log: \(counts ?? [])")
        }
    }
}
