import Synchronization

/// What came of a call.
struct EngineAnswer: Sendable {
    let call: EngineCall
    /// When it was called and when it was answered, by a clock that counts calls and answers.
    let called: Int
    var answered = Int.max
    var error: (any Error)?
    /// Whether it did anything: false for a write at once that found the writer busy.
    var isDone = true
    /// The numbers that the rows had at one moment of the call; nil for no row.
    var seen: [String: Int?] = [:]
    /// How many rows it says it changed.
    var count: Int?
    /// What the hub told during the call.
    var notes = 0..<0

    var isSuccess: Bool { error == nil && isDone }
}

extension EngineAnswer: CustomStringConvertible {
    var description: String {
        let answer = error.map { "\($0)" } ?? (isDone ? "done" : "not done")
        let seen =
            seen.isEmpty ? "" : ", saw " + seen.map { "\($0.key): \($0.value ?? -1)" }.sorted().joined(separator: ", ")
        return
            "\(call), from \(called) to \(answered): \(answer)\(seen)\(count.map { ", \($0) rows" } ?? ""), notes \(notes)"
    }
}

/// All changes of the rows that were committed, in their order: a trigger writes them down in the file. The serial run of the
/// calls that had the same outcome, if there is one, is this.
struct EngineJournal: Sendable {
    /// Nil for the number of a row that was deleted.
    typealias Entry = (id: String, number: Int?)
    typealias Rows = [String: Int]

    let entries: [Entry]
    /// The rows before the first entry, and after each.
    let states: [Rows]

    init(after rows: Rows, _ entries: [Entry]) {
        self.entries = entries
        states = entries.reduce(into: [rows]) { states, entry in
            var rows = states[states.count - 1]
            rows[entry.id] = entry.number
            states.append(rows)
        }
    }

    /// - Returns: What in the answers cannot have been so.
    func problem(with answers: [EngineAnswer], rows: Rows, notes: [ChangeNote]) -> String? {
        guard states.last == rows else { return "the rows are \(rows), and not \(states.last ?? [:])" }
        let places = Dictionary(grouping: entries.indices.filter { entries[$0].number != nil }) {
            entries[$0].number ?? 0
        }
        for answer in answers {
            let mine = places[answer.call.number] ?? []
            if let problem = problem(with: answer, mine) ?? untold(answer, mine, notes) {
                return "\(problem): \(answer)"
            }
            // It came after all that was answered before it was called, and before all that was called after its answer.
            let earliest =
                answers.filter { $0.answered < answer.called }.compactMap { places[$0.call.number]?.last }.max() ?? -1
            let latest = answers.filter { $0.called > answer.answered }.compactMap { places[$0.call.number]?.first }
                .min()
            let moments = (earliest + 1)...(latest ?? entries.count)
            if let first = mine.first, let last = mine.last, first <= earliest || last >= latest ?? entries.count {
                return "it is out of order: \(answer)"
            }
            guard moments.contains(where: { states[$0].shows(answer.expected) }) else {
                return "at no moment in \(moments) the rows were so: \(answer)"
            }
        }
        return unexplained(answers, Set(places.keys))
    }

    private func problem(with answer: EngineAnswer, _ places: [Int]) -> String? {
        let call = answer.call
        guard answer.isSuccess, call.kind.puts || call.kind == .updateAll else {
            return places.isEmpty ? nil : "what it wrote stayed"
        }
        let ids = places.map { entries[$0].id }
        if let first = places.first, let last = places.last, last - first >= places.count {
            return "another came in between"
        }
        guard call.kind == .updateAll else { return ids == call.ids ? nil : "\(ids) of its rows were written" }
        guard answer.count == ids.count else { return "\(ids.count) rows were written" }
        if let first = places.first, Set(ids) != Set(states[first].keys) { return "not all rows were written" }
        return nil
    }

    /// What was written and nobody was told of before its call was answered.
    private func untold(_ answer: EngineAnswer, _ places: [Int], _ notes: [ChangeNote]) -> String? {
        let notes = notes[answer.notes]
        for id in places.map({ entries[$0].id }) {
            guard notes.contains(where: { $0.isOfCache && $0.includes(id) }),
                notes.contains(where: { !$0.isOfCache && $0.includes(id) })
            else { return "nobody was told of \(id)" }
        }
        return nil
    }

    private func unexplained(_ answers: [EngineAnswer], _ numbers: Set<Int>) -> String? {
        let known = Set(answers.map(\.call.number))
        if let stranger = numbers.first(where: { !known.contains($0) }) { return "nobody wrote \(stranger)" }
        for id in EngineProgram.ids {
            let deletions = entries.count { $0.id == id && $0.number == nil }
            let calls = answers.count { $0.isSuccess && $0.call.deletes.contains(id) }
            if deletions > calls { return "\(id) was deleted \(deletions) times by \(calls) calls" }
        }
        return nil
    }
}

extension EngineAnswer {
    /// The numbers that the rows had at a moment of the call.
    fileprivate var expected: [String: Int?] {
        guard isSuccess, !call.deletes.isEmpty else { return isSuccess ? seen : [:] }
        return Dictionary(uniqueKeysWithValues: call.deletes.map { ($0, nil) })
    }
}

extension EngineCall {
    fileprivate var deletes: [String] {
        switch kind {
        case .delete: ids
        case .deleteAll: EngineProgram.ids
        default: []
        }
    }
}

extension EngineJournal.Rows {
    fileprivate func shows(_ expected: [String: Int?]) -> Bool { expected.allSatisfy { self[$0.key] == $0.value } }
}
