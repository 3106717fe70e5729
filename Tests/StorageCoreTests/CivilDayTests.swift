import Testing

@testable import StorageCore

@Suite struct CivilDayTests {
    @Test func everyDayOfNineThousandYearsLeadsBackToItself() {
        var previous = CivilDay(daysSince1970: -719_165)
        for days in -719_164...2_932_896 {
            let day = CivilDay(daysSince1970: days)
            let isNext = (previous.year, previous.month, previous.day) < (day.year, day.month, day.day)
            // An expectation for each of three million days would take most of the time.
            guard day.daysSince1970 == days, isNext else {
                Issue.record("day \(days) is \(day), after \(previous)")
                return
            }
            previous = day
        }
    }

    @Test func theCalendarIsFoundations() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for days in stride(from: -719_164, through: 2_932_896, by: 997) {
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(days) * 86_400))
            let day = CivilDay(daysSince1970: days)
            #expect(parts.year == day.year && parts.month == day.month && parts.day == day.day)
        }
    }

    @Test func theTenDaysThatNeverWereAreMissing() {
        #expect(CivilDay(daysSince1970: -141_428) == CivilDay(year: 1582, month: 10, day: 4))
        #expect(CivilDay(daysSince1970: -141_427) == CivilDay(year: 1582, month: 10, day: 15))
    }
}
