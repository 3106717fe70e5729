import StorageKit
import Testing

/// Gives every file of `Tests/MustNotCompile` to the compiler.
@Suite(.serialized) struct MustNotCompileTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../MustNotCompile/Sources").standardized

    /// The names of the misuses.
    static var misuses: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
        }
    }

    /// Type-checks a misuse with the files that it links to.
    private func typecheck(_ misuse: String) throws -> (source: String, outcome: FixtureCompiler.Outcome) {
        let folder = MustNotCompileTests.folder.appendingPathComponent(misuse)
        let links = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".swift") && $0 != "\(misuse).swift"
        }
        let source = try String(contentsOf: folder.appendingPathComponent("\(misuse).swift"), encoding: .utf8)
        let outcome = try FixtureCompiler().typecheck(
            source, arguments: ["-diagnostic-style", "llvm"] + links.map { folder.appendingPathComponent($0).path })
        return (source, outcome)
    }

    @Test(arguments: try misuses) func aMisuseIsAnErrorAtTheMarkedLineAlone(misuse: String) throws {
        let (source, outcome) = try typecheck(misuse)
        let mark = try #require(Mark.all(in: source).only, "one line is marked")
        let said = Said.all(in: outcome.output)
        let errors = said.filter { $0.severity == "error" }

        #expect(!outcome.succeeded)
        #expect(
            said.contains { !$0.isInExpansion && mark.matches($0) }, "\(misuse):\(mark.line)\n\(outcome.output)")
        #expect(
            errors.allSatisfy { $0.isInExpansion ? mark.expansionFailsToo : $0.line == mark.line }, "\(outcome.output)")
    }

    @Test(arguments: [("UncodableProperty", "shape", "Shape"), ("CharacterProperty", "initial", "Character")])
    func errorsInAnExpansionSayWhichPropertyIsOfATypeThatIsNotCodable(
        misuse: String, property: String, type: String
    ) throws {
        let outcome = try typecheck(misuse).outcome
        let errors = Said.all(in: outcome.output).filter { $0.severity == "error" }.map(\.message)
        #expect(errors.first?.contains("'\(property)'") == true, "\(outcome.output)")
        #expect(errors.first?.contains("'_TypeHasToBeCodable<\(type)>'") == true, "\(outcome.output)")
        // Each writer of the property refuses it.
        #expect(errors.dropFirst().count == 2, "\(outcome.output)")
        #expect(errors.dropFirst().allSatisfy { $0.contains("the type of a property has to be Codable") })
    }

    /// Shows that the errors above come from the misuse, and not from the way the files are compiled.
    @Test func theSameWithoutAMisuseCompiles() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit

            struct Address: Codable, Sendable {
                var city: String
            }

            @StorageEntity
            public struct User {
                struct Size: Codable, Sendable {
                    var height: Double
                }

                public var id: UUID = UUID()
                var name: String
                var nickname: String?
                @StorageEmbedded
                var address: Address
                @StorageEmbedded
                var size: Size?
                @StorageJSON
                var tags: [String]
                @StorageVersion
                var version = 0
                @StorageReference(Owner.self)
                var ownerId: Int64?
                @StorageBelongsTo
                var owner: Owner?
                @StorageHasMany(foreignKey: "userId")
                var posts: [Shop.Post]
            }

            @StorageEntity(indexes: [["name", "size_height"]], unique: [["name", "address_city"]], renamedFrom: "people")
            struct Owner {
                struct Size: Codable, Sendable {
                    var height: Double
                }

                var id: Int64?
                @StorageUnique(ignoringCase: true)
                var name: String
                @StorageRenamed(from: "home")
                @StorageEmbedded
                var address: Address
                @StorageEmbedded
                var size: Size?
                @StorageReference(Owner.self, onDelete: .setNull, as: "boss")
                var bossId: Int64?
                @StorageReference(User.self, onDelete: .cascade)
                var userId: UUID
                @StorageIgnored
                var isOpen = false
                @StorageIgnored
                var onTap: (@Sendable () -> Void)?
            }

            enum Shop {
                @StorageEntity(table: "app_posts")
                fileprivate struct Note {
                    var id: Int
                }

                @StorageEntity
                public struct Post {
                    let id: String
                    var userId: UUID
                }
            }

            func find(_ user: User, in storage: Storage) async throws -> Query<User> {
                try await storage.save(user)
                return storage.query(User.self).where {
                    $0.name == "Ada" && $0.nickname == nil && $0.address.city == "Kyiv" && $0.sizeHeight > 1.5
                }
            }
            """, arguments: ["-diagnostic-style", "llvm"])
        #expect(outcome.succeeded, "\(outcome.output)")
        #expect(Said.all(in: outcome.output).isEmpty, "\(outcome.output)")
    }
}

/// What a fixture expects, in a comment at the end of the guilty line: `// error: part of the message`. Where the
/// compiler has errors in the expansion only, `// note:` marks the line that it points at.
private struct Mark {
    let line: Int
    let severity: String
    let text: String
    /// Said in a comment of its own; otherwise what the macro expands to has to compile.
    let expansionFailsToo: Bool

    static func all(in source: String) -> [Mark] {
        let expansionFailsToo = source.contains("// expansion fails too\n")
        return source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            line.firstMatch(of: /\S.*\/\/ (error|note): (.+)$/).map { match in
                Mark(
                    line: index + 1, severity: String(match.1), text: String(match.2),
                    expansionFailsToo: expansionFailsToo)
            }
        }
    }

    func matches(_ said: Said) -> Bool {
        said.line == line && said.severity == severity && said.message.contains(text)
    }
}

/// A line of the compiler's output: `/folder/Fixture.swift:3:14: error: message`.
private struct Said {
    let isInExpansion: Bool
    let line: Int
    let severity: String
    let message: String

    static func all(in output: String) -> [Said] {
        output.matches(of: /(?m)^(.+?):(\d+):\d+: (error|warning|note): (.+)$/).map { match in
            Said(
                isInExpansion: match.1.contains("@__swiftmacro_"), line: Int(match.2) ?? 0,
                severity: String(match.3), message: String(match.4))
        }
    }
}

extension Collection {
    /// The element, if there is exactly one.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
