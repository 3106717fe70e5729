/// The file that is looked at, and its connections: each has a thread of its own, so that long SQL does not hold up the pages.
struct StudioFile: Sendable {
    let path: String
    /// Orders that no index serves.
    let orders: RowOrders
    /// For the schema, tables and rows.
    let pages: StudioConnection
    /// For what counts rows, which may be many: pages of them are not to wait for it.
    let counts: StudioConnection
    /// For the SQL of users.
    let sql: StudioConnection
    let doctor: StudioConnection
    /// For commits.
    let watch: StudioConnection
    /// For what writes; nil where nothing may.
    let change: StudioConnection?
    /// What the schema ought to be, if that is known.
    let model: SchemaFacts?

    init(_ path: String, isReadOnly: Bool, model: SchemaFacts?, commits: KnownCommits, events: StudioEvents) {
        self.path = path
        let orders = RowOrders(path) { events.tell(.sorting($0)) }
        self.orders = orders
        pages = StudioConnection(path, .look, heartbeat: { orders.beat() })
        counts = StudioConnection(path, .look)
        sql = StudioConnection(path, .look)
        doctor = StudioConnection(path, .look)
        watch = StudioConnection(path, .look)
        change = isReadOnly ? nil : StudioConnection(path, .change, commits: commits)
        self.model = model
    }
}
