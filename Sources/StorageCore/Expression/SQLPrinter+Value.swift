extension SQLPrinter {
    /// Writes what gives a value: selected, compared, sorted by. A condition that may be NULL is made true or false.
    ///
    /// - Throws: `StorageError.queryFailed` for an unknown column or a value that cannot be stored.
    mutating func append(value node: ExpressionNode) throws {
        switch node {
        case .column(let name, let source): append(try self.name(of: name, of: source))
        case .constant(let value, _): append(value: value)
        case .arithmetic(let operation, let left, let right): try append(operation, left, right)
        case .call(let function, let arguments):
            if function.isOwn { query.needsFunctions = true }
            append("\(function.name)(")
            if function.comparesArguments { try append(compared: arguments) } else { try append(list: arguments) }
            append(")")
        case .cast(let operand, let type): try append(cast: operand, to: type)
        case .collated(let operand, let collation):
            query.needsFunctions = true
            try append(operand: operand)
            append(" COLLATE \(collation.quotedIdentifier)")
        case .choice(let choices, let otherwise): try append(choices, otherwise: otherwise)
        case .firstNotNull(let nodes):
            append("COALESCE(")
            try append(list: nodes)
            append(")")
        case .aggregate(let aggregate): try append(aggregate)
        case .scalar(let plan):
            append("(")
            try append(lookedInto: plan)
            append(")")
        case .comparedDate(let node): try append(comparable: node, isDate: true)
        case .json(let column, let path): try append(path, in: column)
        case .rank: append(FullTextSearch.Result.rank.quotedIdentifier)
        case .sql(let pieces, let form):
            // Any number is a truth value there: it is made one that is stored and compared. NULL stays.
            if form == ValueForm(type: .boolean, mayBeNull: true) { append("NOT NOT ") }
            let piece = try piece { try $0.append(pieces) }
            if form.isDecimal {
                // SQL that calculates gives a number, which to SQLite is less than any text.
                append(FunctionName.asDecimal)
                query.needsFunctions = true
            }
            query.append(piece)
            if node.isConditionInSQL { append(" IS TRUE") }
            // A text that is made of decimals is compared as a text.
            if form.type == .text, piece.hasOwnCollation, !pieces.sayCollation { append(SQLPrinter.plainCollation) }
        case .invalid(let reason): throw StorageError.invalidQuery(reason)
        default:
            guard try form(of: node).mayBeNull else { return try append(condition: node) }
            append("(")
            try append(condition: node)
            append(") IS TRUE")
        }
    }

    mutating func append(list nodes: [ExpressionNode]) throws {
        try append(each: nodes) { try $0.append(value: $1) }
    }

    /// Writes a value beside an operator.
    mutating func append(operand node: ExpressionNode) throws {
        guard node.needsParentheses, try !isCall(node) else { return try append(value: node) }
        append("(")
        try append(value: node)
        append(")")
    }

    /// Writes SQL of the app's.
    mutating func append(_ pieces: [SQLPiece]) throws {
        append("(")
        try append(text: pieces)
        // A number alone, in parentheses too, would be that of a column in an order and among the keys of groups.
        if case .text(let text)? = pieces.first, pieces.count == 1, text.isIntegerInSQL {
            append(" + 0")
        }
        append(")")
    }

    fileprivate mutating func append(text pieces: [SQLPiece]) throws {
        if let problem = pieces.problem { throw StorageError.invalidQuery(problem) }
        let parts = try pieces.map { part in try piece { try $0.append(part) } }
        let hidesColumn = isQualified && parts.contains { $0.hasOwnCollation }
        for (piece, part) in zip(pieces, parts) {
            if case .expression(let node) = piece, !node.isConstant, try form(of: node).isText {
                append(part, hidesColumn: hidesColumn)
            } else {
                query.append(part)
            }
        }
    }

    private mutating func append(_ piece: SQLPiece) throws {
        switch piece {
        case .text(let text): query.append(sqlOfApp: text)
        // An index would not serve a column written by hand that is compared with it.
        case .expression(let node) where try node.isConstant && !form(of: node).isDecimal: try append(operand: node)
        // SQL that compares it compares as the library does.
        case .expression(let node): try append(sorted: node)
        }
    }
}

extension [SQLPiece] {
    /// A whole statement in SQL of the app's, which reads.
    ///
    /// - Parameter coders: The coders of the store.
    /// - Throws: `StorageError.queryFailed` for text that is no statement by itself, and for a column, which is of no query here.
    package func statement(_ coders: JSONCoders) throws -> LoweredQuery {
        var printer = SQLPrinter(coders: coders)
        try printer.append(text: withoutEnd)
        let word = printer.query.sql.drop { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter }.uppercased()
        guard ["SELECT", "WITH", "VALUES"].contains(word) else {
            throw StorageError.invalidQuery(
                "the statement begins with neither SELECT, WITH nor VALUES, so that it reads nothing")
        }
        return printer.query
    }
}

extension ExpressionNode {
    /// Whether an operator beside it could take a part of it for its own operand.
    fileprivate var needsParentheses: Bool {
        switch self {
        case .column, .constant, .call, .cast, .firstNotNull, .aggregate, .scalar, .rank, .json, .invalid: false
        case .sql(_, let form): form.type == .boolean
        default: true
        }
    }

    /// Whether it is a condition in SQL of the app's, which is true or false where SQL says NULL.
    fileprivate var isConditionInSQL: Bool {
        if case .sql(_, ValueForm(type: .boolean, mayBeNull: false)) = self { true } else { false }
    }
}

extension [SQLPiece] {
    /// Whether the app says how its texts are compared, in the text or of what stands in it.
    fileprivate var sayCollation: Bool {
        contains { piece in
            switch piece {
            case .text(let text): text.saysCollation
            case .expression(let node): node.contains { if case .collated = $0 { true } else { false } }
            }
        }
    }

    /// The statement without the semicolon that may end it.
    private var withoutEnd: [SQLPiece] {
        guard case .text(let text)? = last else { return self }
        let rest = text.reversed().drop(while: \.isWhitespace)
        return rest.first == ";" ? dropLast() + [.text(String(rest.dropFirst().reversed()))] : self
    }

    /// What keeps the text from being an expression of its own, with values only where it says so; nil if nothing does.
    fileprivate var problem: String? {
        var open = 0
        var quote: Unicode.Scalar?
        for piece in self {
            guard case .text(let text) = piece else {
                if quote != nil { return "SQL has a value between quotation marks, where it is no value" }
                continue
            }
            var previous: Unicode.Scalar?
            for scalar in text.unicodeScalars {
                defer { previous = scalar }
                if let end = quote {
                    if scalar == end { quote = nil }
                    continue
                }
                switch scalar {
                case "'", "\"", "`": quote = scalar
                case "[": quote = "]"
                case "(": open += 1
                case ")":
                    open -= 1
                    if open < 0 { return "SQL closes a parenthesis that it did not open" }
                case "?", ":", "@", "$", "#": return "SQL has a parameter; put the value in its place: \\(value)"
                case ";": return "SQL has a semicolon; it is one expression, or one statement without its end"
                case "-" where previous == "-", "*" where previous == "/": return "SQL has a comment; take it out"
                case "\0": return "SQL has a NUL, where SQLite would end it"
                default: break
                }
            }
        }
        if quote != nil { return "SQL opens a quotation mark and does not close it" }
        return open == 0 ? nil : "SQL opens a parenthesis and does not close it"
    }
}

extension String {
    /// Whether it is an integer, with signs, in parentheses and with a collation or not.
    fileprivate var isIntegerInSQL: Bool {
        let number = lowercased().components(separatedBy: "collate")[0]
        let digits = number.filter { !$0.isWhitespace && !"()+-".contains($0) }
        return Int64(digits) != nil || digits.hasPrefix("0x")
    }
}
