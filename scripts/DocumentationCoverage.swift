// Says how many public symbols of each module have a doc comment, and fails if one has none:
//     swift scripts/DocumentationCoverage.swift FOLDER...
// The folders hold symbol graphs. What the compiler synthesises has no place in a source file, and does not count.

import Foundation

struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        let kind: Kind
        let pathComponents: [String]
        let docComment: DocComment?
        let location: Location?
    }

    struct Kind: Decodable {
        let identifier: String
    }

    struct DocComment: Decodable {
        let lines: [Line]
    }

    struct Line: Decodable {
        let text: String
    }

    struct Location: Decodable {
        let uri: String
        let position: Position
    }

    struct Position: Decodable {
        let line: Int
    }

    let symbols: [Symbol]
}

/// A public symbol that stands in a source file.
struct WrittenSymbol {
    let name: String
    let path: String
    let line: Int
    let isDocumented: Bool

    init?(_ symbol: SymbolGraph.Symbol) {
        // A block of members that an extension adds to a type of another module: the members count, the block does not.
        guard let location = symbol.location, symbol.kind.identifier != "swift.extension" else { return nil }
        name = symbol.pathComponents.joined(separator: ".")
        path = URL(string: location.uri)?.path ?? location.uri
        line = location.position.line + 1
        isDocumented =
            symbol.docComment?.lines.contains { !$0.text.trimmingCharacters(in: .whitespaces).isEmpty } ?? false
    }

    /// The folder in `Sources` that it stands in.
    var module: String {
        let folders = path.split(separator: "/")
        guard let sources = folders.lastIndex(of: "Sources"), sources + 1 < folders.count else { return "?" }
        return String(folders[sources + 1])
    }

    var complaint: String { "\(path):\(line): error: \(name) is public and has no doc comment" }
}

func symbols(in folder: URL) throws -> [WrittenSymbol] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
    return try files.flatMap { file in
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
        return graph.symbols.compactMap { WrittenSymbol($0) }
    }
}

let folders = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
let found = try folders.flatMap { try symbols(in: $0) }
for (module, symbols) in Dictionary(grouping: found, by: \.module).sorted(by: { $0.key < $1.key }) {
    print("\(module): \(symbols.count { $0.isDocumented }) of \(symbols.count) public symbols have a doc comment")
}
let bare = found.filter { !$0.isDocumented }.map(\.complaint).sorted()
bare.forEach { print($0) }
// Folders without any symbol prove nothing.
exit(bare.isEmpty && !found.isEmpty ? 0 : 1)
