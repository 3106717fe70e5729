extension Duration {
    /// How long a test waits for what has to happen before it fails.
    ///
    /// Nothing but a failure takes this long. It is long because all tests share few threads: on a machine with
    /// other work a test may rest for minutes between two of its steps.
    package static let patience: Duration = .seconds(600)
}
