import Foundation
import StorageKit

/// The work of StorageKit's side on several tables.
extension KitStore {
    /// Opens a file with sales.
    static func sales(_ url: URL) throws -> KitStore {
        let options = StorageKit.StartOptions(memoryCapacity: 0, usesDiskCache: false)
        return KitStore(
            try StorageKit.start(at: url, options: options) { schema in
                schema.autoSchema(RegionRecord.self, ShopRecord.self, SaleRecord.self)
            })
    }

    /// The sales of a region.
    func sales(inRegion name: String) async throws -> Int {
        try await storage.query(Sale.self).where { $0.shop.region.name == name }.fetch().reduce(0) {
            $0 &+ $1.checksum
        }
    }

    /// Columns of the sales of a region and of what they refer to.
    func rows(inRegion name: String) async throws -> Int {
        try await storage.query(Sale.self).where { $0.shop.region.name == name }
            .select { ($0.id, $0.amount, $0.shop.name, $0.shop.region.name) }.fetch()
            .reduce(0) { $0 &+ $1.0.utf8.count &+ $1.1 &+ $1.2.utf8.count &+ $1.3.utf8.count }
    }

    /// A sum of each sale's numbers.
    func totals() async throws -> Int {
        try await storage.query(Sale.self).select { ($0.id, $0.amount * 2 - $0.discount) }.fetch()
            .reduce(0) { $0 &+ $1.0.utf8.count &+ $1.1 }
    }

    /// What each shop has sold.
    func shopTotals() async throws -> Int {
        try await storage.query(Sale.self).group(by: \.shopId)
            .select { ($0.shopId, $0.count(), $0.sum(\.amount), $0.max(\.amount)) }.fetch()
            .reduce(0) { $0 &+ RawSales.checksum(($1.0, $1.1, $1.2, Double($1.3 ?? 0))) }
    }

    /// What each shop has sold, and the mean.
    func shopMeans() async throws -> Int {
        try await storage.query(Sale.self).group(by: \.shopId)
            .select { ($0.shopId, $0.count(), $0.sum(\.amount), $0.avg(\.amount)) }.fetch()
            .reduce(0) { $0 &+ RawSales.checksum(($1.0, $1.1, $1.2, $1.3 ?? 0)) }
    }

    /// The open shops with their sales.
    func shopsWithSales() async throws -> Int {
        try await storage.query(Shop.self).where { $0.isOpen }.orderBy(\.id).including(\.sales).fetch().checksum
    }

    /// Observes columns of all sales and of their shops, and tells the arrivals of each change.
    func observeRows(_ arrivals: Arrivals) -> Task<Void, any Error> {
        let lists = storage.query(Sale.self).orderBy(\.id).select { ($0.id, $0.amount, $0.shop.name) }.observe()
        return Task {
            for await rows in lists { arrivals.add(rows.count) }
        }
    }

    /// Observes what each shop has sold, and tells the arrivals of each change.
    func observeTotals(_ arrivals: Arrivals) -> Task<Void, any Error> {
        let lists = storage.query(Sale.self).group(by: \.shopId).orderBy(\.shopId)
            .select { ($0.shopId, $0.count(), $0.sum(\.amount), $0.max(\.amount)) }.observe()
        return Task {
            for await rows in lists { arrivals.add(rows.count) }
        }
    }

    /// Saves each sale, and waits each time until one value more has arrived.
    func saveEach(_ sales: [Sale], awaitingEach arrivals: Arrivals) async throws -> Int {
        let before = arrivals.sum
        for sale in sales {
            let expected = arrivals.count + 1
            try await storage.save(sale)
            await arrivals.wait(for: expected)
        }
        return arrivals.sum - before
    }
}
