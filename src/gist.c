/*
 * gist.c
 *		The GiST class: exclusion constraints and keys WITHOUT OVERLAPS, which
 *		combine an id with a range.
 *
 * A key is a bytea.  On leaf pages it contains the id, on inner pages the
 * smallest and the largest id of the page below.  A leaf key is read as a range
 * of one id, so no function distinguishes the two.
 *
 * This file must not depend on what the bits of an id mean.
 */
#include "gid.h"

#include "access/gist.h"
#include "access/stratnum.h"
#include "utils/sortsupport.h"

/* "<>" has no number in btree; in btree_gist it is 6, too. */
#define NOT_EQUAL_STRATEGY	6

typedef struct GidRange
{
	GidWords	lower;
	GidWords	upper;
} GidRange;

/* Reads a key, which can have a short varlena header and any alignment. */
static GidRange
read_key(Datum key)
{
	const char *bytes = VARDATA_ANY(DatumGetPointer(key));
	size_t		length = VARSIZE_ANY_EXHDR(DatumGetPointer(key));
	GidRange	range;

	if (length != GID_SIZE && length != 2 * GID_SIZE)
		ereport(ERROR,
				(errcode(ERRCODE_INDEX_CORRUPTED),
				 errmsg("GiST index contains a key of %d bytes", (int) length),
				 errdetail("A key of type gid has %d or %d bytes.",
						   GID_SIZE, 2 * GID_SIZE),
				 errhint("REINDEX the index.")));
	range.lower = gid_load(bytes);
	range.upper = gid_load(bytes + length - GID_SIZE);
	return range;
}

/* Returns the key of an inner page, or of a leaf page, which is shorter. */
static Datum
make_key(GidRange range, bool is_leaf)
{
	Size		size = VARHDRSZ + (is_leaf ? 1 : 2) * GID_SIZE;
	bytea	   *key = palloc(VARHDRSZ + 2 * GID_SIZE);

	SET_VARSIZE(key, size);
	gid_store(range.lower, VARDATA(key));
	gid_store(range.upper, VARDATA(key) + GID_SIZE);
	return PointerGetDatum(key);
}

static void
extend(GidRange *range, GidRange by)
{
	if (gid_compare(by.lower, range->lower) < 0)
		range->lower = by.lower;
	if (gid_compare(by.upper, range->upper) > 0)
		range->upper = by.upper;
}

static GISTENTRY *
with_key(const GISTENTRY *entry, Datum key)
{
	GISTENTRY  *result = palloc(sizeof(*result));

	gistentryinit(*result, key, entry->rel, entry->page, entry->offset, false);
	return result;
}

PG_FUNCTION_INFO_V1(gid_gist_compress);
Datum
gid_gist_compress(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GidRange	range;

	if (!entry->leafkey)
		PG_RETURN_POINTER(entry);
	range.lower = range.upper = DatumGetGid(entry->key);
	PG_RETURN_POINTER(with_key(entry, make_key(range, true)));
}

/* Returns the id of a leaf key, for scans that read only the index. */
PG_FUNCTION_INFO_V1(gid_gist_fetch);
Datum
gid_gist_fetch(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);

	PG_RETURN_POINTER(with_key(entry, GidGetDatum(read_key(entry->key).lower)));
}

PG_FUNCTION_INFO_V1(gid_gist_consistent);
Datum
gid_gist_consistent(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GidRange	key = read_key(entry->key);
	GidWords	query = PG_GETARG_GID(1);
	StrategyNumber strategy = PG_GETARG_UINT16(2);
	int			lower = gid_compare(key.lower, query);
	int			upper = gid_compare(key.upper, query);

	*(bool *) PG_GETARG_POINTER(4) = false; /* no need to recheck */
	switch (strategy)
	{
		case BTLessStrategyNumber:
			PG_RETURN_BOOL(lower < 0);
		case BTLessEqualStrategyNumber:
			PG_RETURN_BOOL(lower <= 0);
		case BTEqualStrategyNumber:
			PG_RETURN_BOOL(lower <= 0 && upper >= 0);
		case BTGreaterEqualStrategyNumber:
			PG_RETURN_BOOL(upper >= 0);
		case BTGreaterStrategyNumber:
			PG_RETURN_BOOL(upper > 0);
		case NOT_EQUAL_STRATEGY:
			PG_RETURN_BOOL(lower != 0 || upper != 0);
		default:
			elog(ERROR, "unrecognized strategy number: %d", strategy);
	}
}

PG_FUNCTION_INFO_V1(gid_gist_union);
Datum
gid_gist_union(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	GidRange	all = read_key(entries->vector[0].key);

	for (int i = 1; i < entries->n; i++)
		extend(&all, read_key(entries->vector[i].key));
	*(int *) PG_GETARG_POINTER(1) = VARHDRSZ + 2 * GID_SIZE;
	PG_RETURN_DATUM(make_key(all, false));
}

PG_FUNCTION_INFO_V1(gid_gist_same);
Datum
gid_gist_same(PG_FUNCTION_ARGS)
{
	GidRange	a = read_key(PG_GETARG_DATUM(0));
	GidRange	b = read_key(PG_GETARG_DATUM(1));
	bool	   *result = (bool *) PG_GETARG_POINTER(2);

	*result = (memcmp(&a, &b, sizeof(GidRange)) == 0);
	PG_RETURN_POINTER(result);
}

/*
 * The cost of adding a key to a page: by how much the range grows.  Relative to
 * its size, ids that arrive in order would all go to the largest old page.
 */
PG_FUNCTION_INFO_V1(gid_gist_penalty);
Datum
gid_gist_penalty(PG_FUNCTION_ARGS)
{
	GidRange	page = read_key(((GISTENTRY *) PG_GETARG_POINTER(0))->key);
	GidRange	added = read_key(((GISTENTRY *) PG_GETARG_POINTER(1))->key);
	float	   *penalty = (float *) PG_GETARG_POINTER(2);
	GidRange	all = page;

	extend(&all, added);
	*penalty = gid_distance(all.lower, page.lower) +
		gid_distance(page.upper, all.upper);
	PG_RETURN_POINTER(penalty);
}

typedef struct SplitItem
{
	GidRange	range;
	OffsetNumber offset;
} SplitItem;

static int
compare_items(const void *a, const void *b)
{
	return gid_compare(((const SplitItem *) a)->range.lower,
					   ((const SplitItem *) b)->range.lower);
}

/* Splits a page in the middle of the order of its ids. */
PG_FUNCTION_INFO_V1(gid_gist_picksplit);
Datum
gid_gist_picksplit(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	GIST_SPLITVEC *split = (GIST_SPLITVEC *) PG_GETARG_POINTER(1);
	int			count = entries->n - FirstOffsetNumber;
	SplitItem  *items = palloc(count * sizeof(SplitItem));
	GidRange	left;
	GidRange	right;

	for (int i = 0; i < count; i++)
	{
		items[i].offset = i + FirstOffsetNumber;
		items[i].range = read_key(entries->vector[items[i].offset].key);
	}
	qsort(items, count, sizeof(SplitItem), compare_items);

	split->spl_nleft = count / 2;
	split->spl_nright = count - split->spl_nleft;
	/* PostgreSQL can move entries to the other side, so each has room for all */
	split->spl_left = palloc(count * sizeof(OffsetNumber));
	split->spl_right = palloc(count * sizeof(OffsetNumber));
	left = items[0].range;
	right = items[split->spl_nleft].range;
	for (int i = 0; i < count; i++)
	{
		bool		is_left = i < split->spl_nleft;

		extend(is_left ? &left : &right, items[i].range);
		if (is_left)
			split->spl_left[i] = items[i].offset;
		else
			split->spl_right[i - split->spl_nleft] = items[i].offset;
	}
	split->spl_ldatum = make_key(left, false);
	split->spl_rdatum = make_key(right, false);
	PG_RETURN_POINTER(split);
}

static int
compare_keys(Datum x, Datum y, SortSupport ssup)
{
	return gid_compare(read_key(x).lower, read_key(y).lower);
}

/* The upper bytes of an id, as many as fit into a Datum. */
static Datum
abbreviate_key(Datum key, SortSupport ssup)
{
	return (Datum) (read_key(key).lower.high >> (64 - 8 * sizeof(Datum)));
}

/*
 * Equal abbreviated keys cost one comparison of integers, so abbreviation is never
 * aborted.  PostgreSQL 15 asks for each row of a GiST index.  An estimate of how
 * many keys are distinct, as for bytea, would take longer than the sort.
 */
static bool
continue_abbreviation(int memtupcount, SortSupport ssup)
{
	return false;
}

/* The order in which CREATE INDEX writes leaf pages. */
PG_FUNCTION_INFO_V1(gid_gist_sortsupport);
Datum
gid_gist_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = compare_keys;
	if (ssup->abbreviate)
	{
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = abbreviate_key;
		ssup->abbrev_abort = continue_abbreviation;
		ssup->abbrev_full_comparator = compare_keys;
	}
	PG_RETURN_VOID();
}

/*
 * Function 12: the strategy number of a CompareType, which has the numbers of
 * btree.  Version 18 looks it up for WITHOUT OVERLAPS and PERIOD.
 */
PG_FUNCTION_INFO_V1(gid_gist_strategy);
Datum
gid_gist_strategy(PG_FUNCTION_ARGS)
{
	int32		type = PG_GETARG_INT32(0);

	PG_RETURN_UINT16(type > 0 && type < NOT_EQUAL_STRATEGY ? type : InvalidStrategy);
}
