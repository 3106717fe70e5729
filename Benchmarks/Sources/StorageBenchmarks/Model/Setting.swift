/// A small value that a program keeps in the disk cache.
struct Setting: Codable, Sendable {
    var number: Int
    var text: String

    init(_ number: Int) {
        self.number = number
        text = "dark, large type, no sounds"
    }
}
