/*
 * muid.c
 *		Muids: the instant, the medallion and the offset of an id that
 *		gid_new() minted.
 *
 * The payload of other gids is not a muid.  If the bits show this, the result
 * is NULL, like that of uuid_extract_timestamp() for a UUID without a time.  If
 * the bits do not show this, the result is meaningless.
 */
#include "gid.h"

#include "utils/builtins.h"

/* Added to the medallion, which always has 11 hexadecimal digits in a muid. */
#define MUID_MEDALLION_BASE		UINT64CONST(0x10000000000)

PG_FUNCTION_INFO_V1(gid_medallion);
Datum
gid_medallion(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);

	if (!gid_may_be_muid(id))
		PG_RETURN_NULL();
	PG_RETURN_INT32(gid_medallion_of(id));
}

/* The upper 10 bits of the medallion: gid.node, or random if it is not set. */
PG_FUNCTION_INFO_V1(gid_node_of);
Datum
gid_node_of(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);

	if (!gid_may_be_muid(id))
		PG_RETURN_NULL();
	PG_RETURN_INT32(gid_medallion_of(id) >> GID_SLOT_BITS);
}

PG_FUNCTION_INFO_V1(gid_offset);
Datum
gid_offset(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);

	if (!gid_may_be_muid(id))
		PG_RETURN_NULL();
	PG_RETURN_INT32(gid_offset_of(id));
}

PG_FUNCTION_INFO_V1(gid_transaction);
Datum
gid_transaction(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);

	if (!gid_may_be_muid(id))
		PG_RETURN_NULL();
	id.low -= gid_offset_of(id);
	PG_RETURN_GID(id);
}

PG_FUNCTION_INFO_V1(gid_muid);
Datum
gid_muid(PG_FUNCTION_ARGS)
{
	GidWords	id = PG_GETARG_GID(0);
	uint64		instant;

	if (!gid_may_be_muid(id))
		PG_RETURN_NULL();
	instant = gid_ms_of(id) * 1000 + gid_micro_of(id);
	PG_RETURN_TEXT_P(cstring_to_text(psprintf("%013llX-%011llX-%08X",
											  (unsigned long long) instant,
											  (unsigned long long) (MUID_MEDALLION_BASE +
																	gid_medallion_of(id)),
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
static GidWords
from_muid(uint8 prefix, const text *arg)
{
	static const char hex_digits[] = "0123456789ABCDEFabcdef";
	char	   *muid = text_to_cstring(arg);
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
		medallion > MUID_MEDALLION_BASE + GID_MAX_MEDALLION)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("muid out of range for type gid: \"%s\"", muid),
				 errdetail("A gid holds medallions from %011llX to %011llX.",
						   (unsigned long long) MUID_MEDALLION_BASE,
						   (unsigned long long) (MUID_MEDALLION_BASE +
												 GID_MAX_MEDALLION))));
	if (offset > GID_MAX_OFFSET)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("muid out of range for type gid: \"%s\"", muid),
				 errdetail("A gid holds offsets from 00000000 to %08X.",
						   GID_MAX_OFFSET)));

	return gid_pack(prefix, instant, medallion - MUID_MEDALLION_BASE, offset);
}

PG_FUNCTION_INFO_V1(gid_from_muid_name);
Datum
gid_from_muid_name(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(from_muid(gid_kind_argument_name(fcinfo),
							PG_GETARG_TEXT_PP(1)));
}

PG_FUNCTION_INFO_V1(gid_from_muid_number);
Datum
gid_from_muid_number(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(from_muid(gid_kind_argument_number(fcinfo),
							PG_GETARG_TEXT_PP(1)));
}
