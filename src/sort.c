/*
 * sort.c
 *		Sort support: a fast comparison, and abbreviated keys.
 *
 * An abbreviated key is one Datum.  Two different keys have the same order as
 * their ids.  Ids with equal keys are compared in full.
 *
 * All ids of a transaction, of one kind, have the same first 8 bytes.  Therefore
 * keys are relative to a pivot, the first id of the sort:
 *
 *	- Ids with the first 8 bytes of the pivot: how far the payload is from the
 *	  pivot's.  Up to 2^61 the distance is exact, so that ids of one transaction
 *	  have different keys.  Larger distances lose their lowest three bits.
 *	- Other ids, before or after the pivot: the kind, the milliseconds, and the
 *	  upper bits of the payload, which begins with the microseconds.
 *
 * If the pivot is not of the transaction that minted most of the ids, all of
 * these have one key, and are compared in full.
 *
 * PostgreSQL's comparator of unsigned integers compares the keys, because
 * tuplesort has a specialized path for this comparator.
 */
#include "gid.h"

#include "utils/sortsupport.h"

/*
 * Abbreviation is worthwhile if one key in this many is not that of the id
 * before.  PostgreSQL asks more and more rarely, so the first ids decide.
 */
#define KEYS_PER_CHANGE		100
#define DECIDING_VALUES		10000

/* A quarter of the keys are before the pivot's first 8 bytes, a quarter after. */
#define KEY_OF_PIVOT		(UINT64CONST(2) << 62)
#define FIRST_AFTER			(UINT64CONST(3) << 62)
#define MAX_EXACT			(UINT64CONST(1) << 61)

/* The bits of a key after the kind, of which the highest bit is 1, and the time. */
#define DETAIL_BITS			(62 - 7 - GID_MS_BITS)

typedef struct AbbreviationState
{
	GidWords	pivot;			/* undefined until the first id */
	uint64		last;			/* key */
	int64		seen;			/* values abbreviated so far */
	int64		changes;		/* keys that were not the key before */
} AbbreviationState;

static int
compare_full(Datum x, Datum y, SortSupport ssup)
{
	return gid_compare(DatumGetGid(x), DatumGetGid(y));
}

/*
 * Whether byte 7 is above the prefix, and the upper bits of the payload.  Byte 7 is
 * compared before the payload.  It is the prefix in ids of gid_new(), and 255 in
 * ids of gid_random(), clients and conversions.  Other ids lose the payload.
 */
static uint64
detail_of(GidWords id)
{
	uint8		byte7 = gid_byte7_of(id);
	uint8		prefix = gid_prefix_of(id);
	uint64		group = (uint64) (byte7 > prefix) << (DETAIL_BITS - 1);

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

static Datum
abbrev_convert(Datum original, SortSupport ssup)
{
	AbbreviationState *state = ssup->ssup_extra;
	GidWords	id = DatumGetGid(original);
	uint64		key;

	if (state->seen++ == 0)
		state->pivot = id;
	if (id.high == state->pivot.high)
		key = key_of_payload(id.low, state->pivot.low);
	else
		key = (id.high < state->pivot.high ? 0 : FIRST_AFTER) +
			(id.high << 1 >> (GID_MS_SHIFT + 1) << DETAIL_BITS) + detail_of(id);

	/* The upper half has the same order, and fits into a 32-bit Datum. */
	if (sizeof(Datum) < sizeof(uint64))
		key >>= 32;
	state->changes += (key != state->last);
	state->last = key;
	return (Datum) key;
}

/*
 * Returns true to abort abbreviation if nearly all keys are equal.  Ids that are
 * equal or differ only in their last bits are compared in full anyway.
 */
static bool
abbrev_abort(int memtupcount, SortSupport ssup)
{
	AbbreviationState *state = ssup->ssup_extra;

	return state->seen >= DECIDING_VALUES &&
		state->changes * KEYS_PER_CHANGE < state->seen;
}

PG_FUNCTION_INFO_V1(gid_sortsupport);
Datum
gid_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = compare_full;
	if (ssup->abbreviate)
	{
		ssup->ssup_extra = MemoryContextAllocZero(ssup->ssup_cxt,
												  sizeof(AbbreviationState));
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = abbrev_convert;
		ssup->abbrev_abort = abbrev_abort;
		ssup->abbrev_full_comparator = compare_full;
	}
	PG_RETURN_VOID();
}
