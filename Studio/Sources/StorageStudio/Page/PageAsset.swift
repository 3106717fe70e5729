import HTTPTypes
import Hummingbird
import NIOCore

/// A file of the page. None of them holds anything of the database.
struct PageAsset: Sendable {
    let path: String
    let type: String
    let text: String

    var response: Response {
        Response(
            status: .ok, headers: [.contentType: type + "; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
