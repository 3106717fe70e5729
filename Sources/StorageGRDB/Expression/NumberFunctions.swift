import StorageSQLite

extension Connection {
    func addNumberFunctions() {
        addFunction(FunctionName.integer) { arguments in
            switch arguments[0].value {
            case .integer(let number): return .integer(number)
            case .null: return .null
            default: throw FunctionFailure("a number is beyond the range of Int64")
            }
        }
        addFunction(FunctionName.whole) { try $0[0].wholeValue }
        addFunction(FunctionName.within, arguments: 3) { arguments in
            let value = try arguments[0].wholeValue
            guard case .integer(let number) = value, case .integer(let least) = arguments[1].value,
                case .integer(let greatest) = arguments[2].value
            else { return value }
            guard least <= number, number <= greatest else {
                throw FunctionFailure("a number is beyond the range of its column, \(least) to \(greatest)")
            }
            return value
        }
        // What is no number in JSON stays what it is, and is equal to none.
        addFunction(FunctionName.double) { $0[0].isNumber ? .real($0[0].real) : $0[0].value }
        addFunction(FunctionName.single) { $0[0].isNumber ? .real(Double(Float($0[0].real))) : $0[0].value }
        addFunction(FunctionName.decimalText) { arguments in
            guard arguments[0].storageClass != .null else { return .null }
            guard let number = try? arguments[0].number else {
                throw FunctionFailure("a value is no number that a Decimal can be")
            }
            return try number.storedValue()
        }
        addFunction(FunctionName.asDecimal) { $0[0].value.asDecimalText }
        addArithmetic()
        addSums()
    }

    /// Operators on numbers that SQLite itself calculates with less exactly.
    private func addArithmetic() {
        addFunction(FunctionName.decimals, arguments: 3) { arguments in
            guard let left = try arguments[1].number, let right = try arguments[2].number else { return .null }
            let result: Decimal
            switch arguments.operation {
            case .add: result = left + right
            case .subtract: result = left - right
            // Foundation ends the process where the product is too small (Swift 6.3, Linux).
            case .multiply where left != 0 && right != 0 && left.exponent + right.exponent < -128:
                throw FunctionFailure.beyondDecimal
            case .multiply: result = left * right
            case .divide where right == 0: return .null
            case .divide: result = left / right
            default: throw FunctionFailure("decimals have no such operation")
            }
            return try checked(result).storedValue()
        }
        addFunction(FunctionName.unsigned, arguments: 3) { arguments in
            guard let left = try arguments[1].whole(), let right = try arguments[2].whole() else { return .null }
            let (result, isTooGreat): (Int128, Bool)
            switch arguments.operation {
            case .add: (result, isTooGreat) = left.addingReportingOverflow(right)
            case .subtract: (result, isTooGreat) = left.subtractingReportingOverflow(right)
            case .multiply: (result, isTooGreat) = left.multipliedReportingOverflow(by: right)
            case .divide where right == 0: return .null
            case .divide: (result, isTooGreat) = left.dividedReportingOverflow(by: right)
            default: throw FunctionFailure("integers have no such operation")
            }
            guard !isTooGreat, let number = UInt64(exactly: result) else { throw FunctionFailure.beyondUInt64 }
            return number.storedValue()
        }
    }

    private func addSums() {
        // The sum of nothing is NULL, as of SQLite's own.
        addAggregate(FunctionName.decimalSum, from: { Sum(Decimal._emptySum) }) { sum, cell in
            if let number = try cell.number { sum.add { Decimal._add(number, to: &$0) } }
        } result: { sum in
            sum.count == 0 ? .null : try checked(sum.value).storedValue()
        }
        addAggregate(FunctionName.decimalMean, from: { Sum(Decimal._emptySum) }) { sum, cell in
            if let number = try cell.number { sum.add { Decimal._add(number, to: &$0) } }
        } result: { sum in
            guard sum.count > 0 else { return .null }
            guard let mean = Decimal._mean(sum.value, of: sum.count) else { throw FunctionFailure.beyondDecimal }
            return try mean.storedValue()
        }
        addAggregate(FunctionName.unsignedSum, from: { Sum(Int128(0)) }) { sum, cell in
            if let number = try cell.whole() { sum.add { $0 += number } }
        } result: { sum in
            guard sum.count > 0 else { return .null }
            guard let number = UInt64._total(sum.value) else { throw FunctionFailure.beyondUInt64 }
            return number.storedValue()
        }
        addAggregate(FunctionName.mean, from: { Sum(MixedSum()) }) { sum, cell in
            switch cell.storageClass {
            case .integer: sum.add { $0.integers += Int128(cell.integer) }
            case .real: sum.add { Double._add(cell.real, to: &$0.fractions) }
            default: if let number = try cell.whole(inColumnOf: "numbers") { sum.add { $0.integers += number } }
            }
        } result: { sum in
            sum.count == 0 ? .null : .real(sum.value.mean(of: sum.count))
        }
    }
}

private struct Sum<Value> {
    var value: Value
    var count = 0

    init(_ value: Value) {
        self.value = value
    }

    mutating func add(_ body: (inout Value) -> Void) {
        body(&value)
        count += 1
    }
}

/// Integers and numbers with a fraction, each added as `Query.avg` adds them.
private struct MixedSum {
    var integers: Int128 = 0
    var fractions = Double._emptySum

    func mean(of count: Int) -> Double {
        (Double(integers) + fractions.total) / Double(count)
    }
}

private func checked(_ number: Decimal) throws -> Decimal {
    guard !number.isNaN else { throw FunctionFailure.beyondDecimal }
    return number
}

extension FunctionFailure {
    fileprivate static let beyondDecimal = FunctionFailure("a number is beyond the range of Decimal")
    fileprivate static let beyondUInt64 = FunctionFailure("a number is beyond the range of UInt64")
}

extension FunctionArguments {
    /// What is to be done with the two numbers behind it.
    fileprivate var operation: Arithmetic? { Arithmetic(rawValue: String(decoding: self[0].text, as: UTF8.self)) }
}

extension ColumnCell {
    /// The value, where a number is an integer.
    fileprivate var wholeValue: StoredValue {
        get throws {
            guard case .real(let number) = value else { return value }
            guard let whole = Int64(exactly: number) else {
                throw FunctionFailure(
                    "a number that is to be an integer has a fraction, or is beyond the range of Int64")
            }
            return .integer(whole)
        }
    }

    fileprivate var isNumber: Bool { storageClass == .integer || storageClass == .real }

    /// The decimal number in it; nil for NULL.
    fileprivate var number: Decimal? {
        get throws {
            try value.decimal ?? whole(inColumnOf: "decimals").flatMap { Decimal(string: "\($0)") }
        }
    }

    /// The integer in it, with or without a sign; nil for NULL.
    ///
    /// - Parameter kind: What the column is to hold, for the error.
    fileprivate func whole(inColumnOf kind: String = "integers") throws -> Int128? {
        switch value {
        case .null: return nil
        case .integer(let number): return Int128(number)
        case .blob(let data) where data.count == 8:
            return data.withUnsafeBytes { Int128(UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self))) }
        default: throw FunctionFailure("a column of \(kind) holds something else")
        }
    }
}
