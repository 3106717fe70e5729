// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

// A package of its own. Tests of a macro target are built for the machine that compiles: in the root package, GRDB and all
// libraries there would be compiled a second time for it. Here the sources of the plugin are those of a library.
// `Plugin` and `Random` are links to the folders that the root package builds.
let package = Package(
    name: "StorageKitMacrosTests",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax.git", "600.0.1"..<"604.0.0")
    ],
    targets: [
        .target(
            name: "StorageKitMacrosPlugin",
            dependencies: [
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
            ],
            path: "Plugin",
            exclude: ["Plugin.swift"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorageKitMacrosTests",
            dependencies: [
                "StorageKitMacrosPlugin",
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ],
            path: ".",
            exclude: ["Package.swift", "Plugin"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
