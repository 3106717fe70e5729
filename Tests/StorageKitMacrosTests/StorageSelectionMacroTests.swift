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
}
