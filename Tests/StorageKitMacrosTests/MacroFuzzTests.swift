import Foundation
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

/// Whatever a source looks like while somebody types it: the plugin says what is wrong, and what it expands to is Swift.
@Suite struct MacroFuzzTests {
    @Test func anySourceIsDiagnosedOrExpandsToSwift() throws {
        var input = FuzzInput("sources")
        let sources = try MacroFuzzTests.sources().map {
            Array(Parser.parse(source: $0).tokens(viewMode: .sourceAccurate))
        }
        #expect(sources.count > 60)
        let count = programCount(quick: 40, full: 3_000)
        var (expanded, diagnosed) = (0, 0)
        for _ in 0..<count {
            let source = input.mutated(input.pick(sources).map(\.description))
            let result = Expansion(of: source)
            if result.isDiagnosed { diagnosed += 1 } else if result.text != source { expanded += 1 }
            // What the compiler itself does not understand it says without the plugin.
            if !Parser.parse(source: source).hasError {
                #expect(!Parser.parse(source: result.text).hasError, "\(input.seed)\n\(source)\n\(result.text)")
            }
        }
        #expect(expanded > 0)
        #expect(diagnosed > 0)
        reportFuzz("sources", (count, "sources"), (expanded, "expanded"), (diagnosed, "diagnosed"))
    }

    /// The sources that the other tests expand.
    private static func sources(tests: String = #filePath) throws -> [String] {
        let folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
        let models = folder.deletingLastPathComponent().appendingPathComponent("StorageKitTests/Models")
        let files = try [folder, models].flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }.filter { $0.pathExtension == "swift" }
        return try files.sorted { $0.path < $1.path }.flatMap { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            let finder = EntitySourceFinder(viewMode: .sourceAccurate)
            finder.walk(Parser.parse(source: text))
            return finder.sources
        }
    }
}

/// What the plugin makes of a source.
private struct Expansion {
    let text: String
    let isDiagnosed: Bool

    init(of source: String) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
        text =
            file.expand(
                macroSpecs: storageMacros,
                contextGenerator: {
                    BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
                }
            ).description
        isDiagnosed = !context.diagnostics.isEmpty
    }
}

/// Finds entities, and the literals in tests that hold some.
private final class EntitySourceFinder: SyntaxVisitor {
    private(set) var sources: [String] = []

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if let text = node.representedLiteralValue, text.contains("@Storage"), text.contains("{") {
            sources.append(text)
        }
        return .skipChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        guard node.attributes.description.contains("@StorageEntity") else { return .visitChildren }
        sources.append(node.trimmedDescription)
        return .skipChildren
    }
}

extension FuzzInput {
    /// The tokens with some of them deleted, repeated, swapped, replaced or added.
    fileprivate mutating func mutated(_ original: [String]) -> String {
        var tokens = original
        for _ in 0..<number(1...3) where !tokens.isEmpty {
            let place = number(0...tokens.count - 1)
            let other = number(0...tokens.count - 1)
            switch number(0...7) {
            case 0: tokens.remove(at: place)
            case 1: tokens.insert(tokens[place], at: place)
            case 2: tokens.swapAt(place, other)
            case 3: tokens[place] = pick(MacroFuzzTests.words) + " "
            case 4: tokens.insert(pick(MacroFuzzTests.words) + " ", at: place)
            case 5: tokens[place] = tokens[other]
            case 6: tokens.insert(contentsOf: tokens[min(place, other)...max(place, other)].prefix(12), at: place)
            default: tokens.insert(nested(), at: place)
            }
        }
        return tokens.joined()
    }

    /// Not nested without measure: forty closures in one another take three seconds to parse and expand.
    private mutating func nested() -> String {
        let (open, close) = pick([("(", ")"), ("[", "]"), ("{", "}"), ("[[", "]"), ("Optional<", ">"), ("/*", "*/")])
        let depth = pick([1, 2, 10])
        return String(repeating: open, count: depth) + "Int" + String(repeating: close, count: depth - number(0...1))
    }
}

extension MacroFuzzTests {
    fileprivate static let words = [
        "class", "struct", "enum", "actor", "protocol", "extension", "func", "init", "deinit", "subscript", "let",
        "var",
        "static", "lazy", "weak", "unowned", "private", "fileprivate", "private(set)", "public", "open", "package",
        "final",
        "mutating", "indirect", "inout", "some", "any", "each", "repeat", "async", "throws", "get", "set", "willSet",
        "didSet",
        "if", "#if DEBUG", "#endif", "where", "case", "default", "self", "Self", "nil", "true", "0", "-1", "0x1p-2",
        "1.5",
        "\"text\"", "\"\\(x)\"", "#\"raw\"#", "\"\"\"", "\"", "{", "}", "(", ")", "[", "]", "<", ">", ":", ",", ";",
        ".", "?",
        "!", "=", "==", "->", "&", "@", "@Storage", "@StorageEntity", "@StorageEntity(table: \"a\\\"b\")",
        "@StorageEmbedded",
        "@StorageEmbedded(prefix: \"\")", "@StorageJSON", "@StorageVersion", "@StorageHasMany", "@StorageBelongsTo",
        "@StorageReference(User.self, onDelete: .setNull)", "@StorageUnique", "@StorageRenamed(from: \"name\")",
        "@StorageIgnored",
        "@StorageEntity(indexes: [[\"id\"]])", "Int64?",
        "@available(*, deprecated)",
        "`default`", "`", "id", "Int", "String?", "[Int: String]", "(Int, Int)", "any Error", "Int...", "updatedAt",
        "Columns",
        "größe", "日本", "🙂", "e\u{301}", "\u{200D}", "\u{FEFF}", "\u{202E}", "\u{0}", "_", "$0", "#", "\\", "/*", "*/",
        "//", "\n",
    ]
}
