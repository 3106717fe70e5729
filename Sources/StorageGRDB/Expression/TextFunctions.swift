import StorageSQLite

extension Connection {
    func addTextFunctions() {
        // The value of the text that carries it in a list, for lists whose values JSON does not carry exactly.
        addFunction(FunctionName.listedValue) { arguments in
            if case .text(let text) = arguments[0].value { StoredValue(listed: text) ?? .null } else { .null }
        }
        addFunction(FunctionName.lowercased) { arguments in
            arguments[0].string.map { .text($0.lowercased()) } ?? .null
        }
        addFunction(FunctionName.prefix, arguments: 2) { arguments in
            let length = Int(clamping: arguments[1].integer)
            return arguments[0].string.map { .text(String($0.prefix(max(0, length)))) } ?? .null
        }
        addFunction(FunctionName.characterCount) { arguments in
            arguments[0].string.map { .integer(Int64($0.count)) } ?? .null
        }
    }
}

extension ColumnCell {
    /// The text in it; nil for NULL. SQLite makes texts of numbers.
    fileprivate var string: String? {
        storageClass == .null ? nil : String(decoding: text, as: UTF8.self)
    }
}
