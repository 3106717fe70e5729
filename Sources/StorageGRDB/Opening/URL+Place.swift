#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension URL {
    /// The same, as the place of a file. One without a scheme, as `URL(string:)` makes it of a path, is taken for the path.
    ///
    /// - Throws: `StorageError.invalidConfiguration` if it is the address of something else, or what is there is no file.
    package func placeOfFile() throws -> URL {
        let url = scheme == nil ? URL(fileURLWithPath: path) : self
        guard url.isFileURL else {
            throw StorageError.invalidConfiguration(message: "'\(absoluteString)' is not the place of a file")
        }
        var facts = stat()
        guard stat(path, &facts) != 0 || [S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT) else {
            throw StorageError.invalidConfiguration(message: "'\(path)' is a device, a pipe or a socket, and no file")
        }
        return url
    }
}
