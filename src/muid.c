/*
 * muid.c
 *		What the payload of an id that gid_new() minted says: which generator,
 *		which transaction, which id of it.
 *
 * The payload of a gid from elsewhere is noise.  Where that is certain the
 * answer is NULL, as uuid_extract_timestamp() answers for a UUID that has no
 * time; where noise happens to look like a muid, nothing can tell.
 */
#include "gid.h"

#include "utils/builtins.h"

/* What a muid's medallion has above ours: it always has 11 hex digits. */
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

/* The upper 10 bits, which gid.node sets; of an unpinned generator, random. */
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

/* A gid whose offset is further by so much; an error where it has no such. */
static GidWords
move_offset(GidWords id, int64 by)
{
	int64		offset = (int64) gid_offset_of(id) + by;

	if (offset < 0 || offset > GID_MAX_OFFSET)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("gid offset out of range"),
				 errdetail("The offset of the gid is %u, and moving it by %lld leaves the range from 0 to %u.",
						   gid_offset_of(id), (long long) by, GID_MAX_OFFSET)));
	id.low = (id.low - gid_offset_of(id)) | (uint64) offset;
	return id;
}

PG_FUNCTION_INFO_V1(gid_plus);
Datum
gid_plus(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(move_offset(PG_GETARG_GID(0), PG_GETARG_INT32(1)));
}

PG_FUNCTION_INFO_V1(gid_minus);
Datum
gid_minus(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(move_offset(PG_GETARG_GID(0), -(int64) PG_GETARG_INT32(1)));
}
