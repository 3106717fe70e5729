extension String {
    /// What follows a prefix; nil if the text does not begin with it. By bytes: what follows may begin with a mark that makes one
    /// character with what stands before it.
    package func following(_ prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) ? String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
    }
}
