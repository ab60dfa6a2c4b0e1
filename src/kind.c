/*
 * kind.c
 *		The names of kinds and their prefixes.
 *
 * Kinds are not stored in a table.  The name in a column type or a default must
 * have the same meaning while a dump is being restored.  Names are ASCII, and
 * case is ignored.  The number of a kind is also accepted as its name, because
 * most prefixes have no other name.
 *
 * This file must not depend on where kinds are enforced (typmod.c).
 */
#include "gid.h"

#include "nodes/primnodes.h"

#define PREFIX_OF_A		0xE1

static const struct
{
	const char *name;
	uint8		prefix;
}			graft_kinds[] =
{
	{"volume", 0x80},
	{"log", 0xA0},
	{"segment", 0xC0}
};

/* Returns the prefix for a name; 0 if the name is unknown. */
uint8
gid_find_kind(const char *name, size_t length)
{
	char		folded[GID_KIND_NAME_SIZE];

	if (length >= sizeof(folded))
		return 0;
	for (size_t i = 0; i < length; i++)
		folded[i] = pg_ascii_tolower((unsigned char) name[i]);
	folded[length] = '\0';

	for (size_t i = 0; i < lengthof(graft_kinds); i++)
	{
		if (strcmp(folded, graft_kinds[i].name) == 0)
			return graft_kinds[i].prefix;
	}

	if (length == 1 && folded[0] >= 'a' && folded[0] <= 'z')
		return PREFIX_OF_A + (folded[0] - 'a');

	if (length == 3 && strspn(folded, "0123456789") == 3)
	{
		int			number = atoi(folded);

		if (gid_is_kind(number))
			return number;
	}
	return 0;
}

uint8
gid_kind_from_name(const char *name, size_t length)
{
	uint8		prefix = gid_find_kind(name, length);

	if (prefix == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unrecognized gid kind: \"%s\"", pnstrdup(name, length)),
				 errdetail("A kind is \"volume\", \"log\", \"segment\", a letter from \"a\" to \"z\", or a number from %d to %d.",
						   GID_FIRST_KIND, GID_LAST_KIND),
				 errhint("For a longer name, create a domain over a letter: CREATE DOMAIN order_id AS gid(o).")));
	return prefix;
}

/*
 * Writes the name of a prefix into a buffer of GID_KIND_NAME_SIZE bytes, and
 * returns the buffer.  If the prefix has no name, writes the number.
 */
const char *
gid_kind_name(int32 prefix, char *buffer)
{
	for (size_t i = 0; i < lengthof(graft_kinds); i++)
	{
		if (graft_kinds[i].prefix == prefix)
			return strcpy(buffer, graft_kinds[i].name);
	}

	if (prefix >= PREFIX_OF_A && prefix <= PREFIX_OF_A + ('z' - 'a'))
		snprintf(buffer, GID_KIND_NAME_SIZE, "%c", 'a' + prefix - PREFIX_OF_A);
	else
		snprintf(buffer, GID_KIND_NAME_SIZE, "%d", prefix);
	return buffer;
}

/*
 * Whether the first argument of a call is a constant, so that what is found for it
 * can be kept in fn_extra.
 *
 * get_fn_expr_arg_stable() would also accept external parameters, but in
 * PL/pgSQL's simple expressions their values change while the FmgrInfo is the same.
 */
bool
gid_has_constant_kind(const FmgrInfo *flinfo)
{
	return flinfo->fn_expr != NULL && IsA(flinfo->fn_expr, FuncExpr) &&
		IsA(linitial(((FuncExpr *) flinfo->fn_expr)->args), Const);
}

/*
 * Returns the prefix for a function's first argument, the name of a kind.
 *
 * The prefix of a constant name is cached in fn_extra, where NULL means that
 * nothing is cached, because no prefix is 0.  Without the cache, gid_new()
 * executes 226 instructions instead of 140.
 */
uint8
gid_kind_argument(FunctionCallInfo fcinfo)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	text	   *name;
	uint8		prefix;

	if (flinfo->fn_extra != NULL)
		return (uint8) (uintptr_t) flinfo->fn_extra;

	name = PG_GETARG_TEXT_PP(0);
	prefix = gid_kind_from_name(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));
	if (gid_has_constant_kind(flinfo))
		flinfo->fn_extra = (void *) (uintptr_t) prefix;
	return prefix;
}

/*
 * Returns the type modifier for a constant kind; -1 if the kind is NULL or unknown.
 * The function with this argument raises the error when it is called.
 */
int32
gid_kind_constant(const Const *kind)
{
	text	   *name = kind->constisnull ? NULL : DatumGetTextPP(kind->constvalue);
	uint8		prefix = name == NULL ? 0 :
		gid_find_kind(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));

	return prefix != 0 ? prefix : -1;
}
