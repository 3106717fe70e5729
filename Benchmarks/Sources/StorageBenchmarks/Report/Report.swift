import Foundation

/// What a run found, for machines to read and to make tables and plots of.
struct Report: Codable, Sendable {
    let machine: Machine
    let rows: Int
    let repetitions: Int
    let comparisons: [Comparison]

    static func read(from path: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }

    /// Prints text at once, also where the output is a file.
    static func show(_ text: String) {
        print(text)
        fflush(nil)
    }

    /// A number with so many decimals.
    static func rounded(_ number: Double, _ decimals: Int) -> String {
        String(format: "%.\(decimals)f", number)
    }

    /// A ratio with as many decimals as say something.
    static func ratio(_ number: Double) -> String {
        rounded(number, number < 0.1 ? 3 : number < 20 ? 2 : 0)
    }

    /// Seconds, in the unit that suits them.
    static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<1e-6: "\(rounded(seconds * 1e9, 0)) ns"
        case ..<1e-4: "\(rounded(seconds * 1e6, 2)) us"
        case ..<1e-3: "\(rounded(seconds * 1e6, 0)) us"
        case ..<1: "\(rounded(seconds * 1e3, 2)) ms"
        default: "\(rounded(seconds, 2)) s"
        }
    }
}
