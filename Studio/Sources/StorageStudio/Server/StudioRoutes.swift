import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import StorageSQLite

/// What the page asks, and what it is answered.
struct StudioRoutes: Sendable {
    let studio: StudioFile
    let door: Door
    let events: StudioEvents
    let watch: CommitWatch
    let streams: StreamFigures

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        for asset in PageAsset.all {
            router.get(RouterPath(asset.path)) { _, _ in asset.response }
        }
        router.post("api/session", use: session)
        router.get("api/file", use: file)
        router.post("api/table", use: table)
        router.post("api/rows", use: rows)
        router.post("api/count", use: count)
        router.post("api/cell", use: cell)
        router.post("api/sql", use: sql)
        router.get("api/schema", use: schema)
        router.get("api/doctor", use: doctor)
        router.get("api/events", use: listen)
        if let change = studio.change {
            router.post("api/change/rows") { request, _ in try await changeRows(request, change) }
            router.post("api/change/sql") { request, _ in try await changeBySQL(request, change) }
        }
        return router
    }

    // MARK: - The door

    @Sendable private func session(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        struct Question: Decodable, Sendable {
            let code: String
        }
        return try await JSONAnswer.answering(request, Question.self) { question in
            guard let token = door.trade(question.code) else {
                throw StudioError(.signedOut, "the code is old or was used: ask for a new address")
            }
            return try JSONAnswer.of(["token": token])
        }
    }

    // MARK: - Tables and rows

    @Sendable private func file(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let (path, isReadOnly) = (studio.path, studio.change == nil)
        return try await JSONAnswer.answering(request) {
            try await studio.counts.run { try FileFacts(path, isReadOnly: isReadOnly, $0, $1) }
        }
    }

    @Sendable private func table(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        struct Question: Decodable, Sendable {
            let table: String
        }
        return try await JSONAnswer.answering(request, Question.self) { question in
            try JSONAnswer.of(
                try await studio.pages.run { TableFacts(try $1.table(question.table), $0, $1) })
        }
    }

    @Sendable private func rows(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let orders = studio.orders
        return try await JSONAnswer.answering(request, RowQuestion.self) { question in
            do {
                return try JSONAnswer.of(
                    try await studio.pages.run { try RowReader(question, $0, $1, orders).window() })
            } catch let error as StudioError where error.kind == .tookTooLong {
                let index = try? await studio.pages.run { try question.missingIndex($0, $1) }
                guard let index else { throw error }
                throw StudioError(.tookTooLong, "to sort so many rows takes too long without an index: \(index)")
            }
        }
    }

    @Sendable private func count(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let orders = studio.orders
        return try await JSONAnswer.answering(request, RowQuestion.self) { question in
            try JSONAnswer.of(
                ["count": try await studio.counts.run { try RowReader(question, $0, $1, orders).count() }])
        }
    }

    /// A value as it is: an image for what begins as one, a file to keep for all else.
    @Sendable private func cell(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        try await JSONAnswer.answering(request, CellQuestion.self) { question in
            let cell = try await studio.pages.run { try question.cell($0, $1) }
            switch cell {
            case .blob(let bytes), .brokenText(let bytes):
                var headers: HTTPFields = [.contentType: ImageType(bytes)?.rawValue ?? "application/octet-stream"]
                headers[.contentDisposition] = ImageType(bytes) == nil ? "attachment" : nil
                return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            default: return try JSONAnswer.of(CellJSON(cell))
            }
        }
    }

    // MARK: - SQL

    @Sendable private func sql(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        try await JSONAnswer.answering(request, SQLQuestion.self) { question in
            do {
                return try JSONAnswer.of(try await studio.sql.run { try question.answer($0) })
            } catch let error as StudioError where error.kind == .refused {
                guard let change = studio.change, try await change.changesRows(question.sql) else { throw error }
                return try JSONAnswer.of(SQLAnswer(writes: true))
            }
        }
    }

    @Sendable private func schema(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        struct Answer: Encodable {
            let sql: [String]
            let diagram: String
            /// Nil where the studio was given no model.
            let differences: [String]?
        }
        let model = studio.model
        return try await JSONAnswer.answering(request) {
            try await studio.pages.run { connection, schema in
                Answer(
                    sql: SchemaText.statements(schema.catalog),
                    diagram: SVGText.lines(schema.diagram).joined(separator: "\n"),
                    differences: try model.map { try SchemaFacts(connection).differences(from: $0) })
            }
        }
    }

    @Sendable private func doctor(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        try await JSONAnswer.answering(request) { try await studio.doctor.findings() }
    }

    // MARK: - Changes

    private func changeRows(_ request: Request, _ change: StudioConnection) async throws -> Response {
        try await JSONAnswer.answering(request, RowEdits.self) { edits in
            let outcome = try await change.write { connection, schema in
                let outcome = try edits.apply(connection, schema)
                return (outcome, isKept: outcome.isDone)
            }
            return try JSONAnswer.of(outcome, outcome.isDone ? .ok : .conflict)
        }
    }

    private func changeBySQL(_ request: Request, _ change: StudioConnection) async throws -> Response {
        try await JSONAnswer.answering(request, SQLQuestion.self) { question in
            try JSONAnswer.of(try await change.write { connection, _ in try question.change(connection) })
        }
    }

    // MARK: - What happens

    /// An event a line, until the page goes.
    @Sendable private func listen(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        // What was committed before is no news to somebody who comes, but is to a page that listens by then.
        if !events.isHeard, let commit = try await watch.poll() { events.tell(.commit(commit)) }
        guard let stream = events.listen(first: .ready) else {
            throw StudioError(.locked, "too many pages listen already")
        }
        streams.renew()
        return Response(
            status: .ok, headers: [.contentType: "application/x-ndjson"],
            body: ResponseBody { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for await event in stream {
                        var line = try JSONAnswer.buffer(event)
                        line.writeString("\n")
                        try await writer.write(line)
                    }
                }
                try await writer.finish(nil)
            })
    }
}
