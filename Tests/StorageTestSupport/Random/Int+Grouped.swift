extension Int {
    /// With commas, as people read it.
    package var grouped: String {
        var digits = Array(String(self))
        for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
        return String(digits)
    }
}
