/*
 * orders.c
 *		gid from libpq: as text, with nothing set up, and as 16 bytes, with the
 *		number of the type found once.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#define GID_SIZE 16
#define UNKNOWN 0				/* the server finds the type */
#define TIMESTAMPTZOID 1184		/* the same in every database, unlike gid's */
#define TEXT 0
#define BINARY 1

static PGconn *connection;

/* The result of a query that must not fail; the caller clears it. */
static PGresult *
checked(PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
	{
		fprintf(stderr, "%s", PQerrorMessage(connection));
		exit(1);
	}
	return result;
}

/* A query with one parameter; the caller looks at the result's status. */
static PGresult *
query(const char *text, Oid type, const void *parameter, int length, int format, int result_format)
{
	const char *values[] = {parameter};

	return PQexecParams(connection, text, 1, &type, values, &length, &format, result_format);
}

/* Shows whether a query returned just this text. */
static void
shows(const char *what, PGresult *result, const char *expected)
{
	bool		holds = PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 0), expected) == 0;

	printf("%s - %s\n", holds ? "ok" : "not ok", what);
	PQclear(result);
}

/* Shows whether a statement is an error with this SQLSTATE. */
static void
raises(const char *sqlstate, const char *statement)
{
	PGresult   *result = PQexec(connection, statement);
	const char *found = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	printf("%s - %s: %s\n", found && strcmp(found, sqlstate) == 0 ? "ok" : "not ok", statement, found);
	PQclear(result);
}

int
main(void)
{
	PGresult   *result;
	char		id[25];
	char		array[sizeof id + 2];
	char		bytes[GID_SIZE];
	Oid			gid_oid;

	/* libpq's variables say where the server is. */
	connection = PQconnectdb("");
	PQclear(checked(PQexec(connection,
						   "CREATE EXTENSION gid;"
						   "CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)")));

	result = checked(PQexec(connection, "INSERT INTO orders (item) VALUES ('tea') RETURNING id"));
	snprintf(id, sizeof id, "%s", PQgetvalue(result, 0, 0));
	PQclear(result);

	shows("an id as a parameter",
		  query("SELECT item FROM orders WHERE id = $1", UNKNOWN, id, 0, TEXT, TEXT), "tea");

	/* No character of an id needs quoting in an array. */
	snprintf(array, sizeof array, "{%s}", id);
	shows("an array as a parameter",
		  query("SELECT count(*) FROM orders WHERE id = ANY ($1)", UNKNOWN, array, 0, TEXT, TEXT), "1");

	/* A time needs its type, or it is read as an id. */
	shows("a range of time, its type by a cast",
		  query("SELECT count(*) FROM orders WHERE id >= $1::timestamptz",
				UNKNOWN, "yesterday", 0, TEXT, TEXT), "1");
	shows("a time with the OID of timestamptz",
		  query("SELECT count(*) FROM orders WHERE id >= $1",
				TIMESTAMPTZOID, "yesterday", 0, TEXT, TEXT), "1");

	/* The number of the type stays the same as long as the extension is there. */
	result = checked(PQexec(connection, "SELECT 'pg_catalog.gid'::regtype::oid"));
	gid_oid = strtoul(PQgetvalue(result, 0, 0), NULL, 10);
	PQclear(result);
	result = checked(query("INSERT INTO orders (item) VALUES ($1) RETURNING id", UNKNOWN, "milk", 0, TEXT, BINARY));
	memcpy(bytes, PQgetvalue(result, 0, 0), GID_SIZE);
	PQclear(result);
	shows("an id as a result and as a parameter in binary",
		  query("SELECT item FROM orders WHERE id = $1",
				gid_oid, bytes, GID_SIZE, BINARY, TEXT), "milk");

	raises("22023", "INSERT INTO orders VALUES (gid_new('c'), 'tea')");
	raises("22023", "SELECT FROM orders WHERE id > gid_new('c')");

	PQfinish(connection);
	return 0;
}
