import Foundation
import Testing

@testable import ContactBookKit
@testable import ContactBookModel

@Suite struct TextTests {
    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("한", 2), ("👩‍🔬", 2), ("🇺🇳", 2), ("ｗ", 2), ("❤️", 2), ("★", 1),
    ])
    func aTextIsAsWideAsATerminalShowsIt(text: String, width: Int) {
        #expect(TextWidth.of(text) == width)
    }

    @Test func aWideCharacterIsNotCutInHalf() {
        #expect(TextWidth.truncated("漢字漢字", to: 6) == "漢字…")
        #expect(TextWidth.truncated("漢字", to: 4) == "漢字")
    }

    @Test func controlCharactersAreShownAsSwiftWritesThem() {
        #expect(Printable.line("a\u{1B}[2Jb\nc\u{202E}d") == #"a\u{1B}[2Jb\nc\u{202E}d"#)
    }

    @Test(arguments: [("\u{202A}", "202A"), ("\u{2066}", "2066"), ("\u{2069}", "2069"), ("\u{2028}", "2028")])
    func signsThatWouldTurnOrEndTheLineAreShownAsSwiftWritesThem(sign: String, number: String) {
        #expect(Printable.line("a\(sign)b") == "a\\u{\(number)}b")
    }

    @Test(arguments: ["1990-05-17", "--02-29", "2000-02-29", "0001-01-01"])
    func aBirthdayIsWrittenAsItWasRead(text: String) {
        #expect(Birthday(text)?.description == text)
    }

    @Test(arguments: [
        "2020-13-45", "1990-02-29", "1990-04-31", "90-05-17", "1990-5-17", "soon", "--5-1", "--02-30", "٢٠٠٠-٠١-٠١",
    ])
    func whatIsNoDayIsNoBirthday(text: String) {
        #expect(Birthday(text) == nil)
    }

    @Test(arguments: ["2026-02-30T09:30:00Z", "2026-11-24T09:30:00Zulu noon", "2026-11-24", ""])
    func whatIsNoTimeIsNoTimeOfACall(text: String) {
        #expect(CallText.date(text) == nil)
    }

    @Test func anIdDependsOnThePersonAndNotOnSpelling() {
        let plain = ContactIdentity.id(for: ContactDetails(name: "Zoë Quill", phone: "+1 (202) 555-0101"))
        let same = ContactIdentity.id(
            for: ContactDetails(name: " ZOE\u{308}  quill", phone: "+12025550101", notes: "x"))
        let other = ContactIdentity.id(for: ContactDetails(name: "Zoë Quill", phone: "+1 (202) 555-0102"))
        #expect(plain == same)
        #expect(plain != other)
        // Written down: an id that changed from one version to the next would add everybody twice.
        #expect(ContactIdentity.id(for: ContactDetails(name: "Ada")) == "5cc2f01a507cade771ebb9662dfce7e4")
    }

    @Test func columnsAreAligned() {
        let contacts = ["漢字", "Rene\u{301}e", "👩‍🔬 Vega"].enumerated().map { index, name in
            Contact(id: "0000000\(index)", details: ContactDetails(name: name, phone: "12"), createdAt: .distantPast)
        }
        let lines = ContactTable(contacts, style: .plain).lines
        #expect(lines.dropFirst().allSatisfy { TextWidth.of($0) == TextWidth.of(lines[1]) })
    }

    @Test func aTableKeepsToTheTerminal() {
        let details = ContactDetails(
            name: String(repeating: "漢", count: 60), email: String(repeating: "e", count: 60), phone: "+1 202-555-0101")
        let contact = Contact(id: "0123456789", details: details, createdAt: .distantPast)
        let lines = ContactTable([contact], style: TerminalStyle(width: 80)).lines
        #expect(lines.allSatisfy { TextWidth.of($0) <= 80 })
        #expect(lines[1].contains("+1 202-555-0101"))
    }

    /// A contact of an id and a name.
    private func contact(_ id: String, _ name: String) -> Contact {
        Contact(id: id, details: ContactDetails(name: name), createdAt: .distantPast)
    }

    @Test func idsHaveAsManyDigitsAsTellTheContactsApart() {
        let contacts = [contact("01234567aaaa", "Ada"), contact("01234567bbbb", "Ben")]
        let lines = ContactTable(contacts, style: .plain).lines
        #expect(lines.dropFirst() == ["01234567aa  Ada", "01234567bb  Ben"])
    }

    @Test(arguments: [("𝐀𝐝𝐚", "ada"), ("Acme™", "acmetm"), ("№ 5", "no 5"), ("Ａda", "ada"), ("İzmir", "izmir")])
    func whatIsFoldedHasSmallLettersOnly(text: String, folded: String) {
        #expect(TextFolding.fold(text) == folded)
        #expect(TextFolding.fold(folded) == folded)
    }

    @Test func aColumnWithoutAnyValueIsLeftOut() {
        let lines = ContactTable([contact("0123456789", "Ada")], style: .plain).lines
        #expect(lines == ["ID        NAME", "01234567  Ada"])
    }

    @Test func aTableSendsNoControlCharactersOfAContact() {
        let lines = ContactTable([contact("0123456789", "Ada\u{1B}[2J\nBen")], style: .plain).lines
        #expect(lines.last == #"01234567  Ada\u{1B}[2J\nBen"#)
    }

    @Test func aCardSendsNoControlCharactersOfAContact() {
        var ada = contact("0123456789", "Ada")
        ada.notes = "one\ntwo\u{1B}[2J"
        let lines = ContactCard.lines(ada)
        #expect(lines.contains("Notes:        one"))
        #expect(lines.contains(#"              two\u{1B}[2J"#))
    }

    @Test func statisticsAreToldInWords() {
        let counts = BookStatistics.Counts(contacts: 5, favorites: 1, withEmail: 4, withPhone: 3, withBirthday: 2)
        let statistics = BookStatistics(
            counts: counts, topCompanies: [BookStatistics.Share(name: "Kettle", count: 2)], topDomains: [],
            nextBirthdays: [])
        #expect(
            statistics.lines == [
                "Contacts       5", "Favourites     1", "With email     4", "With phone     3", "With birthday  2",
                "", "Top companies", "  Kettle  2",
            ])
    }
}
