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
        options change: (inout StorageKit.StartOptions) -> Void = { _ in },
        schema: (inout AppMigrations) -> Void
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.clock = clock
        var options = StorageKit.StartOptions(clock: clock)
        change(&options)
        context = try StorageKit.start(at: folder.file(), options: options, schema: schema)
    }
}
