/// How long the statement that the calling thread runs has been at work, where that is not the time since it began.
enum StatementTime {
    @TaskLocal static var atWork: (@Sendable () -> Duration)?
}
