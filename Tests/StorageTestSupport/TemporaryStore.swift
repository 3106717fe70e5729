public import StorageKit

/// A store on a real file in a folder of its own, with a clock that moves by hand.
public final class TemporaryStore: Sendable {
    public let folder: TemporaryFolder
    public let context: StorageKit.Context
    public let clock: ManualClock

    public var storage: Storage { context.facade }
    public var db: DatabaseActor { context.storage.dbActor }
    public var url: URL { folder.file() }

    public init(
        folder: TemporaryFolder? = nil,
        clock: ManualClock = ManualClock(),
        schema: (inout AppMigrations) -> Void
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.clock = clock
        context = try StorageKit.start(at: folder.file(), options: .init(clock: clock), schema: schema)
    }
}
