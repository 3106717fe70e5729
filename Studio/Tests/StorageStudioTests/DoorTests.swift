import Foundation
import NIOHTTP1
import StorageSQLite
import Synchronization
import Testing

@testable import StorageStudio

@Suite struct DoorTests {
    @Test func aCodeIsTradedOnce() {
        let door = Door.ofTests()
        let code = door.newCode()
        let token = door.trade(code)
        #expect(token != nil)
        #expect(door.trade(code) == nil)
        #expect(door.isOpen(to: "Bearer " + (token ?? "")))
        #expect(!door.isOpen(to: "Bearer "))
        #expect(!door.isOpen(to: token))
        #expect(!door.isOpen(to: nil))
    }

    @Test func aCodeAndATokenHave256Bits() throws {
        let door = Door.ofTests()
        let code = door.newCode()
        let token = try #require(door.trade(code))
        // A hexadecimal digit has four.
        #expect([code, token].map(\.utf8.count) == [64, 64])
    }

    @Test func aCodeIsTradedWithinTenSeconds() {
        let now = Mutex(ContinuousClock.now)
        let door = Door { now.withLock { $0 } }
        let (early, late) = (door.newCode(), door.newCode())
        now.withLock { $0 += .milliseconds(9_999) }
        #expect(door.trade(early) != nil)
        now.withLock { $0 += .milliseconds(1) }
        #expect(door.trade(late) == nil)
    }

    @Test(arguments: [Door.mostCodes, Door.mostCodes + 1])
    func tooManyCodesDropTheOlderOnes(count: Int) {
        let door = Door.ofTests()
        let codes = (0..<count).map { _ in door.newCode() }
        let areTraded = codes.map { door.trade($0) != nil }
        #expect(areTraded.dropLast().allSatisfy { $0 == (count <= Door.mostCodes) })
        #expect(areTraded.last == true)
    }

    @Test func tooManyTokensDropTheOldest() throws {
        let door = Door.ofTests()
        let tokens = try (0...Door.mostTokens).map { _ in try #require(door.trade(door.newCode())) }
        let areGood = tokens.map { door.isOpen(to: "Bearer " + $0) }
        #expect(areGood == [false] + Array(repeating: true, count: Door.mostTokens))
    }

    @Test func noOtherNameLeadsIn() async throws {
        try await RunningStudio.run(try TemporaryFile()) { studio in
            let port = studio.port
            for host in [
                "localhost:\(port)", "evil.example", "127.0.0.1", "127.0.0.1:\(port + 1)", "127.0.0.1.:\(port)",
                "[::1]:\(port)", "",
            ] {
                for path in ["/", "/api/file", "/nothing"] {
                    #expect(
                        try await studio.send(.get, path, host: host, headers: [:]).status == 403, "\(host) \(path)")
                }
                let trade = try await studio.send(
                    .post, "/api/session", #"{"code":"\#(studio.code)"}"#, host: host, headers: studio.headers())
                #expect(trade.status == 403)
            }
        }
    }

    @Test func withoutATokenNothingIsTold() async throws {
        try await RunningStudio.run(try TemporaryFile()) { studio async throws in
            for path in [
                "/api/file", "/api/schema", "/api/doctor", "/api/events", "/api/nothing", "//api/file", "///api/file",
                "/api//file", "/%61pi/file", "/./api/file", "/x/../api/file", "/nothing",
            ] {
                #expect(try await studio.send(.get, path, headers: studio.headers()).status == 401, "\(path)")
                #expect(try await studio.send(.get, path, headers: studio.headers(token: "guess")).status == 401)
                #expect(try await studio.send(.get, path + "?token=x", headers: ["Cookie": "token=x"]).status == 401)
            }
            for path in [
                "/api/table", "/api/rows", "/api/count", "/api/cell", "/api/sql", "/api/change/rows", "/api/change/sql",
                "//api/sql", "//api/change/rows", "//api/session",
            ] {
                #expect(try await studio.send(.post, path, "{}", headers: studio.headers()).status == 401, "\(path)")
            }
            #expect(
                try await studio.send(.post, "/api/session", #"{"code":"0"}"#, headers: studio.headers()).status == 401)
        }
    }

    @Test func aPageOfAnotherSiteIsRefused() async throws {
        try await RunningStudio.run(try TemporaryFile()) { studio in
            let token = try await studio.token()
            let question = #"{"sql":"SELECT 1"}"#
            let good = studio.headers(token: token)
            #expect(try await studio.send(.post, "/api/sql", question, headers: good).status == 200)
            for origin in [
                "http://evil.example", "null", "http://localhost:\(studio.port)", "https://127.0.0.1:\(studio.port)",
                nil,
            ] {
                var headers = good
                headers["Origin"] = origin
                #expect(
                    try await studio.send(.post, "/api/sql", question, headers: headers).status == 403,
                    "\(origin ?? "none")")
            }
            for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", nil] {
                var headers = good
                headers["Content-Type"] = type
                #expect(
                    try await studio.send(.post, "/api/sql", question, headers: headers).status == 403,
                    "\(type ?? "none")")
            }
            for site in ["cross-site", "same-site", "none"] {
                var headers = good
                headers["Sec-Fetch-Site"] = site
                #expect(try await studio.send(.get, "/api/file", headers: headers).status == 403, "\(site)")
                #expect(try await studio.send(.post, "/api/sql", question, headers: headers).status == 403, "\(site)")
            }
            #expect(try await studio.send(.get, "/", headers: ["Sec-Fetch-Site": "none"]).status == 200)
            #expect(try await studio.send(.get, "/", headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
            #expect(try await studio.send(.put, "/api/sql", question, headers: good).status == 403)
            #expect(try await studio.send(.options, "/api/sql", headers: good).status == 403)
        }
    }

    @Test func everyAnswerKeepsThePageToItself() async throws {
        try await RunningStudio.run(try TemporaryFile()) { studio in
            let token = try await studio.token()
            for (path, host) in [("/", nil), ("/api/file", nil), ("/nothing", nil), ("/", "evil.example")] {
                let headers = try await studio.send(.get, path, host: host, headers: studio.headers(token: token)).head
                    .headers
                let policy = headers.first(name: "Content-Security-Policy") ?? ""
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
                #expect(!policy.contains("unsafe"))
                #expect(headers.first(name: "X-Frame-Options") == "DENY")
                #expect(headers.first(name: "Referrer-Policy") == "no-referrer")
                #expect(headers.first(name: "X-Content-Type-Options") == "nosniff")
                #expect(headers.first(name: "Cache-Control") == "no-store")
                #expect(!headers.contains(name: "Access-Control-Allow-Origin"))
                #expect(!headers.contains(name: "Set-Cookie"))
            }
        }
    }

    @Test func thePageIsShownInNoOtherAndSendsNothingElsewhere() async throws {
        try await RunningStudio.run(try TemporaryFile()) { studio in
            let headers = try await studio.send(.get, "/", headers: [:]).head.headers
            let policy = headers.first(name: "Content-Security-Policy") ?? ""
            let rules = policy.components(separatedBy: "; ")
            for rule in [
                "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
                "require-trusted-types-for 'script'",
            ] {
                #expect(rules.contains(rule), "\(rule)")
            }
        }
    }

    @Test func aFileThatIsOnlyLookedAtHasNoWayToChangeIt() async throws {
        let file = try TemporaryFile("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        try await RunningStudio.run(file, isReadOnly: true) { studio in
            let headers = studio.headers(token: try await studio.token())
            #expect(
                try await studio.send(.post, "/api/change/sql", #"{"sql":"DELETE FROM t"}"#, headers: headers).status
                    == 404)
            #expect(try await studio.send(.post, "/api/change/rows", #"{"edits":[]}"#, headers: headers).status == 404)
            #expect(
                try await studio.send(.post, "/api/sql", #"{"sql":"DELETE FROM t"}"#, headers: headers).status == 403)
        }
        #expect(try file.value("SELECT count(*) FROM t") == .integer(1))
    }
}
