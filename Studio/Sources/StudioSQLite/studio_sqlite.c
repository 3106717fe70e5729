#include "studio_sqlite.h"
#include <sqlite3.h>
#include <stddef.h>

int studio_harden(void *connection, int trusts_schema) {
    sqlite3 *db = connection;
    int code = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (code == SQLITE_OK) code = sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, trusts_schema, NULL);
    if (code == SQLITE_OK) code = sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    if (code == SQLITE_OK) code = sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, STUDIO_LONGEST_VALUE);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, STUDIO_LONGEST_SQL);
    // A pattern is matched by one call, which nothing interrupts: its cost grows with the signs that stand for any text.
    sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, STUDIO_LONGEST_PATTERN);
    sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
    return code;
}

int studio_rows_seen(void *statement) {
    return sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);
}
