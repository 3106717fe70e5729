import StorageTestSupport

/// Compares what came of programs with the model, which does one thing after the other in the order of the journal.
struct BankAudit {
    /// The states after each change since the programs began; the first is the one before.
    let states: [BankRows]
    /// How long the journal was then.
    let base: Int
    private(set) var problems: [String] = []
    /// Who made each change, by its place.
    private var makers: [String?]

    init(states: [BankRows], base: Int) {
        self.states = states
        self.base = base
        makers = states.dropFirst().map { _ in nil }
    }

    /// - Parameter parts: What each process was to do, and what came of it.
    mutating func check(_ parts: [(program: BankProgram, answers: [BankAnswer])]) {
        var found: [(name: String, item: BankProgram.Item, answer: BankAnswer)] = []
        for (process, part) in parts.enumerated() {
            for answer in part.answers {
                let name = "process \(process), task \(answer.task), deed \(answer.deed)"
                found.append((name, part.program.tasks[answer.task][answer.deed], answer))
            }
        }
        // Whoever says what it wrote first; then single calls, of which a place is looked for.
        for (name, item, answer) in found {
            guard case .transaction(let steps, let goesOn) = item.deed else { continue }
            check(name, steps, goesOn: goesOn, answer, isCancelledByOthers: item.cancelsAfter != nil)
        }
        var calls: [Call] = []
        for (name, item, answer) in found {
            if case .write(let write) = item.deed, let call = call(name, write, answer) { calls.append(call) }
        }
        place(calls)
        for (name, item, answer) in found {
            switch item.deed {
            case .snapshot(let looks): check(name, looks, answer)
            case .look(let look): check(name, look, answer)
            default: break
            }
        }
        for (place, maker) in makers.enumerated() where maker == nil {
            problems.append(
                "nobody says to have made change \(base + place + 1): \(states[place]) -> \(states[place + 1])")
        }
    }

    // MARK: - Transactions

    private mutating func check(
        _ name: String, _ steps: [BankStep], goesOn: Bool, _ answer: BankAnswer, isCancelledByOthers: Bool
    ) {
        if answer.runs > 1 { problems.append("\(name): the closure ran \(answer.runs) times") }
        guard let begin = answer.begin else {
            let mayBe = answer.runs == 0 ? ["cancelled", "busy"] : ["cancelled"]
            if !mayBe.contains(answer.outcome) { problems.append("\(name): \(answer.outcome) before it began") }
            return
        }
        guard begin >= answer.before, begin <= answer.after, let rows = state(begin) else {
            return problems.append("\(name): began at \(begin), outside of \(answer.before)...\(answer.after)")
        }
        var model = rows
        model.changes = 0
        var log: [String] = []
        var outcome = "done"
        do {
            try model.run(steps, goesOn: goesOn, &log) { throw BankReplayEnd() }
        } catch {
            outcome = error is BankReplayEnd ? "cancelled" : Bank.name(of: error)
        }
        if outcome == "cancelled", isCancelledByOthers, answer.outcome == "done" {
            // Of two that cancel a task at once, the second does not wait until the first has told it: that may be after the commit.
            log = []
            model = rows
            model.changes = 0
            outcome = Result { try model.run(steps, goesOn: goesOn, &log) {} }.name
        }
        compare(name, answer, log, outcome, from: rows)
        guard answer.outcome == "done", let end = answer.end else { return }
        if end - begin != model.changes || state(end)?.sameRows(as: model) != true {
            problems.append(
                "\(name): left \(state(end).map { "\($0)" } ?? "?") at \(end), not \(model) at \(begin + model.changes)"
            )
        }
        claim(begin, model.changes, name)
    }

    private mutating func compare(
        _ name: String, _ answer: BankAnswer, _ log: [String], _ outcome: String, from rows: BankRows
    ) {
        // From a cancelled statement on anything may be said, but nothing may be kept.
        let isCut = answer.log.contains("cancelled")
        let known = answer.log.prefix { $0 != "cancelled" }
        let isSame =
            isCut || outcome == "cancelled" || answer.outcome == "cancelled"
            ? zip(known, log).allSatisfy { $0 == $1 } : known.elementsEqual(log)
        if !isSame { problems.append("\(name): \(answer.log) is not \(log), from \(rows)") }
        let mayBe = isCut || outcome == "cancelled" ? ["cancelled", "failed"] : [outcome, "cancelled"]
        if !mayBe.contains(answer.outcome) { problems.append("\(name): \(answer.outcome) is not \(outcome)") }
    }

    // MARK: - Snapshots and single calls

    private mutating func check(_ name: String, _ looks: [BankLook], _ answer: BankAnswer) {
        guard answer.outcome == "done" else { return expectCancelled(name, answer) }
        guard let begin = answer.begin, places(answer).contains(begin), let rows = state(begin) else {
            return problems.append(
                "\(name): a snapshot of \(answer.begin ?? -1), in \(answer.before)...\(answer.after)")
        }
        let expected = looks.map { rows.look($0) }
        if answer.log != expected { problems.append("\(name): \(answer.log) is not \(expected), at \(begin)") }
    }

    private mutating func check(_ name: String, _ look: BankLook, _ answer: BankAnswer) {
        guard answer.outcome == "done" else { return expectCancelled(name, answer) }
        let possible = places(answer).compactMap { state($0)?.look(look) }
        if !possible.contains(where: { [$0] == answer.log }) {
            problems.append("\(name): \(look) found \(answer.log), but could only find \(possible)")
        }
    }

    private mutating func expectCancelled(_ name: String, _ answer: BankAnswer) {
        if answer.outcome != "cancelled" { problems.append("\(name): \(answer.outcome)") }
    }

    // MARK: - Single writes

    /// A write by itself, and where it may have been made.
    private struct Call {
        let name: String
        /// The changes that may be its own, each time all of them.
        var changes: [Range<Int>] = []
        /// Whether it may have changed nothing.
        var mayChangeNothing = false

        var isCertain: Bool { changes.count == 1 && !mayChangeNothing }
    }

    private mutating func call(_ name: String, _ write: BankWrite, _ answer: BankAnswer) -> Call? {
        if ["cancelled", "busy"].contains(answer.outcome) { return nil }
        var call = Call(name: name)
        for place in places(answer) {
            guard var model = state(place) else { continue }
            model.changes = 0
            let said: (log: [String], outcome: String)
            do {
                said = ([try model.write(write)], "done")
            } catch {
                said = ([], Bank.name(of: error))
            }
            guard said.log == answer.log, said.outcome == answer.outcome else { continue }
            let changes = place - base..<place - base + model.changes
            if changes.isEmpty {
                call.mayChangeNothing = true
            } else if isFree(changes), state(place + model.changes)?.sameRows(as: model) == true {
                call.changes.append(changes)
            }
        }
        if call.changes.isEmpty, !call.mayChangeNothing {
            let states = places(answer).map { "\($0): \(state($0).map { "\($0)" } ?? "?")" }
            problems.append(
                "\(name): \(write) answered \(answer.outcome) \(answer.log), which it could not in \(states)")
        }
        return call
    }

    /// Finds a place for each call, so that no change is left over. Only deletions of one row by several have a choice.
    private mutating func place(_ calls: [Call]) {
        for call in calls where call.isCertain {
            claim(call.changes[0].lowerBound + base, call.changes[0].count, call.name)
        }
        let others = calls.filter { !$0.isCertain && !$0.changes.isEmpty }
        var attempts = 0
        if place(others, from: 0, &attempts) { return }
        // What is wrong is told by the changes that are left, and by calls that there is none for.
        for call in others {
            if let changes = call.changes.first(where: isFree) {
                claim(changes.lowerBound + base, changes.count, call.name)
            } else if !call.mayChangeNothing {
                problems.append("\(call.name): there is no change left that it could have made")
            }
        }
    }

    private mutating func place(_ calls: [Call], from first: Int, _ attempts: inout Int) -> Bool {
        attempts += 1
        guard attempts < 100_000 else { return false }
        guard first < calls.count else { return makers.allSatisfy { $0 != nil } }
        let call = calls[first]
        for changes in call.changes where isFree(changes) {
            for change in changes { makers[change] = call.name }
            if place(calls, from: first + 1, &attempts) { return true }
            for change in changes { makers[change] = nil }
        }
        return call.mayChangeNothing && place(calls, from: first + 1, &attempts)
    }

    private func isFree(_ changes: Range<Int>) -> Bool {
        changes.upperBound <= makers.count && makers[changes].allSatisfy { $0 == nil }
    }

    // MARK: - Places

    func state(_ place: Int) -> BankRows? {
        states.indices.contains(place - base) ? states[place - base] : nil
    }

    /// The states that may have been seen in the time of a call: none from within a transaction.
    private func places(_ answer: BankAnswer) -> [Int] {
        guard answer.before <= answer.after else { return [] }
        return (answer.before...answer.after).filter(isWhole)
    }

    /// Whether a state is not one of those that a transaction had only for itself.
    func isWhole(_ place: Int) -> Bool {
        let (before, after) = (place - base - 1, place - base)
        guard makers.indices.contains(before), makers.indices.contains(after), let maker = makers[before] else {
            return true
        }
        return maker != makers[after]
    }

    private mutating func claim(_ begin: Int, _ count: Int, _ name: String) {
        for place in begin - base..<begin - base + count where makers.indices.contains(place) {
            if let other = makers[place] {
                problems.append("\(name) and \(other) both made change \(base + place + 1)")
            }
            makers[place] = name
        }
    }
}

extension Result<Void, any Error> {
    fileprivate var name: String {
        switch self {
        case .success: "done"
        case .failure(let error): Bank.name(of: error)
        }
    }
}
