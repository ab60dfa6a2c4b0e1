/*
 * codec_test.c
 *		Runs src/codec.c, for codec_cases.py.
 *
 * Reads lines from stdin, and prints a line for each.  A line of 32 hexadecimal
 * digits is an id: prints both texts, and the parts that layout.h reads.  Other
 * lines are "=" and a text in hexadecimal: prints the status, the position and the
 * id.  A text is passed in a block of memory of exactly its length, so that
 * sanitizers and valgrind report a read beyond its end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"

#define WORDS	"%016" PRIx64 "%016" PRIx64

static void *
allocate(size_t size)
{
	void	   *memory = malloc(size ? size : 1);

	if (memory == NULL)
		abort();
	return memory;
}

static void
encode(GidWords id)
{
	char	   *canonical = allocate(GID_TEXT_LENGTH);
	char	   *compact = allocate(GID_COMPACT_LENGTH);

	gid_encode(id, canonical);
	gid_encode_compact(id, compact);
	printf("%.24s %.22s %d %d %" PRIu64 " %d %d %d %d\n", canonical, compact,
		   gid_is_valid(id), (int) gid_prefix_of(id), (uint64_t) gid_ms_of(id),
		   (int) gid_byte7_of(id), (int) gid_micro_of(id),
		   (int) gid_medallion_of(id), (int) gid_offset_of(id));
	free(canonical);
	free(compact);
}

static void
decode(const char *hex)
{
	size_t		length = strlen(hex) / 2;
	char	   *text = allocate(length);
	GidWords	id = {42, 43};
	size_t		position = 12345;
	GidTextStatus status;

	for (size_t i = 0; i < length; i++)
	{
		unsigned	byte;

		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			abort();
		text[i] = (char) byte;
	}
	status = gid_decode(text, length, &id, &position);
	printf("%d %zu " WORDS "\n", (int) status, position, id.high, id.low);
	free(text);
}

int
main(void)
{
	char		line[1000];
	GidWords	id;

	while (scanf("%999s", line) == 1)
	{
		if (line[0] == '=')
			decode(line + 1);
		else if (sscanf(line, "%16" SCNx64 "%16" SCNx64, &id.high, &id.low) == 2)
			encode(id);
		else
			abort();
	}
	return 0;
}
