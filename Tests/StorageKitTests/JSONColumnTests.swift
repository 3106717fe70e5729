import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Document {
    struct Detail: Codable, Sendable, Equatable {
        var pageCount: Int
        var printedAt: Date?
    }

    var id: String
    @StorageJSON var detail: Detail
    @StorageJSON var extra: AnyCodable?
    @StorageJSON var title: String?
    var tags: [String]
    var history: [Detail]?
    @StorageEmbedded(prefix: "") var box: Container

    struct Container: Codable, Sendable, Equatable {
        var parts: [Detail]
    }
}

@StorageEntity(table: "timetables") private struct Timetable {
    var id: Int
    @StorageJSON var dates: [Date]
    @StorageJSON var files: [Data]
    @StorageJSON var numbers: [Double]
}

private typealias Tags = [Int]?

@StorageEntity(table: "tagged") private struct Tagged {
    var id: Int
    var tags: Tags?
}

@StorageEntity(table: "oddlykeyed") private struct OddlyKeyed {
    struct Part: Codable, Sendable, Equatable {
        enum CodingKeys: String, CodingKey { case size = "si\"ze" }

        var size: Int
    }

    var id: Int
    @StorageJSON var part: Part
}

@Suite struct JSONColumnTests {
    private let document = Document(
        id: "1", detail: .init(pageCount: 3, printedAt: Date(timeIntervalSince1970: 0.25)),
        extra: ["b": 1, "a": "x/y"],
        title: "T", tags: ["z", "a"], history: nil, box: .init(parts: [.init(pageCount: 1)]))

    private func columns(_ store: TemporaryStore) async throws -> [String?] {
        try await store.db.read { db in
            let row = try Row.fetchOne(db, sql: "SELECT detail, extra, title, tags, history, parts FROM documents")
            return row.map { row in ["detail", "extra", "title", "tags", "history", "parts"].map { row[$0] } } ?? []
        }
    }

    @Test func jsonIsTextWithSortedKeysAndISODates() async throws {
        let store = try TemporaryStore { $0.autoSchema(DocumentRecord.self) }
        try await store.storage.save(document)
        #expect(
            try await columns(store) == [
                #"{"pageCount":3,"printedAt":"1970-01-01T00:00:00.250Z"}"#, #"{"a":"x/y","b":1}"#, #""T""#,
                #"["z","a"]"#, nil, #"[{"pageCount":1}]"#,
            ])
        #expect(try await store.storage.get(Document.self, id: "1") == document)
    }

    @Test func anOptionalWithinAnOptionalKeepsWhichOfThemIsNil() async throws {
        let store = try TemporaryStore { $0.autoSchema(TaggedRecord.self) }
        let tagged = [Tagged(id: 1, tags: nil), Tagged(id: 2, tags: .some(nil)), Tagged(id: 3, tags: [7])]
        try await store.storage.save(tagged)
        #expect(try await store.storage.all(Tagged.self) == tagged)
    }

    @Test func aKeyThatSQLiteCannotFindIsToldAsSuch() async throws {
        let store = try TemporaryStore { $0.autoSchema(OddlyKeyedRecord.self) }
        let query = store.storage.query(OddlyKeyed.self)
        let asked = await storageError { _ = try await query.where { $0.part.size == 1 }.fetch() }
        let set = await storageError { _ = try await query.updateAll { [$0.part.size.set(to: 1)] } }
        for error in [asked, set] {
            #expect(error?.localizedDescription.contains("'part'") == true)
            #expect(error?.localizedDescription.contains("no key of JSON with a quotation mark") == true)
        }
    }

    @Test func columnsAreTextAndRefuseNullUnlessOptional() {
        let columns = DocumentRecord.schemaColumns.dropFirst().dropLast()
        #expect(columns.allSatisfy { $0.type == "TEXT" })
        #expect(columns.map(\.notNull) == [true, false, false, true, false, true])
    }

    @Test func nilIsNULLAndJSONsNullIsAValue() async throws {
        let store = try TemporaryStore { $0.autoSchema(DocumentRecord.self) }
        var entity = document
        entity.extra = .some(.null)
        try await store.storage.save(entity)
        #expect(try await columns(store)[1] == "null")
        #expect(try await store.storage.get(Document.self, id: "1") == entity)
        entity.extra = nil
        try await store.storage.save(entity)
        #expect(try await columns(store)[1] == nil)
        #expect(try await store.storage.get(Document.self, id: "1") == entity)
        #expect(try await store.storage.query(Document.self).where { $0.extra.isNull }.count() == 1)
        #expect(try await store.storage.query(Document.self).where { $0.extra == nil }.count() == 1)
        #expect(try await store.storage.query(Document.self).where { $0.extra != nil }.count() == 0)
    }

    private var snakeCase: StorageKit.StartOptions {
        .init(
            configureEncoder: {
                $0.keyEncodingStrategy = .convertToSnakeCase
                $0.dateEncodingStrategy = .secondsSince1970
            },
            configureDecoder: {
                $0.keyDecodingStrategy = .convertFromSnakeCase
                $0.dateDecodingStrategy = .secondsSince1970
            })
    }

    @Test func theCodersOfTheStoreAreUsedByEveryRoad() async throws {
        let store = try TemporaryStore { $0.autoSchema(DocumentRecord.self) }
        let context = try StorageKit.start(at: store.url, options: snakeCase)
        let repository = context.facade.repository(Document.self)
        try await context.facade.save(document)
        #expect(try await columns(store)[0] == #"{"page_count":3,"printed_at":0.25}"#)
        #expect(try await columns(store)[5] == #"[{"page_count":1}]"#)
        #expect(try await repository.get(id: "1") == document)
        #expect(try await repository.getAll() == [document])
        #expect(try await context.facade.query(Document.self).fetch() == [document])
        let probe = StreamProbe(repository.observeAll())
        #expect(try await probe.next() == [document])
        try await repository.putAll([document])
        #expect(try await columns(store)[0] == #"{"page_count":3,"printed_at":0.25}"#)
    }

    struct Profile: Codable, Sendable, Equatable {
        struct Name: Codable, Sendable, Equatable {
            var firstName: String
            var lastName: String
        }

        var author: Name
        var coAuthor: Name?
        var bornAt: Date
    }

    @StorageEntity(table: "jsonprofiles")
    struct WithProfile: Equatable {
        var id: Int
        var profile: Profile
    }

    private func profiles(_ options: StorageKit.StartOptions) async throws -> (TemporaryFolder, Query<WithProfile>) {
        let folder = try TemporaryFolder()
        let context = try StorageKit.start(at: folder.file(), options: options) {
            $0.autoSchema(WithProfileRecord.self)
        }
        let name = Profile.Name(firstName: "Ada", lastName: "L")
        try await context.facade.save([
            WithProfile(
                id: 1,
                profile: Profile(author: name, coAuthor: nil, bornAt: Date(timeIntervalSince1970: 157_766_400))),
            WithProfile(
                id: 2,
                profile: Profile(author: name, coAuthor: name, bornAt: Date(timeIntervalSince1970: 1_700_000_000))),
        ])
        return (folder, context.facade.query(WithProfile.self).orderBy(\.id))
    }

    @Test func aKeyThatTheEncoderChangesIsFoundAtEachDepth() async throws {
        let (folder, query) = try await profiles(snakeCase)
        defer { withExtendedLifetime(folder) {} }
        #expect(try await query.where { $0.profile.author.firstName == "Ada" }.count() == 2)
        #expect(try await query.where { $0.profile.coAuthor.lastName == "L" }.fetch().map(\.id) == [2])
        #expect(try await query.where { $0.profile.coAuthor.isNull }.fetch().map(\.id) == [1])
    }

    @Test func datesInMillisecondsAreTakenForThem() async throws {
        let (folder, query) = try await profiles(
            .init(
                configureEncoder: { $0.dateEncodingStrategy = .millisecondsSince1970 },
                configureDecoder: { $0.dateDecodingStrategy = .millisecondsSince1970 }))
        defer { withExtendedLifetime(folder) {} }
        let dates = [157_766_400, 1_700_000_000].map { Date(timeIntervalSince1970: $0) }
        #expect(try await query.where { $0.profile.bornAt == dates[0] }.fetch().map(\.id) == [1])
        #expect(try await query.select(\.profile.bornAt).fetch() == dates)
    }

    @Test(arguments: [false, true])
    func datesInArraysAreFoundInTheFormOfTheCoders(inMilliseconds: Bool) async throws {
        let store = try TemporaryStore(
            options: { options in
                options.configureEncoder = {
                    $0.dateEncodingStrategy = inMilliseconds ? .millisecondsSince1970 : .secondsSince1970
                }
                options.configureDecoder = {
                    $0.dateDecodingStrategy = inMilliseconds ? .millisecondsSince1970 : .secondsSince1970
                }
            },
            schema: { $0.autoSchema(TimetableRecord.self) })
        let saved = (0..<30).map { number in
            // Most of them take all digits that a number has.
            let date = Date(timeIntervalSince1970: Double(number) * 12_345_678.901_234)
            return Timetable(id: number, dates: [date], files: [], numbers: [])
        }
        try await store.storage.save(saved)
        let query = store.storage.query(Timetable.self).orderBy(\.id)
        for row in try await query.fetch() {
            let date = try #require(row.dates.first)
            #expect(try await query.where { $0.dates.contains(date) }.fetch().map(\.id) == [row.id])
        }
    }

    @Test func whatAnArrayIsAskedForNeedNotTellTheFormOfAllElements() async throws {
        let store = try TemporaryStore(
            options: { options in
                options.configureEncoder = {
                    $0.dataEncodingStrategy = .base64
                    $0.nonConformingFloatEncodingStrategy = .convertToString(
                        positiveInfinity: "+", negativeInfinity: "-", nan: "?")
                }
            },
            schema: { $0.autoSchema(TimetableRecord.self) })
        try await store.storage.save(Timetable(id: 1, dates: [], files: [Data(), Data([7])], numbers: [0.5]))
        let query = store.storage.query(Timetable.self)
        #expect(try await query.where { $0.files.contains(Data()) }.count() == 1)
        #expect(try await query.where { $0.numbers.contains(0.5) }.count() == 1)
        #expect(try await query.where { $0.numbers.contains(.infinity) }.count() == 0)
    }

    @Test func datesInSecondsSince2001AreTakenForThem() async throws {
        let (folder, query) = try await profiles(
            .init(
                configureEncoder: { $0.dateEncodingStrategy = .deferredToDate },
                configureDecoder: { $0.dateDecodingStrategy = .deferredToDate }))
        defer { withExtendedLifetime(folder) {} }
        let date = Date(timeIntervalSince1970: 157_766_400)
        #expect(try await query.where { $0.profile.bornAt == date }.fetch().map(\.id) == [1])
    }

    @Test func otherCodersThanItWasWrittenWithNameTheColumnAndThePlace() async throws {
        let store = try TemporaryStore { $0.autoSchema(DocumentRecord.self) }
        try await StorageKit.start(at: store.url, options: snakeCase).facade.save(document)
        let error = await storageError { _ = try await store.storage.get(Document.self, id: "1") }
        guard case .entityDecodingFailed("Document", let underlying) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect((underlying as? ColumnDecodingError)?.column == "detail")
        #expect((underlying as? ColumnDecodingError)?.path == "pageCount")
    }

    @Test func jsonThatGRDBOrAnotherProgramWroteIsRead() async throws {
        let store = try TemporaryStore { $0.autoSchema(DocumentRecord.self) }
        try await store.storage.save(document)
        try await store.db.write { db in
            try db.execute(
                sql: """
                    UPDATE documents SET detail = '{ "printedAt" : "2026-01-02T03:04:05Z", "pageCount" : 7 , "x": 1 }',
                    tags = CAST('["blob"]' AS BLOB)
                    """)
        }
        let found = try await store.storage.get(Document.self, id: "1")
        #expect(found?.detail == .init(pageCount: 7, printedAt: Date(timeIntervalSince1970: 1_767_323_045)))
        #expect(found?.tags == ["blob"])
    }

    @Test func anErrorNeverShowsTheValue() async throws {
        let store = try TemporaryStore { $0.autoSchema(DocumentRecord.self) }
        var entity = document
        entity.extra = ["SECRET": .double(.infinity)]
        let error = await storageError { try await store.storage.save(entity) }
        let message = try #require(error?.localizedDescription)
        #expect(message.contains("'extra'"))
        #expect(!message.contains("inf") && !message.contains("SECRET"))
    }
}
