import Foundation
import StorageKit

// Keys that may be nil or not, ids of three types, a link, JSON.

@StorageEntity
struct Bookcase: Equatable {
    var id: Int
    var title: String
    var rank: Int?
    var openedAt: Date
    @StorageHasMany(foreignKey: "shelfId") var books: [Book]
}

@StorageEntity
struct Reader: Equatable {
    var id: UUID
    var name: String
    var nick: String?
    var score: Double?
    var isMember: Bool
    @StorageHasMany(foreignKey: "readerId") var borrowed: [Book]
}

@StorageEntity
struct Book: Equatable {
    struct Place: Codable, Sendable, Equatable { var city: String; var floor: Int?; var tags: [String] }
    enum State: String, Codable, Sendable, CaseIterable { case new, used, lost }

    var id: Int
    @StorageReference(Bookcase.self, onDelete: .cascade) var shelfId: Int
    @StorageReference(Reader.self, onDelete: .setNull) var readerId: UUID?
    var title: String
    var note: String?
    var pages: Int
    var parts: Int?
    var price: Decimal
    var discount: Decimal?
    var weight: Double
    var addedAt: Date
    var lentAt: Date?
    var isLent: Bool
    var state: State
    @StorageJSON var place: Place?
    @StorageJSON var home: Place
    @StorageJSON var codes: [Int]
    @StorageBelongsTo(foreignKey: "shelfId") var shelf: Bookcase?
    @StorageBelongsTo(foreignKey: "readerId") var reader: Reader?
    @StorageHasMany(through: BookLabel.self) var labels: [Label]
}

@StorageEntity
struct Label: Equatable {
    var id: String
    var color: Int
    @StorageHasMany(through: BookLabel.self) var books: [Book]
}

@StorageEntity
struct BookLabel: Equatable {
    var id: Int
    @StorageReference(Book.self, onDelete: .cascade) var bookId: Int
    @StorageReference(Label.self, onDelete: .cascade) var labelId: String
    var at: Date?
}

extension Bookcase: DrawnEntity {
    static let idWord = Asked<Bookcase, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Bookcase> {
        ColumnWords(
            ints: KindWords(maybe: [Asked("rank", \.rank) { row, _ in row.rank }]),
            texts: KindWords(needed: [Asked("title", \.title) { row, _ in row.title }]),
            dates: KindWords(needed: [Asked("openedAt", \.openedAt) { row, _ in row.openedAt }]))
    }

    static var words: ColumnWords<Bookcase> {
        var words = settable
        words.ints.needed.append(idWord)
        return words
    }

    static var manys: [any ManyStep<Bookcase>] {
        [Many("books", \.books, property: \.books) { row, world in world[Book.self].filter { $0.shelfId == row.id } }]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Bookcase? {
        Bookcase(id: number, title: .draw(&maker), rank: maker.maybe(.draw(&maker)), openedAt: .draw(&maker))
    }

    /// At least one, for the books.
    static func draw(_ maker: inout Maker, _ world: World) -> [Bookcase] {
        (0..<maker.number(1...6)).compactMap { drawOne(&maker, world, $0) }
    }
}

extension Reader: DrawnEntity {
    static let idWord = Asked<Reader, UUID>("id", \.id) { row, _ in row.id }

    static var words: ColumnWords<Reader> {
        ColumnWords(
            reals: KindWords(maybe: [Asked("score", \.score) { row, _ in row.score }]),
            texts: KindWords(
                needed: [Asked("name", \.name) { row, _ in row.name }],
                maybe: [Asked("nick", \.nick) { row, _ in row.nick }]),
            flags: KindWords(needed: [Asked("isMember", \.isMember) { row, _ in row.isMember }]))
    }

    static var manys: [any ManyStep<Reader>] {
        [
            Many("borrowed", \.borrowed, property: \.borrowed) { row, world in
                world[Book.self].filter { $0.readerId == row.id }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Reader? {
        Reader(
            id: .number(number), name: .draw(&maker), nick: maker.maybe(.draw(&maker)),
            score: maker.maybe(.draw(&maker)), isMember: .draw(&maker))
    }
}

extension Book: DrawnEntity {
    static let searched = [
        SearchedColumn<Book>(name: "title") { $0.title }, SearchedColumn<Book>(name: "note") { $0.note },
    ]

    static let idWord = Asked<Book, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<Book> {
        ColumnWords(
            ints: KindWords(
                needed: [Asked("pages", \.pages) { row, _ in row.pages }],
                maybe: [Asked("parts", \.parts) { row, _ in row.parts }]),
            reals: KindWords(needed: [Asked("weight", \.weight) { row, _ in row.weight }]),
            decimals: KindWords(
                needed: [Asked("price", \.price) { row, _ in row.price }],
                maybe: [Asked("discount", \.discount) { row, _ in row.discount }]),
            texts: KindWords(
                needed: [Asked("title", \.title) { row, _ in row.title }],
                maybe: [Asked("note", \.note) { row, _ in row.note }]),
            dates: KindWords(
                needed: [Asked("addedAt", \.addedAt) { row, _ in row.addedAt }],
                maybe: [Asked("lentAt", \.lentAt) { row, _ in row.lentAt }]),
            flags: KindWords(needed: [Asked("isLent", \.isLent) { row, _ in row.isLent }]))
    }

    static var words: ColumnWords<Book> {
        var words = settable
        words.ints.needed += [idWord, Asked("shelfId", \.shelfId) { row, _ in row.shelfId }]
        words.ints.needed += [
            Asked("codes.count", \.codes.count) { row, _ in row.codes.count },
            Asked("home.tags.count", \.home.tags.count) { row, _ in row.home.tags.count },
        ]
        words.ints.maybe += [
            Asked("place.floor", \.place.floor) { row, _ in row.place?.floor },
            Asked("home.floor", \.home.floor) { row, _ in row.home.floor },
            Asked("place.tags.count", \.place.tags.count) { row, _ in row.place?.tags.count },
        ]
        words.texts.needed.append(Asked("home.city", \.home.city) { row, _ in row.home.city })
        words.texts.maybe.append(Asked("place.city", \.place.city) { row, _ in row.place?.city })
        words.flags.needed += [
            Asked("state == new", making: { $0.state == .new }) { row, _ in row.state == .new },
            Asked("codes.contains(3)", making: { $0.codes.contains(3) }) { row, _ in row.codes.contains(3) },
            Asked("home.tags.contains", making: { $0.home.tags.contains("a\"b") }) { row, _ in
                row.home.tags.contains("a\"b")
            },
            Asked("place.tags.contains", making: { $0.place.tags.contains("日本") }) { row, _ in
                row.place?.tags.contains("日本") ?? false
            },
            Asked("place.isNull", making: { $0.place.isNull }) { row, _ in row.place == nil },
            Asked("codes.isEmpty", making: { $0.codes.isEmpty }) { row, _ in row.codes.isEmpty },
            Asked("state in", making: { $0.state.in([.used, .lost]) }) { row, _ in row.state != .new },
        ]
        return words
    }

    static var ones: [any OneStep<Book>] {
        [
            NeededStep("shelf", \.shelf, property: \.shelf) { row, world in
                world[Bookcase.self].first { $0.id == row.shelfId }
            },
            OptionalStep("reader", \.reader, property: \.reader) { row, world in
                world[Reader.self].first { $0.id == row.readerId }
            },
        ]
    }

    static var manys: [any ManyStep<Book>] {
        [
            Many("labels", \.labels, property: \.labels) { row, world in
                let ids = Set(world[BookLabel.self].filter { $0.bookId == row.id }.map(\.labelId))
                return world[Label.self].filter { ids.contains($0.id) }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Book? {
        guard !world[Bookcase.self].isEmpty else { return nil }
        let readers: [UUID?] = world[Reader.self].map(\.id) + [nil, nil]
        return Book(
            id: number, shelfId: maker.pick(world[Bookcase.self]).id, readerId: maker.pick(readers),
            title: .draw(&maker), note: maker.maybe(.draw(&maker)), pages: .draw(&maker),
            parts: maker.maybe(.draw(&maker)), price: .draw(&maker), discount: maker.maybe(.draw(&maker)),
            weight: .draw(&maker), addedAt: .draw(&maker), lentAt: maker.maybe(.draw(&maker)), isLent: .draw(&maker),
            state: maker.pick(State.allCases),
            place: maker.maybe(.draw(&maker)), home: .draw(&maker),
            codes: (0..<maker.number(0...3)).map { _ in .draw(&maker) })
    }
}

extension Label: DrawnEntity {
    static let idWord = Asked<Label, String>("id", \.id) { row, _ in row.id }

    static var words: ColumnWords<Label> {
        ColumnWords(
            ints: KindWords(needed: [Asked("color", \.color) { row, _ in row.color }]),
            texts: KindWords(needed: [idWord]))
    }

    static var settable: ColumnWords<Label> {
        ColumnWords(ints: KindWords(needed: [Asked("color", \.color) { row, _ in row.color }]))
    }

    static var manys: [any ManyStep<Label>] {
        [
            Many("books", \.books, property: \.books) { row, world in
                let ids = Set(world[BookLabel.self].filter { $0.labelId == row.id }.map(\.bookId))
                return world[Book.self].filter { ids.contains($0.id) }
            }
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Label? {
        number < 10 ? Label(id: "label '\(number)\"", color: .draw(&maker)) : nil
    }
}

extension BookLabel: DrawnEntity {
    static let idWord = Asked<BookLabel, Int>("id", \.id) { row, _ in row.id }

    static var settable: ColumnWords<BookLabel> {
        ColumnWords(dates: KindWords(maybe: [Asked("at", \.at) { row, _ in row.at }]))
    }

    static var words: ColumnWords<BookLabel> {
        var words = settable
        words.ints.needed += [idWord, Asked("bookId", \.bookId) { row, _ in row.bookId }]
        return words
    }

    static var ones: [any OneStep<BookLabel>] {
        [
            NeededStep("book", \.book) { row, world in world[Book.self].first { $0.id == row.bookId } },
            NeededStep("label", \.label) { row, world in world[Label.self].first { $0.id == row.labelId } },
        ]
    }

    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> BookLabel? {
        let (books, labels) = (world[Book.self], world[Label.self])
        guard !books.isEmpty, !labels.isEmpty else { return nil }
        return BookLabel(
            id: number, bookId: maker.pick(books).id, labelId: maker.pick(labels).id, at: maker.maybe(.draw(&maker)))
    }
}
