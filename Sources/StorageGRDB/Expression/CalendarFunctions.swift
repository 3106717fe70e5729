import StorageSQLite
import Synchronization

/// A part of a date that is a number.
enum DatePart: String, CaseIterable {
    case year, month, day, hour, minute, weekday

    fileprivate var component: Calendar.Component {
        switch self {
        case .year: .year
        case .month: .month
        case .day: .day
        case .hour: .hour
        case .minute: .minute
        case .weekday: .weekday
        }
    }
}

/// A stretch of time that a date lies in, for `start(of:in:)` of a ``Column``.
public enum DateUnit: String, Sendable, CaseIterable {
    /// A minute.
    case minute
    /// An hour.
    case hour
    /// A day, which has 23 or 25 hours where the clock is changed.
    case day
    /// A week, from Sunday to Saturday.
    case week
    /// A month.
    case month
    /// A year.
    case year

    fileprivate var component: Calendar.Component {
        switch self {
        case .minute: .minute
        case .hour: .hour
        case .day: .day
        case .week: .weekOfYear
        case .month: .month
        case .year: .year
        }
    }
}

extension Connection {
    /// Adds what tells parts of dates: by Foundation's Gregorian calendar, in the time zone that the last argument names, or gives
    /// in seconds from GMT; in GMT where there is none.
    func addCalendarFunctions() {
        for part in DatePart.allCases {
            addFunction(FunctionName.part(part.rawValue), arguments: nil) { arguments in
                guard let date = try arguments.date(at: 0) else { return .null }
                let calendar = try Calendars.calendar(in: arguments.timeZone(at: 1))
                return .integer(Int64(calendar.component(part.component, from: date)))
            }
        }
        addFunction(FunctionName.startOfUnit, arguments: nil) { arguments in
            guard let date = try arguments.date(at: 0) else { return .null }
            let calendar = try Calendars.calendar(in: arguments.timeZone(at: 2))
            let unit =
                arguments.count > 1 ? DateUnit(rawValue: String(decoding: arguments[1].text, as: UTF8.self)) : nil
            guard let unit, let start = calendar.dateInterval(of: unit.component, for: date)?.start,
                let text = DateText(max(start, .distantPast))
            else { throw FunctionFailure("a date has no start of that unit") }
            return .text(text.string)
        }
    }
}

/// The calendars of time zones, each made once.
private enum Calendars {
    private static let known = Mutex<[String: Calendar]>([:])

    static func calendar(in timeZone: String) throws -> Calendar {
        try known.withLock { known in
            if let calendar = known[timeZone] { return calendar }
            let offset = Int(timeZone).flatMap { TimeZone(secondsFromGMT: $0) }
            guard let zone = offset ?? TimeZone(identifier: timeZone) else {
                throw FunctionFailure("there is no such time zone")
            }
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            // Whatever the user's settings are: a query gives the same everywhere.
            calendar.locale = Locale(identifier: "en_US_POSIX")
            calendar.firstWeekday = 1
            calendar.minimumDaysInFirstWeek = 1
            known[timeZone] = calendar
            return calendar
        }
    }
}

extension FunctionArguments {
    /// The date, in any form that a column of dates may hold; nil for NULL.
    fileprivate func date(at position: Int) throws -> Date? {
        guard count > position else { throw FunctionFailure("a function of dates has no date") }
        let cell = self[position]
        switch cell.storageClass {
        case .null: return nil
        // An infinite date has no hour, and Foundation's versions differ in what they make of it.
        case .integer, .real: if cell.real.isFinite { return Date(timeIntervalSince1970: cell.real) }
        case .text: if let date = DateText.parse(cell.text) { return date }
        case .blob: break
        }
        throw FunctionFailure("a column of dates holds something else")
    }

    /// The name of the time zone.
    fileprivate func timeZone(at position: Int) throws -> String {
        count > position ? String(decoding: self[position].text, as: UTF8.self) : "GMT"
    }
}
