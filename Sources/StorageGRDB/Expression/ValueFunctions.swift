import StorageSQLite

extension Connection {
    /// Adds the functions and collations with which queries calculate as Swift does. Raw SQL may use them too:
    /// `storagekit_month(due)`, `ORDER BY title COLLATE storagekit_caseless`.
    func addValueFunctions() {
        addNumberFunctions()
        addTextFunctions()
        addCalendarFunctions()
        addJSONFunctions()
    }
}
