import StorageKit
import Testing

/// How long the compiler takes for relations, selections, groups and joins.
@Suite(.serialized) struct SelectionCompilationTests {
    @Test func eightTermsAndEightColumnsTypeCheckWithinAHundredMilliseconds() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            @StorageEntity
            struct Folder {
                var id: UUID
                var title: String
                var position: Int
                var madeAt: Date?
                @StorageHasMany(foreignKey: "folderId") var notes: [Note]
            }
            @StorageEntity
            struct Note {
                var id: UUID
                @StorageReference(Folder.self) var folderId: UUID
                var title: String
                var position: Int
                var isPinned: Bool
                var dueDate: Date?
                @StorageBelongsTo(foreignKey: "folderId") var folder: Folder?
            }
            @StorageEntity
            struct Author { var id: UUID; var name: String; var age: Int? }
            @StorageSelection
            struct Row: Sendable { let folder: Folder; let count: Int; let nextDue: Date? }
            func select(_ storage: Storage, now: Date) {
                _ = storage.query(Note.self).where {
                    $0.folder.title == "a" && !$0.isPinned && $0.folder.position > 3 && $0.position < 9 && $0.dueDate < now
                        && $0.folder.notes.count { $0.isPinned } > 2 && $0.title.hasPrefix("b") && $0.folder.notes.exists { $0.dueDate == nil }
                }
                _ = storage.query(Note.self).select {
                    ($0.title, $0.folder.title, $0.dueDate, $0.folder.notes.count(), $0.position + 1, $0.isPinned,
                        $0.folder, $0.folder.notes)
                }
                _ = storage.query(Note.self).select {
                    ($0.position + 1, $0.position * 2, $0.position - 3, $0.position / 4, $0.title + "x", $0.position + 5, $0.title, $0.position)
                }
                _ = storage.query(Note.self).group { ($0.position / 10, $0.title + "x", $0.position - 1) }
                    .select { ($0.position / 10, $0.count() + 1, $0.sum(\\.position) * 2, 100 * $0.count { $0.isPinned } / $0.count()) }
                _ = storage.query(Note.self).aggregate {
                    ($0.count() + 1, $0.sum(\\.position) * 2, 100 * $0.count { $0.isPinned } / $0.count(), $0.max(\\.position) ?? 0)
                }
                _ = storage.query(Folder.self).select {
                    Row.columns(folder: $0, count: $0.notes.count { $0.isPinned }, nextDue: $0.notes.min(\\.dueDate))
                }
                _ = storage.query(Note.self).group { ($0.folder.title, $0.isPinned) }
                    .having { $0.sum(\\.position) { $0.isPinned } > 10 }
                    .orderBy({ $0.max(\\.dueDate) }, .descending).limit(20)
                    .select {
                        ($0.folder.title, $0.isPinned, $0.sum { $0.position * 2 },
                            100 * $0.count { $0.isPinned } / $0.count(), $0.count(distinct: \\.title))
                    }
                let joined = storage.query(Note.self)
                    .join(Author.self) { note, author in note.title.contains(author.name) && author.age > 18 }
                    .leftJoin(Folder.self) { note, author, folder in note.folderId == folder.id && folder.position > 2 }
                _ = joined.where { note, author, folder in
                    note.isPinned && author.name == "a" && folder.title == "b" && note.position > 3 && author.age < 30
                        && note.folder.title != author.name && note.dueDate < now && folder.notes.count() > 3
                }
                _ = joined.where { note, author, folder in
                    note.title == author.name && note.dueDate < folder.madeAt && folder.title == author.name && note.position > author.age
                        && folder.position >= note.position && folder.id == note.folderId && (note.dueDate ?? now) < now
                        && author.age != folder.position
                }
                _ = joined.select { note, author, folder in
                    (folder.title, folder.position, folder.id, folder.madeAt, folder.title, folder.position, folder.id, folder)
                }
                _ = joined.select { note, author, folder in
                    (note.title, author.name, folder.title, note.position, author.age, folder.notes.count(), note.dueDate, folder)
                }
                _ = storage.query(Note.self).join(Author.self) { $0.title == $1.name }
                    .group { note, author in (author.name, note.isPinned) }.having { note, author in note.sum(\\.position) { $0.isPinned } > 10 }
                    .orderBy({ note, author in note.max(\\.dueDate) }, .descending)
                    .select { note, author in (author.name, note.isPinned, note.count(), author.max(\\.age), note.sum(\\.position)) }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func aTupleOfEightSumsAndExtremesTypeChecksWithinAHundredMilliseconds() throws {
        let outcome = try FixtureCompiler().typecheckQuickly(
            """
            import StorageKit
            struct Place: Codable, Sendable { var city: String }
            @StorageEntity
            struct Squad { var id: Int; var name: String; @StorageHasMany(foreignKey: "squadId") var players: [Player] }
            @StorageEntity
            struct Player {
                var id: Int
                @StorageReference(Squad.self) var squadId: Int
                var name: String
                var wage: Decimal?
                var born: Date?
                var hired: Date
                var score: Double?
                var isActive: Bool
                @StorageEmbedded var home: Place?
                @StorageReference(Player.self) var captainId: Int?
            }
            func select(_ storage: Storage) {
                let all = storage.query(Player.self).aggregate {
                    ($0.count(), $0.sum(\\.wage), $0.avg(\\.wage), $0.min(\\.born), $0.max(\\.hired), $0.min(\\.hired), $0.sum(\\.score), $0.max(\\.name))
                }
                let _: OneRow<Player, (Int, Decimal, Decimal?, Date?, Date?, Date?, Double, String?)> = all
                _ = storage.query(Player.self).aggregate {
                    ($0.min(\\.hired), $0.max(\\.hired), $0.min(\\.name), $0.max(\\.name), $0.min(\\.isActive), $0.max(\\.score))
                }
                _ = storage.query(Player.self).aggregate { ($0.max(\\.home.city), $0.max(\\.captain.name), $0.count(\\.home.city)) }
                _ = storage.query(Player.self).select {
                    ($0.name, $0.home.city, $0.captain.name, $0.captain.wage, $0.captain.hired, $0.captain.squad.name, $0.captain.isActive, $0.captain)
                }
                _ = storage.query(Squad.self).select {
                    ($0.name, $0.players.max(\\.born), $0.players.max(\\.wage), $0.players.sum(\\.wage), $0.players.avg(\\.wage),
                        $0.players.min(\\.name), $0.players.max(\\.hired), $0.players.count { $0.isActive })
                }
            }
            """)
        #expect(outcome.succeeded, "\(outcome.output)")
    }
}
