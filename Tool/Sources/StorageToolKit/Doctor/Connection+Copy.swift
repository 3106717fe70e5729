import StorageSQLite

extension Connection {
    /// A copy of the database in a file without a name, gone with the connection to it.
    func privateCopy() throws -> Connection {
        let copy = try Connection("", .create)
        try self.copy(to: copy)
        return copy
    }
}
