import StorageTestSupport

/// What of a folder's files a disk keeps when the power goes, and what it only promised: all that was written, truncated,
/// made or deleted and not synced since.
///
/// A sync of a file makes its bytes and its length certain; one of the folder, which files are there under which names.
struct Platter {
    /// One thing that was done to a file.
    enum Change {
        case write([UInt8], at: Int)
        case truncation(to: Int)
    }

    struct File {
        /// What its last sync left.
        var synced: [UInt8]
        /// What was done to it since, in order.
        var unsynced: [Change] = []
    }

    /// That a name was given to a file or, with nil, taken away.
    private struct NameChange {
        let name: String
        let file: Int?
    }

    /// All files there ever were, by numbers that no two have.
    private var files: [Int: File] = [:]
    /// Which name is whose, as the running system has it.
    private var names: [String: Int] = [:]
    private var syncedNames: [String: Int] = [:]
    private var unsyncedNames: [NameChange] = []

    /// The number of the file of that name.
    func number(of name: String) -> Int? { names[name] }

    /// A file that was there, all of it certain, before anybody wrote to it.
    mutating func adopt(_ number: Int, _ name: String, _ bytes: [UInt8]) {
        files[number] = File(synced: bytes)
        names[name] = number
        syncedNames[name] = number
    }

    mutating func make(_ number: Int, _ name: String) {
        files[number] = File(synced: [])
        names[name] = number
        unsyncedNames.append(NameChange(name: name, file: number))
    }

    mutating func delete(_ name: String) {
        names[name] = nil
        unsyncedNames.append(NameChange(name: name, file: nil))
    }

    mutating func syncFolder() {
        for change in unsyncedNames { syncedNames[change.name] = change.file }
        unsyncedNames = []
    }

    mutating func change(_ number: Int, _ change: Change) {
        files[number]?.unsynced.append(change)
    }

    mutating func sync(_ number: Int) {
        files[number]?.sync()
    }

    /// The files as they may be found after a loss of power at this moment, which is one of many ways.
    func afterPowerLoss(using generator: inout SeededGenerator) -> [String: [UInt8]] {
        var names = syncedNames
        for change in unsyncedNames where Bool.random(using: &generator) { names[change.name] = change.file }
        var found: [String: [UInt8]] = [:]
        // In an order that the seed gives again.
        for name in names.keys.sorted() {
            found[name] = names[name].flatMap { files[$0] }?.afterPowerLoss(using: &generator)
        }
        return found
    }
}

extension Platter.File {
    mutating func sync() {
        for change in unsynced { synced.apply(change) }
        unsynced = []
    }
}

extension [UInt8] {
    mutating func apply(_ change: Platter.Change) {
        switch change {
        case .write(let bytes, let offset): write(bytes, at: offset)
        case .truncation(let size): setLength(size)
        }
    }

    mutating func write(_ bytes: [UInt8], at offset: Int) {
        if offset + bytes.count > count { setLength(offset + bytes.count) }
        withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyBytes(from: bytes) }
    }

    private mutating func setLength(_ length: Int) {
        if length < count {
            removeLast(count - length)
        } else {
            append(contentsOf: [UInt8](repeating: 0, count: length - count))
        }
    }
}
