/*
 * gid.h
 *		The gid type, and the functions that the files of the extension share,
 *		under the name of the file that defines them.
 *
 * A gid Datum points to 16 big-endian bytes, which can have any alignment.
 * gid_load() and gid_store() convert them from and to GidWords, two words in
 * the byte order of the machine.
 */
#ifndef GID_H
#define GID_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "fmgr.h"
#include "port/pg_bswap.h"

#include "codec.h"
#include "compat.h"
#include "layout.h"

static inline GidWords
gid_load(const void *bytes)
{
	GidWords	id;

	memcpy(&id, bytes, GID_SIZE);
	id.high = pg_ntoh64(id.high);
	id.low = pg_ntoh64(id.low);
	return id;
}

static inline void
gid_store(GidWords id, void *bytes)
{
	id.high = pg_hton64(id.high);
	id.low = pg_hton64(id.low);
	memcpy(bytes, &id, GID_SIZE);
}

static inline GidWords
DatumGetGid(Datum datum)
{
	return gid_load(DatumGetPointer(datum));
}

static inline Datum
GidGetDatum(GidWords id)
{
	void	   *bytes = palloc(GID_SIZE);

	gid_store(id, bytes);
	return PointerGetDatum(bytes);
}

#define PG_GETARG_GID(n)	DatumGetGid(PG_GETARG_DATUM(n))
#define PG_RETURN_GID(id)	return GidGetDatum(id)

/* Returns a value less than, equal to or greater than 0, like memcmp(). */
static inline int
gid_compare(GidWords a, GidWords b)
{
	if (a.high != b.high)
		return a.high < b.high ? -1 : 1;
	if (a.low != b.low)
		return a.low < b.low ? -1 : 1;
	return 0;
}

/* b - a as 128-bit numbers.  b must not be smaller. */
static inline double
gid_distance(GidWords a, GidWords b)
{
	uint64		high = b.high - a.high - (b.low < a.low);

	return (double) high * 18446744073709551616.0 + (double) (b.low - a.low);
}

/* The canonical text of a gid. */
static inline char *
gid_to_text(GidWords id)
{
	char	   *result = palloc(GID_TEXT_LENGTH + 1);

	gid_encode(id, result);
	result[GID_TEXT_LENGTH] = '\0';
	return result;
}

/* Microseconds from the Unix epoch to PostgreSQL's, which is 2000-01-01. */
#define UNIX_TO_POSTGRES_EPOCH \
	((POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/* The creation time, in whole milliseconds.  It cannot overflow. */
static inline TimestampTz
gid_time_of(GidWords id)
{
	return (TimestampTz) gid_ms_of(id) * 1000 - UNIX_TO_POSTGRES_EPOCH;
}

/* bound.c */
#define GID_LOWER_BOUND		"_gid_lower_bound"
#define GID_UPPER_BOUND		"_gid_upper_bound"

typedef struct GidBound
{
	const char *function;		/* in SQL */
	int16		strategy;		/* how a gid compares with the bound */
} GidBound;

typedef struct GidTimeComparison
{
	PGFunction	compares;		/* compares a gid with a time */
	bool		gid_first;		/* whether the gid is its first argument */
	GidBound	bound;
} GidTimeComparison;

/* A gid is in a range if its time is at or after "from" and before "to". */
typedef struct GidTimes
{
	TimestampTz from;
	TimestampTz to;
} GidTimes;

extern const GidTimeComparison *gid_time_comparison(PGFunction compares);
extern GidWords gid_first_of_kind(uint8 prefix);
extern GidWords gid_bound_at(uint8 prefix, TimestampTz at);
extern TimestampTz gid_time_after(TimestampTz at);
extern GidTimes gid_times_in(Datum range);
extern Datum gid_bound_in_plan(FunctionCallInfo fcinfo, const void *value,
							   Size size, TimestampTz at);

/*
 * The first bound that a call computed, in fn_extra.  A filter calls the function
 * for each row, usually with the same value, such as a parameter or now().  A
 * known bound costs no memory per row.
 */
typedef struct GidKnownBound
{
	uint8		prefix;			/* of the constant kind */
	char		id[GID_SIZE];
	Size		size;
	char		value[FLEXIBLE_ARRAY_MEMBER];	/* a time, or a tstzrange */
} GidKnownBound;

/* Returns the bound at a value if it is known; otherwise a null pointer. */
static inline Datum
gid_known_bound(FunctionCallInfo fcinfo, const void *value, Size size)
{
	GidKnownBound *known = fcinfo->flinfo->fn_extra;

	return known != NULL && known->size == size &&
		memcmp(known->value, value, size) == 0 ? PointerGetDatum(known->id) : 0;
}

/* Functions that return a bound of the kind in their first argument. */
extern PGDLLEXPORT Datum gid_lower_bound(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum gid_upper_bound(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum gid_leakproof_lower_bound(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum gid_leakproof_upper_bound(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum gid_range_lower_bound(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum gid_range_upper_bound(PG_FUNCTION_ARGS);

/* compare.c */
extern int16 gid_strategy_of(PGFunction function);

/* clock.c */
extern int64 gid_instant_from_timestamp(TimestampTz at);
extern int64 gid_read_clock(void);
extern int64 gid_nearest_clock(void);
extern void gid_wait_for_clock(int64 reading, int64 microseconds);
extern int64 gid_allowed_lead(void);
extern void gid_reject_future(GidWords id, int64 instant, int64 clock);

/* estimate.c */
struct SupportRequestSelectivity;
extern bool gid_estimate_within(struct SupportRequestSelectivity *request);

/* generator.c */
extern uint64 gid_random_bits(void);
extern void gid_reject_parallel_worker(const char *action);
extern GidWords gid_next(uint8 prefix);
extern void gid_observe_instant(int64 instant);

/* io.c */
extern GidWords gid_from_bytes(const void *bytes, size_t length);

/* kind.c */
#define GID_KIND_NAME_SIZE	12	/* for any int32 and a terminating zero */

struct Const;
extern uint8 gid_find_kind(const char *name, size_t length);
extern uint8 gid_kind_from_name(const char *name, size_t length);
extern const char *gid_kind_name(int32 prefix, char *buffer);
extern bool gid_has_constant_kind(const FmgrInfo *flinfo);
extern uint8 gid_kind_argument(FunctionCallInfo fcinfo);
extern int32 gid_kind_constant(const struct Const *kind);

/* mint.c */
extern PGDLLEXPORT Datum gid_new(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum gid_random(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum gid_random_at(PG_FUNCTION_ARGS);

/* planner.c */
struct Expr;
struct FuncExpr;
struct Node;
struct PlannerInfo;
extern struct Expr *gid_bound_condition(const struct FuncExpr *call,
										struct Node *id, int32 kind,
										struct Node *at, GidBound bound);

/* planner_certain.c */
extern int32 gid_certain_kind(struct PlannerInfo *root, struct Node *expression);
extern int32 gid_compared_kind(struct PlannerInfo *root, struct Node *expression,
							   const PGFunction *bounds);
extern struct Node *gid_without_labels(struct Node *expression);

/* planner_check.c */
extern PGDLLEXPORT Datum gid_check_compared(PG_FUNCTION_ARGS);

/* planner_lookup.c */
extern void gid_watch_catalog(void);
extern uint64 gid_catalog_version;
extern PGFunction gid_address_of(Oid function);
extern Oid	gid_find_function(const char *name, Oid value_type);
extern struct FuncExpr *gid_call_with_kind(Oid function, Oid result_type,
										   int32 kind, struct Node *value);

/* settings.c */
#define GID_NO_NODE			(-1)
#define GID_MAX_NODE		1023

typedef enum GidInstantSource
{
	GID_BY_TRANSACTION,
	GID_BY_CLOCK
} GidInstantSource;

extern void gid_define_settings(void);

extern int	gid_node_number;
extern double gid_max_clock_skew;	/* milliseconds */
extern int	gid_instant_source; /* a GidInstantSource */
extern bool gid_check_comparisons;

/* settled.c */
struct LWLock;
extern Size gid_samples_size(void);
extern void gid_attach_samples(struct LWLock *lock);
extern PGDLLEXPORT Datum gid_settled(PG_FUNCTION_ARGS);

/* typmod.c */
extern PGDLLEXPORT Datum gid_enforce_kind(PG_FUNCTION_ARGS);
extern bool gid_check_kind(GidWords id, int32 typmod, struct Node *escontext);

#endif							/* GID_H */
