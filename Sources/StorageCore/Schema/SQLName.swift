/// A name of a table or column as SQLite compares it: by its bytes, with the capitals of ASCII as small letters. To Swift, an é of one
/// scalar and one of two are the same text.
package struct SQLName: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ name: String) { bytes = name.utf8.map(\.asciiLowercased) }
}

extension UInt8 {
    /// The byte of the small letter, if it is that of a capital.
    var asciiLowercased: UInt8 { (65...90).contains(self) ? self + 32 : self }
}
