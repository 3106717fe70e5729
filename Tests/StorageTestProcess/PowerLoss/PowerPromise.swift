import StorageTestSupport

/// What a store promises of what it acknowledged before the power went.
enum PowerPromise: String {
    /// All of it is there.
    case all
    /// The last of it may be gone, in whole transactions. All is there that was there when the log was last copied.
    case beginning

    struct Verdict {
        var mistakes: [String] = []
        /// How many steps were acknowledged.
        var acknowledged = 0
        /// How many of these are not there.
        var lost = 0
        /// How many are there and were not acknowledged yet.
        var unacknowledged = 0

        mutating func add(_ other: Verdict) {
            mistakes += other.mistakes
            acknowledged += other.acknowledged
            lost += other.lost
            unacknowledged += other.unacknowledged
        }
    }

    /// What each writer had begun, had been told and was to find again.
    private struct Progress {
        var begun = 0
        var done = 0
        var certain = 0
        /// The states that its rows are in, more than one where steps change nothing.
        var found: ClosedRange<Int>?
    }

    /// Compares rows with what writers did.
    ///
    /// - Parameters:
    ///   - rows: What a store has.
    ///   - events: What happened until the power went.
    ///   - migratesAgain: Whether the start that found the rows has changed them; they are then as after the first step.
    func judge(
        _ rows: MusicRows, of workload: PowerWorkload, after events: ArraySlice<WorkLog.Event>, migratesAgain: Bool
    ) -> Verdict {
        var writers = workload.steps.map { _ in Progress() }
        for event in events {
            guard event.isDone else {
                writers[event.writer].begun = event.step
                continue
            }
            writers[event.writer].done = event.step
            let isCertain = self == .all || workload.steps[event.writer][event.step - 1].keepsAll
            if isCertain { writers[event.writer].certain = event.step }
        }
        var verdict = Verdict()
        for writer in writers.indices {
            let progress = writers[writer]
            let found = workload.states(of: writer, thatAre: rows, upTo: progress.begun, migratesAgain: migratesAgain)
            writers[writer].found = found
            verdict.acknowledged += progress.done
            guard let found else {
                verdict.mistakes.append("writer \(writer), after step \(progress.done): rows of no state in between")
                continue
            }
            verdict.lost += max(0, progress.done - found.upperBound)
            verdict.unacknowledged += max(0, found.lowerBound - progress.done)
            guard found.upperBound < progress.certain else { continue }
            verdict.mistakes.append(
                "writer \(writer): all up to step \(found.upperBound) is there, up to \(progress.certain) was promised")
        }
        if let gap = gap(in: writers.map(\.found), events) { verdict.mistakes.append(gap) }
        return verdict
    }

    /// Whatever was acknowledged before a step began that is there, is there too, whoever did it.
    private func gap(in found: [ClosedRange<Int>?], _ events: ArraySlice<WorkLog.Event>) -> String? {
        let isThere = { (event: WorkLog.Event) in event.step <= found[event.writer]?.lowerBound ?? 0 }
        guard let latest = events.lastIndex(where: { !$0.isDone && isThere($0) }) else { return nil }
        let missing = events[..<latest].first { $0.isDone && $0.step > found[$0.writer]?.upperBound ?? .max }
        return missing.map { missing in
            "step \(missing.step) of writer \(missing.writer) is gone, and step \(events[latest].step) of writer "
                + "\(events[latest].writer), which came later, is there"
        }
    }
}
