import GRDB
import StorageKit
import StorageTestSupport

/// A row with all that makes an order difficult: ties, NULLs and a column with a collation.
@StorageEntity
struct Volume {
    var id: Int
    var title: String
    var rank: Int?
    var shelf: Int
    var isHidden = false
}

extension TemporaryStore {
    /// A store of volumes, whose titles are compared without case.
    static func ofVolumes(log: StatementLog? = nil) throws -> TemporaryStore {
        try TemporaryStore(log: log) { schema in
            schema.migration("volumes") { db in
                let columns = VolumeRecord.schemaColumns.map { column in
                    column.sql + (column.primaryKey ? " PRIMARY KEY" : column.name == "title" ? " COLLATE NOCASE" : "")
                }
                try db.execute(sql: "CREATE TABLE volumes (\(columns.joined(separator: ", ")))")
                try db.execute(sql: "CREATE INDEX volumesByRank ON volumes (rank, id)")
            }
        }
    }
}

extension Volume {
    /// An order of volumes, in a query and in Swift.
    struct Order: Sendable {
        let name: String
        let add: @Sendable (Query<Volume>) -> Query<Volume>
        /// Negative if the first one comes first.
        let compare: @Sendable (Volume, Volume) -> Int
        /// Whether ties come by descending id, where this is the last of the orders.
        let isDescending: Bool

        private init(
            _ name: String, isDescending: Bool,
            _ add: @escaping @Sendable (Query<Volume>) -> Query<Volume>,
            _ compare: @escaping @Sendable (Volume, Volume) -> Int
        ) {
            self.name = name
            self.isDescending = isDescending
            self.add = add
            self.compare = compare
        }

        static let all: [Order] = [
            Order("rank", isDescending: false, { $0.orderBy(\.rank) }) {
                ascending($0.rank, $1.rank, nullsFirst: true)
            },
            Order("rank descending", isDescending: true, { $0.orderBy(\.rank, .descending) }) {
                ascending($1.rank, $0.rank, nullsFirst: true)
            },
            Order("rank, NULL last", isDescending: false, { $0.orderBy(\.rank, .ascending, nulls: .last) }) {
                ascending($0.rank, $1.rank, nullsFirst: false)
            },
            Order("rank descending, NULL first", isDescending: true, { $0.orderBy(\.rank, .descending, nulls: .first) })
            {
                ascending($1.rank, $0.rank, nullsFirst: false)
            },
            Order("shelf", isDescending: false, { $0.orderBy(\.shelf) }) { $0.shelf - $1.shelf },
            Order("shelf descending", isDescending: true, { $0.orderBy(\.shelf, .descending) }) { $1.shelf - $0.shelf },
            Order("calculated", isDescending: false, { $0.orderBy({ $0.shelf - 2 * $0.id }) }) {
                ($0.shelf - 2 * $0.id) - ($1.shelf - 2 * $1.id)
            },
            Order("title", isDescending: false, { $0.orderBy(\.title) }) {
                folded($0.title, $1.title)
            },
            Order("title descending", isDescending: true, { $0.orderBy(\.title, .descending) }) {
                folded($1.title, $0.title)
            },
        ]

        private static func ascending(_ left: Int?, _ right: Int?, nullsFirst: Bool) -> Int {
            guard let left, let right else {
                if (left == nil) == (right == nil) { return 0 }
                return (left == nil) == nullsFirst ? -1 : 1
            }
            return left - right
        }

        private static func folded(_ left: String, _ right: String) -> Int {
            let (left, right) = (left.lowercased(), right.lowercased())
            return left == right ? 0 : left < right ? -1 : 1
        }
    }
}

extension [Volume.Order] {
    /// Whether a volume stands before another.
    func isBefore(_ left: Volume, _ right: Volume) -> Bool {
        for order in self {
            let result = order.compare(left, right)
            if result != 0 { return result < 0 }
        }
        return last?.isDescending == true ? left.id > right.id : left.id < right.id
    }
}
