import Foundation
import Testing

@testable import ContactBookKit
@testable import ContactBookModel

@Suite struct ImportProblemTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Imports a text, and returns the problem without the path of the folder.
    private func problem(_ bytes: [UInt8], recordsPerChunk: Int = 2000) async throws -> String? {
        let path = try folder.file(bytes: bytes)
        do {
            try await folder.book().importFile(path, recordsPerChunk: recordsPerChunk, blockLength: 16)
            return nil
        } catch let stopped as StoppedImport {
            return stopped.cause.localizedDescription.replacingOccurrences(of: folder.url.path + "/", with: "")
        }
    }

    private func problem(_ text: String) async throws -> String? {
        try await problem(Array(text.utf8))
    }

    @Test func aWrongDateIsReportedWithLineAndColumn() async throws {
        let text = "Name,Birthday\nAda,--02-29\nBen,2020-13-45\n"
        #expect(try await problem(text) == "contacts.csv:3: column 'Birthday': '2020-13-45' is not a date")
    }

    @Test func linesInsideQuotedFieldsCount() async throws {
        let text = "Name,Notes,Birthday\r\nAda,\"one\r\ntwo\n\"\"three\"\"\",\r\n\r\nBen,\"x\ny\",soon\r\n"
        #expect(try await problem(text) == "contacts.csv:6: column 'Birthday': 'soon' is not a date")
    }

    @Test func aFileWithoutNamesIsRefusedAndItsColumnsAreNamed() async throws {
        let message = try #require(try await problem("Phone,Mail\n1,2\n"))
        #expect(message.hasPrefix("contacts.csv:1: the header has no name column"))
        #expect(message.hasSuffix("it has 'Phone', 'Mail'"))
    }

    @Test func aQuoteThatIsNeverClosedIsReportedWhereItBegan() async throws {
        let text = "Name,Notes\nAda,fine\nBen,\"no end\n\n\n"
        #expect(try await problem(text) == "contacts.csv:3: the quote that begins here is never closed")
    }

    @Test func aQuoteInsideAFieldIsReportedWithItsLine() async throws {
        let message = try #require(try await problem("Name,Notes\nAda,\"a\nb\"\nBen,5\" pipe\nCy,\n"))
        #expect(message.hasPrefix("contacts.csv:4: a quote stands where none may"))
    }

    @Test func textThatIsNotUTF8IsReportedWithItsLine() async throws {
        let bytes = Array("Name,Notes\nAda,\"x\ny ".utf8) + [0xFF] + Array("\"\n".utf8)
        let message = try #require(try await problem(bytes))
        #expect(message.hasPrefix("contacts.csv:3: the text is not UTF-8"))
    }

    @Test func lineEndsOfWindowsCountOnceBeforeTextThatIsNotUTF8() async throws {
        let bytes = Array("Name,Notes\r\nAda,\"x\r\ny ".utf8) + [0xFF] + Array("\"\r\n".utf8)
        let message = try #require(try await problem(bytes))
        #expect(message.hasPrefix("contacts.csv:3: the text is not UTF-8"))
    }

    @Test func moreFieldsThanTheHeaderHasAreReported() async throws {
        let message = try #require(try await problem("Name,Notes\nAda,a,b\n"))
        #expect(message.hasPrefix("contacts.csv:2: the row has more fields than the header's 2"))
    }

    @Test func anEmptyFileIsReported() async throws {
        #expect(try await problem("") == "contacts.csv: the file is empty")
    }

    @Test func aColumnNamedTwiceIsReported() async throws {
        #expect(try await problem("Name,Notes,notes\n") == "contacts.csv:1: column 'notes': the header names it twice")
    }

    @Test func ofAFailingChunkNothingIsWrittenAndEarlierOnesStay() async throws {
        let path = folder.path("contacts.csv")
        try SampleContacts.write(count: 30, to: path, seed: 1)
        var lines = try String(contentsOfFile: path, encoding: .utf8)
        lines += "Last,,,,31 May,,,last@example.com,,,,\n"
        _ = try folder.file(lines)
        let book = try folder.book()
        let stopped = await #expect(throws: StoppedImport.self) {
            try await book.importFile(path, recordsPerChunk: 10, blockLength: 64)
        }
        let committed = try #require(stopped).committed
        #expect(committed > 0)
        #expect(committed < 31)
        #expect(try await book.everybody.count == committed)
    }
}
