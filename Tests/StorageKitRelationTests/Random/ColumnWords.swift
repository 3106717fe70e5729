import StorageKit
import Synchronization

/// The columns of one type, beside the values of the same properties.
struct KindWords<E: RegisteredEntity, K: Kind>: Sendable {
    var needed: [Asked<E, K>] = []
    var maybe: [Asked<E, K?>] = []

    fileprivate mutating func add(_ other: KindWords) {
        needed += other.needed
        maybe += other.maybe
    }
}

/// What can be asked of a row of an entity.
struct ColumnWords<E: RegisteredEntity>: Sendable {
    var ints = KindWords<E, Int>()
    var reals = KindWords<E, Double>()
    var decimals = KindWords<E, Decimal>()
    var wholes = KindWords<E, UInt64>()
    var texts = KindWords<E, String>()
    var dates = KindWords<E, Date>()
    var flags = KindWords<E, Bool>()

    subscript<K: Kind>(_ kind: K.Type) -> KindWords<E, K> { K.words(in: self) }

    fileprivate mutating func add(_ other: ColumnWords) {
        ints.add(other.ints)
        reals.add(other.reals)
        decimals.add(other.decimals)
        wholes.add(other.wholes)
        texts.add(other.texts)
        dates.add(other.dates)
        flags.add(other.flags)
    }
}

/// An entity that queries are drawn of.
protocol DrawnEntity: RegisteredEntity, Sendable where Id: Kind & ColumnValue {
    /// Its own columns.
    static var words: ColumnWords<Self> { get }
    /// Its columns that a query may set, without the keys.
    static var settable: ColumnWords<Self> { get }
    static var idWord: Asked<Self, Id> { get }
    /// The columns of its full-text index; none if it has none.
    static var searched: [SearchedColumn<Self>] { get }
    static var ones: [any OneStep<Self>] { get }
    static var manys: [any ManyStep<Self>] { get }
    /// Random rows, of which each key leads to a row that is there already.
    static func draw(_ maker: inout Maker, _ world: World) -> [Self]
    /// A new value of a column of JSON, or inside of one; nil if it has none.
    static func assignmentOfJSON(_ maker: inout Maker) -> DrawnAssignment<Self>?
    /// A random row in the place of one.
    static func drawOne(_ maker: inout Maker, _ world: World, _ number: Int) -> Self?
}

extension DrawnEntity {
    static var settable: ColumnWords<Self> { words }
    static var searched: [SearchedColumn<Self>] { [] }
    static func assignmentOfJSON(_ maker: inout Maker) -> DrawnAssignment<Self>? { nil }
    static var ones: [any OneStep<Self>] { [] }
    static var manys: [any ManyStep<Self>] { [] }

    static func draw(_ maker: inout Maker, _ world: World) -> [Self] {
        var world = world
        for number in 0..<maker.pick([0, 3, 8, 14, 14, 20]) {
            if let row = drawOne(&maker, world, number) { world[Self.self].append(row) }
        }
        return world[Self.self]
    }
}

/// The vocabularies that were put together.
private let vocabularies = Mutex<[ObjectIdentifier: any Sendable]>([:])

/// All that can be asked of a row: its columns, those behind relations to one, and relations to many.
struct Vocabulary<E: DrawnEntity>: Sendable {
    let words: ColumnWords<E>
    let manys: [any ManyStep<E>]

    static var shared: Vocabulary {
        if let known = vocabularies.withLock({ $0[ObjectIdentifier(E.self)] }) as? Vocabulary { return known }
        let made = Vocabulary(depth: 3)
        vocabularies.withLock { $0[ObjectIdentifier(E.self)] = made }
        return made
    }

    init(depth: Int) {
        var words = E.words
        var manys = E.manys
        if depth > 0 {
            for one in E.ones {
                let further = one.vocabulary(depth: depth - 1)
                words.add(further.words)
                manys += further.manys
            }
        }
        self.words = words
        self.manys = manys
    }

    init(words: ColumnWords<E>, manys: [any ManyStep<E>]) {
        self.words = words
        self.manys = manys
    }
}
