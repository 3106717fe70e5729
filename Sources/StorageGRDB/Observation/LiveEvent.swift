/// What comes of one round of reading.
package struct LiveEvent<Value: Sendable>: Sendable {
    /// Rounds are numbered, so that somebody can wait for one.
    package let round: Int
    package let result: Result<Value, any Error>
}

/// Makes something of an event; nil for nothing.
package typealias LiveReceiver<Value: Sendable> = @Sendable (LiveEvent<Value>) -> LiveAction?

/// What is to be done of an event.
package struct LiveAction: Sendable {
    /// Whether it has to be done where the values are delivered. To pass a value on to a stream is not: whoever reads the
    /// stream gets it on an actor of his own.
    let isForMainActor: Bool
    let run: @Sendable () -> Void

    /// Something that is done where the values are delivered.
    package static func delivered(_ run: @escaping @Sendable () -> Void) -> LiveAction {
        LiveAction(isForMainActor: true, run: run)
    }

    /// Something that may be done anywhere.
    static func anywhere(_ run: @escaping @Sendable () -> Void) -> LiveAction {
        LiveAction(isForMainActor: false, run: run)
    }
}
