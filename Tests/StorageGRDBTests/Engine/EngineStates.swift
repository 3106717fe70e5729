// The engine's states and what changes them, as tables. `EngineStatesTests` and `WriterStatesTests` hold
// the code to them.

/// What a small state machine does when something happens.
struct Transition<State: Sendable, Effect: Sendable>: Sendable {
    let next: State
    let effect: Effect

    init(_ next: State, _ effect: Effect) {
        self.next = next
        self.effect = effect
    }
}

/// One who waits for the connection or for the end of a write: ``WriteWaiter``.
enum WaiterState: Hashable, CaseIterable {
    /// Its call has not yet come so far.
    case new
    /// It is in the line, or was told that the store is closed.
    case waiting
    /// Its write runs.
    case begun
    case cancelled
    case ended

    enum Event: CaseIterable {
        /// The call waits from now on.
        case wait
        /// Its turn has come: `begin` of a member of a group.
        case begin
        /// Its task is cancelled.
        case cancel
        /// Its write has ended, or the store is closed.
        case end
    }

    enum Effect {
        case nothing
        /// The call is answered: with CancellationError, or with what came of the write.
        case throwsCancellation, answers
    }

    /// Nil for what cannot happen: nobody waits twice, and who is told of an end has waited.
    func after(_ event: Event) -> Transition<WaiterState, Effect>? {
        switch (self, event) {
        case (.new, .wait): .init(.waiting, .nothing)
        case (.new, .begin): nil
        case (.new, .cancel): .init(.cancelled, .nothing)
        case (.new, .end): nil
        case (.waiting, .wait): nil
        case (.waiting, .begin): .init(.begun, .nothing)
        case (.waiting, .cancel): .init(.cancelled, .throwsCancellation)
        case (.waiting, .end): .init(.ended, .answers)
        case (.begun, .wait): nil
        case (.begun, .begin): .init(.begun, .nothing)
        case (.begun, .cancel): .init(.begun, .nothing)
        case (.begun, .end): .init(.ended, .answers)
        // Its task was cancelled before it waited.
        case (.cancelled, .wait): .init(.cancelled, .throwsCancellation)
        case (.cancelled, .begin), (.cancelled, .cancel), (.cancelled, .end): .init(.cancelled, .nothing)
        case (.ended, .wait): nil
        case (.ended, .begin), (.ended, .cancel), (.ended, .end): .init(.ended, .nothing)
        }
    }
}

/// Who has the connection that writes: ``Writer``. Beside it there is the line, which is empty while the writer is free.
enum WriterState: Hashable, CaseIterable {
    case free
    /// A caller has the connection, on its own thread or as long as it likes.
    case lent
    /// A group runs: begun brief writes in one transaction.
    case group
    /// As they were taken, and nobody comes in any more.
    case closedFree, closedLent, closedGroup

    enum Event: CaseIterable {
        /// A brief write on the caller's thread.
        case atOnce
        /// A brief write that may wait.
        case brief
        /// One who wants the connection for itself.
        case long
        /// The turn ends and the line is empty, or holds cancelled ones only; a group ends so too if SQLite lost its transaction
        /// (its writes have run one by one by then) or its commit failed.
        case endsAlone
        /// The turn ends and the first in the line is a brief write, or one who wants the connection.
        case endsBeforeBrief, endsBeforeLong
        /// One who waits is cancelled.
        case cancel
        case close
    }

    enum Effect {
        case nothing
        /// Runs, and is answered at the end of its turn.
        case runs
        case refuses
        /// Is put at the end of the line.
        case waits
        /// All in the line are told that the store is closed.
        case tellsAll
        /// Only who has been cancelled is answered.
        case answersOne
        case throwsClosed
    }

    func after(_ event: Event) -> Transition<WriterState, Effect>? {
        switch (self, event) {
        case (.free, .atOnce): .init(.lent, .runs)
        case (.free, .brief): .init(.group, .runs)
        case (.free, .long): .init(.lent, .runs)
        case (.lent, .atOnce), (.group, .atOnce): .init(self, .refuses)
        case (.lent, .brief), (.lent, .long), (.group, .brief), (.group, .long): .init(self, .waits)
        case (.lent, .endsAlone), (.group, .endsAlone): .init(.free, .nothing)
        case (.lent, .endsBeforeBrief), (.group, .endsBeforeBrief): .init(.group, .runs)
        case (.lent, .endsBeforeLong), (.group, .endsBeforeLong): .init(.lent, .runs)
        case (.lent, .cancel), (.group, .cancel): .init(self, .answersOne)
        case (.free, .close): .init(.closedFree, .nothing)
        case (.lent, .close): .init(.closedLent, .tellsAll)
        case (.group, .close): .init(.closedGroup, .tellsAll)
        case (.closedLent, .endsAlone), (.closedGroup, .endsAlone): .init(.closedFree, .nothing)
        case (.closedFree, .atOnce), (.closedLent, .atOnce), (.closedGroup, .atOnce): .init(self, .refuses)
        case (.closedFree, .brief), (.closedLent, .brief), (.closedGroup, .brief),
            (.closedFree, .long), (.closedLent, .long), (.closedGroup, .long):
            .init(self, .throwsClosed)
        case (.closedFree, .close), (.closedLent, .close), (.closedGroup, .close): .init(self, .nothing)
        // A free writer has no line, and nor has a closed one.
        default: nil
        }
    }
}

/// What a ``ChangeHub`` knows of a file: how many commits there are in it, up to which it has told, and which of ours are under way.
///
/// A writer of ours goes from `willCommit` (it has the file's write lock) by the commit itself (the lock is free again, and others
/// may commit) to what it says of it. So several may be under way, but only one before its commit itself.
struct HubState: Equatable {
    /// How many commits are in the file.
    var commits = 0
    /// The last commit that caches and listeners were told of, with all before it.
    var known = 0
    /// How many of ours have begun and not said how they ended.
    var underWay = 0
    /// Commits of ours that were told of since `known`.
    var own = 0

    enum Event {
        case willCommit
        /// A commit of ours is in the file; not told of yet.
        case committed
        case othersCommitted
        /// It is told of.
        case didCommit(advancing: Bool)
        case didNotCommit
        /// Nobody knows whether it has committed.
        case didPerhapsCommit
        case look
    }

    enum Effect: Hashable {
        /// Everybody hears what the commit of ours has changed.
        case tellsChanges
        /// Everybody hears that anything may have changed.
        case tellsAnything
        /// What the commit saved is put into caches.
        case fills
    }

    var isCurrent: Bool { known == commits }

    mutating func handle(_ event: Event) -> Set<Effect> {
        switch event {
        case .willCommit:
            defer { underWay += 1 }
            return underWay == 0 ? notice() : []
        case .committed, .othersCommitted:
            commits += 1
            return []
        case .didCommit(let advancing):
            underWay -= 1
            if advancing { own += 1 }
            guard underWay == 0 else { return [.tellsChanges] }
            // Of several whose ends overlapped nobody knows which was the last.
            let isLast = commits - known == own && own == (advancing ? 1 : 0)
            return settle().union(isLast ? [.tellsChanges, .fills] : [.tellsChanges])
        case .didNotCommit:
            underWay -= 1
            return underWay == 0 ? settle() : []
        case .didPerhapsCommit:
            underWay -= 1
            if underWay == 0 { (known, own) = (commits, 0) }
            return [.tellsAnything]
        case .look:
            return underWay == 0 && !isCurrent ? notice() : []
        }
    }

    /// Commits of ours were told of already.
    private mutating func settle() -> Set<Effect> {
        guard commits - known == own else { return notice() }
        (known, own) = (commits, 0)
        return []
    }

    private mutating func notice() -> Set<Effect> {
        defer { (known, own) = (commits, 0) }
        return isCurrent ? [] : [.tellsAnything]
    }
}
