/*
 * sort.c
 *		Sort support: a fast comparison, and abbreviated keys.
 *
 * An abbreviated key is an id cut down to one Datum such that keys never
 * order two ids otherwise than the ids themselves.  Prefix and milliseconds
 * fill seven bytes.  The eighth is for byte 7 and what follows it: almost
 * always byte 7 repeats the prefix and tells nothing, and then the key holds
 * the payload's first byte instead, so that ids of one millisecond still
 * differ every 4 microseconds.  But a gid from elsewhere can have anything
 * in byte 7, so the two ends of the range are for what sorts before and
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
 * Keys pay where one in this many differs; whether they do is not asked
 * before enough values were seen for an answer.
 */
#define KEYS_PER_DISTINCT	100
#define ENOUGH_VALUES		10000

typedef struct AbbreviationState
{
	int64		seen;			/* values abbreviated so far */
	hyperLogLogState distinct;	/* estimates how many keys differ */
} AbbreviationState;

static int
compare_full(Datum x, Datum y, SortSupport ssup)
{
	return gid_compare(DatumGetGid(x), DatumGetGid(y));
}

static uint64
abbreviate(GidWords id)
{
	uint8		byte7 = gid_byte7_of(id);
	uint8		prefix = gid_prefix_of(id);
	uint8		last;

	if (byte7 < prefix)
		last = 0;
	else if (byte7 > prefix)
		last = 255;
	else
		last = Min(id.low >> 56, 253) + 1;	/* gid_new() writes 249 at most */
	return (id.high & ~UINT64CONST(0xFF)) | last;
}

static Datum
abbrev_convert(Datum original, SortSupport ssup)
{
	AbbreviationState *state = ssup->ssup_extra;
	uint64		key = abbreviate(DatumGetGid(original));

	/* Half a key where a Datum is only 32 bits: still in order. */
	if (sizeof(Datum) < sizeof(uint64))
		key >>= 32;

	state->seen++;
	addHyperLogLog(&state->distinct,
				   DatumGetUInt32(hash_any((unsigned char *) &key,
										   sizeof(key))));
	return (Datum) key;
}

/*
 * Should this sort go on without abbreviated keys?  The ids of one big
 * transaction, or of a few, share an instant and so a key; then keys are only
 * in the way.
 */
static bool
abbrev_abort(int memtupcount, SortSupport ssup)
{
	AbbreviationState *state = ssup->ssup_extra;

	return state->seen >= ENOUGH_VALUES &&
		estimateHyperLogLog(&state->distinct) * KEYS_PER_DISTINCT < state->seen;
}

PG_FUNCTION_INFO_V1(gid_sortsupport);
Datum
gid_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = compare_full;

	if (ssup->abbreviate)
	{
		AbbreviationState *state;

		state = MemoryContextAlloc(ssup->ssup_cxt, sizeof(*state));
		state->seen = 0;
		initHyperLogLog(&state->distinct, 10);

		ssup->ssup_extra = state;
		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = abbrev_convert;
		ssup->abbrev_abort = abbrev_abort;
		ssup->abbrev_full_comparator = compare_full;
	}
	PG_RETURN_VOID();
}
