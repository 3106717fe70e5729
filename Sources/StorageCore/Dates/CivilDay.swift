/// A day of the calendar that Foundation calls Gregorian: Julian up to 4 October 1582, Gregorian from the 15th.
struct CivilDay: Equatable {
    let year: Int
    let month: Int
    let day: Int
}

extension CivilDay {
    private static let firstGregorianDay = -141_427

    // Both directions count from 1 March of year 0, so that a leap day is the last day of its year.

    init(daysSince1970 days: Int) {
        let dayOfEra: Int
        var year: Int
        if days >= CivilDay.firstGregorianDay {
            let shifted = days + 719_468
            let era = shifted.flooringDivision(by: 146_097)
            let rest = shifted - era * 146_097
            year = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365
            dayOfEra = rest - (365 * year + year / 4 - year / 100)
            year += era * 400
        } else {
            let shifted = days + 719_470
            let cycle = shifted.flooringDivision(by: 1461)
            let rest = shifted - cycle * 1461
            year = min(rest / 365, 3)
            dayOfEra = rest - 365 * year
            year += cycle * 4
        }
        let marchMonth = (5 * dayOfEra + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        self.init(
            year: month <= 2 ? year + 1 : year, month: month, day: dayOfEra - (153 * marchMonth + 2) / 5 + 1)
    }

    private var marchYear: Int { month <= 2 ? year - 1 : year }

    private var dayOfMarchYear: Int { (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1 }

    static func lastGregorianDay(of month: Int, in year: Int) -> Int {
        guard month == 2 else { return 30 + (month + month / 8) % 2 }
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }

    var daysSince1970: Int {
        let days = marchYear * 365 + marchYear.flooringDivision(by: 4) + dayOfMarchYear
        // From 15 October 1582 on three of four centuries have no leap day.
        let isGregorian = (year, month, day) >= (1582, 10, 15)
        return isGregorian ? days - marchYear / 100 + marchYear / 400 - 719_468 : days - 719_470
    }
}

extension Int {
    /// Division that rounds towards negative infinity.
    func flooringDivision(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
