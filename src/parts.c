/*
 * parts.c
 *		The parts of a gid, as SQL functions: each part, the compact text, and a
 *		gid from its parts.
 *
 * Every gid has a kind, a prefix, a time in milliseconds and a payload.  If
 * gid_new() minted it, it also has a muid: an instant, a medallion and an offset.
 * For other gids these are NULL, as uuid_extract_timestamp() is for a UUID
 * without a time.  The functions that return a part raise no error, so they are
 * leakproof.
 *
 * This file must not depend on how ids are minted (generator.c), or on the
 * clock.  layout.h defines where the bits of each part are.
 */
#include "gid.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(gid_kind);
Datum
gid_kind(PG_FUNCTION_ARGS)
{
	char		name[GID_KIND_NAME_SIZE];

	PG_RETURN_TEXT_P(cstring_to_text(gid_kind_name(gid_prefix_of(PG_GETARG_GID(0)),
												   name)));
}

PG_FUNCTION_INFO_V1(gid_prefix);
Datum
gid_prefix(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(gid_prefix_of(PG_GETARG_GID(0)));
}

PG_FUNCTION_INFO_V1(gid_timestamp);
Datum
gid_timestamp(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(gid_time_of(PG_GETARG_GID(0)));
}

PG_FUNCTION_INFO_V1(gid_payload);
Datum
gid_payload(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) PG_GETARG_GID(0).low);
}

PG_FUNCTION_INFO_V1(gid_compact);
Datum
gid_compact(PG_FUNCTION_ARGS)
{
	char		digits[GID_COMPACT_LENGTH];

	gid_encode_compact(PG_GETARG_GID(0), digits);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, GID_COMPACT_LENGTH));
}

PG_FUNCTION_INFO_V1(gid_instant);
Datum
gid_instant(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);

	if (!gid_has_muid(id))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(gid_time_of(id) + gid_micro_of(id));
}

#define PART_OF_MUID(name, part) \
PG_FUNCTION_INFO_V1(name); \
Datum \
name(PG_FUNCTION_ARGS) \
{ \
	GidWords	id = PG_GETARG_GID(0); \
	\
	if (!gid_has_muid(id)) \
		PG_RETURN_NULL(); \
	PG_RETURN_INT32(part(id)); \
} \
extern Datum name(PG_FUNCTION_ARGS)

PART_OF_MUID(gid_medallion, gid_medallion_of);
PART_OF_MUID(gid_node, gid_node_of);
PART_OF_MUID(gid_offset, gid_offset_of);

PG_FUNCTION_INFO_V1(gid_transaction);
Datum
gid_transaction(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);

	if (!gid_has_muid(id))
		PG_RETURN_NULL();
	id.low -= gid_offset_of(id);
	PG_RETURN_GID(id);
}

/* Added to the medallion, which always has 11 hexadecimal digits in a muid. */
#define MUID_MEDALLION_BASE		UINT64CONST(0x10000000000)

PG_FUNCTION_INFO_V1(gid_muid);
Datum
gid_muid(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);
	uint64		instant = gid_ms_of(id) * 1000 + gid_micro_of(id);
	uint64		medallion = MUID_MEDALLION_BASE + gid_medallion_of(id);

	if (!gid_has_muid(id))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("%013llX-%011llX-%08X",
											  (unsigned long long) instant,
											  (unsigned long long) medallion,
											  gid_offset_of(id))));
}

/*
 * Converts the text of a muid to a gid.  Digits can be in upper or lower case,
 * and an offset of 0 is optional.  Starting in the year 2112, the time has more
 * than 13 digits, also in the results of gid_muid().
 *
 * In a muid, the medallion has 40 bits and the offset has 32 bits.  In a gid,
 * they have 24 and 30 bits.
 */
PG_FUNCTION_INFO_V1(gid_from_muid);
Datum
gid_from_muid(PG_FUNCTION_ARGS)
{
	static const char hex_digits[] = "0123456789ABCDEFabcdef";
	uint8		prefix = gid_kind_argument(fcinfo);
	char	   *muid = text_to_cstring(PG_GETARG_TEXT_PP(1));
	size_t		instant_length = strspn(muid, hex_digits);
	char	   *rest = muid + instant_length;
	size_t		rest_length = strlen(rest);
	bool		has_offset = (rest_length == 21);
	int64		instant;
	uint64		medallion;
	uint32		offset;

	if (instant_length < 13 || instant_length > 15 ||
		(rest_length != 12 && !has_offset) ||
		rest[0] != '-' || strspn(rest + 1, hex_digits) != 11 ||
		(has_offset && (rest[12] != '-' || strspn(rest + 13, hex_digits) != 8)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid muid: \"%s\"", muid),
				 errdetail("A muid has hexadecimal digits, 13 of time, 11 of medallion and 8 of offset, with dashes between.")));

	instant = gid_instant_from_timestamp((TimestampTz) strtoull(muid, NULL, 16) -
										 UNIX_TO_POSTGRES_EPOCH);
	medallion = strtoull(rest + 1, NULL, 16);
	offset = has_offset ? strtoul(rest + 13, NULL, 16) : 0;

	if (medallion < MUID_MEDALLION_BASE ||
		medallion > MUID_MEDALLION_BASE + GID_MAX_MEDALLION ||
		offset > GID_MAX_OFFSET)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("muid out of range for type gid: \"%s\"", muid),
				 errdetail("A gid holds medallions from %011llX to %011llX, and offsets from 00000000 to %08X.",
						   (unsigned long long) MUID_MEDALLION_BASE,
						   (unsigned long long) (MUID_MEDALLION_BASE + GID_MAX_MEDALLION),
						   GID_MAX_OFFSET)));

	PG_RETURN_GID(gid_pack(prefix, instant, medallion - MUID_MEDALLION_BASE,
						   offset));
}

/*
 * Returns a gid with this kind, the whole millisecond of this time, and this
 * payload of 64 bits.  A negative payload has the highest bit set.
 */
PG_FUNCTION_INFO_V1(gid_make);
Datum
gid_make(PG_FUNCTION_ARGS)
{
	uint8		prefix = gid_kind_argument(fcinfo);
	int64		instant = gid_instant_from_timestamp(PG_GETARG_TIMESTAMPTZ(1));

	PG_RETURN_GID(gid_with_payload(prefix, instant / 1000,
								   (uint64) PG_GETARG_INT64(2)));
}
