/// A type that StorageKit cannot make a sample of by itself.
///
/// The columns of an embedded value are found by decoding its type once from sample values: `0`, `"aB"`, a date and
/// so on. A type inside it that refuses them, because its `init(from:)` checks what it reads, names a valid value
/// here. It is then kept in one column, as JSON unless it has another form.
///
/// ```swift
/// extension EmailAddress: SampleProviding {
///     static var sample: EmailAddress { EmailAddress("a@example.com")! }
///     static var otherSample: EmailAddress { EmailAddress("b@example.com")! }
/// }
/// ```
public protocol SampleProviding: Codable, Sendable {
    /// Any valid value. It is never stored.
    static var sample: Self { get }
    /// Another valid value, by which queries tell two properties of this type in one struct apart. Without it such properties can be
    /// stored, and not be asked for.
    static var otherSample: Self { get }
}

extension SampleProviding {
    /// The same as ``sample``.
    public static var otherSample: Self { sample }
}

extension TimeZone: SampleProviding {
    /// Greenwich Mean Time.
    public static var sample: TimeZone { .gmt }
    /// An hour east of it.
    public static var otherSample: TimeZone { TimeZone(secondsFromGMT: 3600) ?? .gmt }
}

extension Locale: SampleProviding {
    /// A locale that every system has.
    public static var sample: Locale { Locale(identifier: "en_US_POSIX") }
    /// English.
    public static var otherSample: Locale { Locale(identifier: "en") }
}

extension Calendar: SampleProviding {
    /// The Gregorian calendar.
    public static var sample: Calendar { Calendar(identifier: .gregorian) }
    /// The calendar of ISO 8601.
    public static var otherSample: Calendar { Calendar(identifier: .iso8601) }
}

extension LeafCoder {
    /// Whether the type has a form of its own, so that nobody needs to look inside.
    static func isPlain<T>(_ type: T.Type) -> Bool { ofProperty(type) != nil || type is any SampleProviding.Type }
}
