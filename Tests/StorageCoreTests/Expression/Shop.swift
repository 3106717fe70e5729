@testable import StorageCore

/// Tables of a shop: customers have orders, and orders refer to a customer and perhaps to a courier, who has a boss.
enum Shop {
    static let customers = table("customers", [("id", "TEXT", true), ("name", "TEXT", true), ("note", "TEXT", false)])
    static let couriers = table(
        "couriers", [("id", "INTEGER", true), ("name", "TEXT", true), ("bossId", "INTEGER", false)])
    static let orders = table(
        "orders",
        [
            ("id", "INTEGER", true), ("customerId", "TEXT", true), ("courierId", "INTEGER", false),
            ("note", "TEXT", false), ("count", "INTEGER", true), ("price", "DECIMAL_TEXT", true),
            ("at", "DATETIME", true), ("isPaid", "BOOLEAN", true),
        ])

    private static func table(_ name: String, _ columns: [(String, String, Bool)]) -> SourceTable {
        let columns = columns.map { name, type, notNull in
            ColumnSchema(name: name, type: type, notNull: notNull, primaryKey: name == "id")
        }
        return SourceTable(name: name, columns: columns, idColumn: "id", problem: nil)
    }

    static func customer(of order: Source?) -> Source {
        Source(
            customers, from: order, PathStep(name: "customer", key: "customerId", isOptional: false))
    }

    static func courier(of order: Source?) -> Source {
        Source(couriers, from: order, PathStep(name: "courier", key: "courierId", isOptional: true))
    }

    static func boss(of courier: Source?) -> Source {
        Source(couriers, from: courier, PathStep(name: "boss", key: "bossId", isOptional: true))
    }
}

extension ExpressionNode {
    static func text(_ value: String) -> ExpressionNode { .constant(.text(value), .text) }
    static func number(_ value: Int64) -> ExpressionNode { .constant(.integer(value), .integer) }
}
