import Testing

@testable import StorageGRDB

@Suite struct WindowWishesTests {
    private let wishes = WindowWishes()

    @Test func aWishThatAReadHasNotFinishedIsThereForTheNextOne() {
        let number = wishes.add(.next)
        // A read looks, and fails.
        #expect(wishes.waiting.map(\.number) == [number])
        wishes.finish(wishes.waiting, done: [number])
        #expect(wishes.waiting.isEmpty)
        #expect(wishes.wasDone(number))
    }

    @Test func whoWaitsNoLongerTakesTheWishAlong() {
        let number = wishes.add(.next)
        #expect(!wishes.wasDone(number))
        #expect(wishes.waiting.isEmpty)
    }

    @Test func aWishThatCannotBeDoneIsNotTriedAgain() {
        let number = wishes.add(.row([.integer(1)]))
        wishes.finish(wishes.waiting, done: [])
        #expect(wishes.waiting.isEmpty)
        #expect(!wishes.wasDone(number))
    }
}
