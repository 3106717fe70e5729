import ContactBookModel
import StorageKit

/// Contacts in aligned columns.
struct ContactTable {
    private let rows: [[String]]
    private let colored: Bool
    private var widths: [Int]
    private static let titles = ["ID", "", "NAME", "EMAIL", "PHONE", "COMPANY", "BIRTHDAY"]
    /// Columns that may be cut where the terminal is narrow; an id or a number cut short is of no use.
    private static let flexible = [2, 3, 5]
    private static let gap = 2

    /// - Parameters:
    ///   - contacts: The rows.
    ///   - style: The width to keep to, and whether there are colours.
    init(_ contacts: [Contact], style: TerminalStyle) {
        colored = style.isColored
        let idLength = ContactTable.idLength(contacts)
        rows = contacts.map { contact in
            [
                String(contact.id.prefix(idLength)), contact.isFavorite ? "★" : "", contact.title,
                contact.email ?? "", contact.phone ?? "", contact.company ?? "", contact.birthdayText ?? "",
            ].map(Printable.line)
        }
        widths = ContactTable.titles.map(TextWidth.of)
        for row in rows {
            for (index, text) in row.enumerated() { widths[index] = max(widths[index], TextWidth.of(text)) }
        }
        for index in widths.indices where rows.allSatisfy({ $0[index].isEmpty }) { widths[index] = 0 }
        if let width = style.width { shrink(to: width) }
    }

    /// The header and a line for each contact. Columns without any value are left out.
    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let header = line(ContactTable.titles)
        return [colored ? "\u{1B}[1m\(header)\u{1B}[0m" : header] + rows.map(line)
    }

    private func line(_ texts: [String]) -> String {
        var line = ""
        for (index, text) in texts.enumerated() where widths[index] > 0 {
            let shown = TextWidth.padded(TextWidth.truncated(text, to: widths[index]), to: widths[index])
            line += shown + String(repeating: " ", count: ContactTable.gap)
        }
        while line.hasSuffix(" ") { line.removeLast() }
        return colored ? line.replacingOccurrences(of: "★", with: "\u{1B}[33m★\u{1B}[39m") : line
    }

    private mutating func shrink(to width: Int) {
        while widths.reduce(0, { $0 + ($1 > 0 ? $1 + ContactTable.gap : 0) }) - ContactTable.gap > width {
            guard let widest = ContactTable.flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > 8 else {
                return
            }
            widths[widest] -= 1
        }
    }

    /// As many digits as tell the contacts shown apart, eight or more.
    private static func idLength(_ contacts: [Contact]) -> Int {
        var length = 8
        while length < 32, Set(contacts.map { $0.id.prefix(length) }).count < contacts.count { length += 2 }
        return length
    }
}
