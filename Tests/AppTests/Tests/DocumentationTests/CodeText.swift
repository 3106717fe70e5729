import StorageKit

/// Lines of code, as they are compared between an article and a test: without comments, blank lines and indentation.
struct CodeText {
    struct Block {
        /// The line of the article that it begins in, from 1.
        let line: Int
        let code: CodeText
    }

    struct MissingLine {
        /// Which line of the block it is, from 0.
        let index: Int
        let line: String
    }

    let lines: [String]

    init(_ text: String) {
        self.init(lines: text.split(separator: "\n"))
    }

    private init(lines: [Substring]) {
        self.lines = lines.map { CodeText.normalised($0) }.filter { !$0.isEmpty }
    }

    /// The first line of a block that this code does not have, behind those that it has; nil if it has them all in
    /// their order. A line may stand within another, such as a call within `#expect`.
    func firstLineMissing(from block: CodeText) -> MissingLine? {
        var rest = lines[...]
        for (index, line) in block.lines.enumerated() {
            guard let place = rest.firstIndex(where: { $0.contains(line) }) else {
                return MissingLine(index: index, line: line)
            }
            rest = rest[(place + 1)...]
        }
        return nil
    }

    /// Whether it belongs into an app's `Package.swift`, which no test has.
    var isOfAManifest: Bool {
        lines.first == "import PackageDescription"
            || lines.allSatisfy { $0.hasPrefix(".package(") || $0.hasPrefix(".product(") }
    }

    /// The blocks of a Markdown text that are marked as Swift.
    static func swiftBlocks(of markdown: String) -> [Block] {
        var blocks: [Block] = []
        var open: (line: Int, isSwift: Bool, code: [Substring])?
        for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let fence = line.drop { $0 == " " }
            guard fence.hasPrefix("```") else {
                open?.code.append(line)
                continue
            }
            guard let block = open else {
                open = (index + 1, fence == "```swift", [])
                continue
            }
            if block.isSwift { blocks.append(Block(line: block.line, code: CodeText(lines: block.code))) }
            open = nil
        }
        return blocks
    }

    private static func normalised(_ line: Substring) -> String {
        withoutComment(line).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Two slashes begin a comment where an even number of quotation marks stands before them.
    private static func withoutComment(_ line: Substring) -> Substring {
        var isText = false
        var before: Character?
        for index in line.indices {
            if line[index] == "\"" && before != "\\" { isText.toggle() }
            if !isText, line[index...].hasPrefix("//") { return line[..<index] }
            before = line[index]
        }
        return line
    }
}
