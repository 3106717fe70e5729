import StorageKit
import StorageTestSupport
import Testing

@StorageEntity
struct Firm {
    var id: Int
    var title: String
    var closedOn: String?
    @StorageReference(Firm.self) var parentId: Int?
    @StorageHasMany(foreignKey: "firmId") var sales: [FirmSale]
}

@StorageEntity
struct FirmClient {
    var id: Int
    @StorageHasMany(through: FirmSale.self) var firms: [Firm]
}

@StorageEntity
struct FirmSale {
    var id: Int
    var note: String
    var closedOn: String?
    @StorageReference(Firm.self) var firmId: Int
    @StorageReference(FirmClient.self) var clientId: Int
}

extension ColumnRef<Firm> {
    fileprivate var isOpen: Column<Bool> { Column<String?>("closedOn") == nil }
    fileprivate var isActive: Column<Bool> { self.closedOn == nil }
    fileprivate var owner: OptionalToOne<Firm> { Firm.storageColumns.parent }
    fileprivate var ownersTitle: Column<String?> { Firm.storageColumns.parent.title }
    fileprivate var deals: ToMany<FirmSale> { Firm.storageColumns.sales }
}

extension ColumnRef<FirmSale> {
    fileprivate var isOpen: Column<Bool> { Column<String?>("closedOn") == nil }
    fileprivate var seller: ToOne<Firm> { FirmSale.storageColumns.firm }
}

/// Columns and relations that an extension names by hand, and takes from no row.
@Suite struct ColumnsOfNoRowTests {
    private let store: TemporaryStore
    private var firms: Query<Firm> { store.storage.query(Firm.self) }
    private var sales: Query<FirmSale> { store.storage.query(FirmSale.self) }

    /// All pairs of a sale and its firm.
    private var pairs: JoinedQuery<FirmSale, TwoRows<ColumnRef<FirmSale>, ColumnRef<Firm>>> {
        sales.join(Firm.self) { sale, firm in sale.firmId == firm.id }
    }

    init() async throws {
        store = try TemporaryStore {
            $0.autoSchema(FirmRecord.self, FirmClientRecord.self, FirmSaleRecord.self)
        }
        try await store.storage.save(Firm(id: 1, title: "A"))
        try await store.storage.save(Firm(id: 2, title: "B", closedOn: "Monday", parentId: 1))
        try await store.storage.save(Firm(id: 3, title: "C", parentId: 2))
        try await store.storage.save([FirmClient(id: 1), FirmClient(id: 2)])
        try await store.storage.save([
            FirmSale(id: 1, note: "x", closedOn: "Friday", firmId: 1, clientId: 1),
            FirmSale(id: 2, note: "y", firmId: 2, clientId: 2),
        ])
    }

    // MARK: - Rows side by side

    @Test func besideOtherRowsAColumnOfNoRowIsRefusedWhereAJoinedTableHasIt() async throws {
        let words = "rows of 'firmsales', 'firms' stand side by side, and 'closedOn' is taken from none of them"
        await expectRefusal(words) { try await pairs.where { _, firm in firm.isOpen }.count() }
        await expectRefusal(words) { try await pairs.where { sale, _ in sale.isOpen }.count() }
        await expectRefusal(words) { try await pairs.orderBy { _, firm in firm.isOpen }.fetchOne()?.0.id }
        await expectRefusal(words) { try await pairs.select { _, firm in firm.isOpen }.fetch() }
        await expectRefusal(words) {
            try await pairs.group { _, firm in firm.isOpen }.select { sale, _ in sale.count() }.fetch()
        }
        await expectRefusal(words) {
            try await pairs.group { sale, _ in sale.firmId }.having { _, firm in firm.count { $0.isOpen } > 0 }
                .select { sale, _ in sale.count() }.fetch()
        }
        await expectRefusal(words) {
            try await pairs.aggregate { _, firm in firm.count { $0.isOpen } }.fetchOne()
        }
    }

    @Test func soItIsInTheConditionOfAJoin() async throws {
        await expectRefusal("'closedOn' is taken from none") {
            try await sales.join(Firm.self) { sale, firm in sale.firmId == firm.id && firm.isOpen }.count()
        }
        await expectRefusal("'closedOn' is taken from none") {
            try await sales.leftJoin(Firm.self) { sale, firm in sale.firmId == firm.id && firm.isOpen }.count()
        }
        await expectRefusal("'closedOn' is taken from none") {
            try await firms.join(Firm.self) { one, other in one.id != other.id && other.isOpen }.count()
        }
        await expectRefusal("'closedOn' is taken from none") {
            try await pairs.join(FirmClient.self) { sale, firm, client in sale.clientId == client.id && firm.isOpen }
                .count()
        }
        await expectRefusal("'parentId'") { try await pairs.where { _, firm in firm.owner.title == "A" }.count() }
    }

    @Test func aColumnThatAnExtensionTakesFromItsRowIsThatRows() async throws {
        #expect(try await pairs.where { _, firm in firm.isActive }.fetch().map(\.0.id) == [1])
        #expect(try await firms.where { $0.sales.exists { _ in Column<String>("note") == "x" } }.count() == 1)
    }

    @Test func whatIsClearNeedsNoRow() async throws {
        #expect(try await pairs.where { _, _ in Column<String>("note") == "y" }.fetch().map(\.0.id) == [2])
        let open = sales.where { $0.isOpen }.join(Firm.self) { sale, firm in sale.firmId == firm.id }
        #expect(try await open.fetch().map(\.0.id) == [2])
        let perhaps = sales.leftJoin(Firm.self) { sale, firm in sale.firmId == firm.id }
        #expect(try await perhaps.where { _, firm in firm.isOpen }.fetch().map(\.0.id) == [1])
    }

    // MARK: - Paths

    @Test func aPathThatIsTakenFromNoRowTakesEachStepOnce() async throws {
        let query = firms.where { $0.owner.title == "A" }
        #expect(try query.sql.sql == firms.where { $0.parent.title == "A" }.sql.sql)
        #expect(try await query.fetch().map(\.id) == [2])
        #expect(try await firms.where { $0.ownersTitle == "A" }.fetch().map(\.id) == [2])
        #expect(try await firms.where { $0.owner.owner.title == "A" }.fetch().map(\.id) == [3])
        #expect(try await firms.where { $0.parent.owner.title == "A" }.fetch().map(\.id) == [3])
        #expect(try await firms.where { $0.owner.isOpen }.fetch().map(\.id) == [2])
    }

    @Test func soItDoesBetweenTwoTables() async throws {
        #expect(try await sales.where { $0.seller.title == "B" }.fetch().map(\.id) == [2])
        #expect(try await sales.where { $0.seller.owner.title == "A" }.fetch().map(\.id) == [2])
        #expect(try await sales.orderBy(\.id).select { $0.seller.title }.fetch() == ["A", "B"])
    }

    @Test func inAClosureOfOtherRowsItBeginsAtThose() async throws {
        #expect(try await firms.where { $0.sales.exists { $0.seller.title == "B" } }.fetch().map(\.id) == [2])
        let clients = store.storage.query(FirmClient.self)
        #expect(try await clients.where { $0.firms.exists { $0.owner.title == "A" } }.fetch().map(\.id) == [2])
        #expect(try await clients.where { $0.firms.count { $0.owner.title == "A" } > 0 }.fetch().map(\.id) == [2])
    }

    @Test func manyRowsAreTakenFromARow() async throws {
        await expectRefusal("'storageColumns'") { try await firms.where { $0.deals.count() > 0 }.count() }
        await expectRefusal("'storageColumns'") { try await firms.where { $0.owner.sales.exists() }.count() }
        await expectRefusal("'storageColumns'") { try await firms.select { $0.deals }.fetch().count }
        await expectRefusal("'storageColumns'") { try await firms.select { $0.owner.sales }.fetch().count }
        #expect(try await firms.where { $0.parent.deals.count() == 1 }.orderBy(\.id).fetch().map(\.id) == [2, 3])
    }
}
