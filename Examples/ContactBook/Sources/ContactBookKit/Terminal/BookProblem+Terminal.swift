public import ContactBookModel
public import Foundation

extension BookProblem: LocalizedError {
    /// What is wrong, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .notFound(let prefix):
            return "no contact has an id that begins with '\(prefix)'; 'contactbook list' shows the ids"
        case .ambiguous(let prefix, let matches):
            let shown = matches.prefix(5).map { "\n  \($0.id)  \(Printable.line($0.title))" }.joined()
            let more = matches.count > 5 ? "\n  …" : ""
            return "'\(prefix)' begins the ids of several contacts; type more of one:\(shown)\(more)"
        case .alreadyThere(let contact):
            let title = Printable.line(contact.title)
            return "\(title) is in the book already; change it with 'contactbook edit \(contact.id.prefix(12))'"
        case .noGroup(let name):
            return "there is no group '\(Printable.line(name))'; 'contactbook groups' shows those that there are"
        }
    }
}
