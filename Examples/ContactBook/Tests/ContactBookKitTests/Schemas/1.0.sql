-- The schema of version 1.0, with rows that are made up. It is what was released: do not change it.

CREATE TABLE "contacts" ("id" TEXT PRIMARY KEY, "name" TEXT NOT NULL, "email" TEXT, "phone" TEXT, "otherEmails" TEXT, "otherPhones" TEXT, "company" TEXT, "birthdayText" TEXT, "address" TEXT, "website" TEXT, "labels" TEXT, "notes" TEXT, "isFavorite" BOOLEAN NOT NULL, "createdAt" DATETIME NOT NULL, "nameKey" TEXT NOT NULL, "emailKey" TEXT, "companyKey" TEXT, "birthdayKey" TEXT, "searchText" TEXT NOT NULL, "version" INTEGER NOT NULL, "updatedAt" DATETIME NOT NULL);
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" ("identifier") VALUES ('auto_schema_bf3e3a51:{"contacts":["name","isFavorite","createdAt","nameKey","searchText","version","updatedAt"]}');
INSERT INTO "grdb_migrations" ("identifier") VALUES ('auto_schema_bf3e3a51');
INSERT INTO "grdb_migrations" ("identifier") VALUES ('2026-01_sorting');
CREATE INDEX contacts_nameKey ON contacts (nameKey);
CREATE INDEX contacts_emailKey ON contacts (emailKey);
CREATE INDEX contacts_companyKey ON contacts (companyKey);
CREATE INDEX contacts_birthdayKey ON contacts (birthdayKey);
CREATE INDEX contacts_createdAt ON contacts (createdAt);
INSERT OR IGNORE INTO main."contacts" ("id", "name", "email", "phone", "otherEmails", "otherPhones", "company", "birthdayText", "address", "website", "labels", "notes", "isFavorite", "createdAt", "nameKey", "emailKey", "companyKey", "birthdayKey", "searchText", "version", "updatedAt") VALUES ('text 1', 'text 1', 'text 1', 'text 1', 'text 1', 'text 1', 'text 1', 'text 1', 'text 1', 'text 1', 'text 1', 'text 1', 1, '2026-01-02 12:00:00.000', 'text 1', 'text 1', 'text 1', 'text 1', 'text 1', 1, '2026-01-02 12:00:00.000');
INSERT OR IGNORE INTO main."contacts" ("id", "name", "email", "phone", "otherEmails", "otherPhones", "company", "birthdayText", "address", "website", "labels", "notes", "isFavorite", "createdAt", "nameKey", "emailKey", "companyKey", "birthdayKey", "searchText", "version", "updatedAt") VALUES ('text 2', 'text 2', 'text 2', 'text 2', 'text 2', 'text 2', 'text 2', 'text 2', 'text 2', 'text 2', 'text 2', 'text 2', 0, '2026-01-03 12:00:00.000', 'text 2', 'text 2', 'text 2', 'text 2', 'text 2', 2, '2026-01-03 12:00:00.000');
INSERT OR IGNORE INTO main."contacts" ("id", "name", "email", "phone", "otherEmails", "otherPhones", "company", "birthdayText", "address", "website", "labels", "notes", "isFavorite", "createdAt", "nameKey", "emailKey", "companyKey", "birthdayKey", "searchText", "version", "updatedAt") VALUES ('text 3', 'text 3', 'text 3', 'text 3', 'text 3', 'text 3', 'text 3', 'text 3', 'text 3', 'text 3', 'text 3', 'text 3', 1, '2026-01-04 12:00:00.000', 'text 3', 'text 3', 'text 3', 'text 3', 'text 3', 3, '2026-01-04 12:00:00.000');
