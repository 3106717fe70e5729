// Dates by Foundation's Gregorian calendar, by functions that StorageKit registers. They are in no index: to find a span of time, compare
// the date with its ends.
//
// Written for dates and for those that may be nil: by a protocol of both, the compiler's words for a text's `month` would be that something
// "could not be inferred".

extension Column where T == Date {
    /// The year, in GMT. SQL: `storagekit_year("c")`
    public var year: Column<Int> { year(in: .gmt) }

    /// The year, in a time zone. SQL: `storagekit_year("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func year(in timeZone: TimeZone) -> Column<Int> { Column<Int>(node.part(.year, in: timeZone)) }

    /// The month, from 1, in GMT. SQL: `storagekit_month("c")`
    public var month: Column<Int> { month(in: .gmt) }

    /// The month, from 1, in a time zone. SQL: `storagekit_month("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func month(in timeZone: TimeZone) -> Column<Int> { Column<Int>(node.part(.month, in: timeZone)) }

    /// The day of the month, from 1, in GMT. SQL: `storagekit_day("c")`
    public var day: Column<Int> { day(in: .gmt) }

    /// The day of the month, from 1, in a time zone. SQL: `storagekit_day("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func day(in timeZone: TimeZone) -> Column<Int> { Column<Int>(node.part(.day, in: timeZone)) }

    /// The hour, from 0 to 23, in GMT. SQL: `storagekit_hour("c")`
    public var hour: Column<Int> { hour(in: .gmt) }

    /// The hour, from 0 to 23, in a time zone. SQL: `storagekit_hour("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func hour(in timeZone: TimeZone) -> Column<Int> { Column<Int>(node.part(.hour, in: timeZone)) }

    /// The minute, from 0 to 59, in GMT. SQL: `storagekit_minute("c")`
    public var minute: Column<Int> { minute(in: .gmt) }

    /// The minute, from 0 to 59, in a time zone. SQL: `storagekit_minute("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func minute(in timeZone: TimeZone) -> Column<Int> { Column<Int>(node.part(.minute, in: timeZone)) }

    /// The day of the week; 1 is Sunday, in GMT. SQL: `storagekit_weekday("c")`
    public var weekday: Column<Int> { weekday(in: .gmt) }

    /// The day of the week; 1 is Sunday, in a time zone. SQL: `storagekit_weekday("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func weekday(in timeZone: TimeZone) -> Column<Int> { Column<Int>(node.part(.weekday, in: timeZone)) }

    /// When the unit began that the date lies in: what dates are grouped by. What began before the year 1 begins with it.
    /// SQL: `storagekit_start("c", ?, ?)`
    ///
    /// - Parameters:
    ///   - unit: The unit.
    ///   - timeZone: The time zone in which it begins.
    public func start(of unit: DateUnit, in timeZone: TimeZone = .gmt) -> Column<Date> {
        Column<Date>(node.start(of: unit, in: timeZone))
    }
}

extension Column where T == Date? {
    /// The year, in GMT; nil for nil. SQL: `storagekit_year("c")`
    public var year: Column<Int?> { year(in: .gmt) }

    /// The year, in a time zone; nil for nil. SQL: `storagekit_year("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func year(in timeZone: TimeZone) -> Column<Int?> { Column<Int?>(node.part(.year, in: timeZone)) }

    /// The month, from 1, in GMT; nil for nil. SQL: `storagekit_month("c")`
    public var month: Column<Int?> { month(in: .gmt) }

    /// The month, from 1, in a time zone; nil for nil. SQL: `storagekit_month("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func month(in timeZone: TimeZone) -> Column<Int?> { Column<Int?>(node.part(.month, in: timeZone)) }

    /// The day of the month, from 1, in GMT; nil for nil. SQL: `storagekit_day("c")`
    public var day: Column<Int?> { day(in: .gmt) }

    /// The day of the month, from 1, in a time zone; nil for nil. SQL: `storagekit_day("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func day(in timeZone: TimeZone) -> Column<Int?> { Column<Int?>(node.part(.day, in: timeZone)) }

    /// The hour, from 0 to 23, in GMT; nil for nil. SQL: `storagekit_hour("c")`
    public var hour: Column<Int?> { hour(in: .gmt) }

    /// The hour, from 0 to 23, in a time zone; nil for nil. SQL: `storagekit_hour("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func hour(in timeZone: TimeZone) -> Column<Int?> { Column<Int?>(node.part(.hour, in: timeZone)) }

    /// The minute, from 0 to 59, in GMT; nil for nil. SQL: `storagekit_minute("c")`
    public var minute: Column<Int?> { minute(in: .gmt) }

    /// The minute, from 0 to 59, in a time zone; nil for nil. SQL: `storagekit_minute("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func minute(in timeZone: TimeZone) -> Column<Int?> { Column<Int?>(node.part(.minute, in: timeZone)) }

    /// The day of the week; 1 is Sunday, in GMT; nil for nil. SQL: `storagekit_weekday("c")`
    public var weekday: Column<Int?> { weekday(in: .gmt) }

    /// The day of the week; 1 is Sunday, in a time zone; nil for nil. SQL: `storagekit_weekday("c", ?)`
    ///
    /// - Parameter timeZone: The time zone.
    public func weekday(in timeZone: TimeZone) -> Column<Int?> { Column<Int?>(node.part(.weekday, in: timeZone)) }

    /// When the unit began that the date lies in; nil for nil: what dates are grouped by. What began before the year 1 begins with it.
    /// SQL: `storagekit_start("c", ?, ?)`
    ///
    /// - Parameters:
    ///   - unit: The unit.
    ///   - timeZone: The time zone in which it begins.
    public func start(of unit: DateUnit, in timeZone: TimeZone = .gmt) -> Column<Date?> {
        Column<Date?>(node.start(of: unit, in: timeZone))
    }
}

extension ExpressionNode {
    fileprivate func part(_ part: DatePart, in timeZone: TimeZone) -> ExpressionNode {
        .call(
            SQLFunction(FunctionName.part(part.rawValue), type: .integer),
            [self] + timeZone.argument)
    }

    fileprivate func start(of unit: DateUnit, in timeZone: TimeZone) -> ExpressionNode {
        .call(
            SQLFunction(FunctionName.startOfUnit, type: .datetime),
            [self, .value(unit.rawValue)] + timeZone.argument)
    }
}

extension TimeZone {
    /// The time zone as an argument; none for GMT. One of odd seconds has the name of another.
    fileprivate var argument: [ExpressionNode] {
        let seconds = secondsFromGMT()
        if identifier == "GMT", seconds == 0 { return [] }
        let isNamed = TimeZone(identifier: identifier)?.secondsFromGMT() == seconds
        return [.value(isNamed ? identifier : "\(seconds)")]
    }
}
