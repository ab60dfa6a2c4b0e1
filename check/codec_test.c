/*
 * codec_test.c
 *		Tests src/codec.c against the simple codec of slow.h.
 *
 *		codec_test COUNT FILE ...
 *
 * The inputs are the vectors in the files, edge cases for every part of an id,
 * and COUNT random ids and texts.  Each text is passed in a block of memory of
 * exactly its length, so that sanitizers and valgrind report a read beyond its
 * end.  At the end the program prints a checksum of all results of the codec.
 * The checksum must be the same on every machine.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec.h"
#include "slow.h"

#define SHOWN_FAILURES	10

static uint64_t checksum = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */
static int	tests;				/* reported by ok() */
static long failures;
static long reported_failures;	/* those before the last ok() */

/* Buffers of exactly the lengths of the two forms of text. */
static char *canonical;
static char *compact;

static void
digest(const void *data, size_t size)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size; i++)
		checksum = (checksum ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* Adds a number to the checksum.  The byte order of the machine has no effect. */
static void
digest_number(uint64_t n)
{
	for (int i = 0; i < 8; i++)
		digest(&(uint8_t) {n >> 8 * i & 0xFF}, 1);
}

__attribute__((format(printf, 2, 3)))
static void
expect(bool right, const char *format,...)
{
	va_list		arguments;

	if (right)
		return;
	if (++failures > SHOWN_FAILURES)
		return;
	va_start(arguments, format);
	printf("# ");
	vprintf(format, arguments);
	printf("\n");
	va_end(arguments);
}

/* Reports one test: it fails if expect() has failed since the last report. */
static void
ok(const char *what, long count)
{
	bool		right = (failures == reported_failures) && count > 0;

	if (!right && failures == reported_failures)
		failures++;				/* nothing was tested */
	printf("%s %d - %ld %s\n", right ? "ok" : "not ok", ++tests, count, what);
	reported_failures = failures;
}

static void *
allocate(size_t size)
{
	void	   *memory = malloc(size ? size : 1);

	if (memory == NULL)
		abort();
	return memory;
}

/* Decodes a valid or invalid text, and compares all results with slow.h. */
static GidTextStatus
check_text(const char *text, size_t length)
{
	const GidWords untouched = {UINT64_C(0x5555555555555555), 42};
	GidWords	id = untouched;
	size_t		position = 12345;
	char	   *copy = allocate(length);
	uint8_t		bytes[GID_SIZE] = {0};
	GidTextStatus status;

	memcpy(copy, text, length);
	status = gid_decode(copy, length, &id, &position);
	free(copy);

	digest_number(status);
	digest_number(id.high);
	digest_number(id.low);
	digest_number(position);

	expect(slow_agrees(text, length, status, position, bytes),
		   "\"%.*s\" has status %d at %zu", (int) length, text, status, position);
	if (status == GID_TEXT_OK)
		expect(id.high == slow_words(bytes).high &&
			   id.low == slow_words(bytes).low,
			   "\"%.*s\" is read as %016" PRIx64 " %016" PRIx64,
			   (int) length, text, id.high, id.low);
	else
		expect(id.high == untouched.high && id.low == untouched.low,
			   "\"%.*s\" is not a valid gid, but the id is set", (int) length, text);
	if (status != GID_TEXT_DASH_WRONG && status != GID_TEXT_NOT_BASE58)
		expect(position == 12345,
			   "\"%.*s\" has only valid characters, but a position", (int) length, text);
	return status;
}

/* Encodes and decodes 16 bytes in both forms.  They can be an invalid gid. */
static void
check_id(const uint8_t *bytes)
{
	GidWords	id = slow_words(bytes);
	GidTextStatus status = bytes[0] & 0x80 ? GID_TEXT_OK : GID_TEXT_NO_HIGH_BIT;
	char		slow[GID_TEXT_LENGTH];
	uint64_t	ms = 0;

	gid_encode(id, canonical);
	slow_encode(bytes, slow);
	expect(memcmp(canonical, slow, GID_TEXT_LENGTH) == 0,
		   "%016" PRIx64 " %016" PRIx64 " is \"%.24s\", not \"%.24s\"",
		   id.high, id.low, slow, canonical);
	expect(check_text(canonical, GID_TEXT_LENGTH) == status,
		   "\"%.24s\" is not decoded to its id", canonical);

	gid_encode_compact(id, compact);
	slow_encode_compact(bytes, slow);
	expect(memcmp(compact, slow, GID_COMPACT_LENGTH) == 0,
		   "%016" PRIx64 " %016" PRIx64 " is \"%.22s\", not \"%.22s\"",
		   id.high, id.low, slow, compact);
	expect(check_text(compact, GID_COMPACT_LENGTH) == status,
		   "\"%.22s\" is not decoded to its id", compact);

	digest(canonical, GID_TEXT_LENGTH);
	digest(compact, GID_COMPACT_LENGTH);

	/* Compare the parts that layout.h reads from words with those in the bytes. */
	for (int i = 1; i < 7; i++)
		ms = ms << 8 | bytes[i];
	expect(gid_is_valid(id) == (bytes[0] >= 0x80) &&
		   gid_prefix_of(id) == bytes[0] &&
		   gid_ms_of(id) == ms &&
		   gid_byte7_of(id) == bytes[7] &&
		   gid_micro_of(id) == (uint32_t) (bytes[8] << 2 | bytes[9] >> 6) &&
		   gid_medallion_of(id) == ((uint32_t) (bytes[9] & 0x3F) << 18 |
									bytes[10] << 10 | bytes[11] << 2 | bytes[12] >> 6) &&
		   gid_offset_of(id) == ((uint32_t) (bytes[12] & 0x3F) << 24 |
								 bytes[13] << 16 | bytes[14] << 8 | bytes[15]),
		   "%016" PRIx64 " %016" PRIx64 " has other parts", id.high, id.low);
}

static int
sign(int n)
{
	return (n > 0) - (n < 0);
}

/* The bytes and both forms of text must have the same order. */
static void
check_order(const uint8_t *a, const uint8_t *b)
{
	int			order = sign(memcmp(a, b, GID_SIZE));
	char		text[2][GID_TEXT_LENGTH];

	gid_encode(slow_words(a), text[0]);
	gid_encode(slow_words(b), text[1]);
	expect(sign(memcmp(text[0], text[1], GID_TEXT_LENGTH)) == order,
		   "\"%.24s\" and \"%.24s\" sort differently from their bytes", text[0], text[1]);
	gid_encode_compact(slow_words(a), text[0]);
	gid_encode_compact(slow_words(b), text[1]);
	expect(sign(memcmp(text[0], text[1], GID_COMPACT_LENGTH)) == order,
		   "\"%.22s\" and \"%.22s\" sort differently from their bytes", text[0], text[1]);
}

/* Checks all texts that differ in one byte. */
static long
check_neighbours(const char *text, size_t length)
{
	char		changed[GID_TEXT_LENGTH];

	memcpy(changed, text, length);
	for (size_t i = 0; i < length; i++)
	{
		for (int c = 0; c < 256; c++)
		{
			changed[i] = (char) c;
			check_text(changed, length);
		}
		changed[i] = text[i];
	}
	return (long) length * 256;
}

static void
check_vectors(int count, char **files)
{
	long		vectors = 0;
	long		neighbours = 0;

	for (int i = 0; i < count; i++)
	{
		char		line[256];
		FILE	   *file = fopen(files[i], "r");

		if (file == NULL || fgets(line, sizeof(line), file) == NULL)
		{
			perror(files[i]);
			exit(1);
		}
		while (fgets(line, sizeof(line), file) != NULL)
		{
			char		text[25] = "",
						hex[33] = "",
						short_text[23] = "",
						kind[9] = "";
			uint64_t	ms = 0;
			uint8_t		bytes[GID_SIZE];

			expect(sscanf(line, "%24[^\t]\t%32[^\t]\t%22[^\t]\t%8[^\t]\t%" SCNu64,
						  text, hex, short_text, kind, &ms) == 5,
				   "%s: not a vector: %s", files[i], line);
			for (int j = 0; j < GID_SIZE; j++)
			{
				unsigned	byte = 0;

				expect(sscanf(&hex[2 * j], "%2x", &byte) == 1, "%s is not hexadecimal", hex);
				bytes[j] = byte & 0xFF;
			}
			check_id(bytes);
			expect(memcmp(text, canonical, GID_TEXT_LENGTH) == 0 &&
				   memcmp(short_text, compact, GID_COMPACT_LENGTH) == 0,
				   "%s: %s is \"%.24s\" and \"%.22s\"", files[i], hex, canonical, compact);
			expect(gid_ms_of(slow_words(bytes)) == ms,
				   "%s: %s does not have the time %" PRIu64, files[i], hex, ms);
			neighbours += check_neighbours(text, GID_TEXT_LENGTH);
			neighbours += check_neighbours(short_text, GID_COMPACT_LENGTH);
			vectors++;
		}
		fclose(file);
	}
	ok("vectors", vectors);
	ok("texts that differ from a vector in one character", neighbours);
}

static void
check_lengths(void)
{
	char		digits[100];
	long		wrong = 0;

	memset(digits, '1', sizeof(digits));
	for (size_t length = 0; length <= sizeof(digits); length++)
		wrong += (check_text(digits, length) == GID_TEXT_LENGTH_WRONG);
	expect(wrong == sizeof(digits) + 1 - 2, "not exactly two lengths are valid");
	ok("wrong lengths", wrong);
}

/*
 * Stores every power of base that fits in size bytes, with the number before
 * and the number after it.  The first power is 1, so the first number is 0.
 * The last number has all bits set.
 */
static int
make_edges(uint8_t edges[][GID_SIZE], size_t size, unsigned base)
{
	uint8_t		power[GID_SIZE] = {0};
	int			count = 0;
	bool		wrapped = false;

	power[size - 1] = 1;
	while (!wrapped)
	{
		uint8_t		n[GID_SIZE];

		memcpy(n, power, size);
		for (size_t i = size; i-- > 0 && n[i]-- == 0;)
			;
		for (int i = 0; i < 3; i++)
		{
			memcpy(edges[count++], n, size);
			slow_multiply_add(n, size, 1, 1);
		}
		wrapped = slow_multiply_add(power, size, base, 0);
	}
	memset(edges[count++], 0xFF, size);
	return count;
}

/* The powers of 2 and of 58, with their neighbours. */
static int
make_all_edges(uint8_t edges[][GID_SIZE], size_t size)
{
	int			count = make_edges(edges, size, 2);

	return count + make_edges(edges + count, size, 58);
}

/* Adds 1 to a number in text. */
static void
increment(char *digits, size_t count)
{
	for (size_t i = count; i-- > 0;)
	{
		int			digit = slow_digit(digits[i]);

		digits[i] = slow_alphabet[(digit + 1) % 58];
		if (digit < 57)
			break;
	}
}

static void
check_edges(void)
{
	static uint8_t t[1000][GID_SIZE];
	static uint8_t r[1000][GID_SIZE];
	int			t_count = make_all_edges(t, T_SIZE);
	int			r_count = make_all_edges(r, R_SIZE);
	int			count;
	long		ids = 0;
	long		overflows = 0;
	uint8_t		id[GID_SIZE];
	char		text[GID_TEXT_LENGTH];

	/* Use each number without and with the high bit. */
	for (int i = 0; i < 2 * t_count; i++)
	{
		memcpy(id, t[i / 2], T_SIZE);
		if (i % 2)
			id[0] |= 0x80;
		for (int j = 0; j < r_count; j++, ids++)
		{
			memcpy(id + T_SIZE, r[j], R_SIZE);
			check_id(id);
		}
	}
	count = make_all_edges(t, GID_SIZE);
	for (int i = 0; i < count; i++, ids++)
		check_id(t[i]);
	ok("ids with edge cases", ids);

	/* The smallest and the largest number that do not fit in their bytes. */
	memset(id, 0xFF, GID_SIZE);
	slow_encode(id, text);
	increment(text, T_DIGITS);
	overflows += (check_text(text, GID_TEXT_LENGTH) == GID_TEXT_OVERFLOW);
	memset(text, 'z', T_DIGITS);
	overflows += (check_text(text, GID_TEXT_LENGTH) == GID_TEXT_OVERFLOW);
	slow_encode(id, text);
	increment(text + T_DIGITS + 1, R_DIGITS);
	overflows += (check_text(text, GID_TEXT_LENGTH) == GID_TEXT_OVERFLOW);
	memset(text + T_DIGITS + 1, 'z', R_DIGITS);
	overflows += (check_text(text, GID_TEXT_LENGTH) == GID_TEXT_OVERFLOW);
	slow_encode_compact(id, text);
	increment(text, GID_COMPACT_LENGTH);
	overflows += (check_text(text, GID_COMPACT_LENGTH) == GID_TEXT_OVERFLOW);
	memset(text, 'z', GID_COMPACT_LENGTH);
	overflows += (check_text(text, GID_COMPACT_LENGTH) == GID_TEXT_OVERFLOW);
	expect(overflows == 6, "only %ld of 6 overflow", overflows);
	ok("smallest and largest numbers that overflow", overflows);
}

/* Splitmix64, which returns the same numbers on every machine. */
static uint64_t
next_random(void)
{
	static uint64_t state = 58;
	uint64_t	z = (state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A number of random digits that ends in some digits 0 or some digits 57. */
static void
make_round_number(uint8_t *n, size_t size, int count)
{
	uint64_t	shape = next_random();
	int			random_digits = shape % (count + 1);
	unsigned	last = shape >> 32 & 1 ? 57 : 0;
	bool		too_large;

	do
	{
		memset(n, 0, size);
		too_large = false;
		for (int i = 0; i < count; i++)
		{
			unsigned	digit = i < random_digits ? next_random() % 58 : last;

			too_large |= slow_multiply_add(n, size, 58, digit);
		}
	} while (too_large && random_digits > 0);
}

/*
 * One id in four has digits that end in zeros or in the last digit.  The others
 * have random bytes.  In half of these, some bytes are 0 or 255, for carries.
 */
static void
make_random_id(uint8_t *id)
{
	uint64_t	shape = next_random();

	if ((shape >> 44 & 3) == 0)
	{
		make_round_number(id, T_SIZE, T_DIGITS);
		make_round_number(id + T_SIZE, R_SIZE, R_DIGITS);
		return;
	}
	for (int i = 0; i < GID_SIZE; i++)
	{
		id[i] = next_random() & 0xFF;
		if (shape & 1 && shape >> (2 * i + 1) & 1)
			id[i] = shape >> (2 * i + 2) & 1 ? 0xFF : 0;
	}
	if (shape >> 40 & 7)
		id[0] |= 0x80;
}

/* Replaces one to four characters of a text, mostly by digits. */
static void
check_random_text(const uint8_t *id)
{
	uint64_t	shape = next_random();
	bool		is_compact = shape & 1;
	size_t		length = is_compact ? GID_COMPACT_LENGTH : GID_TEXT_LENGTH;
	char		text[GID_TEXT_LENGTH];

	(is_compact ? slow_encode_compact : slow_encode) (id, text);
	for (uint64_t i = shape >> 1 & 3; i < 4; i++)
	{
		uint64_t	random = next_random();
		size_t		place = random % length;

		random >>= 8;
		if (random & 7)
			text[place] = slow_alphabet[(random >> 3) % 58];
		else
			text[place] = (char) (random >> 3);
	}
	check_text(text, length);
}

static void
check_random(long count)
{
	uint8_t		id[2][GID_SIZE];

	make_random_id(id[1]);
	for (long i = 0; i < count; i++)
	{
		make_random_id(id[i % 2]);
		check_id(id[i % 2]);
		check_order(id[0], id[1]);
		check_random_text(id[i % 2]);
	}
	ok("random ids and texts", count);
}

int
main(int argc, char **argv)
{
	const uint16_t one = 1;

	if (argc < 3)
	{
		fprintf(stderr, "usage: codec_test COUNT FILE ...\n");
		return 2;
	}
	canonical = allocate(GID_TEXT_LENGTH);
	compact = allocate(GID_COMPACT_LENGTH);

	check_vectors(argc - 2, argv + 2);
	check_lengths();
	check_edges();
	check_random(strtol(argv[1], NULL, 10));

	free(canonical);
	free(compact);
	printf("# on a %s machine\n",
		   *(const uint8_t *) &one ? "little-endian" : "big-endian");
	printf("# checksum %016" PRIx64 "\n", checksum);
	printf("1..%d\n", tests);
	return failures == 0 ? 0 : 1;
}
