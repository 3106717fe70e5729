import StorageKit

/// A second process for tests. Each subcommand is a file; a test talks with it through `ChildProcess`.
@main enum StorageTestProcess {
    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        let command = arguments.popFirst()
        do {
            switch command {
            case "start": try StartCommand(Array(arguments)).run()
            case "restore": try await RestoreCommand(Array(arguments)).run()
            case "hold-lock": try HoldLockCommand(Array(arguments)).run()
            case "run-sql": try RunSQLCommand(Array(arguments)).run()
            case "count-users": try await CountUsersCommand(Array(arguments)).run()
            case "observe": try await ObserveCommand(Array(arguments)).run()
            case "walk": try await WalkCommand(Array(arguments)).run()
            case "write-music": try await WriteMusicCommand(Array(arguments)).run()
            case "disk-faults": try await DiskFaultsCommand(Array(arguments)).run()
            case "cut-power": try await CutPowerCommand(Array(arguments)).run()
            case "open-damaged": try await OpenDamagedCommand(Array(arguments)).run()
            case "damage-open": try await DamageOpenCommand(Array(arguments)).run()
            case "mixed-load": try await MixedLoadCommand(Array(arguments)).run()
            case "bank": try await BankCommand(Array(arguments)).run()
            case "transfer": try await TransferCommand(Array(arguments)).run()
            case "close-on-full-disk": try await CloseOnFullDiskCommand(Array(arguments)).run()
            case "monitor": try MonitorCommand(Array(arguments)).run()
            case "disturb": try await DisturbCommand(Array(arguments)).run()
            default:
                throw UsageError(message: "there is no command \(command ?? "without a name")")
            }
        } catch {
            say("failed: \(error)")
            exit(1)
        }
    }
}

struct UsageError: Error {
    let message: String
}

/// Writes a line that leaves at once.
func say(_ line: String) {
    let flat = line.replacingOccurrences(of: "\n", with: " ")
    FileHandle.standardOutput.write(Data((flat + "\n").utf8))
}
