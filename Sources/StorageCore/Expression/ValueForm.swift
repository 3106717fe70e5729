/// What the values of a column or of an expression are to SQLite, as far as comparing them goes.
package struct ValueForm: Sendable, Hashable {
    /// Nil for a type of the app's own SQL.
    package var type: ColumnType?
    package var mayBeNull: Bool

    package init(type: ColumnType?, mayBeNull: Bool) {
        self.type = type
        self.mayBeNull = mayBeNull
    }

    /// Texts that are numbers.
    package var isDecimal: Bool { type == .decimal }
    /// Texts of which two that differ may be one to a collation.
    var isText: Bool { type == .text || isDecimal }
    package var isDate: Bool { type == .datetime }

    /// A value as a column of this form holds it, whatever its Swift type was.
    package func stored(_ value: StoredValue) -> StoredValue {
        if isDecimal { return value.asDecimalText }
        // To SQLite, digits beyond Int64.max are a number with a fraction.
        if type == .unsigned, case .text(let text) = value, let number = UInt64(text) {
            return Int64(exactly: number).map { .integer($0) }
                ?? withUnsafeBytes(of: number.bigEndian) { .blob(Data($0)) }
        }
        return value
    }

    /// The values that a column of this form may hold for one: two where it is a whole second.
    func spellings(of value: StoredValue) -> [StoredValue] {
        wholeSecond(value).map { [$0.short, $0.long] } ?? [stored(value)]
    }

    /// A date without fraction in the form without decimals and in that with three; nil for anything else.
    ///
    /// `CURRENT_TIMESTAMP` writes a whole second without decimals, StorageKit and GRDB with three, and as text the
    /// one is less than the other. So both are taken for the same time.
    func wholeSecond(_ value: StoredValue) -> (short: StoredValue, long: StoredValue)? {
        guard isDate, case .text(let text) = value else { return nil }
        if text.hasSuffix(ValueForm.noFraction) {
            return (.text(String(text.dropLast(ValueForm.noFraction.count))), value)
        }
        var long = text + ValueForm.noFraction
        let isDate = text.utf8.count == ValueForm.shortDate && long.withUTF8 { DateText.parse($0) } != nil
        return isDate ? (value, .text(long)) : nil
    }

    /// Whether conditions find a date by a text of it: the one that is stored, or that of `CURRENT_TIMESTAMP`.
    package static func findsDate(by text: String) -> Bool {
        var text = text
        guard let date = text.withUTF8({ DateText.parse($0) }), let stored = DateText(date)?.string else {
            return false
        }
        return text == stored || text + noFraction == stored
    }

    static let noFraction = ".000"
    /// The length of a date without decimals.
    static let shortDate = "YYYY-MM-DD HH:MM:SS".utf8.count
}
