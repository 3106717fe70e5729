import StorageGRDB

extension ChangeSet {
    /// What it changed in a table; nil for nothing.
    func change(of table: String) -> TableChange? {
        switch self {
        case .tables(let tables): tables[table]
        case .anything: .allRows
        }
    }
}
