/// How values that have no SQLite type of their own become JSON, and back.
public struct SQLiteCodingOptions: Sendable {
    /// Makes the encoder of JSON columns, once for each row that needs one.
    public var jsonEncoder: @Sendable () -> JSONEncoder
    /// Makes the decoder of JSON columns, once for each row that needs one.
    public var jsonDecoder: @Sendable () -> JSONDecoder

    /// Makes options.
    ///
    /// - Parameters:
    ///   - jsonEncoder: Makes the encoder; Foundation's with its own settings unless set.
    ///   - jsonDecoder: Makes the decoder, which has to read what the encoder writes.
    public init(
        jsonEncoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() },
        jsonDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) {
        self.jsonEncoder = jsonEncoder
        self.jsonDecoder = jsonDecoder
    }
}
