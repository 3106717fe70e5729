import StorageKit

@StorageSelection
class Row {  // error: @StorageSelection needs a struct
    let title = ""
}
