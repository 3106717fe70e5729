import Foundation

@testable import StorageToolKit

extension ByteSource {
    /// - Parameters:
    ///   - bytes: All bytes there are.
    ///   - pieceLength: How many are read at a time.
    convenience init(_ bytes: [UInt8], pieceLength: Int = 1 << 16) {
        var start = 0
        self.init {
            let end = min(start + pieceLength, bytes.count)
            defer { start = end }
            return Data(bytes[start..<end])
        }
    }
}
