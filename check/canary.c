/*
 * canary.c
 *		Errors that sanitizers and assertions must report.
 *
 *		canary(n)	reads the byte n of 16, and adds 1 to n
 *
 * canary(16) reads beyond its memory.  canary(2147483647) also overflows.
 * canary(-1) fails an assertion, canary(-2) follows a pointer in freed memory,
 * and canary(-3) writes beyond a chunk of palloc().  A server with assertions
 * reports the last three.
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
