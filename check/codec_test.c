/*
 * codec_test.c
 *		Compares src/codec.c with a slow and simple codec: the 16 bytes as digits of
 *		base 256, divided and multiplied one by one.
 *
 *	codec_test COUNT		edge cases, and COUNT random ids and texts
 *
 * Each text is in a block of memory of exactly its length, so that sanitizers and
 * valgrind report an access beyond its end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"

static const char alphabet[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
static uint64_t state = 58;
static long tests = 0;

static uint64_t
next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static void
fail(const char *what, const uint8_t *bytes, const char *text, size_t length)
{
	printf("wrong: %s, ", what);
	for (int i = 0; i < GID_SIZE; i++)
		printf("%02x", bytes[i]);
	printf(", \"%.*s\"\n", (int) length, text);
	exit(1);
}

static GidWords
words_of(const uint8_t *bytes)
{
	GidWords	id = {0, 0};

	for (int i = 0; i < 8; i++)
	{
		id.high = id.high << 8 | bytes[i];
		id.low = id.low << 8 | bytes[8 + i];
	}
	return id;
}

/* Writes bytes as a number of base 58. */
static void
write_digits(const uint8_t *bytes, int size, char *text, int count)
{
	uint8_t		rest[GID_SIZE];

	memcpy(rest, bytes, size);
	while (count-- > 0)
	{
		unsigned	remainder = 0;

		for (int i = 0; i < size; i++)
		{
			remainder = remainder << 8 | rest[i];
			rest[i] = remainder / 58;
			remainder %= 58;
		}
		text[count] = alphabet[remainder];
	}
}

/* Reads digits into bytes.  Returns whether they fit. */
static bool
read_digits(const char *text, int count, uint8_t *bytes, int size)
{
	bool		fits = true;

	memset(bytes, 0, size);
	for (int n = 0; n < count; n++)
	{
		unsigned	carry = strchr(alphabet, text[n]) - alphabet;

		for (int i = size - 1; i >= 0; i--)
		{
			carry += bytes[i] * 58u;
			bytes[i] = (uint8_t) carry;
			carry >>= 8;
		}
		fits = fits && carry == 0;
	}
	return fits;
}

/* Whether a status is right for a character.  Of several errors, any is right. */
static GidTextStatus
status_of_character(const char *text, size_t length, size_t i)
{
	bool		is_dash = length == GID_TEXT_LENGTH && i == GID_DASH;

	if ((text[i] == '-') != is_dash)
		return GID_TEXT_DASH_WRONG;
	return is_dash || (text[i] != '\0' && strchr(alphabet, text[i])) ?
		GID_TEXT_OK : GID_TEXT_NOT_BASE58;
}

static void
test_text(const char *text, size_t length)
{
	char	   *copy = malloc(length + (length == 0));
	uint8_t		bytes[GID_SIZE] = {0};
	GidWords	id = {42, 43};
	size_t		position = 12345;
	size_t		wrong = 0;
	GidTextStatus status;
	bool		right;

	memcpy(copy, text, length);
	status = gid_decode(copy, length, &id, &position);
	free(copy);
	while (wrong < length && status_of_character(text, length, wrong) == GID_TEXT_OK)
		wrong++;

	if (length != GID_TEXT_LENGTH && length != GID_COMPACT_LENGTH)
		right = status == GID_TEXT_LENGTH_WRONG;
	else if (wrong < length)
		right = position < length && status != GID_TEXT_OK &&
			status == status_of_character(text, length, position);
	else
	{
		bool		is_canonical = length == GID_TEXT_LENGTH;
		bool		starts = read_digits(text, is_canonical ? 10 : 22, bytes, is_canonical ? 7 : 16);
		bool		fits = starts && (!is_canonical || read_digits(text + 11, 13, bytes + 7, 9));
		GidWords	expected = words_of(bytes);

		if (status == GID_TEXT_OK)
			right = fits && bytes[0] >= 0x80 && id.high == expected.high && id.low == expected.low;
		else
			right = (status == GID_TEXT_OVERFLOW && !fits) ||
				(status == GID_TEXT_NO_HIGH_BIT && starts && bytes[0] < 0x80);
	}
	if (!right || (status != GID_TEXT_OK && (id.high != 42 || id.low != 43)))
		fail("decode", bytes, text, length);
	tests++;
}

/* Tests an id, and texts that differ from its text in up to four characters. */
static void
test_id(const uint8_t *bytes, int changed_texts)
{
	char	   *text[2] = {malloc(GID_TEXT_LENGTH), malloc(GID_COMPACT_LENGTH)};
	char		expected[2][GID_TEXT_LENGTH];
	size_t		length[2] = {GID_TEXT_LENGTH, GID_COMPACT_LENGTH};

	gid_encode(words_of(bytes), text[0]);
	gid_encode_compact(words_of(bytes), text[1]);
	write_digits(bytes, 7, expected[0], 10);
	expected[0][GID_DASH] = '-';
	write_digits(bytes + 7, 9, expected[0] + 11, 13);
	write_digits(bytes, 16, expected[1], 22);
	for (int form = 0; form < 2; form++)
	{
		if (memcmp(text[form], expected[form], length[form]) != 0)
			fail("encode", bytes, text[form], length[form]);
		test_text(text[form], length[form]);
		for (int n = 0; n < changed_texts; n++)
		{
			memcpy(expected[form], text[form], length[form]);
			for (int changes = next_random() % 4; changes >= 0; changes--)
				expected[form][next_random() % length[form]] =
					next_random() % 8 ? alphabet[next_random() % 58] : (char) next_random();
			test_text(expected[form], length[form]);
		}
		free(text[form]);
	}
}

/* A part of an id: often a run of zeros or ones, or near a multiple of a power of 58. */
static void
random_part(uint8_t *bytes, int size, int count)
{
	char		digits[13];
	int			keep = next_random() % (count + 1);
	int			shape = next_random() % 4;

	for (int i = 0; i < size; i++)
		bytes[i] = (uint8_t) (next_random() >> 20);
	if (shape == 0)
		memset(bytes + next_random() % size, next_random() % 2 ? 0xFF : 0, 1);
	else if (shape == 1)
		memset(bytes + size / 2, next_random() % 2 ? 0xFF : 0, size - size / 2);
	else if (shape == 2)
	{
		write_digits(bytes, size, digits, count);
		memset(digits + keep, next_random() % 2 ? '1' : 'z', count - keep);
		read_digits(digits, count, bytes, size);
	}
}

int
main(int argc, char **argv)
{
	uint8_t		bytes[GID_SIZE];
	char		text[101];
	long		count = argc > 1 ? atol(argv[1]) : 0;

	memset(text, '1', sizeof(text));
	for (size_t length = 0; length <= sizeof(text); length++)
		test_text(text, length);
	/* parts that overflow by one, or far */
	test_text("AhgGMrqSxv-1111111111111", 24);
	test_text("zzzzzzzzzz-zzzzzzzzzzzzz", 24);
	test_text("8H24TMQEGM-4FzkJ37568tQw", 24);
	test_text("YcVfxkQb6JRzqk5kF2tNLw", 22);
	test_text("zzzzzzzzzzzzzzzzzzzzzz", 22);
	for (long n = 0; n < count; n++)
	{
		random_part(bytes, 7, 10);
		random_part(bytes + 7, 9, 13);
		test_id(bytes, 2);
		if (next_random() % 2)
			bytes[0] |= 0x80;
		test_id(bytes, n % 1000 == 0 ? 10000 : 2);
	}
	printf("%ld texts are right\n", tests);
	return 0;
}
