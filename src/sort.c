/*
 * sort.c
 *		Sort support: a fast comparison, and abbreviated keys.
 *
 * An abbreviated key is an id cut down to one Datum such that keys never
 * order two ids otherwise than the ids themselves.  What is worth keeping
 * depends on what the ids share, so keys are made in relation to a pivot, the
 * first id that the sort sees.  It divides all ids into five regions, and a key
 * is where the id's region starts plus what tells the id from others there:
 *
 *	- in the pivot's millisecond, where all that one transaction minted is,
 *	  the payload less its last bit;
 *	- otherwise of the pivot's kind, the milliseconds, then microseconds and
 *	  what is next in the payload;
 *	- of another kind, the upper bits of the id.
 *
 * Byte 7 lies between milliseconds and payload.  It repeats the prefix and
 * tells nothing, almost always: but a gid from elsewhere can have anything
 * there, so the two ends of the payload's range are for what sorts before and
 * after all ids that repeat it.
 *
 * Keys compare as unsigned integers with PostgreSQL's own comparator, for
 * which tuplesort has a specialised path.
 */
#include "gid.h"

#include "common/hashfn.h"
#include "lib/hyperloglog.h"
#include "utils/sortsupport.h"

/*
 * Keys pay where one in this many differs.  That is judged once, when enough
 * values were seen for an answer; to go on counting costs more than it tells.
 */
#define KEYS_PER_DISTINCT	100
#define ENOUGH_VALUES		10000

/* Where the regions start: half of all keys are for the pivot's millisecond. */
#define KIND_BEFORE			(UINT64CONST(0) << 61)
#define TIME_BEFORE			(UINT64CONST(1) << 61)
#define SAME_TIME			(UINT64CONST(2) << 61)
#define TIME_AFTER			(UINT64CONST(6) << 61)
#define KIND_AFTER			(UINT64CONST(7) << 61)

/* Before and after, there are 61 bits, and below the milliseconds these. */
#define DETAIL_BITS			(61 - GID_MS_BITS)
#define MAX_DETAIL			((1 << DETAIL_BITS) - 1)

typedef struct AbbreviationState
{
	GidWords	pivot;			/* meaningful once an id was seen */
	int64		seen;			/* values abbreviated so far */
	bool		judged;			/* do keys pay?  If so, no more counting */
	hyperLogLogState distinct;	/* estimates how many keys differ */
} AbbreviationState;

static int
compare_full(Datum x, Datum y, SortSupport ssup)
{
	return gid_compare(DatumGetGid(x), DatumGetGid(y));
}

/* The payload's upper bits, or an end of their range for a foreign byte 7. */
static uint64
detail_of(GidWords id)
{
	uint8		byte7 = gid_byte7_of(id);
	uint8		prefix = gid_prefix_of(id);

	if (byte7 < prefix)
		return 0;
	if (byte7 > prefix)
		return MAX_DETAIL;
	/* gid_new() has at most 999 in the upper ten bits, far from the end */
	return Min(id.low >> (64 - DETAIL_BITS), MAX_DETAIL - 2) + 1;
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

	/* Half a key where a Datum is only 32 bits: still in order. */
	if (sizeof(Datum) < sizeof(uint64))
		key >>= 32;

	if (!state->judged)
		addHyperLogLog(&state->distinct, (uint32) murmurhash64(key));
	return (Datum) key;
}

/*
 * Should this sort go on without abbreviated keys?  Where few ids differ, or
 * only in their last bits, keys are in the way.
 */
static bool
abbrev_abort(int memtupcount, SortSupport ssup)
{
	AbbreviationState *state = ssup->ssup_extra;

	if (state->judged || state->seen < ENOUGH_VALUES)
		return false;
	state->judged = true;
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
		state->judged = false;
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
