/// The way from the value of a column of JSON to one inside it.
struct JSONWay: Sendable {
    private let root: any JSONRoot
    /// Key paths of stored properties; nil if some step is none.
    private var steps: Steps? = Steps()
    /// Whether a value on the way, or the one that it leads to, may be nil.
    private var isOptional: Bool
    /// The same of the values on the way alone.
    private var passesOptional = false

    init<Root: Codable & Sendable>(from root: Root.Type, isOptional: Bool = false) {
        self.root = JSONRootOf<Root>()
        self.isOptional = isOptional
    }

    func step<Root>(_ keyPath: PartialKeyPath<Root>, isOptional: Bool = false) -> JSONWay {
        var way = self
        way.passesOptional = self.isOptional
        way.isOptional = self.isOptional || isOptional
        // Only a stored property has an offset. Anything else, a subscript or a getter, might not bear a sample.
        if MemoryLayout<Root>.offset(of: keyPath) != nil {
            way.steps?.keyPaths.append(keyPath)
        } else {
            way.steps = nil
        }
        return way
    }

    /// The path to a value that fits in one column.
    func path(to leaf: JSONLeaf) -> JSONPath {
        var path = path(.value, type: leaf.type, stored: leaf.stored) { coders, sample in
            guard let stored = leaf.stored(sample.value) else { throw JSONProblem.otherForm }
            return try leaf.reading(of: stored, as: sample.json)
        }
        path.encode = leaf.encode
        return path
    }

    /// A question about the value.
    func path(
        _ question: JSONPath.Question, type: ColumnType?, stored: @escaping @Sendable (Any) -> StoredValue? = jsonText,
        reading: @escaping @Sendable (JSONCoders, JSONSample) throws -> JSONPath.Reading
    ) -> JSONPath {
        let (root, steps) = (root, steps)
        return JSONPath(question, type: type, passesOptional: passesOptional) { coders in
            do {
                guard let steps else { throw JSONProblem.noProperty }
                if steps.keyPaths.isEmpty { return try JSONPath.Place(keys: [], reading: reading(coders, .none)) }
                let keys = try root.keys(steps, stored)
                let (encoded, sample) = try root.encoded(keys, steps, coders)
                return try JSONPath.Place(keys: encoded, reading: reading(coders, sample))
            } catch let problem as JSONProblem {
                throw InvalidQuery(reason: problem.reason)
            } catch  where !(error is InvalidQuery) {
                // The store's encoder has no form for it.
                throw InvalidQuery(reason: ColumnEncodingError(error).reason)
            }
        }
    }
}

/// A value as its encoder writes it, in itself or in something.
struct JSONSample {
    let value: Any
    /// What JSON has in its place.
    let json: Any?

    static var none: JSONSample { JSONSample(value: (), json: nil) }
}

/// A value inside JSON that fits in one column.
struct JSONLeaf: Sendable {
    let type: ColumnType
    /// What a column holds for the value.
    let stored: @Sendable (Any) -> StoredValue?
    /// The JSON of what a column would hold; nil for nil.
    let encode: @Sendable (StoredValue, JSONCoders) throws -> String?
    /// Whether the number is of single precision: JSON has the fewest digits that tell it, which are another number to SQLite.
    let isSingle: Bool

    private init(
        _ type: any ColumnValue.Type, stored: @escaping @Sendable (Any) -> StoredValue?,
        encode: @escaping @Sendable (StoredValue, JSONCoders) throws -> String?
    ) {
        self.type = type.columnType
        self.stored = stored
        self.encode = encode
        isSingle = type == Float.self || type == Float?.self
    }

    /// How the value is read from JSON, by an example of both.
    func reading(of value: StoredValue, as json: Any?) throws -> JSONPath.Reading {
        if isSingle, json is NSNumber { return .converted(function: FunctionName.single) }
        return try JSONPath.Reading(type: type, of: value, as: json)
    }

    static func of<V: ColumnValue>(_ type: V.Type) -> JSONLeaf {
        JSONLeaf(V.self, stored: { value in (value as? V).flatMap { try? $0.storedValue() } }) {
            stored, coders in
            if stored == .null, V.isNullable { return nil }
            return try json(try V.read(from: RowReader(values: [stored], names: [""]), at: 0), coders)
        }
    }

    static func raw<V: RawRepresentable & Sendable>(_ type: V.Type) -> JSONLeaf where V.RawValue: ColumnValue {
        JSONLeaf(
            V.RawValue.self,
            stored: { value in
                (value as? V).flatMap { try? $0.rawValue.storedValue() }
            },
            encode: { stored, coders in
                try json(try RowReader(values: [stored], names: [""]).rawValue(at: 0) as V, coders)
            })
    }

    static func optionalRaw<V: RawRepresentable & Sendable>(_ type: V.Type) -> JSONLeaf where V.RawValue: ColumnValue {
        let leaf = raw(V.self)
        return JSONLeaf(V.RawValue.self, stored: leaf.stored) { stored, coders in
            stored == .null ? nil : try leaf.encode(stored, coders)
        }
    }

    private static func json<V>(_ value: V, _ coders: JSONCoders) throws -> String {
        guard let value = value as? any Encodable else { throw JSONProblem.otherForm }
        return try JSONText.encode(value, with: coders.makeEncoder())
    }
}

/// Why a value inside JSON cannot be asked about.
enum JSONProblem: Error {
    case noProperty, notFound, otherForm
    case noSamples(String)

    var reason: String {
        switch self {
        case .noProperty:
            "there is a step in the way to the value that is no stored property; of an array there are 'count', 'isEmpty' and "
                + "'contains'"
        case .notFound:
            "the value's key in JSON cannot be found; where several properties have one validated type, it needs an "
                + "'otherSample' beside its 'sample' (SampleProviding)"
        case .otherForm: "the store's encoder writes the value in a form that SQL cannot compare"
        case .noSamples(let problem): problem
        }
    }
}

/// A value's JSON, by which values are told apart that fit in no column.
@Sendable func jsonText(_ value: Any) -> StoredValue? {
    (value as? any Encodable).flatMap { try? .text(JSONText.encode($0, with: JSONCoders.standardEncoder())) }
}

// MARK: - The type of the column

/// The type of a column of JSON, of which nothing else is known.
private protocol JSONRoot: Sendable {
    /// The coding keys that lead to what the steps lead to.
    func keys(_ steps: Steps, _ stored: (Any) -> StoredValue?) throws -> [String]
    /// The same keys as an encoder writes them, and a sample of what is there.
    func encoded(_ keys: [String], _ steps: Steps, _ coders: JSONCoders) throws -> ([String], JSONSample)
}

private struct JSONRootOf<Root: Codable & Sendable>: JSONRoot {
    func keys(_ steps: Steps, _ stored: (Any) -> StoredValue?) throws -> [String] {
        let type = EmbeddedType<Root>.shared
        if let problem = type.problem { throw JSONProblem.noSamples(problem) }
        guard let path = type.path(at: steps, { steps.value(in: $0).flatMap(stored) }) else {
            throw JSONProblem.notFound
        }
        return path
    }

    func encoded(_ keys: [String], _ steps: Steps, _ coders: JSONCoders) throws -> ([String], JSONSample) {
        let plain = try Root(from: ShapeDecoder())
        var json: Any? = try object(plain, coders)
        var varied: Any?
        var found: [String] = []
        for key in keys {
            guard let level = json as? [String: Any] else { throw JSONProblem.notFound }
            if level[key] != nil {
                found.append(key)
            } else {
                // The encoder has names of its own: that of the value which is another in another sample.
                let other = try varied ?? object(self.varied(keys), coders)
                varied = other
                let others = found.reduce(Optional(other)) { ($0 as? [String: Any])?[$1] } as? [String: Any] ?? [:]
                let differing = level.keys.filter { !isSame(level[$0], others[$0]) }
                guard differing.count == 1 else { throw JSONProblem.notFound }
                found.append(differing[0])
            }
            json = level[found[found.count - 1]]
        }
        guard let value = steps.value(in: plain) else { throw JSONProblem.notFound }
        return (found, JSONSample(value: value, json: json))
    }

    /// A sample in which no more is another than what the keys lead to: a field in it or, where there is none, that it is nil.
    private func varied(_ keys: [String]) throws -> Root {
        let shape = EmbeddedType<Root>.shared.shape
        if case .leaf? = shape.kind(at: keys), shape.optionalPaths.contains(keys) {
            return try Root(from: ShapeDecoder(without: keys))
        }
        let leaf = shape.leaves(optional: false).first { $0.path.starts(with: keys) }
        return try Root(from: ShapeDecoder(varying: leaf?.path ?? keys))
    }

    private func object(_ value: Root, _ coders: JSONCoders) throws -> Any {
        try JSONSerialization.jsonObject(
            with: JSONText.data(of: value, with: coders.makeEncoder()), options: .fragmentsAllowed)
    }

    private func isSame(_ left: Any?, _ right: Any?) -> Bool {
        switch (left, right) {
        case (let left?, let right?): (left as? NSObject)?.isEqual(right) ?? ("\(left)" == "\(right)")
        default: left == nil && right == nil
        }
    }
}

extension Steps {
    /// The value that the steps lead to from another.
    fileprivate func value(in root: Any) -> Any? {
        keyPaths.reduce(Optional(root)) { value, keyPath in value.flatMap { $0[keyPath: keyPath] } }
    }
}

extension JSONPath.Reading {
    /// How a scalar of JSON becomes what a column of the type holds, by an example of both.
    init(type: ColumnType, of stored: StoredValue, as json: Any?) throws {
        let number = json as? NSNumber
        switch (type, stored) {
        case (.text, .text(let text)) where json as? String == text: self = .asItIs
        case (.integer, _) where number != nil, (.boolean, _) where number != nil: self = .asItIs
        // An encoder writes whole numbers without a fraction, which would divide as integers do.
        case (.real, _) where number != nil: self = .converted(function: FunctionName.double)
        case (.decimal, _) where number != nil: self = .digits(function: FunctionName.decimalText)
        case (.unsigned, _) where number != nil: self = .digits(function: FunctionName.unsignedValue)
        case (.blob, .blob(let data)) where json as? String == data.base64EncodedString():
            self = .converted(function: FunctionName.jsonData)
        case (.datetime, .text(var text)):
            guard let date = text.withUTF8(DateText.parse), let form = JSONDateForm(of: date, as: json) else {
                throw JSONProblem.otherForm
            }
            self = .converted(function: FunctionName.jsonDate, argument: form.argument)
        default: throw JSONProblem.otherForm
        }
    }
}
