public import StorageRepo

extension StorageKit {
    /// An open store. Keep it as long as the app runs; the database closes when the last copy is gone.
    public struct Context: Sendable {
        /// Save, get, query, observe: what most apps need.
        public let facade: Storage
        /// GRDB's pool and the door to it.
        public let storage: StorageContext
        /// The settings of the store.
        public let config: StorageConfig
        /// Builds the keys of cache entries.
        public let keys: KeyBuilder
        /// The caches that the facade and all repositories of this context share.
        package let stores: EntityStores

        /// Brings the database to the schema, and builds the store on it.
        init(
            storage: StorageContext, config: StorageConfig, migrations: AppMigrations, safety: StartSafety,
            progress: StartTeller
        ) throws {
            try migrations.run(on: storage.pool, config: config, safety: safety, progress: progress)
            storage.dbActor.useCacheTable(migrations.cacheTable)
            self.storage = storage
            self.config = config
            keys = KeyBuilder(namespace: config.namespace)
            stores = EntityStores(db: storage.dbActor, config: config)
            facade = Storage(stores)
        }

        /// The repository of an entity and its record.
        ///
        /// - Parameters:
        ///   - type: The entity.
        ///   - record: The record, which may be written by hand.
        public func makeRepository<E: StorageKitEntity, R: StorageKitEntityRecord>(
            _ type: E.Type, record: R.Type
        ) -> GenericRepository<E, R> where R.E == E {
            GenericRepository(stores)
        }

        /// The repository of an entity, its record type hidden.
        ///
        /// - Parameters:
        ///   - type: The entity.
        ///   - record: The record, which may be written by hand.
        public func repository<E: StorageKitEntity, R: StorageKitEntityRecord>(
            _ type: E.Type, record: R.Type
        ) -> AnyRepository<E> where R.E == E {
            AnyRepository(makeRepository(type, record: record))
        }
    }
}
