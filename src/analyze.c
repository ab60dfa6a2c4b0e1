/*
 * analyze.c
 *		Statistics of gid columns.
 *
 * PostgreSQL cannot tell where between two bounds of a histogram a value of
 * an extension's type lies, and takes the middle.  With the hundred bins of
 * the default, an estimate is off by up to half a percent of the table at each
 * end: half or double the rows of the last percent, which is what one asks a
 * table keyed by creation time for most often.  So a key gets a histogram of
 * four times as many bins, from the same sample.
 *
 * Only a key, a column whose sample has no value twice: from others, a larger
 * target would bring more most common values, which make joins costlier to
 * plan.
 */
#include "gid.h"

#include "catalog/pg_statistic.h"
#include "commands/vacuum.h"

#define FINER			4
#define MOST_BINS		10000	/* PostgreSQL's own limit */

/* PostgreSQL's for a type with "=" and "<": the same for every column. */
static AnalyzeAttrComputeStatsFunc compute_scalar;

static void
compute_gid(VacAttrStatsP stats, AnalyzeAttrFetchFunc fetch, int samplerows,
			double totalrows)
{
	int			target = gid_stats_target(stats);
	float4		all_distinct;

	compute_scalar(stats, fetch, samplerows, totalrows);
	all_distinct = -1.0 * (1.0 - stats->stanullfrac);
	if (!stats->stats_valid || stats->stadistinct != all_distinct ||
		stats->stakind[0] != STATISTIC_KIND_HISTOGRAM)
		return;

	gid_stats_target(stats) = Min(target * FINER, MOST_BINS);
	compute_scalar(stats, fetch, samplerows, totalrows);
	gid_stats_target(stats) = target;
}

PG_FUNCTION_INFO_V1(gid_typanalyze);
Datum
gid_typanalyze(PG_FUNCTION_ARGS)
{
	VacAttrStats *stats = (VacAttrStats *) PG_GETARG_POINTER(0);

	if (!std_typanalyze(stats))
		PG_RETURN_BOOL(false);

	compute_scalar = stats->compute_stats;
	stats->compute_stats = compute_gid;
	PG_RETURN_BOOL(true);
}
