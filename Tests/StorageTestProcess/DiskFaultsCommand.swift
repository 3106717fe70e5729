import StorageKit
import StorageTestSupport

/// `disk-faults FILE FOLDER CALL CODE once|lasting|CALLS [COUNT SEED]`: uses copies of a store, each on a disk whose call of that
/// kind and of one number fails, and so many CALLS from there on: every number up to the last call there is, or about COUNT of
/// them. Says `calls N`, `run NUMBER` for each, `wrong ...` for what should not be, and
/// `done RUNS CALLS-FAILED OPERATIONS-FAILED`.
struct DiskFaultsCommand {
    private let original: URL
    private let folder: URL
    private let call: FaultyDisk.Call
    private let code: Int32
    /// How many calls fail.
    private let length: Int
    private let sample: (count: Int, seed: UInt64)?

    init(_ arguments: [String]) throws {
        guard arguments.count == 5 || arguments.count == 7, let call = FaultyDisk.Call(rawValue: arguments[2]),
            let code = Int32(arguments[3])
        else { throw UsageError(message: "disk-faults FILE FOLDER CALL CODE once|lasting|CALLS [COUNT SEED]") }
        original = URL(fileURLWithPath: arguments[0])
        folder = URL(fileURLWithPath: arguments[1])
        self.call = call
        self.code = code
        length = ["once": 1, "lasting": .max][arguments[4]] ?? Int(arguments[4]) ?? 1
        sample =
            arguments.count == 7
            ? (Int(arguments[5]) ?? 0, UInt64(arguments[6]) ?? 0) : nil
    }

    func run() async throws {
        try FaultyDisk.install()
        let calls = try await use(number: .max).calls
        say("calls \(calls)")
        var (runs, failedCalls, failedOperations) = (0, 0, 0)
        for number in numbers(below: calls) {
            say("run \(number)")
            let result = try await use(number: number)
            runs += 1
            failedCalls += result.failures
            failedOperations += result.operations
        }
        say("done \(runs) \(failedCalls) \(failedOperations)")
    }

    private func numbers(below calls: Int) -> [Int] {
        guard let sample else { return Array(0..<calls) }
        // Evenly spread, so that no stretch of the work is left out.
        var generator = SeededGenerator(seed: sample.seed)
        let distance = max(1, calls / max(1, sample.count))
        return Array(stride(from: Int.random(in: 0..<distance, using: &generator), to: calls, by: distance))
    }

    private func use(number: Int) async throws -> (calls: Int, failures: Int, operations: Int) {
        let place = folder.appendingPathComponent("run-\(number)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let file = place.appendingPathComponent("store.sqlite")
        try FileManager.default.copyItem(at: original, to: file)

        let fault = FaultyDisk.Fault(call: call, number: number, effect: .error(code), count: length)
        var workload = DiskWorkload(file: file, fault: fault)
        let (calls, failures) = try await workload.run()
        for mistake in workload.mistakes { say("wrong at \(number): \(mistake)") }
        return (calls, failures, workload.failedOperations)
    }
}
