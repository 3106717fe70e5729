import GRDB

/// Versions of a schema as the names of copies have them: the number of the app's migrations that have run, and the fingerprint of the
/// model that was applied last, as in `3-77be10c4`.
enum StoreVersion {
    /// That of a file that has had these migrations.
    ///
    /// - Parameter ids: The migrations on record, models among them, in order.
    static func of(_ ids: [String]) -> String { text(ids, model: model(in: ids)) }

    /// That which a start brings a file to.
    ///
    /// - Parameter ids: The migrations that the file has on record.
    static func of(_ schema: AppMigrations, on ids: [String]) -> String {
        let own = schema.steps.compactMap { ($0 as? ManualStep)?.id }
        let model = schema.steps.last { $0 is AutoSchemaStep }.flatMap { StoreVersion.model(in: [$0.id]) }
        return text(ids + own, model: model ?? StoreVersion.model(in: ids))
    }

    private static func text(_ ids: [String], model: String?) -> String {
        let migrations = Set(ids).filter { id in !ManualStep.reservedPrefixes.contains(where: id.hasPrefix) }
        return "\(migrations.count)-\(model ?? "none")"
    }

    private static func model(in ids: [String]) -> String? {
        ids.last { $0.wholeMatch(of: /auto_schema_[0-9a-f]{8}/) != nil }.map { String($0.suffix(8)) }
    }
}
