extension Connection {
    /// Adds the collations of StorageKit and the function `storagekit_fold`, so that whoever opens the file of an app
    /// sorts and compares as the app does.
    ///
    /// `storagekit_decimal` has decimal texts in the order of their numbers, `storagekit_caseless` makes upper and lower
    /// case the same, and each `storagekit_localized_…` sorts as a language does.
    public func addStorageKitSQL() {
        addCollation("storagekit_decimal", compareDecimalTexts)
        // By bytes: texts that Swift takes for the same could stand on both sides of a third.
        addCollation("storagekit_caseless") { $0.caseFolded.utf8.compared(to: $1.caseFolded.utf8) }
        addLocalizedCollations()
        // Upper and lower case are the same in all of Unicode; SQLite's own `lower` knows ASCII alone.
        addFunction("storagekit_fold", isInnocuous: true) { arguments in
            if case .text(let text) = arguments[0].value { .text(text.caseFolded) } else { .null }
        }
    }
}

extension String {
    /// The text without difference of case. By way of capitals, which are one where there are two small letters (σ, ς) or
    /// two capitals where there is one small letter (ß); and from small letters, since the capital ẞ stays one.
    package var caseFolded: String { lowercased().uppercased().lowercased() }
}
