/// The bytes of all entries of the disk cache together, counted once and then followed.
struct CacheTotal {
    var bytes: Int
    /// Whether there may be fewer: somebody has removed entries without a word, or may have.
    var isUpperBound = false
    /// How many entries there were when they were counted.
    let countedRows: Int
    /// What was done since, each with a look at what others have committed.
    var operations = 0

    /// As many are counted in no time.
    private static let few = 128
    /// What a count goes through at most for each operation, so that these cost the same in a table of any size.
    private static let rowsOfOperation = 16

    /// Whether entries are counted again once others have committed. What they have set is known without that, but for sizes that
    /// their rows were told later.
    var isToBeCountedAgain: Bool {
        countedRows <= CacheTotal.few + CacheTotal.rowsOfOperation * operations
    }

    /// Notes that a row, whose bytes were taken off, is not there as it was known: somebody has removed it or set it anew.
    mutating func mayHaveLost(_ row: CacheTable.Row) {
        bytes += row.size
        isUpperBound = true
    }

    /// What entries are removed down to that are too many for a quota.
    ///
    /// Where others remove entries too, each time that the quota is passed the table has to be counted. So there is room for many
    /// entries after it.
    func bytesToKeep(of quota: Int) -> Int {
        countedRows <= CacheTotal.few ? quota : quota - quota / CacheTotal.rowsOfOperation
    }
}
