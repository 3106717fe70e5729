#ifndef studio_sqlite_h
#define studio_sqlite_h

/// How many bytes a value has at the most.
#define STUDIO_LONGEST_VALUE 67108864

/// How many bytes a statement has at the most.
#define STUDIO_LONGEST_SQL 1048576

/// How many bytes a pattern of LIKE and GLOB has at the most.
#define STUDIO_LONGEST_PATTERN 300

/// Makes a connection of SQLite's safe for files that strangers wrote: no write to the schema's table or to those behind virtual ones,
/// no extensions, no other file, and values, statements and patterns of a bounded length.
///
/// trusts_schema: whether triggers may use virtual tables, as those of a full-text index do. Without it, views, triggers and indexes
/// call nothing that is not known to be harmless; with it, the authorizer has to see to that.
///
/// Returns SQLite's code: 0 if all of it was done.
int studio_harden(void *connection, int trusts_schema);

/// How many rows a statement that is under way has stepped over in scans of whole tables and indexes.
///
/// statement: SQLite's statement. It may be asked from SQLite's own progress handler, on the thread that runs the statement.
int studio_rows_seen(void *statement);

#endif
