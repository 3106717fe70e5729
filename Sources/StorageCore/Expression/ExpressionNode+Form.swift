extension ExpressionNode {
    /// What the expression gives.
    ///
    /// - Parameter table: The table of the innermost query around it.
    /// - Throws: `StorageError.queryFailed` for an unknown column.
    package func form(in table: SourceTable?) throws -> ValueForm {
        switch self {
        case .column(let name, let source):
            guard let table = source?.table ?? table else { return ValueForm(type: nil, mayBeNull: true) }
            var form = try table.column(name).form
            if source?.isOptional == true { form.mayBeNull = true }
            return form
        case .constant(let value, let type): return ValueForm(type: type, mayBeNull: value == .null)
        case .rank: return ValueForm(type: .real, mayBeNull: false)
        case .cast(let operand, let type):
            return ValueForm(type: type, mayBeNull: try operand.form(in: table).mayBeNull)
        case .collated(let operand, _): return try operand.form(in: table)
        case .arithmetic(let operation, let left, let right):
            let (left, right) = (try left.form(in: table), try right.form(in: table))
            // A column of integers may be asked as one of other numbers where only its name is known.
            let isMixed = Set([left.type, right.type]) == [.integer, .real]
            let type = isMixed ? .real : left.type ?? right.type
            // What is no number to floating-point arithmetic, as infinity less infinity, is NULL to SQLite.
            let mayBeNull = left.mayBeNull || right.mayBeNull || operation == .divide || type == .real
            return ValueForm(type: type, mayBeNull: mayBeNull)
        case .call(let function, let arguments):
            let forms = try arguments.map { try $0.form(in: table) }
            return ValueForm(
                type: function.type ?? forms.first?.type,
                mayBeNull: forms.contains(where: \.mayBeNull))
        case .choice(let choices, let otherwise):
            let forms = try (choices.map(\.value) + [otherwise]).map { try $0.form(in: table) }
            return ValueForm(type: forms.commonType, mayBeNull: forms.contains(where: \.mayBeNull))
        case .firstNotNull(let nodes):
            let forms = try nodes.map { try $0.form(in: table) }
            return ValueForm(type: forms.commonType, mayBeNull: forms.allSatisfy(\.mayBeNull))
        case .aggregate(let aggregate): return try aggregate.form(in: table)
        case .scalar(let plan):
            guard var form = try plan.selection?.first?.form(in: plan.table) else {
                return ValueForm(type: nil, mayBeNull: true)
            }
            // A query may find no row.
            if !plan.isOneRow { form.mayBeNull = true }
            return form
        case .comparedDate(let node): return ValueForm(type: .text, mayBeNull: try node.form(in: table).mayBeNull)
        case .json(_, let path): return path.form
        case .sql(_, let form): return ValueForm(type: form.type, mayBeNull: true)
        default: return ValueForm(type: .boolean, mayBeNull: try isNullableCondition(in: table))
        }
    }

    /// Whether SQL may answer a condition with NULL.
    private func isNullableCondition(in table: SourceTable?) throws -> Bool {
        switch self {
        case .compare(let comparison, let side, .constant(let value, _)),
            .compareStored(let comparison, let side, let value):
            return try value == .null || comparison != .notEqual && side.form(in: table).mayBeNull
        case .compare(let comparison, let left, let right):
            // Equality of what may be NULL is `IS`.
            guard comparison != .equal, comparison != .notEqual else { return false }
            return try left.form(in: table).mayBeNull || right.form(in: table).mayBeNull
        case .isKey(let key, let row):
            return try key.form(in: table).mayBeNull || row.form(in: table).mayBeNull
        // SQLite takes a piece of an empty text for NULL.
        case .match(.hasSuffix, _, _, _): return true
        case .match(_, let text, let needle, _):
            return try text.form(in: table).mayBeNull || needle.form(in: table).mayBeNull
        case .isIn(let node, _, _, _): return try node.form(in: table).mayBeNull
        case .isInQuery: return true
        case .and: return try operands(\.conjuncts).contains { try $0.form(in: table).mayBeNull }
        case .or: return try operands(\.disjuncts).contains { try $0.form(in: table).mayBeNull }
        default: return false
        }
    }
}

extension Aggregate {
    fileprivate func form(in table: SourceTable?) throws -> ValueForm {
        switch kind {
        case .count: ValueForm(type: .integer, mayBeNull: false)
        case .average:
            ValueForm(type: try argument?.form(in: table).isDecimal == true ? .decimal : .real, mayBeNull: true)
        case .sum, .least, .greatest:
            ValueForm(type: try argument.flatMap { try $0.form(in: table).type }, mayBeNull: true)
        }
    }
}

extension [ValueForm] {
    /// The type of values that are all of one Swift type.
    fileprivate var commonType: ColumnType? { lazy.compactMap(\.type).first }
}
