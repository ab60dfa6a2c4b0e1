/*
 * generator.c
 *		Minting.
 *
 * A backend's generator is a (medallion, instant, offset) triple.  A
 * transaction is one instant: its ids differ only in offset, so they stand
 * together, and transactions that follow each other have ids that follow each
 * other.  (instant, medallion) names one transaction.
 *
 * The state is the backend's own and no part of any transaction: what was
 * minted before a rollback is never minted again.
 */
#include "gid.h"

#include "access/xact.h"
#include "storage/proc.h"
#include "utils/timestamp.h"

/* A transaction's first offset is at most this, so that 2^29 more fit. */
#define MAX_FIRST_OFFSET	(UINT32_C(1) << (GID_OFFSET_BITS - 1))

typedef struct Generator
{
	LocalTransactionId transaction; /* whom it serves; none at first */
	int64		instant;		/* Unix microseconds */
	uint32		medallion;
	uint32		offset;			/* of the last id minted */

	/* What all ids of this instant have in common, for one kind or another. */
	uint64		ms_bits;		/* in the high word */
	uint64		payload_bits;	/* in the low word */
} Generator;

static Generator generator = {
	.transaction = InvalidLocalTransactionId,
	.instant = -1
};

static void
set_instant(int64 instant, uint32 offset)
{
	generator.instant = instant;
	generator.offset = offset;
	generator.ms_bits = (uint64) (instant / 1000) << GID_MS_SHIFT;
	generator.payload_bits = (uint64) (instant % 1000) << GID_MICRO_SHIFT |
		(uint64) generator.medallion << GID_MEDALLION_SHIFT;
}

/*
 * Takes up the transaction that runs now: at its start, or a microsecond
 * after the last instant where that is not earlier.  Its first offset is
 * random, so that two generators that drew one medallion still rarely meet.
 */
static void
serve_transaction(void)
{
	int64		start;
	uint64		bits;

	start = gid_instant_from_timestamp(GetCurrentTransactionStartTimestamp());
	bits = gid_random_bits();

	if (generator.instant < 0)
		generator.medallion = bits >> (64 - GID_MEDALLION_BITS);
	set_instant(Max(start, generator.instant + 1),
				bits % MAX_FIRST_OFFSET + 1);
	generator.transaction = MyLocalTransactionId();
}

static GidWords
mint(uint8 prefix)
{
	GidWords	id;

	if (unlikely(generator.transaction != MyLocalTransactionId()))
		serve_transaction();
	else if (unlikely(generator.offset == GID_MAX_OFFSET))
		set_instant(generator.instant + 1, 1);
	else
		generator.offset++;

	id.high = gid_high_word(prefix, 0) | generator.ms_bits;
	id.low = generator.payload_bits | generator.offset;
	return id;
}

/* An id for a given time: 54 random bits stand in for the generator. */
static GidWords
mint_at(uint8 prefix, TimestampTz at)
{
	int64		instant = gid_instant_from_timestamp(at);
	GidWords	id;

	id.high = gid_high_word(prefix, instant / 1000);
	id.low = (uint64) (instant % 1000) << GID_MICRO_SHIFT |
		gid_random_bits() >> (64 - GID_MICRO_SHIFT);
	return id;
}

/* Graft's own recipe: the wall clock's millisecond, the rest random. */
static GidWords
mint_random(uint8 prefix)
{
	int64		instant = gid_instant_from_timestamp(GetCurrentTimestamp());
	GidWords	id;

	id.high = gid_high_word(prefix, instant / 1000);
	id.low = gid_random_bits();
	return id;
}

PG_FUNCTION_INFO_V1(gid_new_name);
Datum
gid_new_name(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(mint(gid_kind_argument_name(fcinfo)));
}

PG_FUNCTION_INFO_V1(gid_new_number);
Datum
gid_new_number(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(mint(gid_kind_argument_number(fcinfo)));
}

PG_FUNCTION_INFO_V1(gid_new_at_name);
Datum
gid_new_at_name(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(mint_at(gid_kind_argument_name(fcinfo),
						  PG_GETARG_TIMESTAMPTZ(1)));
}

PG_FUNCTION_INFO_V1(gid_new_at_number);
Datum
gid_new_at_number(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(mint_at(gid_kind_argument_number(fcinfo),
						  PG_GETARG_TIMESTAMPTZ(1)));
}

PG_FUNCTION_INFO_V1(gid_random_name);
Datum
gid_random_name(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(mint_random(gid_kind_argument_name(fcinfo)));
}

PG_FUNCTION_INFO_V1(gid_random_number);
Datum
gid_random_number(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(mint_random(gid_kind_argument_number(fcinfo)));
}

/*
 * Does this code return a gid of the kind in its first argument, and nothing
 * else but NULL or an error?  So the planner knows our functions, whatever
 * they are called by now.
 */
bool
gid_mints_kind(PGFunction code)
{
	return code == gid_new_name || code == gid_new_number ||
		code == gid_new_at_name || code == gid_new_at_number ||
		code == gid_random_name || code == gid_random_number;
}
