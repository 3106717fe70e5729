/// The names under which connections know functions and collations of ours.
package enum FunctionName {
    /// What all of them begin with, and all other names that statements of ours make up. No table or column of an entity has such a name.
    package static let ownPrefix = "storagekit_"

    // Added by StorageSQLite, as is the collation `caseless`: programs without StorageKit read its files, too.
    package static let decimalOrder = "storagekit_decimal"
    package static let caseFolding = "storagekit_fold"

    package static let listedValue = "storagekit_listed"

    // Numbers
    /// An integer as it is. It refuses what SQLite made a number with a fraction of, because it was too great.
    package static let integer = "storagekit_int"
    /// A whole number as an integer, whatever SQLite takes it for. It refuses one with a fraction.
    package static let whole = "storagekit_whole"
    /// `storagekit_within(a, 0, 255)`: an integer as it is. It refuses one that is less or greater.
    package static let within = "storagekit_within"
    /// `storagekit_decimals('+', a, b)`
    package static let decimals = "storagekit_decimals"
    /// `storagekit_unsigned('+', a, b)`
    package static let unsigned = "storagekit_unsigned"
    /// A number as decimal text.
    package static let decimalText = "storagekit_decimal_text"
    /// The same, and what is no number as it is.
    package static let asDecimal = "storagekit_as_decimal"
    package static let decimalSum = "storagekit_decimal_sum"
    package static let decimalMean = "storagekit_decimal_mean"
    package static let unsignedSum = "storagekit_unsigned_sum"
    package static let mean = "storagekit_mean"

    /// A number as one of double precision, and as one of single precision has it.
    package static let (double, single) = ("storagekit_double", "storagekit_single")
    /// Decimal text as an integer without sign.
    package static let unsignedValue = "storagekit_unsigned_value"

    // JSON
    package static let jsonDate = "storagekit_json_date"
    package static let jsonData = "storagekit_json_data"

    // Texts
    package static let lowercased = "storagekit_lower"
    package static let prefix = "storagekit_prefix"
    package static let characterCount = "storagekit_count"
    /// The collation that makes upper and lower case the same.
    package static let caseless = "storagekit_caseless"

    // Dates
    package static let startOfUnit = "storagekit_start"

    /// The function that gives a part of a date.
    package static func part(_ name: String) -> String { "storagekit_\(name)" }
}

extension String {
    /// Whether it is like the names that statements of ours make up, and would be taken for one in them.
    package var isOwnName: Bool { asciiLowercased.hasPrefix(FunctionName.ownPrefix) }
}
