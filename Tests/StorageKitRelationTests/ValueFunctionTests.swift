import StorageKit
import StorageTestSupport
import Testing

/// Texts, dates and numbers in queries, beside the same in Swift.
@Suite struct ValueFunctionTests {
    @StorageEntity
    struct Note {
        var id: Int
        var text: String
        var title: String?
        var count: Int
        var due: Date
        var done: Date?
        var price: Decimal
        var discount: Decimal?
        var bytes: UInt64
    }

    private let store: TemporaryStore
    private let notes: [Note]
    private let seed: UInt64
    private var query: Query<Note> { store.storage.query(Note.self).orderBy(\.id) }
    private let row = Note.storageColumns

    init() async throws {
        store = try TemporaryStore { $0.autoSchema(NoteRecord.self) }
        var random = SeededGenerator()
        seed = random.seed
        notes = (0..<programCount(quick: 150, full: 2_000)).map { Self.note($0, &random) }
        try await store.storage.save(notes)
    }

    private static let texts = [
        "", "Straße", "STRASSE", "İstanbul", "e\u{301}te\u{301}", "étè", "👩‍👩‍👧‍👦 family", "日本", "ΣΊΣΥΦΟΣ", "a\0b",
        "zebra", "Äpfel", "apfel", "Zoo", "öl", "\r\n", "ǅ", "it's \"q\"", "'; DROP TABLE notes; --",
    ]

    private static func date(_ random: inout SeededGenerator) -> Date {
        // The years 1900 to 2100, on the hours where clocks are changed too.
        let seconds = Double(Int.random(in: -2_208_988_800...4_102_444_800, using: &random))
        let fraction = Bool.random(using: &random) ? 0 : Double(Int.random(in: 0..<1000, using: &random)) / 1000
        return Date(timeIntervalSince1970: seconds + fraction)
    }

    private static func note(_ id: Int, _ random: inout SeededGenerator) -> Note {
        let decimals = (0..<4).map { _ in Decimal(Int.random(in: -999_999...999_999, using: &random)) / 1000 }
        let hasTitle = Bool.random(using: &random)
        let hasDate = Bool.random(using: &random)
        return Note(
            id: id, text: (0..<2).map { _ in texts.randomElement(using: &random) ?? "" }.joined(),
            title: hasTitle ? texts.randomElement(using: &random) : nil, count: Int.random(in: 0...9, using: &random),
            due: date(&random), done: hasDate ? date(&random) : nil, price: decimals[0],
            discount: hasDate ? decimals[1] : nil, bytes: UInt64.random(in: 0...(UInt64.max / 4), using: &random))
    }

    /// The condition and its opposite find what Swift finds.
    private func check(
        _ condition: Predicate, _ line: Int = #line, _ holds: (Note) -> Bool
    ) async throws {
        let found = try await query.where { _ in condition }.fetch().map(\.id)
        #expect(found == notes.filter(holds).map(\.id), "line \(line), seed \(seed)")
        let others = try await query.where { _ in !condition }.fetch().map(\.id)
        #expect(others == notes.filter { !holds($0) }.map(\.id), "line \(line), seed \(seed)")
    }

    // MARK: - Texts

    @Test func textsAreMadeSmallAsInSwift() async throws {
        for note in notes.prefix(30) {
            try await check(row.text.lowercased() == note.text.lowercased()) {
                Array($0.text.lowercased().utf8) == Array(note.text.lowercased().utf8)
            }
        }
        try await check(row.title.lowercased() == nil) { $0.title == nil }
    }

    @Test func charactersAreCountedAndTakenAsInSwift() async throws {
        for length in [0, 1, 2, 5, 99] {
            try await check(row.text.count == length) { $0.text.count == length }
            try await check(row.text.prefix(length) == row.text) { $0.text.count <= length }
            for note in notes.prefix(10) {
                try await check(row.text.prefix(length) == String(note.text.prefix(length))) {
                    Array($0.text.prefix(length).utf8) == Array(note.text.prefix(length).utf8)
                }
            }
        }
        try await check(row.title.count > 4) { ($0.title?.count ?? 0) > 4 }
        await #expect(throws: StorageError.self) { try await query.where { $0.text.prefix(-1) == "" }.fetch() }
    }

    @Test func oneTextOfTheRowIsLookedForInAnother() async throws {
        try await check(row.text.contains(row.title)) { note in note.title.map { note.text.bytes($0) } ?? false }
        try await check(row.text.hasPrefix(row.title)) { note in
            note.title.map { note.text.utf8.starts(with: $0.utf8) } ?? false
        }
        try await check(row.title + "!" == "Zoo!") { $0.title == "Zoo" }
        try await check(row.title + row.text == nil) { $0.title == nil }
    }

    @Test func aColumnThatAMethodHidesIsReached() async throws {
        let found = try await query.where { $0[\.count] > 4 }.fetch().map(\.id)
        #expect(found == notes.filter { $0.count > 4 }.map(\.id))
        let unsorted = store.storage.query(Note.self)
        let groups = unsorted.where { $0[\.count] > 4 }.group(by: \.count).having { $0[\.count] > 0 }
        let counted = try await groups.orderBy { $0[\.count] }.select { ($0[\.count], $0.count()) }.fetch()
        #expect(counted.map(\.0) == Set(notes.map(\.count).filter { $0 > 4 }).sorted())
        let pairs = unsorted.leftJoin(Note.self) { $0.id == $1.id && $1[\.count] > 4 }.group { _, other in other.count }
        let joined = try await pairs.orderBy { _, other in other[\.count] }.select { _, other in other[\.count] }
            .fetch()
        #expect(joined.compactMap(\.self) == counted.map(\.0))
    }

    @Test func textsAreSortedWithoutCaseAndByLanguage() async throws {
        try await store.storage.query(Note.self).deleteAll()
        let words = ["zebra", "Äpfel", "apfel", "Zoo", "öl", "Öre", "ny"]
        try await store.storage.save(
            words.enumerated().map { index, word in
                var note = notes[0]
                (note.id, note.text) = (index, word)
                return note
            })
        let all = store.storage.query(Note.self)
        for name in ["sv", "de_DE"] {
            let locale = Locale(identifier: name)
            let expected = words.sorted { $0.compare($1, locale: locale) == .orderedAscending }
            let found = try await all.orderBy { $0.text.collated(.localized(locale)) }.fetch().map(\.text)
            #expect(found == expected, "\(name)")
        }
        let caseless = try await all.orderBy { $0.text.collated(.caseInsensitive) }.fetch().map(\.text)
        #expect(caseless == ["apfel", "ny", "zebra", "Zoo", "Äpfel", "öl", "Öre"])
        #expect(try await all.where { $0.text.collated(.caseInsensitive) == "ZOO" }.count() == 1)
        let hostile = Locale(identifier: "x\" ; DROP TABLE notes; --")
        #expect(try await all.orderBy { $0.text.collated(.localized(hostile)) }.fetch().count == words.count)
    }

    @Test(arguments: ["日本", "🎈", "\u{80}", "sv_Ü", "a\0b", "\n", "\u{7F}", String(repeating: "a", count: 100_000)])
    func aLocaleThatCannotBeIsAnErrorThatNamesIt(identifier: String) async throws {
        try await store.storage.save(notes[0])
        let all = store.storage.query(Note.self)
        let locale = Locale(identifier: identifier)
        await #expect {
            try await all.orderBy { $0.text.collated(.localized(locale)) }.fetch()
        } throws: { error in
            guard case .queryFailed(_, let underlying)? = error as? StorageError else { return false }
            let name = String(locale.identifier.prefix(40)).debugDescription
            return (underlying as? InvalidQuery)?.reason.contains(name) == true
        }
        // SQL of the app's may name it by itself.
        await #expect(throws: StorageError.self) {
            try await store.storage.sql(
                "SELECT 'a' < 'b' COLLATE \"storagekit_localized_日本\"", as: Bool.self
            ).fetch()
        }
    }

    // MARK: - Dates

    @Test(arguments: ["GMT", "Europe/Kyiv", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"])
    func datesAreTakenApartByTheCalendar(_ name: String) async throws {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        func part(_ component: Calendar.Component) -> (Date) -> Int {
            { calendar.component(component, from: $0) }
        }
        let year = part(.year)
        try await check(row.due.year(in: zone) == row.done.year(in: zone)) { note in
            note.done.map { year($0) == year(note.due) } ?? false
        }
        for number in 1...12 {
            try await check(row.due.month(in: zone) == number) { part(.month)($0.due) == number }
            try await check(row.due.day(in: zone) == number) { part(.day)($0.due) == number }
            try await check(row.due.hour(in: zone) == number) { part(.hour)($0.due) == number }
            try await check(row.due.minute(in: zone) == number) { part(.minute)($0.due) == number }
            try await check(row.done.weekday(in: zone) == number) { $0.done.map(part(.weekday)) == number }
        }
    }

    @Test(arguments: DateUnit.allCases, ["GMT", "Europe/Kyiv", "America/Sao_Paulo"])
    func unitsBeginAsTheCalendarSays(_ unit: DateUnit, _ name: String) async throws {
        let zone = try #require(TimeZone(identifier: name))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        calendar.firstWeekday = 1
        let component: Calendar.Component =
            switch unit {
            case .minute: .minute
            case .hour: .hour
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            }
        for note in notes.prefix(40) {
            let start = try #require(calendar.dateInterval(of: component, for: note.due)?.start)
            let found = try await query.where { $0.id == note.id && $0.due.start(of: unit, in: zone) == start }.count()
            #expect(found == 1, "\(note.due) \(seed)")
        }
        try await check(row.done.start(of: unit, in: zone) == nil) { $0.done == nil }
    }

    @Test(arguments: DateUnit.allCases, ["GMT", "Europe/Kyiv", "America/New_York"])
    func aUnitThatBeganBeforeTheYear1BeginsWithIt(_ unit: DateUnit, _ name: String) async throws {
        let zone = try #require(TimeZone(identifier: name))
        try await query.updateAll { [$0.due.set(to: .distantPast)] }
        #expect(try await query.select { $0.due.start(of: unit, in: zone) }.fetchOne() == .distantPast)
    }

    @Test(arguments: [61, -1, -3_601, 19_800, 0])
    func aTimeZoneMayDifferByOddSeconds(seconds: Int) async throws {
        let zone = try #require(TimeZone(secondsFromGMT: seconds))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let hour = Date(timeIntervalSince1970: 1_787_734_800)
        try await query.updateAll { [$0.due.set(to: hour)] }
        let found = try await query.select { ($0.due.minute(in: zone), $0.due.start(of: .day, in: zone)) }.fetchOne()
        #expect(found?.0 == calendar.component(.minute, from: hour))
        #expect(found?.1 == calendar.dateInterval(of: .day, for: hour)?.start)
    }

    @Test func partsOfDatesAreInGMTWhereNoTimeZoneIsNamed() async throws {
        let query = query.where { $0.due.month == 2 && $0.done.weekday == 1 }
        #expect(
            try query.sql.sql.contains(#"(storagekit_month("due") = ?) AND (storagekit_weekday("done") = ?)"#))
        try await check(row.due.month == 2) { Calendar.gmt.component(.month, from: $0.due) == 2 }
        try await check(row.done.year == nil) { $0.done == nil }
    }

    @Test func partsOfADateThatMayBeNilAreThoseOfTheDate() async throws {
        let parts: [(Column<Int?>, Calendar.Component)] = [(row.done.hour, .hour), (row.done.minute, .minute)]
        for (column, component) in parts {
            for number in 0..<12 {
                try await check(column == number) { note in
                    note.done.map { Calendar.gmt.component(component, from: $0) } == number
                }
            }
        }
    }

    @Test func partsOfADateThatIsANumberAreThoseOfTheDateThatIsRead() async throws {
        try await store.db.write { db in try db.execute(sql: "UPDATE notes SET due = 1767323045") }
        #expect(try await query.fetchOne()?.due == Date(timeIntervalSince1970: 1_767_323_045))
        #expect(try await query.where { $0.due.year == 2026 }.count() == notes.count)
    }

    @Test func anInfiniteDateHasNoParts() async throws {
        try await store.db.write { db in try db.execute(sql: "UPDATE notes SET due = 9e999") }
        for part in [row.due.year, row.due.hour, row.due.minute] {
            let error = await storageError { _ = try await query.where { _ in part == 1 }.count() }
            #expect("\(String(describing: error))".contains("a column of dates holds something else"))
        }
    }

    @Test func aTimeInTwoSpellingsIsOneOfTheDifferentDates() async throws {
        try await store.storage.query(Note.self).deleteAll()
        var note = notes[0]
        note.due = Date(timeIntervalSince1970: 1_767_323_045)
        for id in 0..<4 {
            note.id = id
            try await store.storage.save(note)
        }
        try await store.db.write { db in try db.execute(sql: "UPDATE notes SET due = substr(due, 1, 19) WHERE id > 1") }
        #expect(try await query.distinct(\.due) == [note.due])
    }

    // MARK: - Numbers

    @Test func decimalsAreCalculatedToTheDigit() async throws {
        let tax = try #require(Decimal(string: "1.19"))
        let (price, discount) = (row.price, row.discount)
        let taxed = price * tax
        try await check(taxed > 100) { note in note.price * tax > 100 }
        let sum = price + discount
        try await check(sum == price) { note in note.discount == 0 }
        for note in notes.prefix(20) {
            let square: Decimal = note.price * note.price - 1
            try await check(price * price - 1 == square) { other in abs(other.price) == abs(note.price) }
            let third: Decimal = note.price / 3
            let thirds = price / 3
            try await check(thirds == third) { (other: Note) -> Bool in
                let quotient: Decimal = other.price / 3
                return quotient == third
            }
        }
        let quotient = price / discount
        try await check(quotient == nil) { note in note.discount == nil || note.discount == 0 }
        let count = row[keyPath: \.count].as(Decimal.self)
        try await check(count < price) { note in Decimal(note.count) < note.price }
        #expect(try await query.where { $0.price.as(Double.self) > 0.5 }.count() > 0)
    }

    /// Foundation would end the process.
    @Test(arguments: [("1e-70", "1e-70"), ("0.1", "1e-128"), ("1e-127", "1e-127")])
    func aProductThatIsTooSmallIsAnError(price: String, discount: String) async throws {
        let (price, discount) = try (#require(Decimal(string: price)), #require(Decimal(string: discount)))
        try await query.updateAll { [$0.price.set(to: price), $0.discount.set(to: discount)] }
        let error = await storageError { _ = try await query.select { $0.price * $0.discount }.fetch() }
        #expect("\(String(describing: error))".contains("beyond the range of Decimal"))
        try await query.updateAll { [$0.discount.set(to: 0)] }
        #expect(try await query.select { $0.price * $0.discount }.fetchOne() == .some(0))
    }

    @Test func aMeanThatIsTooSmallIsAnError() async throws {
        let least = try #require(Decimal(string: "1e-128"))
        try await query.updateAll { [$0.price.set(to: 0)] }
        try await query.where { $0.id == 0 }.updateAll { [$0.price.set(to: least)] }
        let errors = [
            await storageError { _ = try await query.avg(\.price) },
            await storageError {
                _ = try await store.storage.query(Note.self).aggregate { $0.avg(\.price) }.fetchOne()
            },
        ]
        for error in errors { #expect("\(String(describing: error))".contains("beyond the range of Decimal")) }
    }

    @Test(arguments: ["1", "-1", "(2)", "1 COLLATE NOCASE", "(1 collate \"binary\")"])
    func aNumberInSQLIsNoColumn(number: String) async throws {
        let query = store.storage.query(Note.self).orderBy { _ in Column<Int>(sql: SQLText(stringLiteral: number)) }
        #expect(try await query.orderBy(\.id, .descending).fetch().map(\.id) == notes.map(\.id).reversed())
    }

    @Test func anOptionalOfAnotherTypeIsComparedWithAnOptional() async throws {
        func isSame<T: Equatable>(_ left: T, _ right: T) -> Bool { left == right }
        let without = notes.filter { $0.discount == nil }.map { _ in Double?.none }
        #expect(
            isSame(
                try await query.where { $0.discount == nil }.select { $0.discount.as(Double.self) }.fetch(), without))
    }

    @Test func aTextThatADecimalChoosesIsComparedAsText() async throws {
        let chosen = (row.price >= row.price).then("10", else: "x")
        try await check(chosen < "9") { _ in true }
        let (least, texts) = (min(row.price, row.price).as(String.self), Set(notes.map { "\($0.price)" }))
        for text in texts.prefix(10) {
            try await check(least < text) { "\($0.price)".utf8.lexicographicallyPrecedes(text.utf8) }
        }
    }

    @Test func numbersWithoutSignAreCalculatedExactly() async throws {
        let (half, most) = (UInt64.max / 2, UInt64(Int64.max))
        let (product, sum, quotient) = (row.bytes * 3, row.bytes + row.bytes, row.bytes / 7)
        try await check(product > half) { note in note.bytes * 3 > half }
        try await check(sum >= most) { note in note.bytes * 2 >= most }
        try await check(quotient == 0) { note in note.bytes < 7 }
        let tooSmall = row.bytes - UInt64.max
        await #expect(throws: StorageError.self) { try await query.where { _ in tooSmall > 0 }.fetch() }
    }

    @Test func anIntegerThatIsTooGreatIsAnError() async throws {
        let count = row[keyPath: \.count]
        let tooGreat: [Column<Int>] = [
            count + Int.max, count * Int.max, (count - Int.max) - Int.max, (count + Int.max) - Int.max,
        ]
        try await store.storage.query(Note.self).updateAll { [$0[\.count].set(to: 3)] }
        for condition in tooGreat.map({ $0 > 5 }) {
            let error = await storageError { _ = try await query.where { _ in condition }.fetch() }
            guard case .queryFailed(_, let underlying)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect("\(underlying)".contains("beyond the range of Int64"), "\(underlying)")
        }
        await #expect(throws: StorageError.self) {
            try await query.updateAll { [$0[\.count].set(to: $0[\.count] + Int.max)] }
        }
        #expect(try await query.fetch().allSatisfy { $0.count == 3 })
    }

    @Test func theLesserAndTheGreaterOfTwo() async throws {
        let (least, latest) = (min(row.price, row.discount), max(row.due, row.done))
        try await check(least < 0) { (note: Note) -> Bool in
            guard let discount = note.discount else { return false }
            return discount < 0 || note.price < 0
        }
        try await check(latest == row.done) { (note: Note) -> Bool in
            guard let done = note.done else { return true }
            return done >= note.due
        }
        let (atLeastTen, atMostThree) = (max(row.price, 10), min(3, row[keyPath: \.count]))
        try await check(atLeastTen == 10) { note in note.price <= 10 }
        try await check(atMostThree == 3) { note in note.count >= 3 }
        let last = max(row.text, "m")
        try await check(last == "m") { note in !"m".utf8.lexicographicallyPrecedes(note.text.utf8) }
    }

    @Test func theLesserAndTheGreaterAreTheSameInTheOtherOrder() async throws {
        let (least, atLeastTen) = (min(row.discount, row.price), max(10, row.price))
        try await check(least == row.price) { note in note.discount.map { note.price <= $0 } ?? false }
        try await check(atLeastTen == 10) { note in note.price <= 10 }
    }

    @Test func anIntegerBeyondInt64BecomesTheTextOfItsDigits() async throws {
        var note = notes[0]
        note.bytes = .max
        try await store.storage.save(note)
        let digits = "\(UInt64.max)"
        #expect(try await query.where { $0.bytes.as(String.self) == digits }.fetch().map(\.id) == [note.id])
    }

    @Test func aColumnThatHoldsSomethingElseIsNotCalculatedWith() async throws {
        try await store.db.write {
            try $0.execute(sql: "UPDATE notes SET due = 'soon', bytes = 'many', discount = '1x', text = '1x'")
        }
        let twice = row.bytes * 2
        let conditions: [(String, Predicate)] = [
            ("dates", row.due.year == 2026), ("integers", twice > 1), ("decimals", row.discount + 1 > 1),
        ]
        for (kind, condition) in conditions {
            await expectRefusal("a column of \(kind) holds something else") {
                try await query.where { _ in condition }.count()
            }
        }
        await expectRefusal("a value is no number that a Decimal can be") {
            try await query.where { $0.text.as(Decimal.self) > 1 }.count()
        }
    }

    @Test func manyNumbersAreAddedAsQueriesAddThem() async throws {
        let decimals = try await query.sum(\.price)
        let mean = try await query.avg(\.bytes)
        let meanDiscount = try await query.avg(\.discount)
        let sql = """
            SELECT storagekit_decimal_sum(price), storagekit_decimal_mean(discount),
                CAST(storagekit_unsigned_sum(bytes / 1000) AS TEXT), storagekit_decimal_sum(price) FILTER (WHERE id < 0)
            FROM notes
            """
        let texts = try await store.db.read { db in
            try Row.fetchOne(db, sql: sql).map { row -> [String?] in (0..<4).map { row[$0] } } ?? []
        }
        let thousands = notes.reduce(0) { $0 + $1.bytes / 1000 }
        #expect(texts == ["\(decimals)", meanDiscount.map { "\($0)" }, "\(thousands)", nil], "\(seed)")
        let found = try await store.db.read { db in
            try Double.fetchOne(db, sql: "SELECT storagekit_mean(bytes) FROM notes")
        }
        #expect(found == mean, "\(seed)")
        await #expect(throws: (any Error).self) {
            try await store.db.read { db in
                try String.fetchOne(db, sql: "SELECT storagekit_decimal_sum(text) FROM notes")
            }
        }
    }
}

extension Calendar {
    fileprivate static var gmt: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}

extension String {
    /// Whether another text's bytes are in it.
    fileprivate func bytes(_ other: String) -> Bool {
        let (bytes, needle) = (Array(utf8), Array(other.utf8))
        guard bytes.count >= needle.count else { return false }
        return (0...(bytes.count - needle.count)).contains { bytes[$0...].starts(with: needle) }
    }
}
