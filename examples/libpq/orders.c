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
#include <stddef.h>
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

/* An array of one dimension in binary.  It has no dimensions if it is empty. */
#define MOST 3

typedef struct
{
	uint32_t	size;
	Gid			id;
} Element;

typedef struct
{
	uint32_t	dimensions;
	uint32_t	has_nulls;
	uint32_t	type;
	uint32_t	length;
	uint32_t	first;			/* the first subscript */
	Element		elements[MOST];
} GidArray;

static PGconn *connection;
static Oid	gid_oid;
static Oid	gid_array_oid;

static void
shows(const char *what, bool holds)
{
	printf("%s - %s\n", holds ? "ok" : "not ok", what);
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

/* The number of bytes of an array.  An empty array ends after its type. */
static size_t
array_size(uint32_t n)
{
	return n > 0 ? offsetof(GidArray, elements) + n * sizeof(Element) : offsetof(GidArray, length);
}

/* Fills an array, and returns its size. */
static int
put_array(GidArray *array, const Gid *ids, uint32_t n)
{
	array->dimensions = htobe32(n > 0);
	array->has_nulls = 0;
	array->type = htobe32(gid_oid);
	array->length = htobe32(n);
	array->first = htobe32(1);
	for (uint32_t i = 0; i < n; i++)
		array->elements[i] = (Element) {htobe32(GID_SIZE), ids[i]};
	return array_size(n);
}

/* Copies the array in the first row, and returns the number of its ids; -1 if there are more, or nulls or dimensions. */
static int
get_array(const PGresult *result, GidArray *array)
{
	size_t		size = PQgetlength(result, 0, 0);
	uint32_t	n;

	memset(array, 0, sizeof *array);
	if (size <= sizeof *array)
		memcpy(array, PQgetvalue(result, 0, 0), size);
	n = be32toh(array->length);
	if (be32toh(array->type) != gid_oid || array->has_nulls || n > MOST || size != array_size(n))
		return -1;
	return n;
}

/* A time as it is sent: microseconds since 2000. */
static int64_t
timestamptz(struct timeval time)
{
	return (int64_t) htobe64((time.tv_sec - INT64_C(946684800)) * 1000000 + time.tv_usec);
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
	Gid			ids[2];
	GidArray	array;
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

	length = put_array(&array, ids, 2);
	shows("an array as a parameter in binary",
		  returns(query("SELECT string_agg(item, ' ' ORDER BY id) FROM orders WHERE id = ANY ($1)",
						gid_array_oid, &array, length, BINARY, TEXT), "milk coffee"));
	length = put_array(&array, ids, 0);
	shows("an empty array",
		  returns(query("SELECT count(*) FROM orders WHERE id = ANY ($1)",
						gid_array_oid, &array, length, BINARY, TEXT), "0"));

	gettimeofday(&now, NULL);
	now.tv_sec -= 3600;
	time = timestamptz(now);
	snprintf(seconds, sizeof seconds, "%lld", (long long) now.tv_sec);
	shows("a time as a parameter in binary",
		  returns(query("SELECT floor(extract(epoch FROM $1))", TIMESTAMPTZOID, &time, sizeof time, BINARY, TEXT),
				  seconds));
	result = checked(query("SELECT array_agg(id ORDER BY id) FROM orders WHERE id >= $1",
						   TIMESTAMPTZOID, &time, sizeof time, BINARY, BINARY));
	length = get_array(result, &array);
	PQclear(result);
	shows("a range of time in binary, and an array as its result", length == 3);
	shows("the ids in it are the server's order", length == 3 &&
		  memcmp(&array.elements[0].id, &array.elements[1].id, sizeof(Gid)) < 0 &&
		  memcmp(&array.elements[1].id, &array.elements[2].id, sizeof(Gid)) < 0);
	shows("a wrong kind is rejected with 22023",
		  refused(query("INSERT INTO orders (id, item) SELECT gid_new('log'), $1", UNKNOWN, "a log", 0, TEXT, TEXT), "22023"));
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

	PQfinish(connection);
	return 0;
}
