import StorageKit

/// An entity with text to search in.
@StorageEntity
struct Document {
    var id: String
    var title: String
    var body: String
}

extension Document {
    /// What a full-text index of the documents has.
    static let searchedColumns = ["title", "body"]
    static let tokenizer = "porter"

    /// So many documents of some sixty words each, the same in each run. A few words are in most documents, most words are
    /// in a few.
    static func documents(_ count: Int) -> [Document] {
        var random = SeededRandom(seed: 4)
        return (0..<count).map { number in
            let title = words(6, &random)
            return Document(id: "document-\(number)", title: title, body: words(60, &random))
        }
    }

    private static func words(_ count: Int, _ random: inout SeededRandom) -> String {
        (0..<count).map { _ in word(&random) }.joined(separator: " ")
    }

    private static func word(_ random: inout SeededRandom) -> String {
        let share = Double.random(in: 0..<1, using: &random)
        return "word\(Int(share * share * share * 5000))"
    }
}
