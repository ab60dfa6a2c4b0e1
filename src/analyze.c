/*
 * analyze.c
 *		Statistics of gid columns.
 *
 * PostgreSQL cannot interpolate between two histogram bounds of an extension's
 * type, and uses the middle of the bin.  With the default of 100 bins, an
 * estimate is wrong by up to half a percent of the table at each end.  Most
 * queries select the newest rows, and half a percent can be many times the
 * number of these rows.  Therefore the histogram of a key has four times as
 * many bins, up to 400, from the same sample.  sql/estimate.sql contains a join
 * whose plan depends on this.
 *
 * A column counts as a key if the number of its values grows with the table
 * (stadistinct is negative) and no value is common.  Other columns do not get a
 * larger target, because more common values would make joins slower to plan.
 *
 * PostgreSQL would compress so many bounds, and decompress them for each
 * estimate.  With pglz, the default before version 19, that takes longer than the
 * rest of planning a simple query, but pglz does not compress random bits.
 * Therefore the payload of a bound is random below the microseconds.  Bounds that
 * share an instant, as after a load in one transaction, keep their payloads.  Most
 * bounds of a key must have an instant of their own; otherwise more bins would
 * only divide a transaction.
 */
#include "gid.h"

#include "catalog/pg_statistic.h"
#include "commands/vacuum.h"

#define BIN_FACTOR		4
#define MAX_BINS		400

/* The values that std_typanalyze() has set, as in array_typanalyze.c. */
typedef struct GidAnalyzeExtra
{
	AnalyzeAttrComputeStatsFunc std_compute_stats;
	void	   *std_extra_data;
} GidAnalyzeExtra;

/* Whether two ids have the same millisecond and microseconds. */
static bool
share_instant(Datum a, Datum b)
{
	return DatumGetGid(a).high == DatumGetGid(b).high &&
		gid_micro_of(DatumGetGid(a)) == gid_micro_of(DatumGetGid(b));
}

/*
 * Returns how many bounds got a random payload.  The smallest and the largest id
 * stay, for the range of a merge join.
 */
static int
randomize_payloads(Datum *bounds, int count)
{
	int			result = 0;

	for (int i = 1; i + 1 < count; i++)
	{
		GidWords	id = DatumGetGid(bounds[i]);

		if (share_instant(bounds[i], bounds[i - 1]) ||
			share_instant(bounds[i], bounds[i + 1]))
			continue;
		id.low ^= gid_random_bits() >> (64 - GID_MICRO_SHIFT);
		gid_store(id, DatumGetPointer(bounds[i]));
		result++;
	}
	return result;
}

static void
compute_gid_stats(VacAttrStatsP stats, AnalyzeAttrFetchFunc fetch,
				  int samplerows, double totalrows)
{
	GidAnalyzeExtra *extra = stats->extra_data;
	int			target = gid_stats_target(stats);

	stats->extra_data = extra->std_extra_data;
	extra->std_compute_stats(stats, fetch, samplerows, totalrows);

	if (stats->stats_valid && stats->stadistinct < 0 &&
		stats->stakind[0] == STATISTIC_KIND_HISTOGRAM &&
		randomize_payloads(stats->stavalues[0], stats->numvalues[0]) > target / 2 &&
		target < MAX_BINS)
	{
		gid_stats_target(stats) = Min(target * BIN_FACTOR, MAX_BINS);
		extra->std_compute_stats(stats, fetch, samplerows, totalrows);
		gid_stats_target(stats) = target;
		(void) randomize_payloads(stats->stavalues[0], stats->numvalues[0]);
	}
	stats->extra_data = extra;
}

PG_FUNCTION_INFO_V1(gid_typanalyze);
Datum
gid_typanalyze(PG_FUNCTION_ARGS)
{
	VacAttrStats *stats = (VacAttrStats *) PG_GETARG_POINTER(0);
	GidAnalyzeExtra *extra;

	if (!std_typanalyze(stats))
		PG_RETURN_BOOL(false);

	extra = palloc(sizeof(GidAnalyzeExtra));
	extra->std_compute_stats = stats->compute_stats;
	extra->std_extra_data = stats->extra_data;
	stats->compute_stats = compute_gid_stats;
	stats->extra_data = extra;
	PG_RETURN_BOOL(true);
}
