/// A place inside a column of JSON, as SQL asks for it once the coders of the store are known: their encoder names the keys.
package struct JSONPath: Sendable {
    /// What is asked about the place.
    package enum Question: Sendable {
        /// The value there, in the form that a column of its type has.
        case value
        /// How many elements the array there has.
        case count
        /// Whether the array there has an element, as a column of the element's type would hold it.
        case contains(StoredValue)
        /// Whether there is an object.
        case isObject
    }

    /// What SQL makes of a scalar of JSON, so that it is what a column of its type holds.
    package struct Reading: Sendable, Equatable {
        /// What is called for it, with another argument where it has one; nil if the scalar is what the column holds.
        private(set) var function: String?
        private(set) var argument: String?
        /// Whether the JSON itself is taken, whatever it is, and not the value that SQLite makes of it.
        private(set) var takesText = false

        package static let asItIs = Reading()
        package static let text = Reading(takesText: true)

        /// Decimals and the greatest integers, whose digits a number of SQLite's would lose.
        package static func digits(function: String) -> Reading { Reading(function: function, takesText: true) }

        package static func converted(function: String, argument: String? = nil) -> Reading {
            Reading(function: function, argument: argument)
        }
    }

    /// The place as SQL finds it.
    package struct Place: Sendable {
        /// The path: `$."city"`.
        package let path: String
        package let reading: Reading
        let keys: [String]

        package init(keys: [String], reading: Reading) throws {
            path = try JSONPath.path(keys)
            self.keys = keys
            self.reading = reading
        }
    }

    let question: Question
    /// The column type of the value there, or of an element of the array.
    let type: ColumnType?
    /// Finds the place, with the coders of a store.
    package let find: @Sendable (JSONCoders) throws -> Place
    /// Whether an object on the way to the value may be missing.
    package let passesOptional: Bool
    /// The JSON of what a column of the value's type would hold, nil for nil; none where such a value is JSON already.
    package var encode: (@Sendable (StoredValue, JSONCoders) throws -> String?)?

    package init(
        _ question: Question, type: ColumnType?, passesOptional: Bool,
        find: @escaping @Sendable (JSONCoders) throws -> Place
    ) {
        self.question = question
        self.type = type
        self.passesOptional = passesOptional
        self.find = find
    }

    /// Whether there is an object that the value can be in.
    package var isInObject: JSONPath {
        JSONPath(.isObject, type: .boolean, passesOptional: passesOptional) { [find] coders in
            try Place(keys: find(coders).keys.dropLast(), reading: .asItIs)
        }
    }

    /// Keys as SQLite takes them. It knows no way to write some signs.
    package static func path(_ keys: [String]) throws -> String {
        try keys.reduce(into: "$") { path, key in
            guard key.unicodeScalars.allSatisfy({ $0 != "\"" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7F })
            else {
                throw InvalidQuery(
                    reason: "SQLite finds no key of JSON with a quotation mark, a backslash or a control sign")
            }
            path += ".\"\(key)\""
        }
    }

    var form: ValueForm {
        switch question {
        case .value: ValueForm(type: type, mayBeNull: true)
        case .count: ValueForm(type: .integer, mayBeNull: true)
        case .contains, .isObject: ValueForm(type: .boolean, mayBeNull: false)
        }
    }
}

extension SQLPrinter {
    /// Writes what is asked about a place in JSON.
    mutating func append(_ path: JSONPath, in column: ExpressionNode) throws {
        let name = column.columnName ?? ""
        query.jsonColumns.insert(name)
        let place: JSONPath.Place
        do {
            place = try path.find(coders ?? .standard)
        } catch let problem as InvalidQuery {
            throw StorageError.invalidQuery("column '\(name)': \(problem.reason)")
        }
        switch path.question {
        case .value:
            try append(place.reading) { printer in
                if place.reading.takesText {
                    try printer.appendText(at: place.path.quotedLiteral) { try $0.append(operand: column) }
                } else {
                    try printer.append("json_extract", of: column, place)
                }
            }
        case .count where place.path == "$": try append("json_array_length", of: column, place)
        case .count:
            // Of `null` the function says 0, as of an array without elements.
            append("json_array_length(")
            try appendText(at: place.path.quotedLiteral) { try $0.append(operand: column) }
            append(")")
        case .isObject:
            try append("json_type", of: column, place)
            append(" IS 'object'")
        case .contains(let element):
            // Qualified, since json_each has columns of its own: a column `value` would be that of the array.
            append("EXISTS (SELECT 1 FROM json_each(")
            try append(qualified: column)
            append(", \(place.path.quotedLiteral)) AS \"\(JSONPath.element)\" WHERE ")
            try append(place.reading) { printer in
                let value = "\"\(JSONPath.element)\".value"
                guard place.reading.takesText else { return printer.append(value) }
                // The text of each element is looked up in the whole array.
                printer.append("CASE typeof(\(value)) WHEN 'integer' THEN \(value) ELSE ")
                try printer.appendText(at: "\"\(JSONPath.element)\".fullkey") { try $0.append(qualified: column) }
                printer.append(" END")
            }
            if path.type == .decimal { appendDecimalOrder() }
            append(" = ")
            append(value: ValueForm(type: path.type, mayBeNull: false).stored(element))
            append(")")
        }
    }

    /// Writes the JSON at a place as text; `null` is NULL, as where there is none.
    private mutating func appendText(at path: String, _ column: (inout SQLPrinter) throws -> Void) rethrows {
        append("NULLIF(")
        try column(&self)
        append(" -> \(path), 'null')")
    }

    private mutating func append(_ function: String, of column: ExpressionNode, _ place: JSONPath.Place) throws {
        append("\(function)(")
        try append(value: column)
        append(place.path == "$" ? ")" : ", \(place.path.quotedLiteral))")
    }

    private mutating func append(_ reading: JSONPath.Reading, _ write: (inout SQLPrinter) throws -> Void) rethrows {
        guard let function = reading.function else { return try write(&self) }
        query.needsFunctions = true
        append("\(function)(")
        try write(&self)
        if let argument = reading.argument { append(", \(argument.quotedLiteral)") }
        append(")")
    }
}

extension JSONPath {
    fileprivate static let element = "storagekit_element"
}
