import SwiftDiagnostics
import SwiftSyntax

/// Everything that the macros have to say about the code they are put on.
enum MacroProblem: DiagnosticMessage {
    // The struct.
    case notAStruct(kind: String)
    case generic(name: String)
    case noncopyable(name: String)
    case privateNested(name: String)
    case privateAround(name: String, outer: String)
    case genericAround(name: String, outer: String)
    case local(name: String)
    case hiddenType(name: String)
    case reservedName(name: String, by: String = "StorageEntity")
    case ownName(name: String)
    case impliedEquality(name: String)
    case missingId(name: String)
    case optionalId
    case hiddenId(access: String)
    case idWithRole(attribute: String)
    case tableNotLiteral
    case emptyTable
    case reservedTable(name: String)

    // Any property.
    case missingType(property: String)
    case patternProperty
    case conditionalProperty
    case unstorable(property: String, what: String)
    case weakProperty(property: String, keyword: String)
    case freshConstant(property: String)
    case sameColumn(first: String, second: String, column: String)
    case samePrefix(first: String, second: String, prefix: String)
    case stampColumn(property: String)

    // Attributes of properties.
    case outsideEntity(attribute: String)
    case notStored(attribute: String, property: String)
    case twoRoles(property: String, first: String, second: String)
    case argumentNotLiteral(attribute: String, label: String)
    case emptyForeignKey
    case notEmbeddable(property: String, type: String, mayBeOwn: Bool)
    case notAnArray(property: String)
    case notOptional(property: String)
    case noForeignKey(entity: String, column: String)
    case containsItself(property: String)
    case notAnEntity(property: String, type: String)
    case constantVersion(property: String)
    case versionNotInt(property: String)
    case versionNotFromZero(property: String)
    case twoVersions(first: String, second: String)
    case ignoredWithoutValue(property: String)

    // Keys, references and former names.
    case unknownColumn(entity: String, column: String, nearest: String?)
    case notALiteralList(label: String)
    case emptyList(label: String)
    case doubledColumn(column: String)
    case sameKey(columns: [String])
    case notTrueOrFalse(attribute: String, label: String)
    case noLetters(property: String)
    case parentNotType
    case actionNotLiteral(label: String)
    case actionSetsNull(property: String, label: String)
    case actionSetsNoDefault(property: String, label: String)
    case pathNotName(text: String)
    case pathTaken(path: String, property: String)
    case linkNotType
    case noFormerName(attribute: String)
    case emptyFormerName
    case formerNameOfToday(property: String, name: String)
    case formerNameKept(property: String, name: String)
    case formerNameTwice(name: String)
    case formerTableOfToday(name: String)

    // Selections.
    case selectionNotAStruct
    case emptySelection(name: String)
    case conditionalSelection
    case patternSelection

    var severity: DiagnosticSeverity {
        switch self {
        case .containsItself, .impliedEquality: .note
        default: .error
        }
    }

    var diagnosticID: MessageID {
        MessageID(domain: "StorageKit", id: "\(self)".prefix { $0 != "(" }.description)
    }

    var message: String {
        switch self {
        case .notAStruct(let kind):
            "@StorageEntity needs a struct; \(kind) has no value to copy in and out of a row"
        case .generic(let name):
            "@StorageEntity cannot be put on the generic struct '\(name)', which would need a table for each argument"
        case .noncopyable(let name):
            "'\(name)' has to be copyable to be stored and fetched"
        case .privateNested(let name):
            "'\(name)' is private to the type around it, where its generated extension cannot stand"
        case .privateAround(let name, let outer):
            "'\(outer)' is private to the type around it, where the generated extension of '\(name)' cannot stand"
        case .genericAround(let name, let outer):
            "'\(name)' would need a table for each argument of the generic type '\(outer)' around it"
        case .local(let name):
            "'\(name)' has to stand in a file or in a type, since nothing outside a function can extend it"
        case .hiddenType(let name):
            "'\(name)' is another type in the code that @StorageEntity makes: write the name of its module before it"
        case .reservedName(let name, let attribute):
            "'\(name)' means something else in the code that @\(attribute) makes; choose another name"
        case .ownName(let name):
            "'\(name)' cannot be the name of a column: names in statements of StorageKit's begin with 'storagekit_'"
        case .impliedEquality(let name):
            "unless the struct or an extension says ': Equatable', other code compares '\(name)' by the compiler's '==' and not by this one"
        case .missingId(let name):
            "'\(name)' needs a stored property 'id', its primary key"
        case .optionalId:
            "the primary key 'id' cannot be optional"
        case .hiddenId(let access):
            "the primary key 'id' has to be \(access), as its entity is"
        case .idWithRole(let attribute):
            "the primary key 'id' has to be a plain column, without @\(attribute)"
        case .tableNotLiteral:
            "the table name has to be a string literal without interpolation"
        case .emptyTable:
            "the table name is empty"
        case .reservedTable(let name):
            "'\(name)' cannot be the name of a table: it begins with 'sqlite_' or 'storagekit_', or has a quotation mark in it"
        case .missingType(let property):
            "'\(property)' needs a type annotation, because a macro cannot see the type of this value"
        case .patternProperty:
            "a tuple cannot be stored; declare one property for each column"
        case .conditionalProperty:
            "@StorageEntity cannot see properties inside #if; declare them outside"
        case .unstorable(let property, let what):
            "'\(property)' cannot be stored: \(what) has no form in a database"
        case .weakProperty(let property, let keyword):
            "'\(property)' cannot be stored: it is \(keyword)"
        case .freshConstant(let property):
            "'\(property)' may not read back as it was saved: a constant has its value before the row can give one"
        case .sameColumn(let first, let second, let column):
            "'\(first)' and '\(second)' would both be the column '\(column)'"
        case .samePrefix(let first, let second, let prefix):
            "'\(first)' and '\(second)' would have the same columns: both have the prefix '\(prefix)'"
        case .stampColumn(let property):
            "'\(property)' would be the column 'updatedAt', which keeps the time of the last save"
        case .outsideEntity(let attribute):
            "@\(attribute) belongs on a stored property of a @StorageEntity struct"
        case .notStored(let attribute, let property):
            "@\(attribute) needs a stored property; '\(property)' is none"
        case .twoRoles(let property, let first, let second):
            first == second
                ? "'\(property)' has @\(first) twice" : "'\(property)' cannot be both @\(first) and @\(second)"
        case .argumentNotLiteral(let attribute, let label):
            "the \(label) of @\(attribute) has to be a string literal without interpolation"
        case .emptyForeignKey:
            "the foreign key is empty; name the column that holds the parent's id"
        case .notEmbeddable(let property, let type, let mayBeOwn):
            "'\(property)' cannot be embedded: '\(type)' has no properties that could be columns"
                + (mayBeOwn ? "; if it is a struct of your own, write its module too: 'App.\(type)'" : "")
        case .notAnArray(let property):
            "'\(property)' has to be an array of the child entity"
        case .notOptional(let property):
            "'\(property)' has to be optional: it is nil until the parent is loaded"
        case .noForeignKey(let entity, let column):
            "'\(entity)' has no property '\(column)' to hold the parent's id"
        case .containsItself(let property):
            "'\(property)' would put the struct inside itself; keep the foreign key alone and call 'loadParent'"
        case .notAnEntity(let property, let type):
            "'\(property)' has to hold entities; '\(type)' is none"
        case .constantVersion(let property):
            "the version '\(property)' has to be a 'var': each write counts it up"
        case .versionNotInt(let property):
            "the version '\(property)' has to be an 'Int'"
        case .versionNotFromZero(let property):
            "the version '\(property)' has to begin at 0, which says that the entity was never stored"
        case .twoVersions(let first, let second):
            "an entity has one version; '\(first)' and '\(second)' would be two"
        case .ignoredWithoutValue(let property):
            "'\(property)' needs a default value, which it has in each entity that is read"
        case .unknownColumn(let entity, let column, let nearest):
            "'\(entity)' has no column '\(column)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .notALiteralList(let label):
            "'\(label)' of @StorageEntity has to be lists of column names, written out: [[\"name\"]]"
        case .emptyList(let label):
            "'\(label)' of @StorageEntity has a list without columns"
        case .doubledColumn(let column):
            "the column '\(column)' stands twice in one list"
        case .sameKey(let columns):
            "there is an index or a unique key of \(columns.map { "'\($0)'" }.joined(separator: ", ")) already"
        case .notTrueOrFalse(let attribute, let label):
            "the \(label) of @\(attribute) has to be true or false"
        case .noLetters(let property):
            "the values of '\(property)' have no letters whose case could be ignored"
        case .parentNotType:
            "the parent of @StorageReference has to be written as its type: 'Parent.self'"
        case .actionNotLiteral(let label):
            "the \(label) of @StorageReference has to be written out, such as '.cascade'"
        case .actionSetsNull(let property, let label):
            "'\(property)' cannot become nil, as '\(label): .setNull' says"
        case .actionSetsNoDefault(let property, let label):
            "'\(property)' needs a default value that is always the same, which '\(label): .setDefault' sets"
        case .pathNotName(let text):
            "'\(text)' is no name that a path could have"
        case .pathTaken(let path, let property):
            "the path of '\(property)' would be '\(path)', which is the name of something else; "
                + "give it another: 'as: \"...\"'"
        case .linkNotType:
            "the link of @StorageHasMany has to be written as its type: 'Link.self'"
        case .noFormerName(let attribute):
            "@\(attribute) needs a name that the property had before"
        case .emptyFormerName:
            "the former name is empty"
        case .formerNameOfToday(let property, let name):
            "'\(property)' cannot be renamed from '\(name)', which is a column of today's: a migration before autoSchema can rename it in files that have the old one alone"
        case .formerNameKept(let property, let name):
            "'\(property)' keeps its name: '\(name)' is its own column today, since case makes no difference; leave it out, and @StorageRenamed where no other name is left"
        case .formerNameTwice(let name):
            "the former name '\(name)' is given twice"
        case .formerTableOfToday(let name):
            "the table cannot be renamed from '\(name)', which is its name today"
        case .selectionNotAStruct:
            "@StorageSelection needs a struct, which is made anew of each row"
        case .emptySelection(let name):
            "'\(name)' has no stored property that could be selected"
        case .conditionalSelection:
            "@StorageSelection cannot see properties inside #if; declare them outside"
        case .patternSelection:
            "a tuple cannot be selected; declare one property for each value"
        }
    }

    func at(_ node: some SyntaxProtocol, fixIts: [FixIt?] = []) -> Diagnostic {
        Diagnostic(node: Syntax(node), message: self, fixIts: fixIts.compactMap(\.self))
    }

    func error(at node: some SyntaxProtocol, fixIts: [FixIt] = []) -> DiagnosticsError {
        DiagnosticsError(diagnostics: [at(node, fixIts: fixIts)])
    }
}

/// The words of a suggested change.
struct Suggestion: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "StorageKit", id: message) }
}

extension FixIt {
    /// Puts one node in the place of another, between the same spaces and comments.
    static func replacing<Node: SyntaxProtocol>(_ old: Node, with new: Node, _ message: String) -> FixIt {
        let fixed = new.with(\.leadingTrivia, old.leadingTrivia).with(\.trailingTrivia, old.trailingTrivia)
        return .replace(message: Suggestion(message: message), oldNode: old, newNode: fixed)
    }

    /// Takes an attribute out of its declaration, with the space behind it.
    static func removing(_ attribute: AttributeSyntax, from declaration: some WithAttributesSyntax) -> FixIt {
        let suggestion = Suggestion(message: "remove '@\(attribute.name)'")
        let list = declaration.attributes
        var rest = list.filter { $0.id != attribute.id }
        guard rest.isEmpty else {
            // What is left keeps its place in the line.
            rest.leadingTrivia = list.leadingTrivia
            return .replace(message: suggestion, oldNode: list, newNode: rest)
        }
        var bare = declaration
        bare.attributes = rest
        bare.leadingTrivia = declaration.leadingTrivia.followed(byCommentsOf: bare.leadingTrivia)
        return .replace(message: suggestion, oldNode: declaration, newNode: bare)
    }
}

extension Trivia {
    /// This, and what the other says if it says anything; it then brings its own line break and indentation.
    fileprivate func followed(byCommentsOf other: Trivia) -> Trivia {
        guard other.contains(where: { !$0.isWhitespace }) else { return self }
        let kept = pieces.reversed().drop { $0.isWhitespace }.reversed()
        return Trivia(pieces: kept) + other
    }
}
