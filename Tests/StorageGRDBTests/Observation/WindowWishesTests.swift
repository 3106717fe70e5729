import Testing

@testable import StorageGRDB

@Suite struct WindowWishesTests {
    private let wishes = WindowWishes()

    @Test func aWishThatAReadHasNotFinishedIsThereForTheNextOne() {
        let number = wishes.add(.next)
        // A read looks, and fails.
        #expect(wishes.waiting.map(\.number) == [number])
        wishes.finish(wishes.waiting, [number: .success(())])
        #expect(wishes.waiting.isEmpty)
        #expect(wishes.take(number) != nil)
    }

    @Test func whoWaitsNoLongerTakesTheWishAlong() {
        let number = wishes.add(.next)
        #expect(wishes.take(number) == nil)
        #expect(wishes.waiting.isEmpty)
    }

    @Test func nothingIsKeptOfAWishThatIsTakenBackWhileItIsRead() {
        let number = wishes.add(.next)
        let asked = wishes.waiting
        #expect(wishes.take(number) == nil)
        wishes.finish(asked, [number: .success(())])
        #expect(wishes.take(number) == nil)
    }

    @Test func aWishThatCannotBeDoneIsNotTriedAgain() {
        let number = wishes.add(.row([.integer(1)]))
        wishes.finish(wishes.waiting, [:])
        #expect(wishes.waiting.isEmpty)
        #expect(wishes.take(number) == nil)
    }
}
