import StorageKit

/// Gives up the rights of the superuser, where the process has them: to him no file is read-only.
func becomeNobody() throws {
    guard getuid() == 0 else { return }
    guard setgroups(0, nil) == 0, setgid(65_534) == 0, setuid(65_534) == 0 else {
        throw UsageError(message: "the process cannot give up its rights")
    }
}
