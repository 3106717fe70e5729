import Testing

/// What `@StorageSelection` says of structs that cannot be selected.
@Suite struct StorageSelectionMacroTests {
    @Test func aClassIsRefused() {
        expectProblem(
            """
            @StorageSelection
            class Row {
                let a: Int
            }
            """,
            "@StorageSelection needs a struct, which is made anew of each row", line: 2, column: 1,
            fix: "make it a struct")
    }

    @Test func nothingToSelectIsRefused() {
        expectProblem(
            """
            @StorageSelection
            struct Row {
                var a: Int { 1 }
            }
            """,
            "'Row' has no stored property that could be selected", line: 2, column: 8)
    }

    @Test func aMissingTypeIsRefused() {
        expectProblem(
            """
            @StorageSelection
            struct Row {
                var a = make()
            }
            """,
            "'a' needs a type annotation, because a macro cannot see the type of this value", line: 3, column: 9)
    }

    @Test func propertiesInAConditionAreRefused() {
        expectProblem(
            """
            @StorageSelection
            struct Row {
                let a: Int
                #if DEBUG
                let b: Int
                #endif
            }
            """,
            "@StorageSelection cannot see properties inside #if; declare them outside", line: 4, column: 5)
    }

    @Test func aTupleIsRefused() {
        expectProblem(
            """
            @StorageSelection
            struct Row {
                let a: Int
                var (b, c): (Int, Int)
            }
            """,
            "a tuple cannot be selected; declare one property for each value", line: 4, column: 9)
    }

    @Test func whatIsImplicitlyUnwrappedIsSelectedAsAnOptional() {
        let expanded = expansion(of: "@StorageSelection struct Row { var age: Int!; let name: String }")
        #expect(expanded.contains("columns(age: some StorageGRDB.Selectable<Int?>, name: "))
    }

    @Test func whatAWrapperWithArgumentsHoldsIsSetLast() {
        let expanded = expansion(
            of: "@StorageSelection struct Row { @Clamped(5) var level: Int; let name: String }")
        #expect(expanded.contains("StorageGRDB._row({ Self(_selected: $0, $1) }, level, name)"))
        #expect(expanded.contains("private nonisolated init(_selected level: Int, _ name: String)"))
        #expect(expanded.contains(/self\.name = name\s+self\.level = level/))
    }

    @Test func aWrapperWithoutArgumentsLeavesASelectionItsInitialiser() {
        let expanded = expansion(
            of: "@StorageSelection struct Row { @Clamped var level: Int; @Clamped(5) var other: Int = 1 }")
        #expect(expanded.contains("Self(level: $0, other: $1)") && !expanded.contains("_selected "))
    }

    @Test func anInitialiserInAConditionMayTakeTheCompilersPlace() {
        let expanded = expansion(
            of: "@StorageSelection struct Row { var level: Int\n#if DEBUG\ninit() { level = 1 }\n#endif\n}")
        #expect(expanded.contains("private nonisolated init(_selected level: Int)"))
    }

    @Test func whatElseStandsInAConditionLeavesASelectionItsInitialiser() {
        let expanded = expansion(
            of: "@StorageSelection struct Row { var level: Int\n#if DEBUG\nfunc show() {}\n#endif\n}")
        #expect(expanded.contains("Self(level: $0)") && !expanded.contains("_selected "))
    }

    @Test func noPropertyHidesTheStructThatAnInitialiserMakes() {
        let expanded = expansion(of: "@StorageSelection struct Row { var `self`: Int; let name: String; init() {} }")
        #expect(expanded.contains("init(_selected storageKit_self: Int, _ name: String)"))
        #expect(expanded.contains(/self\.`self` = storageKit_self\s+self\.name = name/))
    }

    @Test func anEnumIsRefused() {
        expectProblem(
            """
            @StorageSelection
            enum Row {
                case a
            }
            """,
            "@StorageSelection needs a struct, which is made anew of each row", line: 1, column: 1)
    }

    @Test func aNoncopyableStructIsRefused() {
        expectProblem(
            """
            @StorageSelection
            struct Row: ~Copyable {
                let a: Int
            }
            """,
            "'Row' has to be copyable to be stored and fetched", line: 2, column: 13)
    }

    @Test(arguments: ["StorageGRDB", "StorageColumns", "`Self`", "await"])
    func namesOfWhatIsMadeAreTaken(name: String) {
        let plain = name.replacing("`", with: "")
        expectProblem(
            """
            @StorageSelection
            struct Row {
                let \(name): Int
            }
            """,
            "'\(plain)' means something else in the code that @StorageSelection makes; choose another name", line: 3,
            column: 9)
    }

    @Test func aStructThatIsPrivateToTheTypeAroundItIsRefused() {
        expectProblem(
            """
            enum Screen {
                @StorageSelection
                private struct Row {
                    let a: Int
                }
            }
            """,
            "'Row' is private to the type around it, where its generated extension cannot stand", line: 3, column: 5,
            fix: "make it fileprivate")
    }

    @Test func twoOfTheAttributeAreOneProblem() {
        expectProblem(
            """
            @StorageSelection
            @StorageSelection
            struct Row {
                let a: Int
            }
            """,
            "'Row' has @StorageSelection twice", line: 2, column: 1, fix: "remove '@StorageSelection'")
    }

    @Test func anEntityIsNotSelectedAsAStructToo() {
        expectProblem(
            """
            @StorageSelection
            @StorageEntity
            struct User {
                let id: Int
            }
            """,
            "'User' cannot be both @StorageSelection and @StorageEntity", line: 2, column: 1,
            fix: "remove '@StorageEntity'")
    }

    @Test func whatStandsAtFileScopeIsAvailableWhereTheTypesAroundItAre() {
        for attribute in ["@StorageSelection", "@StorageEntity"] {
            let text = expansion(
                of: """
                    @available(iOS 26, *)
                    enum Feature {
                        \(attribute)
                        @available(macOS 26, *)
                        struct Row {
                            let id: Int
                        }
                    }
                    """)
            #expect(
                text.contains(
                    "@available(macOS 26, *)\n@available(iOS 26, *)\nnonisolated extension Feature.Row: StorageGRDB."),
                "\(text)")
        }
    }
}
