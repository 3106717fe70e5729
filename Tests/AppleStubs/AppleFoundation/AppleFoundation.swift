// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Apple's Foundation has and Linux's has not. Every file that is checked sees this without an import.

@_exported public import Darwin
public import Foundation

/// A pointer of Objective-C's there. Both are made of `&error`.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}

extension ProcessInfo {
    // Not on macOS: code that calls it stands behind a condition.
    public func performExpiringActivity(
        withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
    ) {}
}

open class NSFileCoordinator: NSObject {
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let forMerging = WritingOptions(rawValue: 4)
    }

    public init(filePresenter: (any NSFilePresenter)?) {}

    open func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor writer: (URL) -> Void
    ) {}
}

public protocol NSFilePresenter: NSObjectProtocol {}
