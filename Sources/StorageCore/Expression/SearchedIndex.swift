/// A full-text index that a query reads, with what the query takes for granted. Only the file knows how the index
/// knows its rows: a connection finds it out before it runs the query.
package struct SearchedIndex: Sendable, Hashable {
    package let table: String
    package let idColumn: String
    /// What is searched for, in FTS5's syntax.
    package let query: String
    /// 0 where no column has a weight.
    package let weightCount: Int
    package let passageColumn: Int?

    package init(table: String, idColumn: String, query: String, weightCount: Int, passageColumn: Int?) {
        self.table = table
        self.idColumn = idColumn
        self.query = query
        self.weightCount = weightCount
        self.passageColumn = passageColumn
    }

    /// The same for all that is searched for.
    package var withoutWords: SearchedIndex {
        SearchedIndex(
            table: table, idColumn: idColumn, query: "", weightCount: weightCount, passageColumn: passageColumn)
    }
}
