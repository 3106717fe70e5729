import StorageKit

@StorageEntity
struct User {
    var id: String
    var nickName: String
    var nickname: String  // error: 'nickName' and 'nickname' would both be the column
}
