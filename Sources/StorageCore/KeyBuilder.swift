/// Builds the keys of cache entries, all of them beginning with one namespace.
///
/// ```swift
/// let keys = KeyBuilder(namespace: "myapp")
/// keys.entityKey(User.self, id: "1")                             // "myapp.User:1"
/// keys.queryKey("recent_posts", params: ["limit": "10"])         // "myapp.query:recent_posts?limit=10"
/// ```
public struct KeyBuilder: Sendable {
    /// The first part of every key.
    public let namespace: String

    /// Creates a builder.
    ///
    /// - Parameter namespace: The first part of every key.
    public init(namespace: String) {
        self.namespace = namespace
    }

    /// The key of one entity.
    ///
    /// - Parameters:
    ///   - type: The type of the entity, whose bare name stands in the key.
    ///   - id: The id of the entity.
    public func entityKey<T>(_ type: T.Type, id: String) -> String {
        "\(namespace).\(type):\(id)"
    }

    /// The key of a query's result. Different queries have different keys: what separates the parts of a key stands in
    /// a part as `%` and two digits (`%3F` for `?`, `%26` for `&`, `%3D` for `=`, `%25` for `%`).
    ///
    /// - Parameters:
    ///   - name: The name of the query.
    ///   - params: What the query was called with; the order of the names does not matter.
    public func queryKey(_ name: String, params: [String: String] = [:]) -> String {
        let pairs = params.sorted { $0.key < $1.key }.map { "\($0.key.keyPart)=\($0.value.keyPart)" }
        let suffix = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
        return "\(namespace).query:\(name.keyPart)\(suffix)"
    }
}

extension String {
    /// The text without what separates the parts of a key. By scalars: a separator with a combining accent is one letter
    /// to Swift.
    fileprivate var keyPart: String {
        var part = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "%": part.append(contentsOf: "%25".unicodeScalars)
            case "?": part.append(contentsOf: "%3F".unicodeScalars)
            case "&": part.append(contentsOf: "%26".unicodeScalars)
            case "=": part.append(contentsOf: "%3D".unicodeScalars)
            default: part.append(scalar)
            }
        }
        return String(part)
    }
}
