/*
 * canary.c
 *		Errors for sanitizers, valgrind and assertions, to see that they report them.
 *
 *		canary(n)	reads the byte n of 16, and adds 1 to n
 *
 * canary(16) reads beyond its memory, canary(2147483647) overflows as well.
 * A server with assertions reports canary(-1), where one fails, canary(-2),
 * which follows a pointer in freed memory, and canary(-3), which writes beyond
 * a chunk of palloc's.
 */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(canary);
Datum
canary(PG_FUNCTION_ARGS)
{
	int32		n = PG_GETARG_INT32(0);
	volatile char *bytes = calloc(16, 1);	/* palloc's blocks are larger */
	int32		next = n + 1;
	int32		result = bytes[n & 31] + next;

	Assert(n != -1);
	if (n == -2)
	{
		volatile char **freed = palloc(sizeof(char *));

		*freed = bytes;
		pfree(freed);
		result = **freed;
	}
	if (n == -3)
	{
		volatile char *chunk = palloc(15);

		chunk[15] = 0;
		pfree((char *) chunk);
	}
	free((char *) bytes);
	PG_RETURN_INT32(result);
}
