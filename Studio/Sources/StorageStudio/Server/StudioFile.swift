/// The file that is looked at, and its connections: each has a thread of its own, so that long SQL does not hold up the pages.
struct StudioFile: Sendable {
    let path: String
    /// For tables and rows.
    let pages: StudioConnection
    /// For the SQL of users, the schema and the doctor.
    let sql: StudioConnection
    /// For commits.
    let watch: StudioConnection
    /// For what writes; nil where nothing may.
    let change: StudioConnection?
    /// What the schema ought to be, if that is known.
    let model: SchemaFacts?

    init(_ path: String, isReadOnly: Bool, model: SchemaFacts?) {
        self.path = path
        pages = StudioConnection(path, .look)
        sql = StudioConnection(path, .look)
        watch = StudioConnection(path, .look)
        change = isReadOnly ? nil : StudioConnection(path, .change)
        self.model = model
    }
}
