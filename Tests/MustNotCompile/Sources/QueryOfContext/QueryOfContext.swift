import StorageKit

func find(_ context: StorageKit.Context) {
    _ = context.query(User.self)  // error: 'query' has been renamed to 'facade.query'
        .where { $0.age > 3 && $0.name == "x" && $0.nick == "y" && $0.age < 60 }
        .orderBy(\.name)
}
