import StorageKit

@StorageSelection
struct Row {  // error: 'Row' has no stored property that could be selected
    var title: String { "" }
}
