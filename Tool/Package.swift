// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "StorageKitTool",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "storagekit", targets: ["storagekit"])],
    dependencies: [
        .package(name: "StorageKit", path: ".."),
        .package(path: "../Studio"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // Everything that can be tested; the program is a main file around it. It reads files by SQL alone, so that
        // it works on those that StorageKit did not make, and through SQLite itself: GRDB cuts texts at a NUL and
        // cannot open a file as immutable.
        .target(
            name: "StorageToolKit",
            dependencies: [
                .product(name: "StorageSQLite", package: "StorageKit"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "StorageStudio", package: "Studio"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "storagekit", dependencies: ["StorageToolKit"], swiftSettings: settings),
        // Depends on the program too, so that the tests find it built beside them. No settings of ours: structs that
        // the program wrote are compiled here as in an app.
        .testTarget(
            name: "StorageToolKitTests",
            dependencies: [
                "StorageToolKit", "storagekit", .product(name: "StorageKit", package: "StorageKit"),
                .product(name: "StorageSQLite", package: "StorageKit"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
