import StorageSQLite

extension Connection {
    func addTextFunctions() {
        // Upper and lower case are the same in all of Unicode; SQLite's own `lower` knows ASCII alone.
        addFunction(FunctionName.caseFolding) { arguments in
            if case .text(let text) = arguments[0].value { .text(text.caseFolded) } else { .null }
        }
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
        addCollation(FunctionName.caseless) { left, right in
            let (left, right) = (left.caseFolded, right.caseFolded)
            // By bytes as well: texts that Swift takes for the same could stand on both sides of a third.
            return left.utf8.elementsEqual(right.utf8)
                ? .orderedSame
                : left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
        }
        addLocalizedCollations()
    }
}

extension ColumnCell {
    /// The text in it; nil for NULL. SQLite makes texts of numbers.
    fileprivate var string: String? {
        storageClass == .null ? nil : String(decoding: text, as: UTF8.self)
    }
}
