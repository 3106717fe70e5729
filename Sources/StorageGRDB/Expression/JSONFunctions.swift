import StorageSQLite

/// How an encoder writes dates into JSON.
enum JSONDateForm: String {
    /// ISO 8601, as StorageKit's own coders do.
    case text
    case secondsSince1970, millisecondsSince1970, secondsSince2001

    /// - Returns: Nil for any other form.
    init?(of date: Date, as json: Any?) {
        if var text = json as? String {
            guard text.withUTF8(DateText.parse) == date else { return nil }
            self = .text
        } else {
            switch (json as? NSNumber)?.doubleValue {
            case date.timeIntervalSince1970: self = .secondsSince1970
            case date.timeIntervalSince1970 * 1000: self = .millisecondsSince1970
            case date.timeIntervalSinceReferenceDate: self = .secondsSince2001
            default: return nil
            }
        }
    }

    var argument: String? { self == .text ? nil : rawValue }

    fileprivate func date(_ cell: ColumnCell) -> Date? {
        switch (self, cell.storageClass) {
        case (.text, .text): DateText.parse(cell.text)
        case (.text, _): nil
        case (_, .text), (_, .blob), (_, .null): nil
        case (.secondsSince1970, _): Date(timeIntervalSince1970: cell.real)
        case (.millisecondsSince1970, _): Date(timeIntervalSince1970: cell.real / 1000)
        case (.secondsSince2001, _): Date(timeIntervalSinceReferenceDate: cell.real)
        }
    }
}

extension FunctionFailure {
    /// How the complaint begins about JSON that is sound, and that has a value of another form than the type's.
    static let otherJSON = "JSON has something else where there is to be "
}

extension Connection {
    /// Adds what makes of scalars in JSON what columns of their types hold.
    func addJSONFunctions() {
        addFunction(FunctionName.jsonDate, arguments: nil) { arguments in
            guard arguments.count > 0, arguments[0].storageClass != .null else { return .null }
            let name =
                arguments.count > 1 ? String(decoding: arguments[1].text, as: UTF8.self) : JSONDateForm.text.rawValue
            guard let date = JSONDateForm(rawValue: name)?.date(arguments[0]), let text = DateText(date) else {
                throw FunctionFailure(FunctionFailure.otherJSON + "a date")
            }
            return .text(text.string)
        }
        addFunction(FunctionName.jsonData) { arguments in
            guard arguments[0].storageClass != .null else { return .null }
            guard arguments[0].storageClass == .text,
                let data = Data(base64Encoded: String(decoding: arguments[0].text, as: UTF8.self))
            else { throw FunctionFailure(FunctionFailure.otherJSON + "data") }
            return .blob(data)
        }
        addFunction(FunctionName.unsignedValue) { arguments in
            switch arguments[0].value {
            case .null: return .null
            case .integer(let number) where number >= 0: return .integer(number)
            case .text(let text): if let number = UInt64(text) { return number.storedValue() }
            default: break
            }
            throw FunctionFailure(FunctionFailure.otherJSON + "an integer without sign")
        }
    }
}
