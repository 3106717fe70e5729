import Foundation
import GRDBSQLite

/// Where and with what a run was measured: figures without it mean little.
struct Machine: Codable, Sendable {
    let system: String
    let processor: String
    let cores: Int
    let swift: String
    let sqlite: String
    /// How many programs were running or waiting to, on average over the last minute, when the run began.
    let load: Double

    static var current: Machine {
        Machine(
            system: system, processor: processor, cores: ProcessInfo.processInfo.activeProcessorCount, swift: swift,
            sqlite: String(cString: sqlite3_libversion()), load: loadAverage)
    }

    var description: String {
        "\(processor), \(cores) cores, \(system), \(swift), SQLite \(sqlite), load \(Report.rounded(load, 1)) at the start"
    }

    private static var loadAverage: Double {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : 0
    }

    private static var processor: String {
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
    }

    private static var swift: String {
        guard let output = try? Child.output(of: ["swiftc", "--version"]) else { return "unknown Swift" }
        return output.firstMatch(of: /Swift version [0-9.]+/).map { String($0.output.replacing("version ", with: "")) }
            ?? "unknown Swift"
    }

    private static var system: String {
        guard let output = try? Child.output(of: ["uname", "-sr"]) else { return "unknown system" }
        return output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
