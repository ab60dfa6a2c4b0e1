/*
 * convert.c
 *		Conversions between gid and the other types that hold 16 bytes.
 *
 * Casts do not change the bytes.  Casts to gid check them.  The cast from gid to
 * bytea uses gid_send().
 */
#include "gid.h"

#include "access/xact.h"
#include "utils/uuid.h"

PG_FUNCTION_INFO_V1(uuid_to_gid);
Datum
uuid_to_gid(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(gid_from_bytes(PG_GETARG_UUID_P(0)->data, UUID_LEN));
}

/*
 * Returns the gid with the bytes of a uuid.  Raises an error if the gid is of
 * another kind, or if its time is too far ahead of the clock.  Half of all
 * random uuids have the high bit of a gid, but only one in 40,000 also has the
 * right kind and a time in the past.  Does not check byte 7, because ids that
 * Graft minted can have any value there.
 */
PG_FUNCTION_INFO_V1(gid_from_uuid);
Datum
gid_from_uuid(PG_FUNCTION_ARGS)
{
	uint8		prefix = gid_kind_argument(fcinfo);
	GidWords	id = gid_from_bytes(PG_GETARG_UUID_P(1)->data, UUID_LEN);
	char		name[GID_KIND_NAME_SIZE];

	if (gid_prefix_of(id) != prefix)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("uuid does not contain a gid of kind \"%s\"",
						gid_kind_name(prefix, name)),
				 errdetail("Its first byte is %d; the prefix of the kind is %d.",
						   gid_prefix_of(id), prefix)));
	/* the function is STABLE, so it uses the start of the statement */
	gid_reject_future(id, gid_ms_of(id) * 1000,
					  GetCurrentStatementStartTimestamp() + UNIX_TO_POSTGRES_EPOCH);
	PG_RETURN_GID(id);
}

PG_FUNCTION_INFO_V1(gid_to_uuid);
Datum
gid_to_uuid(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));	/* the same bytes */
}

PG_FUNCTION_INFO_V1(bytea_to_gid);
Datum
bytea_to_gid(PG_FUNCTION_ARGS)
{
	bytea	   *bytes = PG_GETARG_BYTEA_PP(0);

	PG_RETURN_GID(gid_from_bytes(VARDATA_ANY(bytes),
								 VARSIZE_ANY_EXHDR(bytes)));
}
