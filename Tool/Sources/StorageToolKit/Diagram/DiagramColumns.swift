/// Which tables of a diagram stand in which column, one above the other.
struct DiagramColumns {
    /// The indexes of the tables, column by column from the left.
    private(set) var columns: [[Int]] = []

    /// - Parameter heights: How much room each table takes.
    init(_ diagram: Diagram, heights: [Double]) {
        let depths = DiagramColumns.depths(diagram)
        let related = Set(diagram.relations.filter { $0.child != $0.parent }.flatMap { [$0.child, $0.parent] })
        let layers = Dictionary(grouping: related.sorted(), by: { depths[$0] })
        let alone = diagram.entities.indices.filter { !related.contains($0) }
        // About as wide as high: a table is some 250 wide.
        let area = heights.reduce(0, +) * 300
        let limit = max(heights.max() ?? 0, area.squareRoot())
        for depth in layers.keys.sorted() { add(layers[depth] ?? [], heights, limit) }
        add(alone, heights, limit)
    }

    private mutating func add(_ layer: [Int], _ heights: [Double], _ limit: Double) {
        var column: [Int] = []
        var height = 0.0
        for entity in layer {
            if !column.isEmpty, height + heights[entity] > limit {
                columns.append(column)
                column = []
                height = 0
            }
            column.append(entity)
            height += heights[entity]
        }
        if !column.isEmpty { columns.append(column) }
    }

    /// How many references lead from each table to one that refers to none. A circle is cut where it closes.
    private static func depths(_ diagram: Diagram) -> [Int] {
        var parents = [[Int]](repeating: [], count: diagram.entities.count)
        for relation in diagram.relations { parents[relation.child].append(relation.parent) }
        var depths = [Int?](repeating: nil, count: parents.count)
        var underWay: Set<Int> = []
        func depth(_ entity: Int) -> Int {
            if let known = depths[entity] { return known }
            underWay.insert(entity)
            let above = parents[entity].filter { !underWay.contains($0) }.map { depth($0) + 1 }
            underWay.remove(entity)
            let found = above.max() ?? 0
            depths[entity] = found
            return found
        }
        return parents.indices.map(depth)
    }
}

/// Which lanes the lines of a diagram take, so that no two share one.
struct DiagramRoutes {
    /// A lane of a gap. Gap 0 is left of the first column, and so on.
    struct Place {
        let gap: Int
        let lane: Int
    }

    struct Route {
        /// Where the line leaves the table that refers.
        let leaving: Place
        /// The lane above all boxes, and where the line comes down from it; nil for a line within one gap.
        let bus: (lane: Int, entering: Place)?
    }

    private(set) var routes: [Route] = []
    /// How many lanes each gap has.
    private(set) var laneCounts: [Int]
    private(set) var busCount = 0

    init(_ diagram: Diagram, columns: [[Int]]) {
        laneCounts = Array(repeating: 0, count: columns.count + 1)
        var columnOf: [Int: Int] = [:]
        for (index, column) in columns.enumerated() {
            for entity in column { columnOf[entity] = index }
        }
        for relation in diagram.relations {
            let (child, parent) = (columnOf[relation.child] ?? 0, columnOf[relation.parent] ?? 0)
            if relation.child == relation.parent || parent + 1 == child {
                routes.append(Route(leaving: takeLane(parent + 1), bus: nil))
            } else {
                let leaving = takeLane(child)
                routes.append(Route(leaving: leaving, bus: (busCount, takeLane(parent + 1))))
                busCount += 1
            }
        }
    }

    private mutating func takeLane(_ gap: Int) -> Place {
        defer { laneCounts[gap] += 1 }
        return Place(gap: gap, lane: laneCounts[gap])
    }
}
