import SwiftDiagnostics
import SwiftSyntax

/// Something that the macros have to say about the code they are put on.
struct MacroProblem: DiagnosticMessage {
    let message: String
    let severity: DiagnosticSeverity
    let diagnosticID: MessageID

    /// - Parameter name: The name of the problem: what stands before the parentheses of the function that makes it.
    private init(_ message: String, _ severity: DiagnosticSeverity = .error, name: String = #function) {
        self.message = message
        self.severity = severity
        diagnosticID = MessageID(domain: "StorageKit", id: name.prefix { $0 != "(" }.description)
    }
}

// MARK: - The struct

extension MacroProblem {
    static func notAStruct(kind: String) -> Self {
        Self("@StorageEntity needs a struct; \(kind) has no value to copy in and out of a row")
    }
    static func generic(name: String) -> Self {
        Self("@StorageEntity cannot be put on the generic struct '\(name)', which would need a table for each argument")
    }
    static func noncopyable(name: String) -> Self { Self("'\(name)' has to be copyable to be stored and fetched") }
    static func privateNested(name: String) -> Self {
        Self("'\(name)' is private to the type around it, where its generated extension cannot stand")
    }
    static func privateAround(name: String, outer: String) -> Self {
        Self("'\(outer)' is private to the type around it, where the generated extension of '\(name)' cannot stand")
    }
    static func genericAround(name: String, outer: String) -> Self {
        Self("'\(name)' would need a table for each argument of the generic type '\(outer)' around it")
    }
    static func local(name: String) -> Self {
        Self("'\(name)' has to stand in a file or in a type, since nothing outside a function can extend it")
    }
    static func hiddenType(name: String) -> Self {
        Self("'\(name)' is another type in the code that @StorageEntity makes: write the name of its module before it")
    }
    static func reservedName(name: String, by attribute: String = "StorageEntity") -> Self {
        Self("'\(name)' means something else in the code that @\(attribute) makes; choose another name")
    }
    static func ownName(name: String) -> Self {
        Self("'\(name)' cannot be the name of a column: names in statements of StorageKit's begin with 'storagekit_'")
    }
    static func impliedEquality(name: String) -> Self {
        Self(
            "unless the struct or an extension says ': Equatable', other code compares '\(name)' by the compiler's '==' and not by this one",
            .note)
    }
    static func missingId(name: String) -> Self { Self("'\(name)' needs a stored property 'id', its primary key") }
    static var optionalId: Self { Self("the primary key 'id' cannot be optional") }
    static func hiddenId(access: String) -> Self { Self("the primary key 'id' has to be \(access), as its entity is") }
    static func idWithRole(attribute: String) -> Self {
        Self("the primary key 'id' has to be a plain column, without @\(attribute)")
    }
    static var tableNotLiteral: Self { Self("the table name has to be a string literal without interpolation") }
    static var emptyTable: Self { Self("the table name is empty") }
    static func reservedTable(name: String) -> Self {
        Self(
            "'\(name)' cannot be the name of a table: it begins with 'sqlite_' or 'storagekit_', or has a quotation mark in it"
        )
    }
}

// MARK: - Any property

extension MacroProblem {
    static func missingType(property: String) -> Self {
        Self("'\(property)' needs a type annotation, because a macro cannot see the type of this value")
    }
    static var patternProperty: Self { Self("a tuple cannot be stored; declare one property for each column") }
    static var conditionalProperty: Self {
        Self("@StorageEntity cannot see properties inside #if; declare them outside")
    }
    static func conditionalAttribute(name: String) -> Self {
        Self("@StorageEntity cannot see @\(name) inside #if; write it outside")
    }
    static func unstorable(property: String, what: String) -> Self {
        Self("'\(property)' cannot be stored: \(what) has no form in a database")
    }
    static func weakProperty(property: String, keyword: String) -> Self {
        Self("'\(property)' cannot be stored: it is \(keyword)")
    }
    static func freshConstant(property: String) -> Self {
        Self("'\(property)' may not read back as it was saved: a constant has its value before the row can give one")
    }
    static func sameColumn(first: String, second: String, column: String) -> Self {
        Self("'\(first)' and '\(second)' would both be the column '\(column)'")
    }
    static func samePrefix(first: String, second: String, prefix: String) -> Self {
        Self("'\(first)' and '\(second)' would have the same columns: both have the prefix '\(prefix)'")
    }
    static func stampColumn(property: String) -> Self {
        Self("'\(property)' would be the column 'updatedAt', which keeps the time of the last save")
    }
}

// MARK: - Attributes of properties

extension MacroProblem {
    static func outsideEntity(attribute: String) -> Self {
        Self("@\(attribute) belongs on a stored property of a @StorageEntity struct")
    }
    static func notStored(attribute: String, property: String) -> Self {
        Self("@\(attribute) needs a stored property; '\(property)' is none")
    }
    static func twoRoles(property: String, first: String, second: String) -> Self {
        Self(
            first == second
                ? "'\(property)' has @\(first) twice" : "'\(property)' cannot be both @\(first) and @\(second)")
    }
    static func argumentNotLiteral(attribute: String, label: String) -> Self {
        Self("the \(label) of @\(attribute) has to be a string literal without interpolation")
    }
    static var emptyForeignKey: Self { Self("the foreign key is empty; name the column that holds the parent's id") }
    static func notEmbeddable(property: String, type: String, mayBeOwn: Bool) -> Self {
        Self(
            "'\(property)' cannot be embedded: '\(type)' has no properties that could be columns"
                + (mayBeOwn ? "; if it is a struct of your own, write its module too: 'App.\(type)'" : ""))
    }
    static func embeddedEnum(property: String) -> Self {
        Self("'\(property)' cannot be embedded: an enum is a column by itself; remove @StorageEmbedded")
    }
    static func notAnArray(property: String) -> Self { Self("'\(property)' has to be an array of the child entity") }
    static func notOptional(property: String) -> Self {
        Self("'\(property)' has to be optional: it is nil until the parent is loaded")
    }
    static func noForeignKey(entity: String, column: String) -> Self {
        Self("'\(entity)' has no property '\(column)' to hold the parent's id")
    }
    static func containsItself(property: String) -> Self {
        Self(
            "'\(property)' would put the struct inside itself; keep the foreign key alone and call 'loadParent'", .note)
    }
    static func notAnEntity(property: String, type: String) -> Self {
        Self("'\(property)' has to hold entities; '\(type)' is none")
    }
    static func constantVersion(property: String) -> Self {
        Self("the version '\(property)' has to be a 'var': each write counts it up")
    }
    static func versionNotInt(property: String) -> Self { Self("the version '\(property)' has to be an 'Int'") }
    static func versionNotFromZero(property: String) -> Self {
        Self("the version '\(property)' has to begin at 0, which says that the entity was never stored")
    }
    static func twoVersions(first: String, second: String) -> Self {
        Self("an entity has one version; '\(first)' and '\(second)' would be two")
    }
    static func ignoredWithoutValue(property: String) -> Self {
        Self("'\(property)' needs a default value, which it has in each entity that is read")
    }
}

// MARK: - Keys, references and former names

extension MacroProblem {
    static func unknownColumn(entity: String, column: String, nearest: String?) -> Self {
        Self("'\(entity)' has no column '\(column)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }
    static func notALiteralList(label: String) -> Self {
        Self("'\(label)' of @StorageEntity has to be lists of column names, written out: [[\"name\"]]")
    }
    static func emptyList(label: String) -> Self { Self("'\(label)' of @StorageEntity has a list without columns") }
    static func doubledColumn(column: String) -> Self { Self("the column '\(column)' stands twice in one list") }
    static func sameKey(columns: [String]) -> Self {
        Self("there is an index or a unique key of \(columns.map { "'\($0)'" }.joined(separator: ", ")) already")
    }
    static func notTrueOrFalse(attribute: String, label: String) -> Self {
        Self("the \(label) of @\(attribute) has to be true or false")
    }
    static func noLetters(property: String) -> Self {
        Self("the values of '\(property)' have no letters whose case could be ignored")
    }
    static var parentNotType: Self {
        Self("the parent of @StorageReference has to be written as its type: 'Parent.self'")
    }
    static func actionNotLiteral(label: String) -> Self {
        Self("the \(label) of @StorageReference has to be written out, such as '.cascade'")
    }
    static func actionSetsNull(property: String, label: String) -> Self {
        Self("'\(property)' cannot become nil, as '\(label): .setNull' says")
    }
    static func actionSetsNoDefault(property: String, label: String) -> Self {
        Self("'\(property)' needs a default value that is always the same, which '\(label): .setDefault' sets")
    }
    static func pathNotName(text: String) -> Self { Self("'\(text)' is no name that a path could have") }
    static func pathTaken(path: String, property: String) -> Self {
        Self(
            "the path of '\(property)' would be '\(path)', which is the name of something else; "
                + "give it another: 'as: \"...\"'")
    }
    static var linkNotType: Self { Self("the link of @StorageHasMany has to be written as its type: 'Link.self'") }
    static func noFormerName(attribute: String) -> Self {
        Self("@\(attribute) needs a name that the property had before")
    }
    static var emptyFormerName: Self { Self("the former name is empty") }
    static func formerNameOfToday(property: String, name: String) -> Self {
        Self(
            "'\(property)' cannot be renamed from '\(name)', which is a column of today's: a migration before autoSchema can rename it in files that have the old one alone"
        )
    }
    static func formerNameKept(property: String, name: String) -> Self {
        Self(
            "'\(property)' keeps its name: '\(name)' is its own column today, since case makes no difference; leave it out, and @StorageRenamed where no other name is left"
        )
    }
    static func formerNameTwice(name: String) -> Self { Self("the former name '\(name)' is given twice") }
    static func formerTableOfToday(name: String) -> Self {
        Self("the table cannot be renamed from '\(name)', which is its name today")
    }
}

// MARK: - Selections

extension MacroProblem {
    static var selectionNotAStruct: Self { Self("@StorageSelection needs a struct, which is made anew of each row") }
    static func emptySelection(name: String) -> Self { Self("'\(name)' has no stored property that could be selected") }
    static var conditionalSelection: Self {
        Self("@StorageSelection cannot see properties inside #if; declare them outside")
    }
    static var patternSelection: Self { Self("a tuple cannot be selected; declare one property for each value") }
}

extension MacroProblem {
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
