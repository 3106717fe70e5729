/// Numbers as SQL, CSV and JSON write them.
enum NumberText {
    /// The number that a text is, or the text itself.
    static func cell(_ text: String) -> Cell {
        number(text.utf8) ?? .text(text)
    }

    /// The number that a text is: digits with a sign are an integer, with a point or an exponent, or beyond 64 bits, a
    /// real number. Nil for anything else, spaces included.
    static func number(_ text: some Collection<UInt8>) -> Cell? {
        guard isNumber(text) else { return nil }
        let digits = String(decoding: text, as: UTF8.self)
        if let integer = Int64(digits) { return .integer(integer) }
        return Double(digits).map { .real($0) }
    }

    /// Whether a text that is a number is an integer of more than 64 bits, of whose digits ``number(_:)`` keeps some only.
    static func isLongInteger(_ text: some Collection<UInt8>) -> Bool {
        !text.contains(where: ".eE".utf8.contains) && Int64(String(decoding: text, as: UTF8.self)) == nil
    }

    /// Whether SQLite makes such an integer of a text, in a column of integers: there it passes over blanks around a number.
    static func becomesLongInteger(_ text: String) -> Bool {
        let parts = text.utf8.split(maxSplits: 2) { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return parts.count == 1 && isNumber(parts[0]) && isLongInteger(parts[0])
    }

    private static func isNumber(_ text: some Collection<UInt8>) -> Bool {
        var rest = text[...]
        if let sign = rest.first, sign == plus || sign == minus { rest = rest.dropFirst() }
        var count = skipDigits(&rest)
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            count += skipDigits(&rest)
        }
        guard count > 0 else { return false }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == plus || sign == minus { rest = rest.dropFirst() }
            guard skipDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func skipDigits<C: Collection<UInt8>>(_ rest: inout C) -> Int where C.SubSequence == C {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        rest = rest.dropFirst(count)
        return count
    }

    private static let plus = UInt8(ascii: "+")
    private static let minus = UInt8(ascii: "-")
}
