/// An error of another library that is given advice: what to do about it.
package protocol AdvisedError: Error {
    /// One clause on what to do, or nil.
    var advice: String? { get }
}
