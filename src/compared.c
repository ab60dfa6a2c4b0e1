/*
 * compared.c
 *		The error for gids of different kinds that are compared, and the function
 *		that checks a value during execution.
 *
 * This file must not depend on the planner.
 */
#include "gid.h"

void
gid_reject_comparison(int32 kind, int32 other)
{
	char		name[GID_KIND_NAME_SIZE];
	char		other_name[GID_KIND_NAME_SIZE];

	gid_kind_name(kind, name);
	gid_kind_name(other, other_name);
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("cannot compare gids of kind \"%s\" with gids of kind \"%s\"",
					name, other_name),
			 errdetail("Every gid of kind \"%s\" is smaller than every gid of kind \"%s\", and they are never equal.",
					   kind < other ? name : other_name,
					   kind < other ? other_name : name),
			 errhint("Check the columns, the parameters and the kinds of bounds, also in views and policies. To compare different kinds, set \"gid.check_comparisons\" to off in the session or for the function.")));
}

/*
 * Rejects a value that an inequality compares with a column of a kind, unless
 * the value is of this kind, or bounds it.  The smallest gid of the next kind is
 * also the bound above the kind.  The smallest and the largest gid, and the
 * smallest one of prefix 255, are bounds of all kinds.
 */
void
gid_check_value(int32 kind, GidWords value)
{
	int32		prefix = gid_prefix_of(value);

	if (prefix == kind ||
		gid_compare(value, gid_first_of_kind(kind + 1)) == 0 ||
		gid_compare(value, gid_first_of_kind(GID_FIRST_KIND)) == 0 ||
		gid_compare(value, gid_first_of_kind(PG_UINT8_MAX)) == 0 ||
		(value.high == PG_UINT64_MAX && value.low == PG_UINT64_MAX))
		return;
	gid_reject_comparison(kind, prefix);
}

/* The check during execution. */
PG_FUNCTION_INFO_V1(gid_check_compared);
Datum
gid_check_compared(PG_FUNCTION_ARGS)
{
	gid_check_value(gid_kind_argument(fcinfo), PG_GETARG_GID(1));
	PG_RETURN_DATUM(PG_GETARG_DATUM(1));
}
