/*
 * convert.c
 *		Casts between gid and the other types that hold 16 bytes, and a gid
 *		from its parts.
 *
 * The bytes are kept as they are.  Towards gid they are checked.  From gid to
 * bytea is gid_send(), and to a time is gid_timestamp().
 */
#include "gid.h"

#include "utils/timestamp.h"
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

/*
 * A gid of a kind, the whole millisecond of a time, and all 64 bits of the
 * payload.  A negative payload has the highest bit set.
 */
static GidWords
make(uint8 prefix, TimestampTz at, int64 payload)
{
	GidWords	id;

	id.high = gid_high_word(prefix, gid_instant_from_timestamp(at) / 1000);
	id.low = (uint64) payload;
	return id;
}

PG_FUNCTION_INFO_V1(gid_make_name);
Datum
gid_make_name(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(make(gid_kind_argument_name(fcinfo),
					   PG_GETARG_TIMESTAMPTZ(1), PG_GETARG_INT64(2)));
}

PG_FUNCTION_INFO_V1(gid_make_number);
Datum
gid_make_number(PG_FUNCTION_ARGS)
{
	PG_RETURN_GID(make(gid_kind_argument_number(fcinfo),
					   PG_GETARG_TIMESTAMPTZ(1), PG_GETARG_INT64(2)));
}

PG_FUNCTION_INFO_V1(gid_payload);
Datum
gid_payload(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) PG_GETARG_GID(0).low);
}
