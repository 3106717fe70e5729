/// The arrays of JSON whose elements can be asked about: `Array` and `Set`.
public protocol JSONArray {
    /// An element.
    associatedtype Element
}

extension Array: JSONArray {}
extension Set: JSONArray {}

/// Arrays of JSON that may be missing.
public protocol OptionalJSONArray {
    /// The array.
    associatedtype JSONElements: JSONArray
}

extension Optional: OptionalJSONArray where Wrapped: JSONArray {
    /// The array.
    public typealias JSONElements = Wrapped
}

extension JSONColumn where T: JSONArray {
    /// How many elements the array has. SQL: `json_array_length("c")`, and
    /// `json_array_length(NULLIF("c" -> '$."key"', 'null'))` of one inside
    public var count: Column<Int> { Column<Int>(lengthOfArray) }

    /// The array has no elements. SQL: as `count == 0`
    public var isEmpty: Predicate { count == 0 }
}

extension JSONColumn where T: OptionalJSONArray {
    /// How many elements the array has; nil where there is none. SQL: `json_array_length("c")`, and
    /// `json_array_length(NULLIF("c" -> '$."key"', 'null'))` of one inside
    public var count: Column<Int?> { Column<Int?>(lengthOfArray) }

    /// The array is there and has no elements. SQL: as `count == 0`
    public var isEmpty: Predicate { count == 0 }
}

extension JSONColumn where T: JSONArray, T.Element: ColumnValue {
    /// The array has that element. SQL: `EXISTS (SELECT 1 FROM json_each("c") WHERE value = ?)`
    ///
    /// - Parameter element: The element.
    public func contains(_ element: T.Element) -> Predicate { contains(of: element) }
}

extension JSONColumn where T: OptionalJSONArray, T.JSONElements.Element: ColumnValue {
    /// The array is there and has that element. SQL: `EXISTS (SELECT 1 FROM json_each("c") WHERE value = ?)`
    ///
    /// - Parameter element: The element.
    public func contains(_ element: T.JSONElements.Element) -> Predicate { contains(of: element) }
}

extension JSONColumn where T: JSONArray, T.Element: RawRepresentable & Sendable, T.Element.RawValue: ColumnValue {
    /// The array has that raw value.
    ///
    /// - Parameter element: The element.
    @_disfavoredOverload
    public func contains(_ element: T.Element) -> Predicate { contains(ofRaw: element) }
}

extension JSONColumn
where
    T: OptionalJSONArray, T.JSONElements.Element: RawRepresentable & Sendable,
    T.JSONElements.Element.RawValue: ColumnValue
{
    /// The array is there and has that raw value.
    ///
    /// - Parameter element: The element.
    @_disfavoredOverload
    public func contains(_ element: T.JSONElements.Element) -> Predicate { contains(ofRaw: element) }
}

extension JSONColumn where T: JSONArray {
    /// Never there: it gives the compiler words, and a place, for elements that are no value of a column.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "an element of JSON that is looked for has to be a text, a number or another value of a column"
    )
    public func contains(_ element: T.Element) -> Predicate { Predicate(.never) }
}

extension JSONColumn {
    private var arrayWay: JSONWay { way ?? JSONWay(from: [Bool].self) }

    fileprivate var lengthOfArray: ExpressionNode {
        .json(column, arrayWay.path(.count, type: .integer) { _, _ in .asItIs })
    }

    fileprivate func contains<Element: ColumnValue>(of element: Element) -> Predicate {
        contains(JSONLeaf.of(Element.self), as: Element.self) { try element.storedValue() }
    }

    fileprivate func contains<Element: RawRepresentable & Sendable>(ofRaw element: Element) -> Predicate
    where Element.RawValue: ColumnValue {
        contains(JSONLeaf.raw(Element.self), as: Element.self) { try element.rawValue.storedValue() }
    }

    /// How elements are read is told from the JSON of a sample; where there is none, from that of the element itself. A date of 0 looks
    /// alike in several forms.
    private func contains<Element>(
        _ leaf: JSONLeaf, as type: Element.Type, _ element: () throws -> StoredValue
    ) -> Predicate {
        do {
            let stored = try element()
            guard stored != .null else { throw ColumnEncodingError(reason: "nil is no element of JSON to look for") }
            return Predicate(
                .json(
                    column,
                    arrayWay.path(.contains(stored), type: leaf.type) { coders, _ in
                        // What the encoder cannot write is an error, be there a sample or not.
                        let ofElement = try leaf.encode(stored, coders)
                        let sample = Sample.first.value(type).flatMap(leaf.stored)
                        let json = try sample.map { try leaf.encode($0, coders) } ?? ofElement
                        let object = try json.map {
                            try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
                        }
                        return try leaf.reading(of: sample ?? stored, as: object)
                    }))
        } catch {
            return Predicate(.invalid(error, of: column))
        }
    }
}
