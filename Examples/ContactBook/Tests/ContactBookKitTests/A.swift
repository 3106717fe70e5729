import Testing
@testable import ContactBookKit
@Test func a() {}
