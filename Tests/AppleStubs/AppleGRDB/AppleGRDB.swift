// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What GRDB has on iOS alone.

public import GRDB

extension Configuration {
    public var automaticMemoryManagement: Bool {
        get { fatalError() }
        set {}
    }
}
