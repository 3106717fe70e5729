import SwiftDiagnostics
import SwiftSyntax

/// Everything that the macros have to say about the code they are put on.
enum MacroProblem: DiagnosticMessage {
    case notAStruct(kind: String)
    case generic(name: String)
    case missingId(name: String)
    case missingType(property: String)
    case patternProperty
    case tableNotLiteral
    case emptyTable
    case conditionalProperty

    var severity: DiagnosticSeverity { .error }

    var diagnosticID: MessageID {
        MessageID(domain: "StorageKit", id: "\(self)".prefix { $0 != "(" }.description)
    }

    var message: String {
        switch self {
        case .notAStruct(let kind):
            "@StorageEntity needs a struct; \(kind) has no value to copy in and out of a row"
        case .generic(let name):
            "@StorageEntity cannot be put on the generic struct '\(name)', which would need a table for each argument"
        case .missingId(let name):
            "'\(name)' needs a stored property 'id', its primary key"
        case .missingType(let property):
            "'\(property)' needs a type annotation, because a macro cannot see the type of this value"
        case .patternProperty:
            "a tuple cannot be stored; declare one property for each column"
        case .tableNotLiteral:
            "the table name has to be a string literal without interpolation"
        case .emptyTable:
            "the table name is empty"
        case .conditionalProperty:
            "@StorageEntity cannot see properties inside #if; declare them outside"
        }
    }

    func at(_ node: some SyntaxProtocol, fixIts: [FixIt] = []) -> Diagnostic {
        Diagnostic(node: Syntax(node), message: self, fixIts: fixIts)
    }
}

/// The words of a suggested change.
struct Suggestion: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "StorageKit", id: message) }
}
