/*
 * orders.c
 *		gid from libpq: as text, with nothing set up, and as 16 bytes, with the
 *		number of the type found once.
 *
 * What binary takes is in the first half: an id, a time, and an array of ids.
 * All numbers are big-endian there.
 */
#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <libpq-fe.h>

#define GID_SIZE 16
#define UNKNOWN 0				/* the server finds the type */
#define TIMESTAMPTZOID 1184		/* the same in every database, unlike gid's */
#define TEXT 0
#define BINARY 1

/* memcmp orders them as the server does. */
typedef struct
{
	unsigned char bytes[GID_SIZE];
} Gid;

static PGconn *connection;
static Oid	gid_oid;
static Oid	gid_array_oid;
static int	failures;

static void
shows(const char *what, bool holds)
{
	printf("%s - %s\n", holds ? "ok" : "not ok", what);
	failures += !holds;
}

static void
fail(void)
{
	fprintf(stderr, "%s", PQerrorMessage(connection));
	exit(1);
}

/* The result of a query that must not fail; the caller clears it. */
static PGresult *
checked(PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);

	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
		fail();
	return result;
}

/* A query with one parameter; the caller looks at the result's status. */
static PGresult *
query(const char *text, Oid type, const void *parameter, int length, int format, int result_format)
{
	const char *values[] = {parameter};

	return PQexecParams(connection, text, 1, &type, values, &length, &format, result_format);
}

/* Whether a query returned just this text. */
static bool
returns(PGresult *result, const char *expected)
{
	bool		same;

	checked(result);
	same = PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 0), expected) == 0;
	PQclear(result);
	return same;
}

/* Whether a query failed with just this code. */
static bool
refused(PGresult *result, const char *sqlstate)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	bool		same = state != NULL && strcmp(state, sqlstate) == 0;

	PQclear(result);
	return same;
}

/* The id in the first column of a row. */
static Gid
get_gid(const PGresult *result, int row)
{
	Gid			id;

	if (row >= PQntuples(result) || PQgetlength(result, row, 0) != GID_SIZE || PQfformat(result, 0) != BINARY)
	{
		fprintf(stderr, "no gid in row %d\n", row);
		exit(1);
	}
	memcpy(id.bytes, PQgetvalue(result, row, 0), GID_SIZE);
	return id;
}

static char *
put32(char *to, uint32_t number)
{
	number = htobe32(number);
	memcpy(to, &number, sizeof number);
	return to + sizeof number;
}

static char *
put_field(char *to, const void *bytes, uint32_t length)
{
	to = put32(to, length);
	memcpy(to, bytes, length);
	return to + length;
}

static uint32_t
get32(const char *from)
{
	uint32_t	number;

	memcpy(&number, from, sizeof number);
	return be32toh(number);
}

/* An array of one dimension; its length is returned. */
#define ARRAY_HEADER 20
#define ARRAY_SIZE(n) (ARRAY_HEADER + (n) * (4 + GID_SIZE))

static int
put_array(char *array, const Gid *ids, int n)
{
	char	   *to = array;

	to = put32(to, n > 0);		/* dimensions: an empty array has none */
	to = put32(to, 0);			/* no nulls */
	to = put32(to, gid_oid);
	if (n > 0)
	{
		to = put32(to, n);
		to = put32(to, 1);		/* the first subscript */
	}
	for (int i = 0; i < n; i++)
		to = put_field(to, ids[i].bytes, GID_SIZE);
	return to - array;
}

/* Takes up to "most" ids out of an array, and tells how many; -1 if there are more, or nulls or dimensions. */
static int
get_array(const char *array, int length, Gid *ids, int most)
{
	int			n;

	if (length == 12 && get32(array) == 0)
		return 0;
	if (length < ARRAY_HEADER || get32(array) != 1 || get32(array + 4) != 0 || get32(array + 8) != gid_oid)
		return -1;
	n = get32(array + 12);
	if (n > most || length != ARRAY_SIZE(n))
		return -1;
	for (int i = 0; i < n; i++)
		memcpy(ids[i].bytes, array + ARRAY_HEADER + i * (4 + GID_SIZE) + 4, GID_SIZE);
	return n;
}

/* A time as it is sent: microseconds since 2000. */
static int64_t
timestamptz(struct timeval time)
{
	return (int64_t) htobe64((time.tv_sec - INT64_C(946684800)) * 1000000 + time.tv_usec);
}

/* When an id was made: milliseconds since 1970. */
static int64_t
milliseconds(Gid id)
{
	int64_t		time = 0;

	for (int i = 1; i <= 6; i++)
		time = time << 8 | id.bytes[i];
	return time;
}

/* --- Text: nothing is set up --------------------------------------------- */

static void
show_text(void)
{
	PGresult   *result;
	char		id[25];
	char		array[sizeof id + 2];

	result = checked(PQexec(connection, "INSERT INTO orders (item) VALUES ('tea') RETURNING id"));
	shows("an id by default, and returned as text", PQgetlength(result, 0, 0) == 24);
	snprintf(id, sizeof id, "%s", PQgetvalue(result, 0, 0));
	PQclear(result);

	/* The server finds the type of a parameter by where it stands. */
	shows("an id as a parameter",
		  returns(query("SELECT item FROM orders WHERE id = $1", UNKNOWN, id, 0, TEXT, TEXT), "tea"));
	shows("where that tells nothing, it is an error",
		  refused(query("SELECT pg_typeof($1)", UNKNOWN, id, 0, TEXT, TEXT), "42P18"));
	shows("there a cast helps",
		  returns(query("SELECT pg_typeof($1::gid)", UNKNOWN, id, 0, TEXT, TEXT), "gid"));

	/* No character of an id needs quoting in an array. */
	snprintf(array, sizeof array, "{%s}", id);
	shows("an array as a parameter",
		  returns(query("SELECT count(*) FROM orders WHERE id = ANY ($1)", UNKNOWN, array, 0, TEXT, TEXT), "1"));

	/* A time needs its type, or it is read as an id. */
	shows("a time without its type is rejected",
		  refused(query("SELECT FROM orders WHERE id >= $1", UNKNOWN, "yesterday", 0, TEXT, TEXT), "22P02"));
	shows("a range of time, its type by a cast",
		  returns(query("SELECT count(*) FROM orders WHERE id >= $1::timestamptz",
						UNKNOWN, "yesterday", 0, TEXT, TEXT), "1"));
	shows("a time with the OID of timestamptz",
		  returns(query("SELECT count(*) FROM orders WHERE id >= $1",
						TIMESTAMPTZOID, "yesterday", 0, TEXT, TEXT), "1"));
}

/* --- Binary -------------------------------------------------------------- */

static void
show_binary(void)
{
	PGresult   *result;
	Gid			ids[3];
	char		array[ARRAY_SIZE(3)];
	int			length;
	struct timeval now;
	int64_t		time;
	char		seconds[21];

	result = checked(query("INSERT INTO orders (item) VALUES ($1), ('coffee') RETURNING id",
						   UNKNOWN, "milk", 0, TEXT, BINARY));
	ids[0] = get_gid(result, 0);
	ids[1] = get_gid(result, 1);
	PQclear(result);
	shows("two ids returned in binary, in order", memcmp(&ids[0], &ids[1], sizeof(Gid)) < 0);

	shows("an id as a parameter in binary",
		  returns(query("SELECT item FROM orders WHERE id = $1",
						gid_oid, &ids[1], sizeof(Gid), BINARY, TEXT), "coffee"));
	shows("its type known without a place that tells it",
		  returns(query("SELECT pg_typeof($1)", gid_oid, &ids[1], sizeof(Gid), BINARY, TEXT), "gid"));
	shows("15 bytes are no id",
		  refused(query("SELECT $1", gid_oid, &ids[1], sizeof(Gid) - 1, BINARY, TEXT), "22P03"));

	length = put_array(array, ids, 2);
	shows("an array as a parameter in binary",
		  returns(query("SELECT string_agg(item, ' ' ORDER BY id) FROM orders WHERE id = ANY ($1)",
						gid_array_oid, array, length, BINARY, TEXT), "milk coffee"));
	length = put_array(array, ids, 0);
	shows("an empty array",
		  returns(query("SELECT count(*) FROM orders WHERE id = ANY ($1)",
						gid_array_oid, array, length, BINARY, TEXT), "0"));

	gettimeofday(&now, NULL);
	now.tv_sec -= 3600;
	time = timestamptz(now);
	snprintf(seconds, sizeof seconds, "%lld", (long long) now.tv_sec);
	shows("a time as a parameter in binary",
		  returns(query("SELECT floor(extract(epoch FROM $1))", TIMESTAMPTZOID, &time, sizeof time, BINARY, TEXT),
				  seconds));
	result = checked(query("SELECT array_agg(id ORDER BY id) FROM orders WHERE id >= $1",
						   TIMESTAMPTZOID, &time, sizeof time, BINARY, BINARY));
	length = get_array(PQgetvalue(result, 0, 0), PQgetlength(result, 0, 0), ids, 3);
	PQclear(result);
	shows("a range of time in binary, and an array as its result", length == 3);
	shows("the ids in it are the server's order", length == 3 &&
		  memcmp(&ids[0], &ids[1], sizeof(Gid)) < 0 && memcmp(&ids[1], &ids[2], sizeof(Gid)) < 0);
	shows("new ids contain their time", milliseconds(ids[2]) >= now.tv_sec * INT64_C(1000) &&
		  milliseconds(ids[2]) < (now.tv_sec + 7200) * INT64_C(1000));
}

static void
show_refusal(void)
{
	PGresult   *result = checked(query("SELECT gid_new($1::text)", UNKNOWN, "log", 0, TEXT, BINARY));
	Gid			id = get_gid(result, 0);

	PQclear(result);
	shows("a wrong kind is rejected with 22023",
		  refused(query("INSERT INTO orders (id, item) VALUES ($1, 'a log is no order')",
						gid_oid, &id, sizeof id, BINARY, TEXT), "22023"));
}

int
main(void)
{
	PGresult   *result;

	/* libpq's variables say where the server is. */
	connection = PQconnectdb("");
	if (PQstatus(connection) != CONNECTION_OK)
		fail();
	PQclear(checked(PQexec(connection,
						   "CREATE EXTENSION gid;"
						   "CREATE TABLE orders (id gid(o) PRIMARY KEY DEFAULT gid_new('o'), item text NOT NULL)")));

	/* The numbers of the types are those of this database, and stay the same as long as the extension is there. */
	result = checked(PQexec(connection, "SELECT oid, typarray FROM pg_type WHERE oid = 'gid'::regtype"));
	gid_oid = strtoul(PQgetvalue(result, 0, 0), NULL, 10);
	gid_array_oid = strtoul(PQgetvalue(result, 0, 1), NULL, 10);
	PQclear(result);

	show_text();
	show_binary();
	show_refusal();

	PQfinish(connection);
	return failures > 0;
}
