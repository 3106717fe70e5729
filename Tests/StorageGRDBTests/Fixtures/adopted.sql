PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE customers (
  Id INTEGER PRIMARY KEY AUTOINCREMENT,
  name VARCHAR(80) NOT NULL COLLATE NOCASE,
  age INT,
  member TINYINT(1) NOT NULL DEFAULT 1,
  joined TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO customers VALUES(1,'Ada',36,1,'2019-12-10 08:00:00');
INSERT INTO customers VALUES(7,'Grace',NULL,0,NULL);
CREATE TABLE "orders" (
  id CHAR(36) PRIMARY KEY NOT NULL,
  customer INT NOT NULL REFERENCES customers(Id) ON DELETE CASCADE,
  total NUMERIC(10,2) NOT NULL CHECK (total >= 0),
  weight DOUBLE PRECISION
);
INSERT INTO orders VALUES('a-1',1,12.5,0.25);
INSERT INTO orders VALUES('a-2',1,3,NULL);
INSERT INTO orders VALUES('b-1',7,0,1e100);
CREATE TABLE audit (line TEXT);
CREATE UNIQUE INDEX customers_name ON customers (name);
CREATE TRIGGER orders_audit AFTER INSERT ON orders BEGIN
  INSERT INTO audit VALUES ('order ' || new.id);
END;
CREATE VIEW totals AS SELECT c.name, sum(o.total) AS total FROM customers c JOIN orders o ON o.customer = c.Id GROUP BY c.Id;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('customers',7);
COMMIT;
