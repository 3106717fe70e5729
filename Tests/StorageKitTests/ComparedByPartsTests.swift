import StorageKit
import StorageTestSupport
import Testing

private struct Secret: Codable, Sendable, CustomReflectable {
    var value: String
    var customMirror: Mirror { Mirror(self, children: ["value": "***"], displayStyle: .struct) }
}

private enum Labels: Codable, Sendable {
    enum Kind: String, Codable { case short, long }

    case texts(Set<String>)
    case others(Set<String>)
    case counted([Kind: Int])
    case secrets([String: Secret])
    case none
}

@StorageEntity
private struct Chest: Equatable {
    var id: Int
    @StorageJSON var secret: Secret
    @StorageJSON var labels: Labels
}

/// Has more than is coded.
private struct Visited: Codable, Sendable {
    var city: String
    var count = 0
    var onVisit: (@Sendable () -> Void)? = {}

    enum CodingKeys: CodingKey { case city }
}

@StorageEntity
private struct Trip: Equatable {
    var id: Int
    @StorageJSON var place: Visited
}

@StorageEntity
private struct Drawer: Identifiable, Hashable {
    var id: Int
    var `self`: Int
    var value: Int
    #if swift(>=6)
    enum Colour: String, Codable { case red, blue }
    #endif
    var colour: Colour
    @StorageHasMany(foreignKey: "drawerId") var sheets: [Sheet]
}

@StorageEntity
private struct Tray: Identifiable & Hashable {
    var id: Int
    @StorageHasMany(foreignKey: "drawerId") var sheets: [Sheet]
}

@StorageEntity
private struct Folder: Swift.Hashable {
    var id: Int
    @StorageHasMany(foreignKey: "drawerId") var sheets: [Sheet]
}

@StorageEntity(indexes: [])
private struct Sheet {
    var id: Int
    @StorageReference(Drawer.self) var drawerId: Int
}

/// Entities with values that have no `==`.
@Suite struct ComparedByPartsTests {
    private func chest(_ secret: String = "a", _ labels: Labels = .none) -> Chest {
        Chest(id: 1, secret: Secret(value: secret), labels: labels)
    }

    @Test func whatAMirrorDoesNotShowIsCompared() {
        #expect(chest("a") == chest("a"))
        #expect(chest("a") != chest("b"))
    }

    @Test func theOrderOfASetInAnEnumMeansNothing() {
        let texts = (0..<200).map { "text \($0)" }
        var (forwards, backwards) = (Set<String>(), Set<String>(minimumCapacity: 1000))
        for text in texts { forwards.insert(text) }
        for text in texts.reversed() { backwards.insert(text) }
        #expect(chest("a", .texts(forwards)) == chest("a", .texts(backwards)))
        #expect(chest("a", .counted([.short: 1, .long: 2])) == chest("a", .counted([.long: 2, .short: 1])))
    }

    @Test func aDictionaryIsNoOtherThatHasMore() {
        let (some, more) = (["x": Secret(value: "a")], ["x": Secret(value: "a"), "y": Secret(value: "b")])
        #expect(chest("a", .secrets(some)) == chest("a", .secrets(some)))
        #expect(chest("a", .secrets(some)) != chest("a", .secrets(more)))
        #expect(chest("a", .secrets(more)) != chest("a", .secrets(some)))
    }

    @Test func whatIsNotStoredIsNotCompared() {
        let trip = Trip(id: 1, place: Visited(city: "Kyiv"))
        #expect(trip == trip)
        #expect(trip == Trip(id: 1, place: Visited(city: "Kyiv", count: 2, onVisit: nil)))
        #expect(trip != Trip(id: 1, place: Visited(city: "Lviv")))
    }

    @Test func theCasesOfAnEnumAreTold() {
        #expect(chest("a", .texts(["x"])) != chest("a", .others(["x"])))
        #expect(chest("a", .texts(["x"])) != chest("a", .texts(["y"])))
        #expect(chest("a", .texts(["x"])) != chest("a", .none))
        #expect(chest("a", .none) == chest("a", .none))
    }

    @Test func anEntityWithRelatedOnesIsHashedByItsId() {
        let drawer = Drawer(id: 1, self: 2, value: 3, colour: .red, sheets: [])
        var full = drawer
        full.sheets = [Sheet(id: 1, drawerId: 1)]
        #expect(full.`self` == 2)
        #expect(drawer != full)
        #expect(drawer.hashValue == full.hashValue)
        #expect(Set([drawer, full, drawer]).count == 2)
    }

    @Test func anEntityIsHashedByItsIdHoweverItSaysThatItIsHashable() {
        let sheets = [Sheet(id: 1, drawerId: 1)]
        #expect(Set([Tray(id: 1, sheets: []), Tray(id: 1, sheets: sheets)]).count == 2)
        #expect(Tray(id: 1, sheets: []).hashValue == Tray(id: 1, sheets: sheets).hashValue)
        #expect(Folder(id: 1, sheets: []).hashValue == Folder(id: 1, sheets: sheets).hashValue)
    }
}
