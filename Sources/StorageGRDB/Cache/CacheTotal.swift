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

    /// Whether it is time to count again. What others set is added up as it is noticed. Only an entity that grew in another process is
    /// missed until its size is written.
    var isToBeCountedAgain: Bool {
        isUpperBound && countedRows <= CacheTotal.few + CacheTotal.rowsOfOperation * operations
    }

    /// Adds what others have set.
    mutating func addOthers(_ bytes: Int) {
        self.bytes += bytes
        isUpperBound = true
    }

    /// Notes that a row, whose bytes were taken off, is not there as it was known: somebody has removed it or set it anew.
    mutating func mayHaveLost(_ row: CacheTable.Row) {
        bytes += row.size
        isUpperBound = true
    }

    /// What is kept once the table had to be counted, because the quota seemed to be passed. Where others remove entries too each such time costs
    /// a count, so that it leaves room for many entries.
    func bytesToKeep(of quota: Int) -> Int {
        countedRows <= CacheTotal.few ? quota : quota - quota / CacheTotal.rowsOfOperation
    }
}
