// Prints which folders of a target use which others, lowest first, and fails if any of them do so in a circle:
//     swift scripts/FolderArrows.swift Sources/TARGET...
// A folder uses another if it names a type that is declared there, outside of other types. Which methods it calls does not count:
// to tell whose they are takes a compiler.

import Foundation

/// A word of a Swift file that is no comment and in no text.
struct Word {
    let text: String
    /// How many braces it stands in.
    let depth: Int
    /// Whether it names something inside of what stands before it, as `Key` in `Index.Key`.
    let isMember: Bool
}

/// The words of a Swift file. Comments and texts are left out, and so are the values in a text.
func words(of source: String) throws -> [Word] {
    let asides = try NSRegularExpression(
        pattern: ##"(?s)//[^\n]*|/\*.*?\*/|(#*)"""\n.*?"""\1|(#+)".*?"\2|"(?:\\.|[^"\\\n])*""##)
    let parts = try NSRegularExpression(pattern: #"[{}]|\.?[A-Za-z0-9_\x{80}-\x{10FFFF}]+"#)
    let whole = NSRange(source.startIndex..., in: source)
    let code = NSString(string: asides.stringByReplacingMatches(in: source, range: whole, withTemplate: " "))
    var depth = 0
    return parts.matches(in: code as String, range: NSRange(location: 0, length: code.length)).compactMap { match in
        let part = code.substring(with: match.range)
        if part == "{" || part == "}" {
            depth += part == "{" ? 1 : -1
            return nil
        }
        let isMember = part.hasPrefix(".")
        return Word(text: isMember ? String(part.dropFirst()) : part, depth: depth, isMember: isMember)
    }
}

/// A file with the types that it declares and names.
struct SourceFile {
    let path: String
    /// Those that other files can name as they stand.
    private(set) var shared: Set<String> = []
    /// All others: in other types, or private.
    private(set) var own: Set<String> = []
    private(set) var named: Set<String> = []

    init(_ file: URL) throws {
        path = file.relativePath
        let words = try words(of: String(contentsOf: file, encoding: .utf8))
        for (place, word) in words.enumerated() where word.text.first?.isUppercase == true && !word.isMember {
            if place == 0 || !Self.kinds.contains(words[place - 1].text) {
                named.insert(word.text)
            } else if word.depth == 0, !Self.isPrivate(words[..<(place - 1)]) {
                shared.insert(word.text)
            } else {
                own.insert(word.text)
            }
        }
    }

    private static let kinds: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    private static let modifiers: Set = [
        "public", "package", "internal", "private", "fileprivate", "final", "indirect",
    ]

    private static func isPrivate(_ before: ArraySlice<Word>) -> Bool {
        before.reversed().prefix { modifiers.contains($0.text) }.contains { $0.text.hasSuffix("private") }
    }
}

/// The folders of a target, and who uses whom.
struct Target {
    let path: String
    private var files: [String: [SourceFile]] = [:]
    /// The folder that declares a type.
    private var homes: [String: String] = [:]
    /// By folder, the types of each other folder that it names.
    private(set) var uses: [String: [String: Set<String>]] = [:]

    init(_ path: String) throws {
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
        for file in try Target.swiftFiles(in: path) {
            // What lies in no folder is for all.
            let parts = file.relativePath.split(separator: "/")
            guard parts.count > 1 else { continue }
            files[String(parts[0]), default: []].append(try SourceFile(file))
        }
        for (folder, files) in files.sorted(by: { $0.key < $1.key }) {
            for type in files.flatMap(\.shared) { homes[type] = folder }
        }
        for (folder, files) in files {
            uses[folder] = files.reduce(into: [:]) { uses, file in
                for (other, types) in typesElsewhere(file, in: folder) { uses[other, default: []].formUnion(types) }
            }
        }
    }

    private static func swiftFiles(in path: String) throws -> [URL] {
        let root = URL(fileURLWithPath: path, isDirectory: true)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }.sorted()
            .map { URL(fileURLWithPath: $0, relativeTo: root) }
    }

    private func typesElsewhere(_ file: SourceFile, in folder: String) -> [String: Set<String>] {
        let own = files[folder, default: []].reduce(into: Set<String>()) { $0.formUnion($1.own) }
        return file.named.subtracting(own).reduce(into: [:]) { found, type in
            if let home = homes[type], home != folder { found[home, default: []].insert(type) }
        }
    }

    /// The folders, each behind those that it uses, as far as there are no circles; the others in the order of their names.
    var layers: [String] {
        let (placed, rest) = Target.sorted(uses.mapValues { Set($0.keys) })
        return placed + rest.sorted()
    }

    /// The folders that use each other in a circle, or stand between two circles.
    var circle: Set<String> {
        let down = uses.mapValues { Set($0.keys) }
        let rest = Target.sorted(down).rest
        // What is left from below and also from above.
        let up = Dictionary(
            uniqueKeysWithValues: rest.map { folder in (folder, rest.filter { down[$0]?.contains(folder) == true }) })
        return Target.sorted(up).rest
    }

    /// Places one folder after the other whose arrows all lead to placed ones.
    private static func sorted(_ arrows: [String: Set<String>]) -> (placed: [String], rest: Set<String>) {
        var placed: [String] = []
        var rest = Set(arrows.keys)
        while let next = rest.sorted().first(where: { arrows[$0, default: []].isSubset(of: placed) }) {
            placed.append(next)
            rest.remove(next)
        }
        return (placed, rest)
    }

    /// What is wrong, file by file.
    var complaints: [String] {
        let circle = circle
        return circle.sorted().flatMap { folder in
            files[folder, default: []].flatMap { file in
                typesElsewhere(file, in: folder).filter { circle.contains($0.key) }.sorted { $0.key < $1.key }.map {
                    other, types in
                    "\(path)/\(file.path): error: \(folder) uses \(other) in a circle: \(types.sorted().joined(separator: ", "))"
                }
            }
        }
    }
}

let targets = try CommandLine.arguments.dropFirst().map { try Target($0) }
for target in targets {
    print(target.path)
    let layers = target.layers
    for folder in layers {
        let used = layers.filter { target.uses[folder]?[$0] != nil }
        print("    \(folder)" + (used.isEmpty ? "" : " -> \(used.joined(separator: ", "))"))
    }
}
let complaints = targets.flatMap(\.complaints)
complaints.forEach { print($0) }
exit(complaints.isEmpty && !targets.isEmpty ? 0 : 1)
