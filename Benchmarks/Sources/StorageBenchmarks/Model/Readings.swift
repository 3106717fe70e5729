import Foundation
import StorageKit

/// Readings of sensors, in two versions of a model: a renamed, a changed, an added column and an index lie between.
enum Readings {
    @StorageEntity(table: "readings")
    struct Before {
        var id: Int
        var sensor: String
        var value: Double?
        var note: String
    }

    @StorageEntity(table: "readings", indexes: [["sensor", "value"]])
    struct After {
        var id: Int
        var sensor: String
        var value: Double
        @StorageRenamed(from: "note") var remark: String
        var unit = ""
    }

    /// What a start does between the two, written by hand.
    static let statements = """
        BEGIN IMMEDIATE;
        ALTER TABLE readings RENAME COLUMN note TO remark;
        ALTER TABLE readings ADD COLUMN unit TEXT NOT NULL DEFAULT '';
        CREATE TABLE made (id INTEGER PRIMARY KEY, sensor TEXT NOT NULL, value REAL NOT NULL, remark TEXT NOT NULL,
            updatedAt DATETIME NOT NULL, unit TEXT NOT NULL DEFAULT '');
        INSERT INTO made SELECT id, sensor, value, remark, updatedAt, unit FROM readings;
        DROP TABLE readings;
        ALTER TABLE made RENAME TO readings;
        CREATE INDEX readings_sensor_value ON readings (sensor, value);
        COMMIT;
        """

    /// Writes a file of the first version.
    static func makeFile(at url: URL, rows: Int) async throws {
        let context = try StorageKit.start(at: url) { $0.autoSchema(BeforeRecord.self) }
        try await context.storage.dbActor.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
                    INSERT INTO readings (id, sensor, value, note, updatedAt)
                    SELECT n, 'sensor ' || (n * 7919 % 1000), n * 0.25, 'reading number ' || n, '2026-01-01 00:00:00.000'
                    FROM numbers
                    """, arguments: [rows])
        }
        try await context.close()
    }
}
