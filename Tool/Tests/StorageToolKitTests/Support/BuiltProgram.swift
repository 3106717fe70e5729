import Foundation

/// A program that was built with the tests: it stands where they stand.
enum BuiltProgram {
    static func url(_ name: String) throws -> URL {
        let main = Bundle.main.bundleURL
        let bundles = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        let folders = [main, main.deletingLastPathComponent()] + bundles
        for folder in folders {
            let url = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue {
                return url
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
