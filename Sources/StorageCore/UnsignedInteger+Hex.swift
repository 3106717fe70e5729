extension UnsignedInteger where Self: FixedWidthInteger {
    /// The number in small hexadecimal digits, with zeros before it: as many for every number of the type.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
