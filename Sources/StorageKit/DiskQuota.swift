/// The bytes that the values in the disk cache may have together. An entity counts with its size, although the cache has no copy
/// of it.
///
/// ```swift
/// try StorageKit.start(diskQuota: .megabytes(50))
/// try StorageKit.start(diskQuota: 50_000_000)      // bytes
/// ```
public struct DiskQuota: Sendable, Hashable {
    /// The size in bytes.
    public let bytes: Int

    /// Creates a size.
    ///
    /// - Parameter bytes: The bytes.
    public init(bytes: Int) {
        self.bytes = bytes
    }

    private init(_ count: Int, of bytes: Int) {
        let (product, overflow) = count.multipliedReportingOverflow(by: bytes)
        self.init(bytes: !overflow ? product : count < 0 ? .min : .max)
    }

    /// A number of kilobytes, of 1024 bytes each; as many bytes as there can be, where that is more.
    public static func kilobytes(_ count: Int) -> DiskQuota { DiskQuota(count, of: 1024) }

    /// A number of megabytes, of 1024 kilobytes each; as many bytes as there can be, where that is more.
    public static func megabytes(_ count: Int) -> DiskQuota { DiskQuota(count, of: 1024 * 1024) }

    /// A number of gigabytes, of 1024 megabytes each; as many bytes as there can be, where that is more.
    public static func gigabytes(_ count: Int) -> DiskQuota { DiskQuota(count, of: 1024 * 1024 * 1024) }
}

extension DiskQuota: ExpressibleByIntegerLiteral {
    /// A number of bytes.
    public init(integerLiteral bytes: Int) {
        self.init(bytes: bytes)
    }
}
