import StorageTestSupport
import Testing

/// Entities inside other types, compiled for real: what is generated is as visible as the entity, and no more.
@Suite(.serialized) struct EntityVisibilityTests {
    @Test(arguments: ["enum", "package enum", "public enum", "private enum", "fileprivate enum"])
    func aPublicEntityMayStandInAnyType(outer: String) throws {
        try expectToCompile(
            """
            \(outer) Shop {
                enum Staff {
                    @StorageEntity
                    public struct User {
                        public var id: String
                        var name: String
                    }
                }
            }
            """)
    }

    @Test(arguments: ["public", "package", "fileprivate", "private", "internal", ""])
    func anEntityTakesTheAccessOfTheExtensionAround(access: String) throws {
        try expectToCompile(
            """
            public enum Shop {}
            \(access) extension Shop {
                @StorageEntity
                struct User {
                    public var id: String
                    var name: String
                }
            }
            """)
    }

    private func expectToCompile(
        _ source: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let arguments = ["-package-name", "app"]
        let outcome = try FixtureCompiler().typecheck("import StorageKit\n" + source, arguments: arguments)
        #expect(outcome.succeeded, "\(outcome.output)", sourceLocation: location)
        #expect(!outcome.output.contains("warning:"), "\(outcome.output)", sourceLocation: location)
    }
}
