public import StorageKit

/// A public entity with what others do not see, or cannot say.
@StorageEntity(table: "hidden_flags")
public struct HiddenFlags {
    /// The primary key.
    public var id: Int
    /// Always the same.
    public let kind = "flags"
    @StorageIgnored var isOpen = false
    @StorageIgnored var note: any Sendable = 1
    /// Any text.
    public var name: String
}

/// A public entity of which others do not see several properties.
@StorageEntity(table: "hidden_marks")
public struct HiddenMarks {
    /// The primary key.
    public var id: Int
    @StorageIgnored var first = 1
    @StorageIgnored var second = 2
}
