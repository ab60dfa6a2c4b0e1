/*
 * codec_fuzzer.c
 *		A libFuzzer target for src/codec.c.
 *
 * An input is taken as a text to decode and, if it is long enough, as 16 bytes
 * to encode.  What codec.h promises is checked against slow.h.  Inputs are counted by
 * status, and told at the end: a fuzzer that never gets a valid text, or
 * never one that overflows, proves nothing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "codec.h"
#include "slow.h"

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
									  size_t max_size, unsigned int seed);
extern size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static unsigned long seen[GID_TEXT_NO_HIGH_BIT + 1][2];	/* the other, compact */

__attribute__((destructor))
static void
tell_seen(void)
{
	static const char *const names[] = {
		[GID_TEXT_OK] = "ok",
		[GID_TEXT_LENGTH_WRONG] = "length wrong",
		[GID_TEXT_DASH_WRONG] = "dash wrong",
		[GID_TEXT_NOT_BASE58] = "not base 58",
		[GID_TEXT_OVERFLOW] = "overflow",
		[GID_TEXT_NO_HIGH_BIT] = "no high bit"
	};

	for (int status = 0; status <= GID_TEXT_NO_HIGH_BIT; status++)
	{
		fprintf(stderr, "seen %s: %lu\n", names[status], seen[status][0]);
		if (status != GID_TEXT_LENGTH_WRONG)
			fprintf(stderr, "seen %s, compact: %lu\n",
					names[status], seen[status][1]);
	}
}

#define REQUIRE(condition) \
do { \
	if (!(condition)) \
	{ \
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
		abort(); \
	} \
} while (0)

static void *
allocate(size_t size)
{
	void	   *memory = malloc(size);

	REQUIRE(memory != NULL || size == 0);
	return memory;
}

/* What decodes is canonical: encoded again it is the same text. */
static void
require_canonical(GidWords id, const char *text, size_t length)
{
	char	   *again = allocate(length);

	if (length == GID_TEXT_LENGTH)
		gid_encode(id, again);
	else
		gid_encode_compact(id, again);
	REQUIRE(memcmp(again, text, length) == 0);
	free(again);
}

static void
fuzz_decode(const char *text, size_t length)
{
	GidWords	id = {0, 0};
	size_t		position = length;
	uint8_t		bytes[GID_SIZE] = {0};
	GidTextStatus status = gid_decode(text, length, &id, &position);

	REQUIRE(status <= GID_TEXT_NO_HIGH_BIT);
	seen[status][length == GID_COMPACT_LENGTH]++;

	REQUIRE(slow_agrees(text, length, status, position, bytes));
	if (status == GID_TEXT_DASH_WRONG || status == GID_TEXT_NOT_BASE58)
		REQUIRE(position < length);
	else
		REQUIRE(position == length);
	if (status == GID_TEXT_OK)
	{
		REQUIRE(gid_is_valid(id));
		REQUIRE(id.high == slow_words(bytes).high &&
				id.low == slow_words(bytes).low);
		require_canonical(id, text, length);
	}
	else
		REQUIRE(id.high == 0 && id.low == 0);
}

/* Any 16 bytes come back from both of their texts. */
static void
fuzz_encode(const uint8_t *bytes)
{
	GidWords	id = slow_words(bytes);

	for (int is_compact = 0; is_compact < 2; is_compact++)
	{
		size_t		length = is_compact ? GID_COMPACT_LENGTH : GID_TEXT_LENGTH;
		char	   *text = allocate(length);
		char		slow[GID_TEXT_LENGTH];
		GidWords	back;
		size_t		position;
		GidTextStatus status;

		(is_compact ? gid_encode_compact : gid_encode) (id, text);
		(is_compact ? slow_encode_compact : slow_encode) (bytes, slow);
		REQUIRE(memcmp(text, slow, length) == 0);

		status = gid_decode(text, length, &back, &position);
		if (gid_is_valid(id))
			REQUIRE(status == GID_TEXT_OK &&
					back.high == id.high && back.low == id.low);
		else
			REQUIRE(status == GID_TEXT_NO_HIGH_BIT);
		free(text);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Memory that ends where the text ends. */
	char	   *text = allocate(size);

	if (size > 0)
		memcpy(text, data, size);
	fuzz_decode(text, size);
	if (size >= GID_SIZE)
		fuzz_encode(data);
	free(text);
	return 0;
}

/*
 * Bytes changed at random are hardly ever a gid.  So every second input is
 * made from the text of one: as it is, or with some digits changed to others,
 * which is what overflows and what loses the high bit.
 */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
						unsigned int seed)
{
	uint8_t		id[GID_SIZE] = {0};
	size_t		length = seed & 1 ? GID_COMPACT_LENGTH : GID_TEXT_LENGTH;
	unsigned	changes = seed >> 2 & 3;

	if (seed & 2 || max_size < GID_TEXT_LENGTH)
		return LLVMFuzzerMutate(data, size, max_size);

	memcpy(id, data, size < GID_SIZE ? size : GID_SIZE);
	LLVMFuzzerMutate(id, GID_SIZE, GID_SIZE);
	if (seed & 16)
		id[0] |= 0x80;
	(seed & 1 ? slow_encode_compact : slow_encode) (id, (char *) data);
	for (seed >>= 5; changes > 0; changes--)
	{
		size_t		place = seed % length;

		seed = seed * 1103515245 + 12345;
		if (data[place] != '-')
			data[place] = slow_alphabet[(seed >> 16) % 58];
		seed = seed * 1103515245 + 12345;
		seed >>= 3;
	}
	return length;
}
