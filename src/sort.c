/*
 * sort.c
 *		Sort support: a fast comparison, and abbreviated keys.
 *
 * An abbreviated key is one Datum, and orders two ids as the ids themselves do
 * or not at all.  Which bits distinguish ids depends on what they have in
 * common, so keys are relative to a pivot, the first id of the sort.  The pivot
 * divides all ids into five regions.  A key is the start of the id's region
 * plus the bits that differ most within that region:
 *
 *	- in the pivot's millisecond, where all that one transaction minted is,
 *	  the payload less its last bit;
 *	- otherwise of the pivot's kind, the milliseconds, then microseconds and
 *	  what is next in the payload;
 *	- of another kind, the upper bits of the id.
 *
 * Byte 7, between milliseconds and payload, nearly always repeats the prefix.
 * A gid from elsewhere can have any value there, so the lowest and the highest
 * value of the payload's bits are kept for ids whose byte 7 is lower or higher
 * than the prefix.
 *
 * Keys compare as unsigned integers with PostgreSQL's own comparator, for
 * which tuplesort has a specialised path.
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
	bool		decided;		/* to abbreviate; no more counting */
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

	/* With a 32-bit Datum, the upper half is still in order. */
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
 * Returns true to abort abbreviation, because few keys are distinct: ids that
 * are equal or differ in their last bits only are compared in full anyway.
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
