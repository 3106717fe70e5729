import GRDBSQLite

/// What the options of a command say of the calls that write to the disk: `--count-writes`, `--die-at-write N`, `--full-at-write N`.
enum WriteFault {
    static func begin(_ options: [String: Int]) throws {
        guard options.keys.contains(where: { $0.hasSuffix("-at-write") || $0 == "--count-writes" }) else { return }
        try FaultyDisk.install()
        if let number = options["--die-at-write"] {
            FaultyDisk.begin(.init(call: .write, number: number, effect: .death))
        } else if let number = options["--full-at-write"] {
            FaultyDisk.begin(.init(call: .write, number: number, effect: .error(SQLITE_FULL), count: .max))
        } else {
            FaultyDisk.begin(nil)
        }
    }

    static func end(_ options: [String: Int]) {
        if options["--count-writes"] != nil { say("writes: \(FaultyDisk.end().calls)") }
    }
}
