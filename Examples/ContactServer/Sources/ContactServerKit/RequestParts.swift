import Hummingbird
import StorageKit

extension Request {
    /// What stands behind the question mark, as forms and their like write it: a plus is a space.
    ///
    /// - Throws: ``Problem`` that names the parameter that is given twice, or whose text is none.
    func parameters() throws -> [(name: String, value: String)] {
        var seen: Set<String> = []
        return try (uri.query ?? "").split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else {
                throw Problem.badRequest(String(parts[0].prefix(100)), "is no text in UTF-8 that is percent-encoded")
            }
            guard seen.insert(name).inserted else {
                throw Problem.badRequest(String(name.prefix(100)), "is given twice")
            }
            return (name, value)
        }
    }
}

extension BasicRequestContext {
    /// The id in the path, which the router hands over as the URL has it.
    ///
    /// - Throws: An error if the path has none.
    func id() throws -> String {
        let text = try parameters.require("id")
        // What cannot be decoded is the id of nothing.
        return text.removingPercentEncoding ?? text
    }
}
