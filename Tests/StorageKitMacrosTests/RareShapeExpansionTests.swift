import Testing

/// What entities of rare shapes expand to: the line that another shape would have otherwise.
@Suite struct RareShapeExpansionTests {
    /// The entity with these members beside its id.
    private func task(_ members: String, _ inherited: String = "") -> String {
        expansion(of: "@StorageEntity struct Task\(inherited) { var id: UUID; \(members) }")
    }

    // MARK: - Equality, initialisers

    @Test(arguments: [
        ": Hashable", ": Swift.Hashable", ": Identifiable & Hashable", ": Named, Named & Swift.Hashable",
        ": nonisolated Hashable",
    ])
    func aHashableEntityWithRelationsIsComparedByItsParts(inherited: String) {
        let parts = "@StorageHasMany(foreignKey: \"taskId\") var parts: [Part]"
        #expect(task(parts, inherited).contains("equality.compare(self.parts, other.parts)"))
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

    @Test func noInitialiserOfARecordTakesTheNameUpdatedAtTwice() {
        let expanded = task("@StorageEmbedded var updatedAt: Mark")
        #expect(expanded.contains("StorageGRDB.StampedRecord"))
        #expect(!expanded.contains("updatedAt: Foundation.Date"))
    }

    @Test func aParentThatDoesNotChangeIsNilInTheRecord() {
        let expanded = task("var ownerId: UUID; @StorageBelongsTo let owner: Owner?")
        #expect(expanded.contains("Self.E(id: id, ownerId: ownerId, owner: nil)"))
    }

    @Test(arguments: [
        ("Optional<Owner>", ", owner: nil"), ("Swift.Optional<Owner>", ", owner: nil"), ("Owner?", ""),
        ("Optional<Owner> = nil", ""),
    ]) func aParentThatMayChangeIsNilInTheRecordWhereItDoesNotBeginSo(type: String, argument: String) {
        let expanded = task("var ownerId: UUID; @StorageBelongsTo var owner: \(type)")
        #expect(expanded.contains("Self.E(id: id, ownerId: ownerId\(argument))"))
    }

    @Test func whatIsIgnoredIsNotAskedForByTheRecord() {
        let expanded = task("@StorageIgnored var cache: [Int] = []; @StorageIgnored var note: Note?")
        #expect(expanded.contains("Self.E(id: id)"))
    }

    /// In what is deprecated itself the compiler warns of nothing that is.
    @Test func whatReadsAndWritesADeprecatedPropertyIsDeprecatedToo() {
        let expanded = task(
            """
            @available(*, deprecated) var old: Home
            @StorageIgnored var open = false
            private var note: String
            """)
        #expect(expanded.ranges(of: "\n    @available(*, deprecated)\n").count == 6)
        #expect(!task("var new: Home").contains("deprecated"))
    }

    @Test func noPropertyHasTheNameOfAParameter() {
        let expanded = task("var _values: Int; var `self`: Int; var _self: Int; init(id: UUID) {}")
        #expect(
            expanded.contains(
                "init(_values _: Swift.Void, id: UUID, _values: Int, self storageKit_self: Int, _self: Int) {"))
        #expect(expanded.contains("self.`self` = storageKit_self"))
    }

    @Test(arguments: ["Data", "URL?", "[Date]", "[String: Decimal]", "[[UUID]?]"])
    func whatIsSaidToBeJSONMayBeATypeOfTheAppsWithoutEquality(type: String) {
        #expect(task("@StorageJSON var value: \(type)").contains("equality.compare(self.value, other.value)"))
    }

    @Test func aDictionaryOfValuesThatMayHaveNoEqualityIsComparedByParts() {
        #expect(task("var marks: [String: Mark]").contains("ComparedByParts"))
        #expect(!task("var marks: [String: Int]").contains("ComparedByParts"))
    }

    @Test func aConstantOfAnImplicitlyUnwrappedTypeIsNoDefaultOfAColumn() {
        let expanded = task("var rate: Double! = 1")
        #expect(expanded.contains("StorageGRDB.Column<Double?>") && !expanded.contains("_encodeDefaults"))
    }

    @Test func aNameWithAValueDoesNotTakeTheTypeOfTheNext() {
        let expanded = task("var count = 0, name: String")
        #expect(expanded.contains("var count: StorageGRDB.Column<Swift.Int> "))
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

    @Test(arguments: ["@Clamped(5)", "@Clamped()", "@Limits.Clamped(5)"])
    func whatAWrapperWithArgumentsHoldsIsReadInItsPlaceAndSetLast(wrapper: String) {
        let expanded = task("\(wrapper) var level: Int; var name: String")
        #expect(
            expanded.contains(
                """
                        let _level: Int = try row.nextValue()
                        self.name = try row.nextValue()
                        self.level = _level

                """))
        let parent = task("\(wrapper) var level: Int; @StorageHasMany(foreignKey: \"taskId\") var parts: [Part]")
        #expect(parent.contains(/self\.parts = parts\s+self\.level = level/))
    }

    /// What Swift takes for its initialisation has to come before the setter of a wrapper.
    @Test(arguments: [
        "@Clamped(5) var level: Int = 1", "@Clamped var level: Int", "@available(*, deprecated) private var level: Int",
    ]) func whatAnInitialiserMakesIsSetInItsPlace(property: String) {
        #expect(task("\(property); var name: String").contains("self.level = try row.nextValue()"))
    }

    // MARK: - Coding

    @Test(arguments: [
        "var home: Home; struct Home: Codable { var a: Int; enum CodingKeys: CodingKey { case a } }",
        "var a: Int // without CodingKeys\n", "func f() { /* CodingKeys */ }",
        "enum Home { struct Room: Codable { var a: Int; enum CodingKeys: CodingKey { case a } } }",
        "func f() -> String { Home.CodingKeys.a.stringValue }", "var f: Self.Home.CodingKeys { .a }",
        "struct Home { var a: Int; enum CodingKeys: CodingKey { case a }; var f: Self.CodingKeys { .a } }",
    ]) func theKeysOfANestedTypeAndCommentsAreNotTheEntitysKeys(members: String) {
        #expect(task(members).contains("StorageGRDB.CodedByProperties"))
    }

    @Test(arguments: [
        "enum CodingKeys: CodingKey { case id }", "typealias CodingKeys = Keys",
        "#if FIRST\nenum CodingKeys: CodingKey { case id }\n#endif\n",
        "func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: CodingKeys.self) }",
        "func f() -> String { Task.CodingKeys.id.stringValue }", "var f: Self.CodingKeys { .id }",
        "enum Home { enum Room { static let a = CodingKeys.id }; struct Other { enum CodingKeys { case a } } }",
    ]) func anEntityThatNamesItsKeysIsCodedByTheCompiler(member: String) {
        let expanded = task(member)
        #expect(expanded.contains("TaskRecord") && !expanded.contains("CodedByProperties"))
    }

    // MARK: - Names

    @Test func aBackslashInTheNameOfATableIsOneInItsSource() {
        #expect(
            expansion(of: ##"@StorageEntity(table: "a\\b") struct Task { var id: UUID }"##).contains(##"{ #"a\b"# }"##))
    }

    @Test func anArgumentThatIsNilIsAsGoodAsNone() {
        let expanded = expansion(
            of: """
                @StorageEntity(table: nil)
                struct Task {
                    var id: UUID
                    @StorageEmbedded(prefix: nil) var home: Home
                    @StorageReference(List.self, as: nil) var listId: UUID
                    @StorageBelongsTo(foreignKey: nil) var list: List?
                }
                """)
        #expect(expanded.contains("{ \"tasks\" }"))
        #expect(expanded.contains("_embedded(\"home\", \"home_\", "))
        #expect(expanded.contains(".init(\"list\", key: \"listId\", property: "))
    }

    @Test func aTypeOfTheEntitysOwnMayHaveTheNameThatTheCodeHasForTheEntity() {
        #expect(task("var kind: E; enum E: String, Codable { case a }").contains("init(id: UUID, kind: Task.E, "))
    }

    @Test func theColumnsOfAnEntityHideNoTypeOfItsOwn() {
        let expanded = task("var kind: E; enum E: String, Codable { case a }; @StorageEmbedded var home: Home")
        #expect(expanded.contains("typealias _Entity = Record.E") && !expanded.contains("typealias E = Record.E"))
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

    @Test(arguments: [
        "init(from decoder: any Decoder) throws { x = 1 }", "#if DEBUG\nvar y: Int\n#endif", "@Clamped var y: Int",
    ]) func whatOnlyRunningItTellsOfAValueIsNotGuessed(member: String) {
        let expanded = task("@StorageEmbedded var home: Home\nstruct Home: Codable {\nvar x: Int\n\(member)\n}")
        #expect(expanded.contains("UnseenColumns") && !expanded.contains("homeX"))
    }

    @Test func aFieldWhoseTypeIsNotSeenIsNotLeftOut() {
        let expanded = task(
            "@StorageEmbedded var home: Home; struct Home: Codable { var x: Int; var made = Date() }")
        #expect(expanded.contains("UnseenColumns"))
    }

    @Test func aFieldWithALiteralIsOfItsType() {
        let expanded = task("@StorageEmbedded var home: Home; struct Home: Codable { var floor = 1 }")
        #expect(expanded.contains("let homeFloor = "))
    }

    @Test func aFieldThatOthersSeeAndDoNotSetIsAColumnOfQueries() {
        let expanded = task("@StorageEmbedded var home: Home; struct Home: Codable { private(set) var x: Int }")
        #expect(expanded.contains("let homeX = "))
    }

    @Test func aFieldOfAValuesOwnTypeWithANameOfFoundationsIsSpreadToo() {
        let expanded = task(
            """
            @StorageEmbedded var home: Home
            struct Home: Codable {
                var day: Date
                struct Date: Codable { var year: Int }
            }
            """)
        #expect(expanded.contains("let homeDayYear = "))
    }

    @Test func aColumnKeepsItsNameBesideAFieldThatIsSpelledSo() {
        let expanded = task("var homeX: Int; @StorageEmbedded var home: Home; struct Home: Codable { var x: Int }")
        #expect(expanded.contains("var homeX: StorageGRDB.Column<Int> ") && !expanded.contains("let homeX"))
    }

    @Test func aFieldMayBeCalledByAWordOfSwifts() {
        let expanded = task("@StorageEmbedded(prefix: \"\") var home: Home; struct Home: Codable { var `class`: Int }")
        #expect(expanded.contains("let `class` = StorageGRDB._column(\"class\", "))
    }

    @Test func theColumnsOfAValueUnderAWordOfSwiftsBeginWithTheWord() {
        let expanded = task("@StorageEmbedded var `default`: Home")
        #expect(expanded.contains("_embedded(\"default\", \"default_\", Home.self)"))
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

    @Test func aPrivatePropertyOfATypeOfTheEntitysOwnIsNoColumnOfQueries() {
        let expanded = task("private var day: Date; private struct Date: Codable, Sendable { var year: Int }")
        #expect(expanded.contains("[UUID.self, Date.self]") && !expanded.contains("let day"))
    }

    @Test func anEntityInAPrivateTypeAtFileScopeExpands() {
        let expanded = expansion(of: "private enum Around { @StorageEntity struct Task { var id: UUID } }")
        #expect(expanded.contains("fileprivate nonisolated struct TaskRecord"))
    }

    @Test func anInternalEntityInAPublicExtensionHasAnInternalRecord() {
        let expanded = expansion(of: "public extension Shop { @StorageEntity internal struct Task { var id: UUID } }")
        #expect(expanded.contains("internal nonisolated struct TaskRecord"))
    }

    @Test func theFieldsOfAValueAreSeenByThoseWhoSeeTheValue() {
        let expanded = expansion(
            of: """
                @StorageEntity
                public struct Task {
                    public struct Home: Codable, Sendable { public var x: Int }
                    public var id: UUID
                    @StorageEmbedded var home: Home
                }
                """)
        #expect(expanded.contains("let homeX = ") && !expanded.contains("public let homeX"))
    }

    @Test func aPathThatIsGivenATakenNameIsRefusedBesideAPropertyForTheParentToo() {
        let expanded = task(
            """
            var list: String
            @StorageReference(Other.self, as: "list") var listId: UUID
            @StorageBelongsTo(foreignKey: "listId") var owner: Other?
            """)
        #expect(expanded.contains("fatalError") && !expanded.contains("var list: StorageGRDB.ToOne"))
    }

    @Test func aPrivatePropertyOfASelectionIsSelectedByTheWholeModule() {
        let expanded = expansion(of: "@StorageSelection struct Row { private let name: String; let age: Int }")
        #expect(expanded.contains("nonisolated static func columns(name:"))
        #expect(!expanded.contains("fileprivate nonisolated static func columns"))
    }
}
