// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")

// Targets stand in the order of the dependency arrow: each may import those above it, never one below.
let package = Package(
    name: "StorageKit",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "StorageKit", targets: ["StorageKit"]),
        .library(name: "StorageCore", targets: ["StorageCore"]),
        .library(name: "StorageSQLite", targets: ["StorageSQLite"]),
        .library(name: "StorageGRDB", targets: ["StorageGRDB"]),
        .library(name: "StorageRepo", targets: ["StorageRepo"]),
        .library(name: "StorageKitMacros", targets: ["StorageKitMacros"]),
        .library(name: "Persistence", targets: ["Persistence"]),
        .library(name: "StorageKitTesting", targets: ["StorageKitTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax.git", "600.0.1"..<"604.0.0"),
    ],
    targets: [
        .target(name: "StorageSQLite", dependencies: [sqlite], swiftSettings: settings),
        .target(name: "StorageCore", dependencies: ["StorageSQLite"], swiftSettings: settings),
        .target(
            name: "StorageGRDB", dependencies: ["StorageCore", "StorageSQLite", grdb, sqlite], swiftSettings: settings),
        .target(name: "StorageRepo", dependencies: ["StorageGRDB"], swiftSettings: settings),
        .macro(
            name: "StorageKitMacrosPlugin",
            dependencies: [
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "StorageKitMacros",
            dependencies: ["StorageKitMacrosPlugin", "StorageGRDB"],
            swiftSettings: settings
        ),
        .target(name: "StorageKit", dependencies: ["StorageRepo", "StorageKitMacros"], swiftSettings: settings),
        .target(
            name: "StorageKitTesting", dependencies: ["StorageKit", "StorageSQLite", grdb, sqlite],
            swiftSettings: settings),
        .target(name: "Persistence", dependencies: ["StorageSQLite"], swiftSettings: settings),

        .target(
            name: "StorageTestSupport",
            dependencies: ["StorageKitTesting"],
            path: "Tests/StorageTestSupport",
            swiftSettings: settings
        ),
        // A second process, for tests of crashes, locks and writers elsewhere.
        .executableTarget(
            name: "StorageTestProcess",
            dependencies: ["StorageTestSupport", "Persistence", grdb, sqlite],
            path: "Tests/StorageTestProcess",
            swiftSettings: settings
        ),
        .testTarget(name: "StorageSQLiteTests", dependencies: ["StorageSQLite"], swiftSettings: settings),
        .testTarget(
            name: "StorageCoreTests", dependencies: ["StorageCore", "StorageTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "StorageGRDBTests",
            dependencies: ["StorageGRDB", "StorageSQLite", "StorageTestSupport", "StorageTestProcess", grdb, sqlite],
            exclude: ["Fixtures"],
            swiftSettings: settings),
        .testTarget(
            name: "StorageRepoTests", dependencies: ["StorageRepo", "StorageTestSupport", grdb],
            swiftSettings: settings),
        .testTarget(
            name: "StorageKitTests", dependencies: ["StorageKit", "StorageTestSupport", grdb, sqlite],
            swiftSettings: settings),
        .testTarget(
            name: "StorageKitRelationTests", dependencies: ["StorageKit", "StorageTestSupport", grdb, sqlite],
            swiftSettings: settings),
        .testTarget(
            name: "StorageKitTestingTests", dependencies: ["StorageKitTesting"], swiftSettings: settings),
        .testTarget(
            name: "PersistenceTests", dependencies: ["Persistence", "StorageTestSupport", "StorageTestProcess"],
            swiftSettings: settings),
        // Crashes, full disks, damaged files and contention. `make faults` runs all of it, `make test` a part.
        .testTarget(
            name: "FaultTests", dependencies: ["StorageKit", "StorageTestSupport", "StorageTestProcess"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
