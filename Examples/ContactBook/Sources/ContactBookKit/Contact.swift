public import StorageKit

@StorageEntity
public struct Contact {
    public var id: String
    public var name: String
}
