import Foundation
import StorageKit
import Testing

/// Generated code and the compiler code a struct in the same way.
@Suite struct EntityCodableTests {
    enum Size: String, Codable, Sendable { case small, large }

    struct Place: Codable, Sendable, Equatable { var street: String; var number: Int? }

    @StorageEntity struct Coded {
        var id: String
        let kind = 7
        var count: Int
        var score: Double
        var isActive: Bool
        var small: Int8
        var large: UInt64
        var price: Decimal
        var link: URL?
        var key: UUID
        var at: Date
        var dueAt: Date?
        var note: String?
        var age: Int?
        var flag: Bool?
        var rate: Double!
        var image: Data
        var size: Size
        var sizes: [Size]?
        var names: [String: Int]
        var tags: Set<Int>
        @StorageEmbedded var place: Place
        @StorageJSON var places: [Place]
        @StorageHasMany(foreignKey: "codedId") var parts: [Part]
        private var hidden = "h"
        var `default`: String
        @StorageIgnored var unsaved = 5
    }

    @StorageEntity struct Part: Hashable {
        var id: Int
        var codedId: String
    }

    /// The same properties, coded by the compiler.
    struct Twin: Codable {
        var id: String
        let kind = 7
        var count: Int
        var score: Double
        var isActive: Bool
        var small: Int8
        var large: UInt64
        var price: Decimal
        var link: URL?
        var key: UUID
        var at: Date
        var dueAt: Date?
        var note: String?
        var age: Int?
        var flag: Bool?
        var rate: Double!
        var image: Data
        var size: Size
        var sizes: [Size]?
        var names: [String: Int]
        var tags: Set<Int>
        var place: Place
        var places: [Place]
        var parts: [Part]
        private var hidden = "h"
        var `default`: String

        enum CodingKeys: CodingKey {
            case id, kind, count, score, isActive, small, large, price, link, key, at, dueAt, note, age, flag, rate,
                image, size,
                sizes, names, tags, place, places, parts, hidden, `default`
        }
    }

    @Test func aToManyRelationNeedNotBeInTheJSON() throws {
        let json = try Self.json { $0["parts"] = nil }
        #expect(try JSONDecoder().decode(Coded.self, from: json).parts.isEmpty)
    }

    private static let full = """
        {"id": "a", "kind": 7, "count": -3, "score": 2.5, "isActive": true, "small": -8, "large": 18446744073709551615, "price": 1.25,
         "link": "https://example.org", "key": "2C5A1F3E-9D2B-4E0F-8A6C-1B2D3E4F5A6B", "at": 100.25, "dueAt": 5, "note": "n", "age": 4,
         "flag": false, "rate": 0.5, "image": "AQID", "size": "large", "sizes": ["small"], "names": {"x": 1}, "tags": [3],
         "place": {"street": "s"}, "places": [{"street": "t", "number": 1}], "parts": [{"id": 1, "codedId": "a"}], "hidden": "i",
         "default": "d"}
        """

    private static func text<T: Codable>(_ type: T.Type, of json: some Sequence<UInt8>) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(JSONDecoder().decode(type, from: Data(json))), as: UTF8.self)
    }

    /// The values of the whole object, with some of them put in the place of others, or taken out.
    private static func json(_ change: (inout [String: Any]) -> Void) throws -> Data {
        let whole = try JSONSerialization.jsonObject(with: Data(full.utf8)) as? [String: Any]
        var values = try #require(whole)
        change(&values)
        return try JSONSerialization.data(withJSONObject: values)
    }

    @Test func anEntityIsReadAndWrittenAsTheCompilerWouldDoIt() throws {
        let written = try Self.text(Coded.self, of: Self.full.utf8)
        #expect(written == (try Self.text(Twin.self, of: Self.full.utf8)))
        #expect(written.contains(#""note":"n""#) && written.contains(#""kind":7"#) && !written.contains("unsaved"))
    }

    @Test(arguments: ["link", "dueAt", "note", "age", "flag", "rate", "sizes"])
    func whatIsNilIsLeftOutAndMayBeMissingOrNull(name: String) throws {
        for json in [try Self.json { $0[name] = nil }, try Self.json { $0[name] = NSNull() }] {
            let written = try Self.text(Coded.self, of: json)
            #expect(!written.contains("\"\(name)\""))
            #expect(written == (try Self.text(Twin.self, of: json)))
        }
    }

    @Test(arguments: [
        "id", "count", "score", "isActive", "small", "large", "price", "link", "key", "at", "dueAt", "note", "age",
        "flag",
        "rate", "image", "size", "sizes", "names", "tags", "place", "places", "hidden", "default",
    ])
    func errorsNameTheKeyAsTheCompilersDo(name: String) throws {
        let wrong: Any = name == "names" || name == "place" ? "x" : ["unknown": 1]
        for json in [
            try Self.json { $0[name] = nil }, try Self.json { $0[name] = NSNull() }, try Self.json { $0[name] = wrong },
        ] {
            func path<T: Decodable>(_ type: T.Type) -> String {
                do {
                    _ = try JSONDecoder().decode(type, from: json)
                    return "none"
                } catch DecodingError.keyNotFound(let key, let context) {
                    return "keyNotFound \(key.stringValue) \(context.codingPath.map(\.stringValue))"
                } catch DecodingError.typeMismatch(let type, let context) {
                    return "typeMismatch \(type) \(context.codingPath.map(\.stringValue))"
                } catch DecodingError.valueNotFound(let type, let context) {
                    return "valueNotFound \(type) \(context.codingPath.map(\.stringValue))"
                } catch DecodingError.dataCorrupted(let context) {
                    return "dataCorrupted \(context.codingPath.map(\.stringValue))"
                } catch {
                    return "\(error)"
                }
            }
            #expect(path(Coded.self) == path(Twin.self))
        }
    }

    @Test func strategiesOfEncodersAndDecodersWork() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let coded = try JSONDecoder().decode(Coded.self, from: Data(Self.full.utf8))
        let twin = try JSONDecoder().decode(Twin.self, from: Data(Self.full.utf8))
        let json = try encoder.encode(coded)
        #expect(json == (try encoder.encode(twin)))
        #expect(String(decoding: json, as: UTF8.self).contains(#""is_active":true"#))
        #expect(try encoder.encode(decoder.decode(Coded.self, from: json)) == json)
    }
}

// MARK: - What an app writes itself

extension EntityCodableTests {
    @StorageEntity struct Renamed {
        var id: String
        var name: String
    }

    @StorageEntity struct Lenient {
        var id: String
        var name: String

        enum CodingKeys: CodingKey { case id, name }
    }

    @StorageEntity struct OwnHalf {
        var id: String
        var name: String
        @StorageIgnored var unsaved = 1

        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
            name = "read"
        }
    }

    @StorageEntity struct OtherKeys {
        var id: String
        var name: String
    }

    @Test func keysThatStandInAnExtensionAreTaken() throws {
        let json = try JSONEncoder().encode(Renamed(id: "a", name: "n"))
        #expect(String(decoding: json, as: UTF8.self).contains(#""full_name":"n""#))
        #expect(try JSONDecoder().decode(Renamed.self, from: json) == Renamed(id: "a", name: "n"))
    }

    @Test func halvesThatAnAppWritesAreTaken() throws {
        let json = Data(#"{"id":"a"}"#.utf8)
        #expect(try JSONDecoder().decode(Lenient.self, from: json) == Lenient(id: "a", name: "none"))
        #expect(try JSONDecoder().decode(OtherKeys.self, from: json).name == "other")
        let own = try JSONDecoder().decode(OwnHalf.self, from: json)
        #expect(own.name == "read")
        #expect(!String(decoding: try JSONEncoder().encode(own), as: UTF8.self).contains("unsaved"))
    }
}

extension EntityCodableTests.Renamed {
    enum CodingKeys: String, CodingKey {
        case id
        case name = "full_name"
    }
}

extension EntityCodableTests.Lenient {
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(String.self, forKey: .id),
            name: try values.decodeIfPresent(String.self, forKey: .name) ?? "none")
    }
}

extension EntityCodableTests.OtherKeys {
    private enum Keys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        self.init(id: try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .id), name: "other")
    }
}
