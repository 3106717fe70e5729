import StorageTestSupport

extension Platter.File {
    /// How a disk, this time, deals with what was not synced.
    private struct Mood {
        /// How likely a change is to have reached the platter, in tenths.
        let tenthsKept: Int
        /// Whether changes reach it in any order, so that of two to one place the first may be what stays.
        let reorders: Bool
        /// Of what size the parts are that a torn write falls into.
        let sector: Int
        /// Whether a sector that was being written may hold anything.
        let spoils: Bool

        init(using generator: inout SeededGenerator) {
            tenthsKept = [0, 2, 5, 8, 9, 10].randomElement(using: &generator) ?? 5
            reorders = Bool.random(using: &generator)
            sector = Bool.random(using: &generator) ? 512 : 4096
            spoils = Int.random(in: 0..<4, using: &generator) == 0
        }
    }

    /// The bytes as they may be found after a loss of power: what was synced, and of the changes since some, whole or in
    /// part, in one order or another. Writes touch no byte beside their own, as SQLite expects of a disk on Linux.
    func afterPowerLoss(using generator: inout SeededGenerator) -> [UInt8] {
        let mood = Mood(using: &generator)
        var bytes = synced
        for change in mood.reorders ? unsynced.shuffled(using: &generator) : unsynced {
            // Half of those that are not kept whole are torn, if they can be.
            if Int.random(in: 0..<10, using: &generator) < mood.tenthsKept {
                bytes.apply(change)
            } else if case .write(let written, let offset) = change, Bool.random(using: &generator) {
                bytes.tear(written, at: offset, mood.sector, spoils: mood.spoils, using: &generator)
            }
        }
        lengthen(&bytes, using: &generator)
        return bytes
    }

    /// A file may have got the length that it was to have without the bytes.
    private func lengthen(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        let lost = lengthWithAll - bytes.count
        guard lost > 0, Int.random(in: 0..<3, using: &generator) == 0 else { return }
        let isNoise = Bool.random(using: &generator)
        bytes += isNoise ? [UInt8].noise(lost, using: &generator) : [UInt8](repeating: 0, count: lost)
    }

    private var lengthWithAll: Int {
        unsynced.reduce(synced.count) { length, change in
            switch change {
            case .write(let bytes, let offset): max(length, offset + bytes.count)
            case .truncation(let size): size
            }
        }
    }
}

extension [UInt8] {
    /// Writes some sectors of what was to be written, and leaves the others as they were.
    fileprivate mutating func tear(
        _ written: [UInt8], at offset: Int, _ sector: Int, spoils: Bool, using generator: inout SeededGenerator
    ) {
        var start = 0
        while start < written.count {
            // Sectors lie where the disk has them, not where a write begins.
            let end = Swift.min(written.count, ((offset + start) / sector + 1) * sector - offset)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<4: write(Array(written[start..<end]), at: offset + start)
            case 4 where spoils: write(.noise(end - start, using: &generator), at: offset + start)
            default: break
            }
            start = end
        }
    }

    static func noise(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let number = generator.next()
            Swift.withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
