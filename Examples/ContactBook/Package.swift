// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "ContactBook",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "ContactBookModel", targets: ["ContactBookModel"]),
        .library(name: "ContactBookViews", targets: ["ContactBookViews"]),
        .executable(name: "contactbook", targets: ["contactbook"]),
    ],
    dependencies: [
        .package(name: "StorageKit", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
    ],
    targets: [
        // The entity and the book: what the program, the views and ContactServer share.
        .target(
            name: "ContactBookModel",
            dependencies: [.product(name: "StorageKit", package: "StorageKit")],
            swiftSettings: settings
        ),
        // Views of SwiftUI; an empty module where there is no SwiftUI.
        .target(
            name: "ContactBookViews",
            dependencies: ["ContactBookModel", .product(name: "StorageKit", package: "StorageKit")],
            swiftSettings: settings
        ),
        // The rest of the program that can be tested; the program is a main file around it.
        .target(
            name: "ContactBookKit",
            dependencies: [
                "ContactBookModel",
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
                "ContactBookKit", "ContactBookModel", "contactbook",
                .product(name: "StorageKit", package: "StorageKit"),
                .product(name: "StorageKitTesting", package: "StorageKit"),
            ],
            exclude: ["Schemas"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
