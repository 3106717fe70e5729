import StorageKit

/// The id of a contact, computed from what identifies a person.
///
/// The same row of a file gives the same id on every run and on every machine. That makes an import repeatable:
/// what a killed one had saved is found again, and not saved twice.
package enum ContactIdentity {
    /// The id: 32 hexadecimal digits made of the name and the first of email, phone and company that there is.
    package static func id(for details: ContactDetails) -> String {
        let key = details.email ?? details.phone.map(digits) ?? details.company ?? ""
        var text = normalised(details.name)
        text.append("\u{1F}")
        text.append(normalised(key))
        return hash(text)
    }

    /// Neither case nor spacing nor the way an accent is encoded makes another person.
    private static func normalised(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.lowercased().precomposedStringWithCanonicalMapping
    }

    /// A number is the same however it is punctuated.
    private static func digits(_ phone: String) -> String {
        let digits = phone.filter { $0.isASCIIDigit || $0 == "+" }
        return digits.isEmpty ? phone : digits
    }

    /// Two FNV-1a hashes from different starts, each stirred so that the first digits differ as much as the
    /// last: people type only the first. `Hasher` would give another id on each run.
    private static func hash(_ text: String) -> String {
        var first: UInt64 = 0xCBF2_9CE4_8422_2325
        var second: UInt64 = 0x9E37_79B9_7F4A_7C15
        for byte in text.utf8 {
            first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
            second = (second ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return hex(stirred(first)) + hex(stirred(second))
    }

    private static func stirred(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
