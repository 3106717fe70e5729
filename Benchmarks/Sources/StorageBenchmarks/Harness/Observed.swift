/// A store with streams, which begin with the first repetition that needs them and end when this goes.
actor Observed<Store: Sendable> {
    private let store: Store
    private let observe: @Sendable (Store, Arrivals) -> [Task<Void, any Error>]
    private let arrivals = Arrivals()
    private var tasks: [Task<Void, any Error>] = []

    init(_ store: Store, _ observe: @escaping @Sendable (Store, Arrivals) -> [Task<Void, any Error>]) {
        self.store = store
        self.observe = observe
    }

    deinit {
        for task in tasks { task.cancel() }
    }

    /// The store, once every stream has delivered all that it has to say.
    func begin() async -> (Store, Arrivals) {
        if tasks.isEmpty {
            tasks = observe(store, arrivals)
            await arrivals.wait(for: tasks.count)
        }
        await arrivals.settle()
        return (store, arrivals)
    }
}
