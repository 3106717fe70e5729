/// A full-text index that a query reads, with what the query takes for granted. Only the file knows how the index
/// knows its rows: a connection finds it out before it runs the query.
struct SearchedIndex: Sendable, Hashable {
    let table: String
    let idColumn: String
    /// What is searched for, in FTS5's syntax.
    let query: String
    /// 0 where no column has a weight.
    let weightCount: Int
    let passageColumn: Int?
}
