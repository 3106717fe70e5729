import Foundation
import StorageKit

// Expressions that only one type has.

extension NumberKind {
    /// The sum, the difference or the product of two.
    static func calculated<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Self> {
        let (first, second) = (maker.needed(Self.self, entity, draw.inner), maker.needed(Self.self, entity, draw.inner))
        let value = Self.draw(&maker)
        switch maker.number(0...4) {
        case 0:
            return Asked("(\(first.text) + \(second.text))", making: { first.column($0) + second.column($0) }) {
                first.value($0, $1) + second.value($0, $1)
            }
        case 1:
            return Asked("(\(first.text) - \(second.text))", making: { first.column($0) - second.column($0) }) {
                first.value($0, $1) - second.value($0, $1)
            }
        case 2:
            return Asked("(\(value) * \(first.text))", making: { value * first.column($0) }) {
                value * first.value($0, $1)
            }
        case 3:
            return Asked("(\(value) - \(first.text))", making: { value - first.column($0) }) {
                value - first.value($0, $1)
            }
        default:
            guard let many = maker.many(of: entity) else {
                return Asked("(\(first.text) + \(value))", making: { first.column($0) + value }) {
                    first.value($0, $1) + value
                }
            }
            return many.sum(Self.self, &maker, draw)
        }
    }

    static func maybeSpecial<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Self?>? {
        calculatedOrNil(&maker, entity, draw)
    }

    static func calculatedOrNil<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Self?>? {
        let (first, second) = (maker.needed(Self.self, entity, draw.inner), maker.maybe(Self.self, entity, draw.inner))
        let value = Self.draw(&maker)
        switch maker.number(0...(draw.isExact ? 2 : 5)) {
        case 0:
            return Asked("(\(first.text) + \(second.text))", making: { first.column($0) + second.column($0) }) {
                entity, world in
                second.value(entity, world).map { first.value(entity, world) + $0 }
            }
        case 1:
            return Asked("(\(second.text) - \(first.text))", making: { second.column($0) - first.column($0) }) {
                entity, world in
                second.value(entity, world).map { $0 - first.value(entity, world) }
            }
        case 2:
            return Asked("(\(second.text) * \(value))", making: { second.column($0) * value }) {
                second.value($0, $1).map { $0 * value }
            }
        case 3:
            return Asked("(\(first.text) / \(second.text))", making: { first.column($0) / second.column($0) }) {
                entity, world in
                second.value(entity, world).flatMap { $0 == 0 ? nil : divided(first.value(entity, world), $0) }
            }
        case 4:
            return Asked("(\(first.text) / \(value))", making: { first.column($0) / value }) {
                value == 0 ? nil : divided(first.value($0, $1), value)
            }
        default: return mean(&maker, entity, draw)
        }
    }

    /// A mean of this type; nil for none.
    private static func mean<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Self?>? {
        guard let many = maker.many(of: entity) else { return nil }
        if Self.self == Double.self, maker.once(in: 2) { return many.mean(Int.self, &maker, draw) as? Asked<E, Self?> }
        return many.mean(Self.self, &maker, draw) as? Asked<E, Self?>
    }
}

extension Int {
    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, Int>? {
        switch maker.number(0...4) {
        case 0:
            let asked = maker.needed(String.self, entity, draw.inner)
            return Asked("\(asked.text).count", making: { asked.column($0).count }) { asked.value($0, $1).count }
        case 1: return part(of: maker.needed(Date.self, entity, draw.inner), &maker)
        case 2, 3:
            guard let many = maker.many(of: entity) else { return calculated(&maker, entity, draw) }
            return many.count(&maker, draw)
        default: return calculated(&maker, entity, draw)
        }
    }

    static func maybeSpecial<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Int?>? {
        switch maker.number(0...3) {
        case 0:
            let asked = maker.maybe(String.self, entity, draw.inner)
            return Asked("\(asked.text).count", making: { asked.column($0).count }) { asked.value($0, $1)?.count }
        case 1:
            let (asked, zone) = (maker.maybe(Date.self, entity, draw.inner), maker.zone())
            let model = Calendar.gregorian(in: zone)
            let isDay = maker.once(in: 2)
            return Asked(
                "\(asked.text).\(isDay ? "day" : "month")(\(zone.identifier))",
                making: { isDay ? asked.column($0).day(in: zone) : asked.column($0).month(in: zone) }
            ) { entity, world in
                asked.value(entity, world).map { model.component(isDay ? .day : .month, from: $0) }
            }
        default: return calculatedOrNil(&maker, entity, draw)
        }
    }

    private static func part<E>(of asked: Asked<E, Date>, _ maker: inout Maker) -> Asked<E, Int> {
        let zone = maker.zone()
        let model = Calendar.gregorian(in: zone)
        let make: @Sendable (ColumnRef<E>) -> Column<Int>
        let component: Calendar.Component
        switch maker.number(0...5) {
        case 0: (component, make) = (.year, { asked.column($0).year(in: zone) })
        case 1: (component, make) = (.month, { asked.column($0).month(in: zone) })
        case 2: (component, make) = (.day, { asked.column($0).day(in: zone) })
        case 3: (component, make) = (.hour, { asked.column($0).hour(in: zone) })
        case 4: (component, make) = (.minute, { asked.column($0).minute(in: zone) })
        default: (component, make) = (.weekday, { asked.column($0).weekday(in: zone) })
        }
        return Asked("\(asked.text).\(component)(\(zone.identifier))", making: make) {
            model.component(component, from: asked.value($0, $1))
        }
    }
}

extension Double {
    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, Double>? {
        guard maker.once(in: 3) else { return calculated(&maker, entity, draw) }
        let asked = maker.needed(Int.self, entity, draw.inner)
        return Asked("Double(\(asked.text))", making: { asked.column($0).as(Double.self) }) {
            Double(asked.value($0, $1))
        }
    }
}

extension Decimal {
    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, Decimal>? {
        guard maker.once(in: 3) else { return calculated(&maker, entity, draw) }
        let asked = maker.needed(Int.self, entity, draw.inner)
        return Asked("Decimal(\(asked.text))", making: { asked.column($0).as(Decimal.self) }) {
            Decimal(asked.value($0, $1))
        }
    }
}

extension String {
    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, String>? {
        let (asked, other) = (
            maker.needed(String.self, entity, draw.inner), maker.needed(String.self, entity, draw.inner)
        )
        let (text, length) = (String.draw(&maker), maker.number(0...3))
        switch maker.number(0...3) {
        case 0:
            return Asked("\(asked.text).lowercased", making: { asked.column($0).lowercased() }) {
                asked.value($0, $1).lowercased()
            }
        case 1:
            return Asked("\(asked.text).prefix(\(length))", making: { asked.column($0).prefix(length) }) {
                String(asked.value($0, $1).prefix(length))
            }
        case 2:
            return Asked("(\(asked.text) + \(text))", making: { asked.column($0) + text }) {
                asked.value($0, $1) + text
            }
        default:
            return Asked("(\(asked.text) + \(other.text))", making: { asked.column($0) + other.column($0) }) {
                asked.value($0, $1) + other.value($0, $1)
            }
        }
    }

    static func maybeSpecial<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, String?>? {
        let asked = maker.maybe(String.self, entity, draw.inner)
        let (text, length) = (String.draw(&maker), maker.number(0...3))
        switch maker.number(0...2) {
        case 0:
            return Asked("\(asked.text).lowercased", making: { asked.column($0).lowercased() }) {
                asked.value($0, $1)?.lowercased()
            }
        case 1:
            return Asked("\(asked.text).prefix(\(length))", making: { asked.column($0).prefix(length) }) {
                entity, world in
                asked.value(entity, world).map { String($0.prefix(length)) }
            }
        default: break
        }
        return Asked("(\(text) + \(asked.text))", making: { text + asked.column($0) }) { entity, world in
            asked.value(entity, world).map { text + $0 }
        }
    }
}

extension Date {
    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, Date>? {
        let (asked, span) = (maker.needed(Date.self, entity, draw.inner), maker.span())
        return Asked(
            "\(asked.text).start(of: \(span.text))", making: { asked.column($0).start(of: span.unit, in: span.zone) }
        ) { span.start(asked.value($0, $1)) }
    }

    static func maybeSpecial<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, Date?>? {
        let (asked, span) = (maker.maybe(Date.self, entity, draw.inner), maker.span())
        return Asked(
            "\(asked.text).start(of: \(span.text))", making: { asked.column($0).start(of: span.unit, in: span.zone) }
        ) { asked.value($0, $1).map(span.start) }
    }
}

extension UInt64 {
    /// Nothing below zero can be calculated.
    static func special<E: DrawnEntity>(_ maker: inout Maker, _ entity: E.Type, _ draw: Draw) -> Asked<E, UInt64>? {
        maker.many(of: entity)?.sum(UInt64.self, &maker, Draw(depth: 1))
    }

    static func maybeSpecial<E: DrawnEntity>(
        _ maker: inout Maker, _ entity: E.Type, _ draw: Draw
    ) -> Asked<E, UInt64?>? { nil }
}

/// A stretch of time in a time zone.
private struct Span: Sendable {
    let unit: DateUnit
    let component: Calendar.Component
    let zone: TimeZone

    var text: String { "\(unit), in: \(zone.identifier)" }

    func start(_ date: Date) -> Date {
        Calendar.gregorian(in: zone).dateInterval(of: component, for: date)?.start ?? .distantPast
    }
}

extension Maker {
    fileprivate mutating func zone() -> TimeZone {
        pick(["GMT", "Europe/Kyiv", "America/New_York", "Australia/Lord_Howe"].compactMap { TimeZone(identifier: $0) })
    }

    fileprivate mutating func span() -> Span {
        let (unit, component) = pick([
            (DateUnit.minute, Calendar.Component.minute), (.hour, .hour), (.day, .day), (.week, .weekOfYear),
            (.month, .month),
            (.year, .year),
        ])
        return Span(unit: unit, component: component, zone: zone())
    }
}

extension Calendar {
    fileprivate static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
