/*
 * analyze.c
 *		Statistics of gid columns.
 *
 * PostgreSQL cannot interpolate between two histogram bounds of an extension's
 * type, and uses the middle of the bin.  With the default of 100 bins, an
 * estimate is wrong by up to half a percent of the table at each end.  Most
 * queries select the newest rows, and half a percent can be many times the
 * number of these rows.  Therefore the histogram of a key has four times as
 * many bins, from the same sample.  sql/estimate.sql contains a join whose plan
 * depends on this.
 *
 * A column counts as a key if the number of its values grows with the table
 * (stadistinct is negative) and no value is common.  Other columns do not get a
 * larger target, because more common values would make joins slower to plan.
 */
#include "gid.h"

#include "catalog/pg_statistic.h"
#include "commands/vacuum.h"

#define BIN_FACTOR		4
#define MAX_BINS		10000	/* MAX_STATISTICS_TARGET of newer versions */

/* The values that std_typanalyze() has set, as in array_typanalyze.c. */
typedef struct GidAnalyzeExtra
{
	AnalyzeAttrComputeStatsFunc std_compute_stats;
	void	   *std_extra_data;
} GidAnalyzeExtra;

static void
compute_gid_stats(VacAttrStatsP stats, AnalyzeAttrFetchFunc fetch,
				  int samplerows, double totalrows)
{
	GidAnalyzeExtra *extra = stats->extra_data;
	int			target = gid_stats_target(stats);

	stats->extra_data = extra->std_extra_data;
	extra->std_compute_stats(stats, fetch, samplerows, totalrows);

	if (stats->stats_valid && stats->stadistinct < 0 &&
		stats->stakind[0] == STATISTIC_KIND_HISTOGRAM)
	{
		gid_stats_target(stats) = Min(target * BIN_FACTOR, MAX_BINS);
		extra->std_compute_stats(stats, fetch, samplerows, totalrows);
		gid_stats_target(stats) = target;
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
