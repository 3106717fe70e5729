import Testing

@testable import StorageGRDB

@Suite struct WindowWishesTests {
    private let wishes = WindowWishes()

    @Test func aWishThatAReadHasNotFinishedIsThereForTheNextOne() {
        let request = wishes.add(.next)
        // A read looks, and fails.
        #expect(wishes.waiting.map { ObjectIdentifier($0) } == [ObjectIdentifier(request)])
        wishes.finish(wishes.waiting, [.success(())])
        #expect(wishes.waiting.isEmpty)
        #expect(wishes.take(request) != nil)
    }

    @Test func whoWaitsNoLongerTakesTheWishAlong() {
        let request = wishes.add(.next)
        #expect(wishes.take(request) == nil)
        #expect(wishes.waiting.isEmpty)
    }

    @Test func aWishThatCannotBeDoneIsNotTriedAgain() {
        let request = wishes.add(.row([.integer(1)]))
        wishes.finish(wishes.waiting, [nil])
        #expect(wishes.waiting.isEmpty)
        #expect(wishes.take(request) == nil)
    }
}
