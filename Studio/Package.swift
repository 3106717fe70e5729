// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "StorageStudio",
    platforms: [.macOS(.v15)],
    products: [.library(name: "StorageStudio", targets: ["StorageStudio"])],
    dependencies: [
        .package(name: "StorageKit", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // Calls of SQLite that Swift cannot make, since they take any number of arguments.
        .target(name: "StudioSQLite"),
        // Reads files as the tool does, by its sources: `Inspection` has links to them.
        .target(
            name: "StorageStudio",
            dependencies: [
                "StudioSQLite",
                .product(name: "StorageCore", package: "StorageKit"),
                .product(name: "StorageSQLite", package: "StorageKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorageStudioTests",
            dependencies: [
                "StorageStudio",
                .product(name: "StorageCore", package: "StorageKit"),
                .product(name: "StorageKit", package: "StorageKit"),
                .product(name: "StorageSQLite", package: "StorageKit"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
