/*
 * typmod.c
 *		gid(kind): the type modifier that restricts a column to one kind.
 *
 * The modifier is the prefix of the kind, 128 to 254.  Gids of other kinds are
 * rejected, never changed.
 */
#include "gid.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"

/*
 * Raises an error unless a gid is of the modifier's kind.  After a soft error,
 * returns false.
 */
bool
gid_check_kind(GidWords id, int32 typmod, struct Node *escontext)
{
	char		is[GID_KIND_NAME_SIZE];
	char		must_be[GID_KIND_NAME_SIZE];

	if (typmod < 0 || typmod == gid_prefix_of(id))
		return true;

	gid_kind_name(gid_prefix_of(id), is);
	gid_kind_name(typmod, must_be);
	ereturn(escontext, false,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("gid of kind \"%s\" does not match type gid(%s)",
					is, must_be),
			 errdetail("The value \"%s\" is an id of kind \"%s\".",
					   gid_to_text(id), is),
			 errhint("Check the value, or the type of the column, parameter or cast.")));
}

PG_FUNCTION_INFO_V1(gid_typmod_in);
Datum
gid_typmod_in(PG_FUNCTION_ARGS)
{
	ArrayType  *modifiers = PG_GETARG_ARRAYTYPE_P(0);
	Datum	   *elements;
	int			count;
	char	   *name;

	deconstruct_array(modifiers, CSTRINGOID, -2, false, TYPALIGN_CHAR,
					  &elements, NULL, &count);
	if (count != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid type modifier for type gid"),
				 errdetail("Type gid accepts one kind as its modifier, not %d.",
						   count),
				 errhint("Write gid(segment), gid(o) or gid(200).")));

	name = DatumGetCString(elements[0]);
	PG_RETURN_INT32(gid_kind_from_name(name, strlen(name)));
}

PG_FUNCTION_INFO_V1(gid_typmod_out);
Datum
gid_typmod_out(PG_FUNCTION_ARGS)
{
	int32		typmod = PG_GETARG_INT32(0);
	char		name[GID_KIND_NAME_SIZE];

	if (typmod < 0)
		PG_RETURN_CSTRING(pstrdup(""));
	PG_RETURN_CSTRING(psprintf("(%s)", gid_kind_name(typmod, name)));
}

/* The cast from gid to gid(kind), explicit or not. */
PG_FUNCTION_INFO_V1(gid_enforce_kind);
Datum
gid_enforce_kind(PG_FUNCTION_ARGS)
{
	(void) gid_check_kind(PG_GETARG_GID(0), PG_GETARG_INT32(1), NULL);
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}
