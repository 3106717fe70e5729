import StorageKit
import StorageTestSupport
import Testing

/// Ranks against BM25 as its authors write it down.
@Suite struct SearchRankTests {
    @Test func aRankIsWhatBM25Says() async throws {
        var random = SeededGenerator()
        let words = ["ant", "bee", "cat", "dog"]
        func text() -> String {
            (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in words.randomElement(using: &random) }
                .joined(separator: " ")
        }
        let store = try TemporaryStore.searched()
        for _ in 0..<programCount(quick: 20, full: 500) {
            let notes = (0..<Int.random(in: 1...12, using: &random)).map { Note(id: $0, title: text(), body: text()) }
            let weights = [0.5, 1, 4].shuffled(using: &random).prefix(2).map(\.self)
            try await store.storage.deleteAll(Note.self)
            try await store.storage.save(notes)
            for weights in [[1, 1], weights] {
                let hits = try await store.storage.query(Note.self)
                    .matching("ant OR bee", weights: weights == [1, 1] ? [] : weights).hits()
                for hit in hits {
                    let expected = hit.entity.rank(of: ["ant", "bee"], among: notes, weights: weights)
                    #expect(abs(hit.rank - expected) < 1e-9, "STORAGEKIT_SEED=\(random.seed)")
                }
                #expect(hits.map(\.rank) == hits.map(\.rank).sorted(), "STORAGEKIT_SEED=\(random.seed)")
            }
        }
    }
}

extension Note {
    private var texts: [[Substring]] { [title, body ?? ""].map { $0.split(separator: " ") } }

    private var length: Double { Double(texts.joined().count) }

    fileprivate func rank(of words: [Substring], among notes: [Note], weights: [Double]) -> Double {
        let mean = notes.map(\.length).reduce(0, +) / Double(notes.count)
        return -words.reduce(0.0) { sum, word in
            let having = Double(notes.count { $0.texts.joined().contains(word) })
            let rarity = log((Double(notes.count) - having + 0.5) / (having + 0.5))
            let frequency = zip(texts, weights).reduce(0.0) { $0 + Double($1.0.count { $0 == word }) * $1.1 }
            let share = frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / mean))
            // A word in most rows is worth next to nothing to FTS5, but never less.
            return sum + (rarity <= 0 ? 1e-6 : rarity) * share
        }
    }
}
