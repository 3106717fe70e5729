// swift-tools-version: 6.1
import PackageDescription

// A package of its own, which sees what an app sees: the products, with no settings of ours. It has the code of the
// documentation, and what is given to the compiler as sources of an app.
// `Commands` is a link to a folder that the root package builds.
let package = Package(
    name: "AppTests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "StorageKit", path: "../..")],
    targets: [
        .testTarget(
            name: "AppCompilationTests",
            dependencies: [
                .product(name: "StorageKit", package: "StorageKit"),
                .product(name: "StorageKitTesting", package: "StorageKit"),
            ],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                .product(name: "StorageKit", package: "StorageKit"),
                .product(name: "StorageKitTesting", package: "StorageKit"),
            ],
            exclude: ["Schemas"]),
        .testTarget(
            name: "PersistenceDocumentationTests",
            dependencies: [
                .product(name: "Persistence", package: "StorageKit"),
                .product(name: "StorageKit", package: "StorageKit"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
