import StorageKit
import StorageKitTesting

@StorageEntity
struct Note {
    var id: String
    var title: String
    var isDone: Bool
}

extension Note {
    static func numbered(_ number: Int) -> Note {
        Note(id: "\(number)", title: "note \(number)", isDone: number.isMultiple(of: 2))
    }
}
