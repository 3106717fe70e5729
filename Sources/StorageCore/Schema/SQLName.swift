/// A name of a table or column as SQLite compares it: by its bytes, with the capitals of ASCII as small letters. To Swift, an é of one
/// scalar and one of two are the same text.
package struct SQLName: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ name: String) { bytes = name.utf8.map(\.asciiLowercased) }
}

extension String {
    /// Whether both are one name to SQLite.
    package func isSameName(as other: String) -> Bool { SQLName(self) == SQLName(other) }
}
