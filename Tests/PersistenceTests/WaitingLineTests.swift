import Testing

@testable import Persistence

@Suite struct WaitingLineTests {
    @Test func thoseWhoWaitAreServedInTheOrderOfTheirPlaces() {
        var line = WaitingLine<String>()
        line.add("a", at: line.newPlace())
        line.add("b", at: line.newPlace())
        #expect(line.popFirst() == "a")
        #expect(line.popFirst() == "b")
        #expect(line.popFirst() == nil)
    }

    /// A task that is cancelled on its way gives up a place that it never took, and nobody else's.
    @Test func aPlaceThatIsNotTakenIsNobodyElses() {
        var line = WaitingLine<String>()
        let place = line.newPlace()
        line.add("b", at: line.newPlace())
        #expect(line.remove(at: place) == nil)
        #expect(line.popFirst() == "b")
    }
}
