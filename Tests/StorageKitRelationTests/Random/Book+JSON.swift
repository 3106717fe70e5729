import StorageKit

// What the books keep as JSON: values inside are set too.

extension Book.Place {
    private static let names = ["Kyiv", "O'Hara", "a\"b", "日本", ""]

    static func draw(_ maker: inout Maker) -> Book.Place {
        Book.Place(
            city: maker.pick(names), floor: maker.maybe(.draw(&maker)),
            tags: (0..<maker.number(0...2)).map { _ in maker.pick(names) })
    }

    fileprivate var shown: String { "\(city.shown) \(floor.shown) \(tags.map(\.shown))" }
}

extension Book {
    static func assignmentOfJSON(_ maker: inout Maker) -> DrawnAssignment<Book>? {
        let (floor, city) = (maker.maybe(maker.number(-3...6)), String.draw(&maker))
        let (place, tags) = (Place.draw(&maker), Place.draw(&maker).tags)
        switch maker.number(0...6) {
        case 0:
            return DrawnAssignment(text: "place.floor = \(floor.shown)", touches: { $0.place != nil }) {
                $0.place.floor.set(to: floor)
            } expected: { row, _ in
                row.place.map { _ in floor }.shown
            } shown: {
                ($0.place.map(\.floor)).shown
            }
        case 1:
            return DrawnAssignment(text: "place.city = \(city)", touches: { $0.place != nil }) {
                $0.place.city.set(to: city)
            } expected: { row, _ in
                row.place.map { _ in city }.shown
            } shown: {
                ($0.place?.city).shown
            }
        case 2:
            return DrawnAssignment(text: "home.city = \(city)") {
                $0.home.city.set(to: city)
            } expected: { _, _ in
                city.shown
            } shown: {
                $0.home.city.shown
            }
        case 3:
            return DrawnAssignment(text: "home.floor = \(floor.shown)") {
                $0.home.floor.set(to: floor)
            } expected: { _, _ in
                floor.shown
            } shown: {
                $0.home.floor.shown
            }
        case 4:
            return DrawnAssignment(text: "home.tags = \(tags)") {
                $0.home.tags.set(to: tags)
            } expected: { _, _ in
                "\(tags.map(\.shown))"
            } shown: {
                "\($0.home.tags.map(\.shown))"
            }
        case 5:
            return DrawnAssignment(text: "place = nil") {
                $0.place.set(to: nil)
            } expected: { _, _ in
                "nil"
            } shown: {
                $0.place?.shown ?? "nil"
            }
        default:
            return DrawnAssignment(text: "home = \(place)") {
                $0.home.set(to: place)
            } expected: { _, _ in
                place.shown
            } shown: {
                $0.home.shown
            }
        }
    }
}
