// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "ContactBook",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "StorageKit", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        // Everything that can be tested; the program is a main file around it.
        .target(
            name: "ContactBookKit",
            dependencies: [
                .product(name: "StorageKit", package: "StorageKit"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SwiftCSV", package: "SwiftCSV"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "contactbook",
            dependencies: ["ContactBookKit"],
            swiftSettings: settings
        ),
        // Depends on the program too, so that the tests find it built beside them.
        .testTarget(
            name: "ContactBookKitTests",
            dependencies: [
                "ContactBookKit", "contactbook", .product(name: "StorageKit", package: "StorageKit"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
