import Testing

/// What paths and relations expand to: one line each.
@Suite struct RelationExpansionTests {
    /// The entity with these properties beside its id.
    private func expanded(_ properties: String) -> String {
        expansion(
            of: """
                @StorageEntity
                struct Task {
                    enum State: Int, Codable { case open, done }
                    var id: UUID
                    \(properties)
                }
                """)
    }

    @Test(arguments: [
        ("listId: UUID", "list: StorageGRDB.ToOne<Other> { .init(\"list\", key: \"listId\") }"),
        ("listID: UUID", "list: StorageGRDB.ToOne<Other> { .init(\"list\", key: \"listID\") }"),
        ("list_id: UUID?", "list: StorageGRDB.OptionalToOne<Other> { .init(\"list\", key: \"list_id\") }"),
        (
            "listId: Swift.Optional<UUID>",
            "list: StorageGRDB.OptionalToOne<Other> { .init(\"list\", key: \"listId\") }"
        ),
        ("classId: UUID", "`class`: StorageGRDB.ToOne<Other> { .init(\"class\", key: \"classId\") }"),
    ]) func aReferenceIsAPathByTheNameOfItsProperty(property: String, path: String) {
        #expect(expanded("@StorageReference(Other.self) var \(property)").contains("var \(path)\n"))
    }

    @Test(arguments: ["list: UUID", "Id: UUID"]) func aReferenceWhoseNameSaysNothingOfAnIdIsNoPath(property: String) {
        #expect(!expanded("@StorageReference(Other.self) var \(property)").contains("ToOne"))
    }

    @Test func aReferenceHasTheNameThatItIsGiven() {
        #expect(
            expanded("@StorageReference(Self.self, as: \"above\") var parentId: UUID?")
                .contains("var above: StorageGRDB.OptionalToOne<Task> { .init(\"above\", key: \"parentId\") }\n"))
    }

    @Test func aPropertyForTheParentTakesThePlaceOfThePathOfItsName() {
        let expanded = expanded("@StorageReference(Other.self) var listId: UUID; @StorageBelongsTo var list: Other?")
        #expect(
            expanded.contains(
                "var list: StorageGRDB.ToOne<Other> "
                    + "{ .init(\"list\", key: \"listId\", property: \\Record.E.list) }\n"))
        #expect(expanded.ranges(of: "var list:").count == 2)
    }

    @Test func aPropertyForTheParentOfAnotherNameLeavesTheKeyItsPath() {
        let expanded = expanded(
            "@StorageReference(Other.self) var listId: UUID; @StorageBelongsTo(foreignKey: \"listId\") var owner: Other?"
        )
        #expect(
            expanded.contains(
                "var owner: StorageGRDB.ToOne<Other> "
                    + "{ .init(\"owner\", key: \"listId\", property: \\Record.E.owner) }\n"))
        #expect(expanded.contains("var list: StorageGRDB.ToOne<Other> { .init(\"list\", key: \"listId\") }\n"))
    }

    @Test(arguments: [
        "var list: String", "@StorageHasMany(foreignKey: \"taskId\") var list: [Step]",
        "@StorageReference(Other.self) var list_id: UUID", "@StorageEmbedded(prefix: \"\") var part: Part",
    ]) func aPathBesideAPropertyForTheParentGivesWayToWhatHasItsName(other: String) {
        let expanded = expanded(
            """
            struct Part: Codable { var list: Int }
            @StorageReference(Other.self) var listId: UUID
            @StorageBelongsTo(foreignKey: "listId") var owner: Other?
            \(other)
            """)
        #expect(expanded.contains("var owner: StorageGRDB.ToOne<Other> "))
        #expect(!expanded.contains("key: \"listId\") }"))
    }

    @Test func aParentThatNothingEnforcesIsOptional() {
        #expect(
            expanded("var listId: UUID; @StorageBelongsTo var list: Other?")
                .contains("var list: StorageGRDB.OptionalToOne<Other> "))
    }

    @Test func aParentThatTheKeyDoesNotReferToIsOptional() {
        #expect(
            expanded("@StorageReference(Person.self) var ownerId: UUID; @StorageBelongsTo var owner: Firm?")
                .contains("var owner: StorageGRDB.OptionalToOne<Firm> "))
    }

    @Test func aParentMayBeNamedWithTheTypesAroundIt() {
        #expect(
            expanded("@StorageReference(Shop.Owner.self) var ownerId: UUID; @StorageBelongsTo var owner: Owner?")
                .contains("var owner: StorageGRDB.ToOne<Owner> "))
    }

    @Test func aForeignKeyMayBeAColumnOfAValue() {
        let expanded = expanded(
            """
            @StorageEmbedded var sender: Sender
            @StorageBelongsTo(foreignKey: "sender_personId") var person: Person?
            """)
        #expect(expanded.contains(".init(\"person\", key: \"sender_personId\", property: \\Record.E.person)"))
    }

    @Test func aParentMayBeCalledByAWordOfSwifts() {
        let expanded = expanded("var classId: UUID; @StorageBelongsTo var `class`: Course?")
        #expect(expanded.contains(".init(\"class\", key: \"classId\", property: \\Record.E.`class`)"))
    }

    @Test func aPathMayBeGivenAWordOfSwifts() {
        #expect(
            expanded("@StorageReference(Other.self, as: \"default\") var listId: UUID")
                .contains("var `default`: StorageGRDB.ToOne<Other> { .init(\"default\", key: \"listId\") }\n"))
    }

    @Test func aRelationThatDoesNotChangeIsNotSet() {
        #expect(
            expanded("@StorageHasMany(foreignKey: \"taskId\") let steps: [Step]")
                .contains("var steps: StorageGRDB.ToMany<Step> { .init(key: \"taskId\") }\n"))
    }

    @Test func aLinkMayStandInTheEntity() {
        #expect(
            expanded("@StorageHasMany(through: Self.Link.self) var tasks: [Task]")
                .contains(".init(through: Task.Link.self, property: \\Record.E.tasks)"))
    }

    @Test func childrenAreFoundByTheirKeyOrThroughALink() {
        #expect(
            expanded("@StorageHasMany(foreignKey: \"taskId\") var steps: [Step]")
                .contains(
                    "var steps: StorageGRDB.ToMany<Step> { .init(key: \"taskId\", property: \\Record.E.steps) }\n"))
        let linked = expanded("@StorageHasMany(through: Link.self, from: \"a\", to: \"b\") var tasks: [Task]")
        #expect(
            linked.contains(
                "var tasks: StorageGRDB.ToMany<Task> "
                    + "{ .init(through: Link.self, from: \"a\", to: \"b\", property: \\Record.E.tasks) }\n"))
        #expect(!linked.contains("hasMany("))
    }

    @Test func whatOnlyTheStructMaySeeIsNoPath() {
        #expect(!expanded("@StorageHasMany(foreignKey: \"taskId\") private var steps: [Step]").contains("ToMany"))
    }

    @Test func aCaseOfItsOwnEnumTellsTheType() {
        #expect(
            expanded("var state = State.open").contains("var state: StorageGRDB.Column<State> { .init(\"state\") }"))
    }
}
