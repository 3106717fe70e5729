extension StoredValue {
    /// In letters that JSON leaves as they are; SQLite ends a text of JSON at a NUL.
    fileprivate var listed: String { Data(tagged.utf8).base64EncodedString() }

    /// Reads a value that stood in a list whose values JSON does not carry exactly.
    package init?(listed: String) {
        guard let tagged = Data(base64Encoded: listed) else { return nil }
        self.init(tagged: String(decoding: tagged, as: UTF8.self))
    }
}

extension LoweredQuery {
    /// Writes `SELECT value FROM json_each(?)`: SQLite takes 32,766 arguments at the most, and one text of any length.
    mutating func append(list values: [StoredValue]) {
        let (json, isExact) = values.asList
        append("SELECT \(isExact ? "value" : listedValue()) FROM json_each(")
        append(StoredValue.text(json))
        append(")")
    }

    /// Writes a table with each value and its position: `json_each(?)`
    mutating func append(keys values: [StoredValue]) {
        let (json, isExact) = values.asList
        append(isExact ? "json_each(" : "(SELECT key, \(listedValue()) AS value FROM json_each(")
        append(StoredValue.text(json))
        append(isExact ? ")" : "))")
    }

    private mutating func listedValue() -> String {
        needsFunctions = true
        return "\(FunctionName.listedValue)(value)"
    }
}

extension [StoredValue] {
    /// The values as a JSON array, and whether those are the values themselves.
    fileprivate var asList: (json: String, isExact: Bool) {
        asJSONArray.map { ($0, true) } ?? ("[" + map { "\"\($0.listed)\"" }.joined(separator: ",") + "]", false)
    }

    /// The values as one JSON array, if JSON carries them exactly: whole numbers, or texts without NUL.
    fileprivate var asJSONArray: String? {
        let numbers = compactMap { if case .integer(let value) = $0 { value } else { nil } }
        let texts = compactMap { if case .text(let value) = $0, !value.utf8.contains(0) { value } else { nil } }
        let encoder = JSONEncoder()
        let json =
            numbers.count == count
            ? try? encoder.encode(numbers) : texts.count == count ? try? encoder.encode(texts) : nil
        return json.map { String(decoding: $0, as: UTF8.self) }
    }
}
