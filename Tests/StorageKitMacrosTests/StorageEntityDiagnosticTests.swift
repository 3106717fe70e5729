import Testing

@Suite struct StorageEntityDiagnosticTests {
    @Test func aClassIsRefusedAndCanBeMadeAStruct() {
        expectProblem(
            """
            @StorageEntity
            class User {
                var id: String
            }
            """,
            "@StorageEntity needs a struct; a class has no value to copy in and out of a row",
            line: 2, column: 1, fix: "make it a struct",
            fixedSource: """
                @StorageEntity
                struct User {
                    var id: String
                }
                """)
    }

    @Test(arguments: [("actor", "an actor"), ("enum", "an enum")])
    func otherTypesAreRefused(keyword: String, kind: String) {
        expectProblem(
            """
            @StorageEntity
            \(keyword) User {
            }
            """,
            "@StorageEntity needs a struct; \(kind) has no value to copy in and out of a row", line: 2, column: 1)
    }

    @Test func aGenericStructIsRefusedAtItsParameters() {
        expectProblem(
            """
            @StorageEntity
            struct Box<T> {
                var id: String
            }
            """,
            "@StorageEntity cannot be put on the generic struct 'Box', which would need a table for each argument",
            line: 2, column: 11)
    }

    @Test func aMissingIdIsReportedAtTheNameAndCanBeAdded() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var name: String
            }
            """,
            "'User' needs a stored property 'id', its primary key", line: 2, column: 8, fix: "add 'var id: String'",
            fixedSource: """
                @StorageEntity
                struct User {
                    var id: String
                    var name: String
                }
                """)
    }

    @Test func aPropertyWithoutAVisibleTypeIsNeverDropped() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var made = makeIt()
            }
            """,
            "'made' needs a type annotation, because a macro cannot see the type of this value", line: 4, column: 9)
    }

    @Test func aTupleIsRefused() {
        expectProblem(
            """
            @StorageEntity
            struct User {
                var id: String
                var (x, y) = (1, 2)
            }
            """,
            "a tuple cannot be stored; declare one property for each column", line: 4, column: 9)
    }

    @Test func aTableNameHasToBeALiteral() {
        expectProblem(
            """
            @StorageEntity(table: name)
            struct User {
                var id: String
            }
            """,
            "the table name has to be a string literal without interpolation", line: 1, column: 23)
    }

    @Test func aTableNameMustNotBeEmpty() {
        expectProblem(
            """
            @StorageEntity(table: "")
            struct User {
                var id: String
            }
            """,
            "the table name is empty", line: 1, column: 23)
    }
}
