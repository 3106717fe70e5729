import Testing

/// What entities of rare shapes expand to: the line that another shape would have otherwise.
@Suite struct RareShapeExpansionTests {
    /// The entity with these members beside its id.
    private func task(_ members: String, _ inherited: String = "") -> String {
        expansion(of: "@StorageEntity struct Task\(inherited) { var id: UUID; \(members) }")
    }

    // MARK: - Equality, initialisers

    @Test func aHashableEntityWithRelationsIsComparedByItsParts() {
        let parts = "@StorageHasMany(foreignKey: \"taskId\") var parts: [Part]"
        #expect(task(parts, ": Hashable").contains("equality.compare(self.parts, other.parts)"))
        #expect(!task(parts).contains("equality.compare"))
    }

    @Test func theInitialiserOfAnEntityWithAConstantSetsItsPropertiesItself() {
        let expanded = expansion(
            of:
                "@StorageEntity public struct Task { public let id: UUID; public let kind = 1; public var name: String }"
        )
        #expect(expanded.contains("self.name = name"))
        #expect(!expanded.contains("self = Self("))
    }

    @Test func childrenThatDoNotChangeAreNotSetByTheRecord() {
        #expect(task("@StorageHasMany(foreignKey: \"taskId\") let parts: [Part]").contains("Self.E(id: id)"))
    }

    @Test func anInitialiserBehindTwoConditionsIsSeen() {
        let expanded = task(
            """
            var name: String
            #if FIRST
            #if SECOND
            init(id: UUID) { self.id = id; name = "" }
            #endif
            #endif

            """)
        #expect(expanded.contains("try Self(_row: &row)"))
        #expect(!expanded.contains("try Self(id:"))
    }

    // MARK: - Names

    @Test func aBackslashInTheNameOfATableIsOneInItsSource() {
        #expect(
            expansion(of: ##"@StorageEntity(table: "a\\b") struct Task { var id: UUID }"##).contains(##"{ #"a\b"# }"##))
    }

    @Test func aTypeOfAnotherTypeIsNotTakenForOneOfTheEntity() {
        let expanded = task("var state: Other.State; enum State: String, Codable { case a }")
        #expect(expanded.contains("state: Other.State,"))
        #expect(!expanded.contains("Task.State"))
    }

    @Test func aKeyThatIsCalledIdAloneIsNoPath() {
        let expanded = task("@StorageReference(Other.self) var _id: UUID")
        #expect(expanded.contains("to: Other.self") && !expanded.contains("ToOne"))
    }

    // MARK: - Embedded values

    @Test func anEmbeddedValueWithoutADefaultIsPassedOverWithAllItsColumns() {
        let expanded = task(
            "@StorageEmbedded var home: Home; var age = 3; struct Home: Codable { var a: Int; var b: Int }")
        #expect(expanded.contains("row.skip(Self.storageColumns.home)"))
    }

    @Test func theFieldsOfAPrivateFieldAreNoColumnsOfQueries() {
        let expanded = task(
            """
            @StorageEmbedded var home: Home
            struct Home: Codable {
                private var point: Point
                var x: Int
                struct Point: Codable { var lat: Double }
            }
            """)
        #expect(expanded.contains("homeX") && !expanded.contains("homePointLat"))
    }

    @Test func whatAValueWithAnEncodeOfItsOwnWritesIsNotGuessed() {
        let expanded = task(
            """
            @StorageEmbedded var home: Home
            struct Home: Codable {
                var x: Int
                func encode(to encoder: any Encoder) throws {}
            }
            """)
        #expect(expanded.contains("UnseenColumns") && !expanded.contains("homeX"))
    }

    @Test func anEmbeddedValueMayHaveHadNoPrefix() {
        let expanded = task(
            """
            @StorageRenamed(from: "") @StorageEmbedded var home: Home
            struct Home: Codable { var x: Int; var y: Int }
            """)
        #expect(expanded.contains("table.embedded(Self.storageColumns.home, renamedFrom: [\"\"])"))
    }

    @Test func aTypeOfTheEntitysOwnWithANameOfFoundationsIsEmbedded() {
        let expanded = task(
            """
            @StorageEmbedded var day: Date
            struct Date: Codable { var year: Int; var month: Int }
            """)
        #expect(expanded.contains("let dayYear = "))
    }

    // MARK: - Access and refusal

    @Test func anEntityInAPrivateTypeAtFileScopeExpands() {
        let expanded = expansion(of: "private enum Around { @StorageEntity struct Task { var id: UUID } }")
        #expect(expanded.contains("fileprivate nonisolated struct TaskRecord"))
    }

    @Test func aPathThatIsGivenATakenNameIsRefusedBesideAPropertyForTheParentToo() {
        let expanded = task(
            """
            var list: String
            @StorageReference(Other.self, as: "list") var listId: UUID
            @StorageBelongsTo(foreignKey: "listId") var owner: Other?
            """)
        #expect(!expanded.contains("TaskRecord"))
    }

    @Test func aPrivatePropertyOfASelectionIsSelectedByTheWholeModule() {
        let expanded = expansion(of: "@StorageSelection struct Row { private let name: String; let age: Int }")
        #expect(expanded.contains("nonisolated static func columns(name:"))
        #expect(!expanded.contains("fileprivate nonisolated static func columns"))
    }
}
