import StorageKit
import StorageTestSupport

/// A row with a column of each kind that queries treat in a way of its own, each also with NULL.
@StorageEntity
struct Sample {
    var id: Int
    var number: Int
    var maybeNumber: Int?
    var text: String
    var maybeText: String?
    var real: Double
    var flag: Bool
    var big: UInt64
    var price: Decimal
    var maybePrice: Decimal?
    var at: Date
    var maybeAt: Date?
    var level: Level
    var maybeLevel: Level?
    @StorageEmbedded var money: Money
    @StorageEmbedded var maybeMoney: Money?
}

/// A condition twice: for SQLite, and as Swift says it.
struct Condition {
    let predicate: Predicate
    let holds: (Sample) -> Bool
}

/// Random rows and conditions over few values, so that rows meet conditions and each other.
struct SampleMaker {
    var random: RandomValues

    static let texts = ["", "a", "A", "ab", "aB", "b", "é", "É", "%", "_", "a%b", "x'y\"z;--", "日本", "🎈", "a\0b"]
    static let second = Date(timeIntervalSince1970: 1_767_323_045)

    mutating func pick<T>(_ values: [T]) -> T { values.randomElement(using: &random.generator) ?? values[0] }
    mutating func number() -> Int { pick([0, 1, 2, 3, -1, .max, .min]) }
    mutating func text() -> String { pick(SampleMaker.texts) }
    mutating func big() -> UInt64 { pick([0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]) }
    mutating func price() -> Decimal { pick([0, 1, 9, 10, -10, 0.5, 0.25, 100]) }
    mutating func at() -> Date { SampleMaker.second.addingTimeInterval(pick([0, 1, -1, 0.5, 0.001, 1e-6, 86_400])) }
    mutating func real() -> Double { pick([0, -0.0, 1, 1.5, -1.5, .infinity, -.infinity, 1e300]) }
    mutating func level() -> Level { pick([.low, .middle, .high]) }
    mutating func maybe<T>(_ value: T) -> T? { random.bool() ? value : nil }
    mutating func money() -> Money { Money(amount: price(), currency: text()) }

    mutating func sample(_ id: Int) -> Sample {
        Sample(
            id: id, number: number(), maybeNumber: maybe(number()), text: text(), maybeText: maybe(text()),
            real: real(), flag: random.bool(), big: big(), price: price(), maybePrice: maybe(price()), at: at(),
            maybeAt: maybe(at()), level: level(), maybeLevel: maybe(level()), money: money(),
            maybeMoney: maybe(money()))
    }

    mutating func condition(depth: Int = 0) -> Condition {
        switch Int.random(in: 0..<(depth < 4 ? 10 : 6), using: &random.generator) {
        case 6:
            let inner = condition(depth: depth + 1)
            return Condition(predicate: !inner.predicate) { !inner.holds($0) }
        case 7:
            let (left, right) = (condition(depth: depth + 1), condition(depth: depth + 1))
            return Condition(predicate: left.predicate && right.predicate) { left.holds($0) && right.holds($0) }
        case 8, 9:
            let (left, right) = (condition(depth: depth + 1), condition(depth: depth + 1))
            return Condition(predicate: left.predicate || right.predicate) { left.holds($0) || right.holds($0) }
        default:
            return leaf()
        }
    }

    private mutating func leaf() -> Condition {
        let row = Sample.storageColumns
        switch Int.random(in: 0..<16, using: &random.generator) {
        case 0: return compared(row.number, number()) { $0.number }
        case 1: return comparedOptional(row.maybeNumber, maybe(number())) { $0.maybeNumber }
        case 2: return compared(row.real, real()) { $0.real }
        case 3: return compared(row.big, big()) { $0.big }
        case 4: return compared(row.price, price()) { $0.price }
        case 5: return comparedOptional(row.maybePrice, maybe(price())) { $0.maybePrice }
        case 6: return compared(row.at, at()) { $0.at }
        case 7: return comparedOptional(row.maybeAt, maybe(at())) { $0.maybeAt }
        case 8: return compared(row.money.amount, price()) { $0.money.amount }
        case 9:
            let value = level()
            return Condition(predicate: row.level == value) { $0.level == value }
        case 10:
            let value = maybe(level())
            return random.bool()
                ? Condition(predicate: row.maybeLevel == value) { $0.maybeLevel == value }
                : Condition(predicate: row.maybeLevel != value) { $0.maybeLevel != value }
        case 11: return random.bool() ? Condition(predicate: row.flag.predicate) { $0.flag } : nilCheck()
        case 12: return list()
        default: return matched()
        }
    }

    private mutating func nilCheck() -> Condition {
        let row = Sample.storageColumns
        return pick([
            Condition(predicate: row.maybeMoney == nil) { $0.maybeMoney == nil },
            Condition(predicate: row.maybeMoney != nil) { $0.maybeMoney != nil },
            Condition(predicate: row.maybeText.isNull) { $0.maybeText == nil },
            Condition(predicate: row.maybeLevel.isNotNull) { $0.maybeLevel != nil },
        ])
    }

    private mutating func list() -> Condition {
        let row = Sample.storageColumns
        let numbers = random.list { _ in 0 }.map { _ in number() }
        let texts = random.list { _ in 0 }.map { _ in maybe(text()) }
        let dates = random.list { _ in 0 }.map { _ in at() }
        let prices = random.list { _ in 0 }.map { _ in price() }
        let levels = random.list { _ in 0 }.map { _ in maybe(level()) }
        let (low, high) = (price(), price())
        return pick([
            Condition(predicate: row.number.in(numbers)) { numbers.contains($0.number) },
            Condition(predicate: row.maybeText.in(texts)) { sample in
                texts.contains { SampleMaker.same($0, sample.maybeText) }
            },
            Condition(predicate: row.at.in(dates)) { dates.contains($0.at) },
            Condition(predicate: row.maybePrice.in(prices)) { sample in prices.contains { $0 == sample.maybePrice } },
            Condition(predicate: row.maybeLevel.in(levels)) { levels.contains($0.maybeLevel) },
            Condition(predicate: row.price.between(low, high)) { low <= $0.price && $0.price <= high },
        ])
    }

    private mutating func matched() -> Condition {
        let row = Sample.storageColumns
        let needle = text()
        let ignoringCase = random.bool()
        let fold: (String) -> [UInt8] = { Array((ignoringCase ? $0.uppercased().lowercased() : $0).utf8) }
        let bytes = fold(needle)
        switch Int.random(in: 0..<6, using: &random.generator) {
        case 0:
            return Condition(predicate: row.text.contains(needle, ignoringCase: ignoringCase)) {
                fold($0.text).contains(bytes)
            }
        case 1:
            return Condition(predicate: row.maybeText.hasPrefix(needle, ignoringCase: ignoringCase)) {
                $0.maybeText.map { fold($0).starts(with: bytes) } ?? false
            }
        case 2:
            return Condition(predicate: row.text.hasSuffix(needle, ignoringCase: ignoringCase)) {
                fold($0.text).reversed().starts(with: bytes.reversed())
            }
        case 3:
            return Condition(predicate: row.maybeText.equalsIgnoringCase(needle)) {
                $0.maybeText.map {
                    $0.uppercased().lowercased().utf8.elementsEqual(needle.uppercased().lowercased().utf8)
                } ?? false
            }
        case 4: return Condition(predicate: row.text == needle) { SampleMaker.same($0.text, needle) }
        default:
            return Condition(predicate: row.text < needle) { $0.text.utf8.lexicographicallyPrecedes(needle.utf8) }
        }
    }

    /// As SQLite compares text: by its bytes, and not by canonical equivalence.
    static func same(_ lhs: String?, _ rhs: String?) -> Bool {
        lhs.map { Array($0.utf8) } == rhs.map { Array($0.utf8) }
    }

    private mutating func compared<T: ColumnValue & Comparable>(
        _ column: Column<T>, _ value: T, _ field: @escaping (Sample) -> T
    ) -> Condition {
        switch Int.random(in: 0..<6, using: &random.generator) {
        case 0: Condition(predicate: column == value) { field($0) == value }
        case 1: Condition(predicate: column != value) { field($0) != value }
        case 2: Condition(predicate: column < value) { field($0) < value }
        case 3: Condition(predicate: column <= value) { field($0) <= value }
        case 4: Condition(predicate: column > value) { field($0) > value }
        default: Condition(predicate: column >= value) { field($0) >= value }
        }
    }

    /// Nil equals nil, and is neither less nor greater than anything.
    private mutating func comparedOptional<T: ColumnValue & Comparable>(
        _ column: Column<T?>, _ value: T?, _ field: @escaping (Sample) -> T?
    ) -> Condition {
        func both(_ sample: Sample, _ holds: (T, T) -> Bool) -> Bool {
            if let left = field(sample), let right = value { holds(left, right) } else { false }
        }
        switch Int.random(in: 0..<6, using: &random.generator) {
        case 0: return Condition(predicate: column == value) { field($0) == value }
        case 1: return Condition(predicate: column != value) { field($0) != value }
        case 2: return Condition(predicate: column < value) { sample in both(sample) { $0 < $1 } }
        case 3: return Condition(predicate: column <= value) { sample in both(sample) { $0 <= $1 } }
        case 4: return Condition(predicate: column > value) { sample in both(sample) { $0 > $1 } }
        default: return Condition(predicate: column >= value) { sample in both(sample) { $0 >= $1 } }
        }
    }
}

/// An order twice: for SQLite, and as Swift compares two rows.
struct Order {
    let add: (Query<Sample>) -> Query<Sample>
    let areInOrder: (Sample, Sample) -> Bool?
}

extension SampleMaker {
    mutating func order() -> Order {
        let direction: SortOrder = random.bool() ? .ascending : .descending
        let nulls: NullsOrder? = pick([nil, .first, .last])
        switch Int.random(in: 0..<9, using: &random.generator) {
        case 6: return order(\.text, direction, nulls) { Bytes(text: $0.text) }
        case 7: return order(\.maybeText, direction, nulls) { $0.maybeText.map { Bytes(text: $0) } }
        case 8: return order(\.big, direction, nulls) { $0.big }
        case 0: return order(\.number, direction, nulls) { $0.number }
        case 1: return order(\.maybeNumber, direction, nulls) { $0.maybeNumber }
        case 2: return order(\.price, direction, nulls) { $0.price }
        case 3: return order(\.maybePrice, direction, nulls) { $0.maybePrice }
        case 4: return order(\.at, direction, nulls) { $0.at }
        default: return order(\.money.amount, direction, nulls) { $0.money.amount }
        }
    }

    /// Whether the first row comes first, by this order alone; nil if it cannot tell.
    private func order<T, V: Comparable>(
        _ column: KeyPath<ColumnRef<Sample>, Column<T>>, _ direction: SortOrder, _ nulls: NullsOrder?,
        _ field: @escaping (Sample) -> V?
    ) -> Order {
        let nullsFirst = nulls.map { $0 == .first } ?? (direction == .ascending)
        return Order(add: { $0.orderBy(column, direction, nulls: nulls) }) { first, second in
            switch (field(first), field(second)) {
            case (nil, nil): return nil
            case (nil, _): return nullsFirst
            case (_, nil): return !nullsFirst
            case (let left?, let right?):
                return left == right ? nil : direction == .ascending ? left < right : left > right
            }
        }
    }
}

/// A text as SQLite sorts it.
private struct Bytes: Comparable {
    let text: String

    static func < (left: Bytes, right: Bytes) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
    static func == (left: Bytes, right: Bytes) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
}

extension [Sample] {
    /// Sorted by the orders; those that are alike stay as they stand.
    func sorted(by orders: [Order]) -> [Sample] {
        enumerated().sorted { first, second in
            for order in orders {
                if let isFirst = order.areInOrder(first.element, second.element) { return isFirst }
            }
            return first.offset < second.offset
        }.map(\.element)
    }
}
