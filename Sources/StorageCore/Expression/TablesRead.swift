/// The tables whose rows a query reads.
package struct TablesRead: Sendable, Hashable {
    /// Their lowercased names.
    package private(set) var names: Set<String>
    /// Whether there may be others: those that SQL of the app's names, which is not looked into.
    package private(set) var mayBeMore: Bool

    package init(_ names: Set<String> = [], mayBeMore: Bool = false) {
        self.names = names
        self.mayBeMore = mayBeMore
    }

    package var isEmpty: Bool { names.isEmpty && !mayBeMore }

    /// Whether a row of a table is read, as far as is known.
    ///
    /// - Parameter table: The lowercased name of the table.
    package func mayRead(_ table: String) -> Bool { mayBeMore || names.contains(table) }

    @inline(never)
    package mutating func add(_ table: SourceTable) {
        // Not inlined: it calls itself by way of the query whose rows it adds, and each caller would have three copies of it.
        if let rows = table.rows { add(rows.tablesRead) } else { names.insert(table.name.asciiLowercased) }
    }

    package mutating func add(_ other: TablesRead) {
        names.formUnion(other.names)
        if other.mayBeMore { mayBeMore = true }
    }
}

extension QueryPlan {
    /// All tables that the plan reads: its own, those of paths, and those of queries within it.
    package var tablesRead: TablesRead {
        var tables = otherTablesRead
        tables.add(table)
        return tables
    }

    /// The tables that the plan reads beside the row in question. Where its own is among them, a change of one row may change
    /// what the plan says of another; where there are none, it asks one table, each row by itself.
    package var otherTablesRead: TablesRead {
        var tables = TablesRead()
        for expression in expressions { tables.add(expression.tablesRead) }
        for join in joins { tables.add(join.table) }
        if table.rows != nil { tables.add(table) }
        return tables
    }
}

extension ExpressionNode {
    /// The tables that are read to say what the expression is for a row, beside the row itself.
    package var tablesRead: TablesRead {
        var tables = TablesRead()
        var waiting = [self]
        while let node = waiting.popLast() {
            switch node {
            case .column(_, let source?): source.addPath(to: &tables)
            case .exists(let plan), .scalar(let plan), .isInQuery(_, let plan), .isAmong(let plan):
                tables.add(plan.tablesRead)
            case .sql(let pieces, _): if pieces.mayReadTables { tables.add(TablesRead(mayBeMore: true)) }
            default: break
            }
            node.forEachPart { waiting.append($0) }
        }
        return tables
    }
}

extension Source {
    fileprivate func addPath(to tables: inout TablesRead) {
        var source = self
        while let path = source.path {
            tables.add(source.table)
            guard let from = path.from else { return }
            source = from
        }
    }
}

extension [SQLPiece] {
    /// Whether SQL looks at the other rows of the list, by `OVER` behind a function. A SELECT of the app's own may do so, too, and
    /// gives each row what it gives it in any list.
    package var looksAtOtherRows: Bool {
        let text = unquoted.lowercased()
        return text.contains(/[)?]\s*over\b/) && !text.contains(/\bselect\b/)
    }

    /// The expressions in it that are surely inside no aggregate function: whether any other one is, SQLite alone knows.
    var outsideOfAggregates: [ExpressionNode] {
        indices.compactMap { index in
            guard case .expression(let node) = self[index] else { return nil }
            return Array(self[..<index]).endsInFunction ? nil : node
        }
    }

    /// Whether what follows stands between the parentheses of a function that may be an aggregate.
    private var endsInFunction: Bool {
        var (word, isWordOver, isInside) = ("", false, [false])
        for character in unquoted.lowercased() {
            if character == "(" {
                let isFunction = !word.isEmpty && !SQLPiece.notAggregates.contains(word)
                isInside.append(isInside[isInside.count - 1] || isFunction)
            } else if character == ")", isInside.count > 1 {
                isInside.removeLast()
            }
            if character.isWhitespace {
                isWordOver = true
            } else {
                let isPart = character.isLetter || character.isNumber || character == "_"
                word = isPart ? (isWordOver ? "" : word) + String(character) : ""
                isWordOver = false
            }
        }
        return isInside[isInside.count - 1]
    }

    /// The text without what stands between quotation marks, and with a sign for each expression.
    private var unquoted: String {
        var (result, quote) = ("", Character?.none)
        for piece in self {
            guard case .text(let text) = piece else {
                result += "?"
                continue
            }
            for character in text {
                if let end = quote {
                    if character == end { quote = nil }
                } else if "'\"`[".contains(character) {
                    quote = character == "[" ? "]" : character
                } else {
                    result.append(character)
                }
            }
        }
        return result
    }

    /// Whether the text has a word that lets SQL read rows of a table: `SELECT`, or `IN` before a name.
    var mayReadTables: Bool {
        contains { piece in
            guard case .text(let text) = piece else { return false }
            let spaced = text.lowercased().replacingOccurrences(of: "(", with: " ( ")
            let words = spaced.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "(" }
            let namesTable = zip(words, words.dropFirst()).contains { $0 == "in" && $1 != "(" }
            return namesTable || words.last == "in" || words.contains("select")
        }
    }
}

extension SQLPiece {
    /// What stands before a parenthesis and is no aggregate: SQLite's functions of one row, and words of SQL.
    fileprivate static let notAggregates = Set(
        """
        abs cast ceil ceiling char coalesce concat concat_ws date datetime floor format glob hex ifnull iif instr json json_array \
        json_extract json_object json_type julianday length like lower ltrim nullif printf quote replace round rtrim sign strftime \
        substr substring time trim typeof unicode unixepoch upper \
        all and as between by case collate distinct else end exists from glob in is like not or over select then values when where
        """.split(separator: " ").map(String.init))
}
