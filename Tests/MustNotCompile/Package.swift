// swift-tools-version: 6.1
import Foundation
import PackageDescription

// One target for each misuse that must not compile. `MustNotCompileTests` gives every file to the compiler, with those that
// it links to, and checks the error at the marked line. The package itself is never built by tests or CI, since that takes
// minutes; it is for looking at an error as an app's author sees it: `swift build --target MissingId`.

let sources = try FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory + "/Sources")

let package = Package(
    name: "MustNotCompile",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "StorageKit", path: "../..")],
    targets: sources.filter { !$0.hasPrefix(".") }.sorted().map { name in
        .target(name: name, dependencies: [.product(name: "StorageKit", package: "StorageKit")])
    },
    swiftLanguageModes: [.v6]
)
