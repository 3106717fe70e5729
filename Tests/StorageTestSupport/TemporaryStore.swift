package import StorageKit

/// A store on a real file in a folder of its own, with a clock that moves by hand.
package final class TemporaryStore: Sendable {
    package let folder: TemporaryFolder
    package let context: StorageKit.Context
    package let clock: ManualClock

    package var storage: Storage { context.facade }
    package var db: DatabaseActor { context.storage.dbActor }
    package var url: URL { folder.file() }

    package init(
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
