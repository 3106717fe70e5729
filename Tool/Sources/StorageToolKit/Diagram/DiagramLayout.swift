/// Where boxes and lines of a diagram stand. No box touches another, and no line a box that it does not belong to.
///
/// Tables stand in columns, those that are referred to left of those that refer. Lines run in the gaps between the
/// columns, and above all boxes where they go further than to the next column; each has a lane of its own.
struct DiagramLayout {
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    struct Box {
        let x: Double
        let y: Double
        let width: Double
        let height: Double

        var right: Double { x + width }
    }

    static let rowHeight = 20.0
    static let headHeight = 26.0
    static let characterWidth = 7.4
    static let padding = 10.0
    private static let lane = 12.0
    private static let space = 28.0
    private static let margin = 24.0

    private(set) var boxes: [Box] = []
    private(set) var lines: [[Point]] = []
    private(set) var width = 0.0
    private(set) var height = 0.0

    init(_ diagram: Diagram) {
        let sizes = diagram.entities.map(DiagramLayout.size)
        let columns = DiagramColumns(diagram, heights: sizes.map { $0.height + DiagramLayout.space }).columns
        let routes = DiagramRoutes(diagram, columns: columns)
        let top = DiagramLayout.margin + Double(routes.busCount) * DiagramLayout.lane
        var places = [Box?](repeating: nil, count: sizes.count)
        var gapStarts: [Double] = []
        var x = DiagramLayout.margin
        for (index, column) in columns.enumerated() {
            gapStarts.append(x)
            x += DiagramLayout.gapWidth(lanes: routes.laneCounts[index], isFirst: index == 0)
            // Rows of neighbours are half a row apart, so that lines to either never run one on the other.
            var y = top + (index.isMultiple(of: 2) ? 0 : DiagramLayout.rowHeight / 2)
            for entity in column {
                places[entity] = Box(x: x, y: y, width: sizes[entity].width, height: sizes[entity].height)
                y += sizes[entity].height + DiagramLayout.space
            }
            height = max(height, y - DiagramLayout.space)
            x += column.map { sizes[$0].width }.max() ?? 0
        }
        gapStarts.append(x)
        width = x + DiagramLayout.gapWidth(lanes: routes.laneCounts.last ?? 0, isFirst: true) + DiagramLayout.margin
        height += DiagramLayout.margin
        boxes = places.compactMap { $0 }
        lines = zip(diagram.relations, routes.routes).map { relation, route in
            points(relation, route, diagram, gapStarts)
        }
    }

    private static func size(_ entity: Diagram.Entity) -> (width: Double, height: Double) {
        let texts = entity.columns.map { SVGText.name($0) + "  " + SVGText.type($0) }
        let count = ([SVGText.cut(entity.name)] + texts).map(TextWidth.of).max() ?? 0
        return (
            Double(count) * characterWidth + 3 * padding + 24, headHeight + Double(entity.columns.count) * rowHeight + 6
        )
    }

    private static func gapWidth(lanes: Int, isFirst: Bool) -> Double {
        lanes == 0 ? (isFirst ? 0 : space) : Double(lanes + 1) * lane + lane
    }

    // MARK: - Lines

    private func points(
        _ relation: Diagram.Relation, _ route: DiagramRoutes.Route, _ diagram: Diagram, _ gapStarts: [Double]
    ) -> [Point] {
        let (child, parent) = (boxes[relation.child], boxes[relation.parent])
        let start = rowY(relation.columns.first, of: diagram.entities[relation.child], in: child)
        let end = rowY(relation.parentColumns.first, of: diagram.entities[relation.parent], in: parent)
        func laneX(_ place: DiagramRoutes.Place) -> Double {
            gapStarts[place.gap] + Double(place.lane + 1) * DiagramLayout.lane
        }
        let firstX = laneX(route.leaving)
        let out = relation.child == relation.parent ? child.right : child.x
        guard let bus = route.bus else {
            return [
                Point(x: out, y: start), Point(x: firstX, y: start), Point(x: firstX, y: end),
                Point(x: parent.right, y: end),
            ]
        }
        let busY = DiagramLayout.margin / 2 + Double(bus.lane) * DiagramLayout.lane
        let lastX = laneX(bus.entering)
        return [
            Point(x: out, y: start), Point(x: firstX, y: start), Point(x: firstX, y: busY), Point(x: lastX, y: busY),
            Point(x: lastX, y: end), Point(x: parent.right, y: end),
        ]
    }

    /// The middle of a column's row; that of the head for a column that is not there.
    private func rowY(_ column: String?, of entity: Diagram.Entity, in box: Box) -> Double {
        guard let column, let row = entity.columns.firstIndex(where: { $0.name.nameKey == column.nameKey }) else {
            return box.y + DiagramLayout.headHeight / 2
        }
        return box.y + DiagramLayout.headHeight + (Double(row) + 0.5) * DiagramLayout.rowHeight
    }
}
