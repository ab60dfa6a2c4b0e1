/*
 * io.c
 *		Input and output of gids, as text and binary.
 *
 * codec.c finds the error in invalid text, and this file reports it.
 */
#include "gid.h"

#include "lib/stringinfo.h"
#include "libpq/pqformat.h"

/* Adds the detail of an error in a text, and a hint if there is one. */
static int
explain_text_error(GidTextStatus status, const char *value, size_t position)
{
	if (strlen(value) == 36 && value[8] == '-')
		errhint("If the value is a uuid with the bytes of a gid, use gid_from_uuid(kind, value).");
	else if (status == GID_TEXT_LENGTH_WRONG || strpbrk(value, " :") != NULL)
		/* a frequent mistake: a text that is compared with a gid is read as a gid */
		errhint("If the value is a time, cast the value or the parameter to timestamptz. For the bound of a partition, use gid_lower_bound(kind, time).");
	else if (status == GID_TEXT_NOT_BASE58)
		errhint("The digits are \"1\" to \"9\", \"A\" to \"Z\" and \"a\" to \"z\", without \"I\", \"O\" and \"l\".");

	switch (status)
	{
		case GID_TEXT_OK:
			break;
		case GID_TEXT_LENGTH_WRONG:
			errdetail("A gid is %d bytes of text, or %d in its compact form, not %zu.",
					  GID_TEXT_LENGTH, GID_COMPACT_LENGTH, strlen(value));
			break;
		case GID_TEXT_DASH_WRONG:
			errdetail("A gid of %d characters has one dash, at position %d; one of %d has none.",
					  GID_TEXT_LENGTH, GID_DASH + 1, GID_COMPACT_LENGTH);
			break;
		case GID_TEXT_NOT_BASE58:
			errdetail("The character at position %zu is not a base-58 digit.",
					  position + 1);
			break;
		case GID_TEXT_OVERFLOW:
			errdetail("Some of its digits encode a number that is too large.");
			break;
		case GID_TEXT_NO_HIGH_BIT:
			errdetail("The first byte of a gid is 0x80 or above.");
			break;
	}
	return 0;					/* for ereport */
}

PG_FUNCTION_INFO_V1(gid_in);
Datum
gid_in(PG_FUNCTION_ARGS)
{
	char	   *value = PG_GETARG_CSTRING(0);
	int32		typmod = PG_GETARG_INT32(2);
	size_t		position = 0;
	GidTextStatus status;
	GidWords	id;

	status = gid_decode(value, strlen(value), &id, &position);
	if (status != GID_TEXT_OK)
		ereturn(fcinfo->context, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s\"",
						"gid", value),
				 explain_text_error(status, value, position)));

	if (!gid_check_kind(id, typmod, fcinfo->context))
		return (Datum) 0;
	PG_RETURN_GID(id);
}

PG_FUNCTION_INFO_V1(gid_out);
Datum
gid_out(PG_FUNCTION_ARGS)
{
	PG_RETURN_CSTRING(gid_to_text(PG_GETARG_GID(0)));
}

/*
 * Returns the gid with these bytes.  Raises an error unless there are 16 bytes,
 * and the high bit of the first byte is set.
 */
GidWords
gid_from_bytes(const void *bytes, size_t length)
{
	GidWords	id = {0};

	if (length == GID_SIZE)
		id = gid_load(bytes);
	if (!gid_is_valid(id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid binary value for type gid"),
				 length != GID_SIZE ?
				 errdetail("A gid is %d bytes, not %zu.", GID_SIZE, length) :
				 errdetail("The first byte is 0x%02x; in a gid it is 0x80 or above.",
						   gid_prefix_of(id)),
				 errhint("Cast only the bytes of a gid. For a row with another id, create a gid with gid_random(kind, time).")));
	return id;
}

PG_FUNCTION_INFO_V1(gid_recv);
Datum
gid_recv(PG_FUNCTION_ARGS)
{
	StringInfo	message = (StringInfo) PG_GETARG_POINTER(0);
	int32		typmod = PG_GETARG_INT32(2);
	int			length = message->len - message->cursor;
	GidWords	id;

	id = gid_from_bytes(pq_getmsgbytes(message, length), length);
	(void) gid_check_kind(id, typmod, NULL);
	PG_RETURN_GID(id);
}

PG_FUNCTION_INFO_V1(gid_send);
Datum
gid_send(PG_FUNCTION_ARGS)
{
	bytea	   *result = palloc(VARHDRSZ + GID_SIZE);

	SET_VARSIZE(result, VARHDRSZ + GID_SIZE);
	memcpy(VARDATA(result), PG_GETARG_POINTER(0), GID_SIZE);
	PG_RETURN_BYTEA_P(result);
}
