import ArgumentParser

/// StorageKit beside raw SQLite and plain GRDB, in one run on one machine.
@main struct StorageBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StorageBenchmarks",
        abstract: "Measures StorageKit beside raw SQLite and plain GRDB.",
        subcommands: [
            CompareCommand.self, GrowthCommand.self, MemoryCommand.self, MemoryStepCommand.self, CompileCommand.self,
            SizeCommand.self, StartCommand.self, StartStepCommand.self, UpgradeCommand.self, UpgradeStepCommand.self,
            PlotCommand.self,
        ],
        defaultSubcommand: CompareCommand.self)
}
