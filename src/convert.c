/*
 * convert.c
 *		Casts between gid and the other types that hold 16 bytes.
 *
 * The bytes are kept as they are.  Towards gid they are checked.  From gid to
 * bytea is gid_send(), and to a time is gid_timestamp().
 */
#include "gid.h"

#include "utils/uuid.h"

PG_FUNCTION_INFO_V1(gid_from_uuid);
Datum
gid_from_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = PG_GETARG_UUID_P(0);

	PG_RETURN_GID(gid_from_bytes(uuid->data, UUID_LEN));
}

PG_FUNCTION_INFO_V1(gid_to_uuid);
Datum
gid_to_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(*uuid));

	memcpy(uuid->data, PG_GETARG_POINTER(0), UUID_LEN);
	PG_RETURN_UUID_P(uuid);
}

PG_FUNCTION_INFO_V1(gid_from_bytea);
Datum
gid_from_bytea(PG_FUNCTION_ARGS)
{
	bytea	   *bytes = PG_GETARG_BYTEA_PP(0);

	PG_RETURN_GID(gid_from_bytes(VARDATA_ANY(bytes),
								 VARSIZE_ANY_EXHDR(bytes)));
}
