import StorageKit
import Testing

/// Initialisers as function values, with the parameters that the documents declare and no others.
@Suite struct DeclaredInitialiserTests {
    @Test func aTableIsMadeOfANameAndColumns() {
        let make: (String, [ColumnSchema]) -> TableSchema = TableSchema.init(name:columns:)
        #expect(make("a", []) == TableSchema(name: "a", columns: []))
    }

    @Test func optionsAreMadeOfTwo() {
        let make = AppMigrations.Options.init(eraseDatabaseOnSchemaChange:logger:)
        #expect(make(true, nil).eraseDatabaseOnSchemaChange && !make(true, nil).refusesUnknownMigrations)
    }

    @Test func aConfigurationHasTheDefaultsOfTheRest() {
        let make = StorageConfig.init(
            defaultTTL:diskQuotaBytes:clock:namespace:configureEncoder:configureDecoder:)
        let config = make(7, 8, SystemClock(), "n", nil, nil)
        #expect(config.defaultTTL == 7 && config.diskQuotaBytes == 8 && config.namespace == "n")
        #expect(config.memoryCapacity == StorageConfig().memoryCapacity && config.usesDiskCache)
    }
}
