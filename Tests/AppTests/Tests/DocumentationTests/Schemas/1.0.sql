-- The schema of version 1.0, with rows that are made up. It is what was released: do not change it.

CREATE TABLE "kv_cache" ("key" TEXT PRIMARY KEY, "blob" BLOB NOT NULL, "updatedAt" DATETIME NOT NULL, "expiresAt" DATETIME, "size" INTEGER NOT NULL DEFAULT 0);
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE "notes" ("id" TEXT PRIMARY KEY, "title" TEXT NOT NULL, "isDone" BOOLEAN NOT NULL, "updatedAt" DATETIME NOT NULL);
INSERT INTO "grdb_migrations" ("identifier") VALUES ('storage_kv_cache_v1:kv_cache');
INSERT INTO "grdb_migrations" ("identifier") VALUES ('auto_schema_47ef8924:{"notes":["title","isDone","updatedAt"]}');
INSERT INTO "grdb_migrations" ("identifier") VALUES ('auto_schema_47ef8924');
CREATE INDEX "idx_kv_cache_expiresAt" ON "kv_cache"("expiresAt");
CREATE INDEX "idx_kv_cache_updatedAt" ON "kv_cache"("updatedAt");
INSERT OR IGNORE INTO main."notes" ("id", "title", "isDone", "updatedAt") VALUES ('text 1', 'text 1', 1, '2026-01-02 12:00:00.000');
INSERT OR IGNORE INTO main."notes" ("id", "title", "isDone", "updatedAt") VALUES ('text 2', 'text 2', 0, '2026-01-03 12:00:00.000');
INSERT OR IGNORE INTO main."notes" ("id", "title", "isDone", "updatedAt") VALUES ('text 3', 'text 3', 1, '2026-01-04 12:00:00.000');
