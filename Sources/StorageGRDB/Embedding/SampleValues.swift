/// Makes values of types that are only known at run time. Of each type it has two, so that one field can be told
/// from another by changing it.
enum Sample: Int {
    case first, second
}

extension Sample {
    /// A value of a type that is kept in one column, or nil if no sample fits it.
    func value<T>(_ type: T.Type) -> T? {
        if let type = type as? any SampleProviding.Type {
            return (self == .first ? type.sample : type.otherSample) as? T
        }
        // Not the epoch, which is one number in seconds and in milliseconds.
        if type == Date.self {
            return Date(timeIntervalSinceReferenceDate: self == .first ? 34_567_890 : 234_567_890) as? T
        }
        if let type = type as? any CaseIterable.Type, let value = type.sampleCase(self) as? T { return value }
        if let type = type as? any ColumnValue.Type { return type.sample(self) as? T }
        // Before raw values are tried, of which an enum knows few: 0 and 1 are its first two cases.
        if MemoryLayout<T>.size == 1, let value = bits(type) { return value }
        if let type = type as? any RawRepresentable.Type, let value = type.rawSample(self) as? T { return value }
        return bits(type)
    }

    /// A type that is nothing but bits can be had from bits, whatever its initialisers refuse.
    func bits<T>(_ type: T.Type) -> T? {
        guard _isPOD(type), !(type is any ColumnValue.Type), type != Never.self else { return nil }
        let size = max(MemoryLayout<T>.size, 1)
        return withUnsafeTemporaryAllocation(byteCount: size, alignment: MemoryLayout<T>.alignment) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            if self == .second, MemoryLayout<T>.size == 1 { bytes[0] = 1 }
            return bytes.load(as: type)
        }
    }

    fileprivate var storedValues: [StoredValue] {
        switch self {
        case .first:
            [
                .integer(0), .text("aB"), .text("6F2C8DF4-2B0F-4C0A-9D2E-0A1B2C3D4E5F"),
                .text("2001-02-03 04:05:06.000"), .real(0.5), .blob(Data([1])),
            ]
        case .second:
            [
                .integer(1), .text("cD"), .text("0B7F6E5D-4C3B-4A29-8817-061524334251"),
                .text("2007-08-09 10:11:12.000"), .real(1.5), .blob(Data([2])),
            ]
        }
    }
}

extension ColumnValue {
    fileprivate static func sample(_ sample: Sample) -> Self? {
        for value in sample.storedValues {
            let row = RowReader(values: [value], names: [""])
            if let value = try? read(from: row, at: 0) { return value }
        }
        return nil
    }
}

extension CaseIterable {
    fileprivate static func sampleCase(_ sample: Sample) -> Self? {
        let cases = allCases.prefix(2)
        return sample == .second ? cases.dropFirst().first ?? cases.first : cases.first
    }
}

extension RawRepresentable {
    fileprivate static func rawSample(_ sample: Sample) -> Self? {
        sample.value(RawValue.self).flatMap { Self(rawValue: $0) }
    }
}
