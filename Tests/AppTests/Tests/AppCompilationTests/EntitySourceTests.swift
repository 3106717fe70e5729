import Testing

/// What an entity may be called, and refer to.
@Suite(.serialized) struct EntitySourceTests {
    /// At file scope such a name hides the real one in the whole module, generated code included.
    @Test(arguments: [
        "Task", "Column", "Order", "Group", "Date", "Result", "Database", "String", "Query", "Row", "URL", "Character",
        "Substring", "set", "willSet", "_modify",
    ])
    func atFileScopeTheNameDoesNotMisleadGeneratedCode(name: String) throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            @StorageEntity
            public struct \(name) {
                public var id: Swift.String
                var at: Foundation.Date
                var count: Int?
                @StorageJSON var names: [Int]
                @StorageEmbedded var value: Value
                @StorageHasMany(foreignKey: "parent") var children: [Child]
            }
            struct Value: Codable, Sendable { var city: Swift.String }
            @StorageEntity
            struct Child {
                var id: Int
                var parentId: Swift.String
                @StorageBelongsTo var parent: \(name)?
            }
            func use(_ storage: Storage) async throws -> [\(name)] {
                try await storage.query(\(name).self).where { $0.count > 1 && $0.value.city == "x" }.fetch()
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
        #expect(!outcome.output.contains("warning:"), "\(outcome.output)")
    }

    @Test func aValueInJSONWithANameOfFoundationsNeedsNoEquality() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            struct Data: Codable, Sendable { var x: Int }
            @StorageEntity struct Item { var id: Int; @StorageJSON var data: Data; @StorageJSON var all: [Data] }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func aSpellingOfTwoColumnsIsNone() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            @StorageEntity
            struct Spelled {
                struct Value: Codable, Sendable {
                    var b_c: Int
                    var bC: Int
                }
                var id: Int
                @StorageEmbedded(prefix: "a_") var value: Value
            }
            func find(_ storage: Storage) -> Query<Spelled> { storage.query(Spelled.self).where { $0.aBC == 1 } }
            """)
        #expect(outcome.output.contains("aBC"))
        #expect(!outcome.succeeded)
    }

    @Test func childrenMayBeOfTheTypeSelf() throws {
        let outcome = try FixtureCompiler().typecheck(
            """
            import StorageKit
            @StorageEntity
            struct Branch {
                var id: Int
                var parentId: Int?
                @StorageHasMany(foreignKey: "parentId") var children: [Self]
                @StorageHasMany(foreignKey: "branchId") var leaves: [Self.Leaf]

                @StorageEntity
                struct Leaf {
                    var id: Int
                    var branchId: Int
                }
            }
            func parents(_ db: Database) throws -> [BranchRecord] {
                try BranchRecord.having(BranchRecord.children.isEmpty).fetchAll(db)
            }
            let branch = Branch(id: 1, children: [Branch(id: 2)])
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }
}
