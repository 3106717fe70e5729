extension LiveTable {
    /// A part of what a plan selects.
    ///
    /// - Parameters:
    ///   - plan: The plan, with any order, and no limit.
    ///   - selected: What it selects.
    ///   - others: The tables that relations are filled from.
    ///   - pageSize: How many rows a page has.
    ///   - maximumPages: How many pages are kept.
    ///   - wishes: Where the window is asked to go.
    ///   - fill: Fills relations in what was selected.
    package func window<Item: Sendable>(
        _ plan: QueryPlan, _ selected: _Selected<Item>, filledFrom others: TablesRead = TablesRead(), pageSize: Int,
        maximumPages: Int, _ wishes: WindowWishes, fill: (@Sendable (inout [Item], Database) throws -> Void)? = nil
    ) -> LiveValue<WindowContent<Item>> {
        unlessItFails {
            let question = try WindowQuestion(
                table, plan, selected, pageSize: pageSize, maximumPages: maximumPages, fill: fill)
            var tables = plan.otherTablesRead(beside: selected.all)
            tables.add(others)
            let reads = question.reads(tables)
            return value(LiveWindowReader(self, question, reads, wishes), reading: reads)
        }
    }
}

extension LiveTable where R.E: RegisteredEntity {
    /// A part of the entities that a plan asks for, with relations filled.
    package func window(
        _ plan: QueryPlan, loading paths: LoadedPaths, pageSize: Int, maximumPages: Int, _ wishes: WindowWishes
    ) -> LiveValue<WindowContent<R.E>> {
        var plan = plan
        let selected = ColumnRef<R.E>(plan.newSource())._selected
        guard !paths.isEmpty else {
            return window(plan, selected, pageSize: pageSize, maximumPages: maximumPages, wishes)
        }
        return window(
            plan, selected, filledFrom: paths.tablesRead, pageSize: pageSize, maximumPages: maximumPages, wishes
        ) { [coders = table.coders] in try paths.load(into: &$0, $1, coders)
        }
    }
}
