import StorageKit

struct Attachment: Codable, Sendable {
    var name: String
}

@StorageEntity
struct Message {
    var id: Int
    @StorageJSON
    var attachments: [Attachment]
}

func find(_ storage: Storage) -> Query<Message> {
    storage.query(Message.self).where { $0.attachments.contains(Attachment(name: "a")) }  // error: an element of
}
