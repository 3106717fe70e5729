public import StorageCore

/// A copy of a store that a start made before it changed the schema, or that was kept when another copy was put back.
///
/// It is a complete database, and can be opened like any other.
public struct StoreBackup: Sendable, Hashable {
    /// The file that it is a copy of.
    public let store: URL
    /// The copy.
    public let url: URL
    /// When it was made. Of two copies the later has the later date, even where the clock was set back.
    public let date: Date
    /// How large it is.
    public let bytes: Int
    /// The version of the schema that it has: the number of the app's migrations that had run, and the fingerprint of the model, as in
    /// `3-77be10c4`.
    public let from: String
    /// The version that the start was to bring the file to; nil for what was kept when a copy was put back.
    public let to: String?
}

extension StoreBackup: CustomStringConvertible {
    /// The file, its size and the versions.
    public var description: String {
        let occasion = to.map { "before \(from) became \($0)" } ?? "with \(from), before a copy was put back"
        return "\(url.lastPathComponent): \(bytes) bytes, \(occasion)"
    }
}

// MARK: - Names

extension StoreBackup {
    /// What a name ends with.
    static let suffix = ".backup"
    /// What stands in the place of the second version when a copy was put back.
    private static let restored = "restore"

    /// The name of a copy, after which copies of one store are in order:
    /// `app.sqlite.2026-11-24T15-04-10-123Z.3-03f2a1b2.4-77be10c4.backup`.
    static func name(of store: URL, _ date: Date, from: String, to: String?) -> String {
        let parts = [store.lastPathComponent, date.backupText, from, to ?? restored]
        return parts.joined(separator: ".") + suffix
    }

    /// Nil for a file that is no copy of the store.
    init?(_ url: URL, of store: URL) {
        guard let (date, from, to) = StoreBackup.parts(of: url.lastPathComponent, store),
            let bytes = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        else { return nil }
        self.init(
            store: store, url: url, date: date, bytes: bytes, from: from, to: to == StoreBackup.restored ? nil : to)
    }

    /// What the name of a copy says; nil for another name, as that of a copy of a store whose name begins with this one's.
    static func parts(of name: String, _ store: URL) -> (date: Date, from: String, to: String)? {
        // By bytes: a letter with an accent is spelled in two ways, which are two files.
        let prefix = (store.lastPathComponent + ".").utf8
        guard name.utf8.starts(with: prefix), name.hasSuffix(StoreBackup.suffix) else { return nil }
        let parts = name[name.utf8.index(name.startIndex, offsetBy: prefix.count)...]
            .dropLast(StoreBackup.suffix.count).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[1].isEmpty, !parts[2].isEmpty, let date = Date(backupText: parts[0]) else {
            return nil
        }
        return (date, parts[1], parts[2])
    }
}

extension Date {
    /// The time as the name of a copy has it, of the years 1 to 9999. Colons are no good in names of files.
    fileprivate var backupText: String {
        // As in 2026-11-24 15:04:10.123.
        let text = DateText(self)?.string.prefix(23) ?? ""
        let signs = text.map { sign -> Character in
            switch sign {
            case " ": "T"
            case ":", ".": "-"
            default: sign
            }
        }
        return String(signs) + "Z"
    }

    fileprivate init?(backupText text: String) {
        // As in 2026-11-24T15-04-10-123Z.
        let parts = text.split(whereSeparator: { "-TZ".contains($0) })
        guard parts.count == 7 else { return nil }
        var time = "\(parts[0])-\(parts[1])-\(parts[2]) \(parts[3]):\(parts[4]):\(parts[5]).\(parts[6])"
        // What reads as a time and is spelled otherwise is no name that a copy has.
        guard let date = time.withUTF8({ DateText.parse($0) }), date.backupText == text else { return nil }
        self = date
    }

    /// The first millisecond that is later than another copy's.
    func later(than other: Date?) -> Date {
        let own = (timeIntervalSince1970 * 1000).rounded(.down)
        let others = other.map { ($0.timeIntervalSince1970 * 1000).rounded() + 1 } ?? own
        return Date(timeIntervalSince1970: (max(own, others) + 0.5) / 1000)
    }
}
