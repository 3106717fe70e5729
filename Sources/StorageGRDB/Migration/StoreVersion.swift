import GRDB

/// Versions of a schema as the names of copies have them: the number of the app's migrations that have run, and the fingerprint of the
/// model that was applied last, as in `3-77be10c4`.
enum StoreVersion {
    /// That of a file that has had these migrations.
    ///
    /// - Parameter ids: The migrations on record, models among them, in order.
    static func of(_ ids: [String]) -> String {
        let migrations = Set(ids).filter { id in !ManualStep.reservedPrefixes.contains(where: id.hasPrefix) }
        let model = ids.last { $0.wholeMatch(of: /auto_schema_[0-9a-f]{8}/) != nil }
        return "\(migrations.count)-\(model.map { $0.suffix(8) } ?? "none")"
    }

    /// That which a start brings a file to.
    ///
    /// - Parameter ids: The migrations that the file has on record.
    static func of(_ schema: AppMigrations, on ids: [String]) -> String { of(ids + schema.steps.map(\.id)) }
}
