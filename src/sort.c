/*
 * sort.c
 *		Sort support: a fast comparison, and abbreviated keys.
 *
 * An abbreviated key is one Datum.  Two different keys have the same order as
 * their ids.  Ids with equal keys are compared in full.
 *
 * The bits that distinguish ids depend on what the ids have in common.
 * Therefore keys are relative to a pivot, the first id of the sort.  The pivot
 * divides all ids into five regions.  A key is the start of the id's region
 * plus the bits that differ most within that region:
 *
 *	- Ids with the same first 8 bytes as the pivot, for example all ids of a
 *	  kind from one transaction: the payload without its lowest bit.
 *	- Other ids of the pivot's kind, before or after the pivot: the milliseconds
 *	  and the upper bits of the payload, which begins with the microseconds.
 *	- Ids of other kinds, before or after the pivot: the upper bits of the id.
 *
 * Byte 7, between milliseconds and payload, nearly always repeats the prefix,
 * but any value is valid.  An id whose byte 7 is lower or higher than the prefix
 * gets the lowest or the highest value of the payload's bits.  Other ids can
 * have the same key, and are then compared in full.
 *
 * PostgreSQL's comparator of unsigned integers compares the keys, because
 * tuplesort has a specialized path for this comparator.
 */
#include "gid.h"

#include "common/hashfn.h"
#include "lib/hyperloglog.h"
#include "utils/sortsupport.h"

/*
 * Abbreviation is worthwhile if one key in this many is distinct.  The
 * decision is made once, after enough values, because further counting would
 * cost more than it saves.
 */
#define KEYS_PER_DISTINCT	100
#define ENOUGH_VALUES		10000

/* The starts of the regions.  SAME_TIME has half of all keys. */
#define KIND_BEFORE			(UINT64CONST(0) << 61)
#define TIME_BEFORE			(UINT64CONST(1) << 61)
#define SAME_TIME			(UINT64CONST(2) << 61)
#define TIME_AFTER			(UINT64CONST(6) << 61)
#define KIND_AFTER			(UINT64CONST(7) << 61)

/* A region before or after has 61 bits, of which these are left for details. */
#define DETAIL_BITS			(61 - GID_MS_BITS)
#define MAX_DETAIL			((1 << DETAIL_BITS) - 1)

typedef struct AbbreviationState
{
	GidWords	pivot;			/* undefined until the first id */
	int64		seen;			/* values abbreviated so far */
	bool		decided;		/* counting has ended, see abbrev_abort() */
	hyperLogLogState distinct;	/* estimates how many keys differ */
} AbbreviationState;

static int
compare_full(Datum x, Datum y, SortSupport ssup)
{
	return gid_compare(DatumGetGid(x), DatumGetGid(y));
}

/*
 * Returns the upper bits of the payload.  If byte 7 is not the prefix, returns
 * the lowest or the highest value instead, because byte 7 precedes the payload.
 */
static uint64
detail_of(GidWords id)
{
	int			byte7 = gid_byte7_of(id);
	int			prefix = gid_prefix_of(id);

	if (byte7 != prefix)
		return byte7 < prefix ? 0 : MAX_DETAIL;
	return id.low >> (64 - DETAIL_BITS);
}

static uint64
abbreviate(GidWords id, GidWords pivot)
{
	bool		before = id.high < pivot.high;

	if (id.high == pivot.high)
		return SAME_TIME + (id.low >> 1);
	if (gid_prefix_of(id) == gid_prefix_of(pivot))
		return (before ? TIME_BEFORE : TIME_AFTER) +
			(gid_ms_of(id) << DETAIL_BITS) + detail_of(id);
	return (before ? KIND_BEFORE : KIND_AFTER) + (id.high >> 3);
}

static Datum
abbrev_convert(Datum original, SortSupport ssup)
{
	AbbreviationState *state = ssup->ssup_extra;
	GidWords	id = DatumGetGid(original);
	uint64		key;

	if (state->seen++ == 0)
		state->pivot = id;
	key = abbreviate(id, state->pivot);

	/* The upper half has the same order, and fits into a 32-bit Datum. */
	if (sizeof(Datum) < sizeof(uint64))
		key >>= 32;

	if (!state->decided)
	{
		uint32		folded = (uint32) key ^ (uint32) (key >> 32);

		addHyperLogLog(&state->distinct, DatumGetUInt32(hash_uint32(folded)));
	}
	return (Datum) key;
}

/*
 * Returns true to abort abbreviation if few keys are distinct.  Ids that are
 * equal or differ only in their last bits are compared in full anyway.
 */
static bool
abbrev_abort(int memtupcount, SortSupport ssup)
{
	AbbreviationState *state = ssup->ssup_extra;

	if (state->decided || state->seen < ENOUGH_VALUES)
		return false;
	state->decided = true;
	return estimateHyperLogLog(&state->distinct) * KEYS_PER_DISTINCT < state->seen;
}

PG_FUNCTION_INFO_V1(gid_sortsupport);
Datum
gid_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = compare_full;

	if (ssup->abbreviate)
	{
		MemoryContext caller = MemoryContextSwitchTo(ssup->ssup_cxt);
		AbbreviationState *state = palloc(sizeof(*state));

		state->seen = 0;
		state->decided = false;
		initHyperLogLog(&state->distinct, 10);
		MemoryContextSwitchTo(caller);

		ssup->ssup_extra = state;
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = abbrev_convert;
		ssup->abbrev_abort = abbrev_abort;
		ssup->abbrev_full_comparator = compare_full;
	}
	PG_RETURN_VOID();
}
