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
 *	  kind from one transaction: how far the payload is from the pivot's.  Up to
 *	  2^61 the distance is exact, so that ids of one transaction have different
 *	  keys.  Larger ones lose their lowest three bits.
 *	- Other ids of the pivot's kind, before or after the pivot: the milliseconds
 *	  and the upper bits of the payload, which begins with the microseconds.
 *	- Ids of other kinds, before or after the pivot: the upper bits of the id.
 *
 * Byte 7, between milliseconds and payload, is compared before the payload.  It
 * is the prefix in ids of gid_new(), and 255 in ids of gid_random(), clients and
 * conversions.  Each of these two groups has half of the values for the bits of
 * the payload.  Ids with another byte 7 get the lowest value of a half.
 *
 * If the pivot is not of the transaction that minted most of the ids, all of
 * these have one key, and are compared in full.
 *
 * PostgreSQL's comparator of unsigned integers compares the keys, because
 * tuplesort has a specialized path for this comparator.
 */
#include "gid.h"

#include "common/hashfn.h"
#include "lib/hyperloglog.h"
#include "utils/sortsupport.h"

/*
 * Abbreviation is worthwhile if one key in this many is distinct.  Only so many
 * values are counted, because further counting would cost more than it saves.
 */
#define KEYS_PER_DISTINCT	100
#define COUNTED_VALUES		10000

/* The starts of the regions.  That of the pivot's time has half of all keys. */
#define KIND_BEFORE			(UINT64CONST(0) << 61)
#define TIME_BEFORE			(UINT64CONST(1) << 61)
#define TIME_AFTER			(UINT64CONST(6) << 61)
#define KIND_AFTER			(UINT64CONST(7) << 61)

/* In the middle of the region of its time. */
#define KEY_OF_PIVOT		(UINT64CONST(4) << 61)
#define MAX_EXACT			(UINT64CONST(1) << 61)

/* A region before or after has 61 bits, of which these are left for details. */
#define DETAIL_BITS			(61 - GID_MS_BITS)
#define ABOVE_PREFIX		(UINT64CONST(1) << (DETAIL_BITS - 1))

typedef struct AbbreviationState
{
	GidWords	pivot;			/* undefined until the first id */
	int64		seen;			/* values abbreviated so far */
	hyperLogLogState distinct;	/* estimates how many keys differ */
} AbbreviationState;

static int
compare_full(Datum x, Datum y, SortSupport ssup)
{
	return gid_compare(DatumGetGid(x), DatumGetGid(y));
}

/* Whether byte 7 is above the prefix, and the upper bits of the payload. */
static uint64
detail_of(GidWords id)
{
	uint8		byte7 = gid_byte7_of(id);
	uint8		prefix = gid_prefix_of(id);
	uint64		group = byte7 > prefix ? ABOVE_PREFIX : 0;

	if (byte7 != prefix && byte7 != GID_OTHER_PAYLOAD)
		return group;
	return group + (id.low >> (64 - (DETAIL_BITS - 1)));
}

/* It is less than 2^62 from the key of the pivot. */
static uint64
key_of_payload(uint64 payload, uint64 pivot)
{
	bool		before = payload < pivot;
	uint64		distance = before ? pivot - payload : payload - pivot;

	if (distance >= MAX_EXACT)
		distance = MAX_EXACT + distance / 8;
	return before ? KEY_OF_PIVOT - distance : KEY_OF_PIVOT + distance;
}

static uint64
abbreviate(GidWords id, GidWords pivot)
{
	bool		before = id.high < pivot.high;

	if (id.high == pivot.high)
		return key_of_payload(id.low, pivot.low);
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

	if (state->seen == 0)
		state->pivot = id;
	key = abbreviate(id, state->pivot);

	/* The upper half has the same order, and fits into a 32-bit Datum. */
	if (sizeof(Datum) < sizeof(uint64))
		key >>= 32;

	if (state->seen++ < COUNTED_VALUES)
		addHyperLogLog(&state->distinct,
					   hash_bytes((unsigned char *) &key, sizeof(key)));
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

	return state->seen >= COUNTED_VALUES &&
		estimateHyperLogLog(&state->distinct) * KEYS_PER_DISTINCT < COUNTED_VALUES;
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
		AbbreviationState *state = palloc0(sizeof(*state));

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
