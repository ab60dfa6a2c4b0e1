/*
 * codec.c
 *		The text of a gid: base 58, in a canonical and a compact form.
 *
 * Canonical text consists of two numbers.  T, bytes 0-6, has 10 digits.  R,
 * bytes 7-15, has 13 digits.  Compact text is all 16 bytes as one number of 22
 * digits.  Numbers are padded on the left with the digit '1', so that text has
 * the order of the bytes.
 *
 * Canonical text is written and read most often.  It is read in groups of five
 * digits, because 58^5 fits into 30 bits, so that nearly every step is 64-bit
 * arithmetic.  gid_encode() gets its digits from fractions, with one
 * multiplication for every two digits.  Compact text is converted digit by digit.
 *
 * This file is plain C.  It must not depend on PostgreSQL, kinds, or the byte
 * order of the machine.
 */
#include <string.h>

#include "codec.h"

#define GROUP		UINT64_C(656356768)		/* 58^5 */
#define PAIR		(58 * 58)

#define ALPHABET	"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/* All two-digit numbers from "11" to "zz", to halve the number of divisions. */
#define ROW(d) \
	d "1" d "2" d "3" d "4" d "5" d "6" d "7" d "8" d "9" d "A" d "B" d "C" \
	d "D" d "E" d "F" d "G" d "H" d "J" d "K" d "L" d "M" d "N" d "P" d "Q" \
	d "R" d "S" d "T" d "U" d "V" d "W" d "X" d "Y" d "Z" d "a" d "b" d "c" \
	d "d" d "e" d "f" d "g" d "h" d "i" d "j" d "k" d "m" d "n" d "o" d "p" \
	d "q" d "r" d "s" d "t" d "u" d "v" d "w" d "x" d "y" d "z"

static const char pairs[] =
ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6") ROW("7") ROW("8")
ROW("9") ROW("A") ROW("B") ROW("C") ROW("D") ROW("E") ROW("F") ROW("G")
ROW("H") ROW("J") ROW("K") ROW("L") ROW("M") ROW("N") ROW("P") ROW("Q")
ROW("R") ROW("S") ROW("T") ROW("U") ROW("V") ROW("W") ROW("X") ROW("Y")
ROW("Z") ROW("a") ROW("b") ROW("c") ROW("d") ROW("e") ROW("f") ROW("g")
ROW("h") ROW("i") ROW("j") ROW("k") ROW("m") ROW("n") ROW("o") ROW("p")
ROW("q") ROW("r") ROW("s") ROW("t") ROW("u") ROW("v") ROW("w") ROW("x")
ROW("y") ROW("z");

/* The value of a character plus one; 0 for characters outside the alphabet. */
static const uint8_t digits[256] = {
	['1'] = 1, ['2'] = 2, ['3'] = 3, ['4'] = 4, ['5'] = 5, ['6'] = 6,
	['7'] = 7, ['8'] = 8, ['9'] = 9, ['A'] = 10, ['B'] = 11, ['C'] = 12,
	['D'] = 13, ['E'] = 14, ['F'] = 15, ['G'] = 16, ['H'] = 17, ['J'] = 18,
	['K'] = 19, ['L'] = 20, ['M'] = 21, ['N'] = 22, ['P'] = 23, ['Q'] = 24,
	['R'] = 25, ['S'] = 26, ['T'] = 27, ['U'] = 28, ['V'] = 29, ['W'] = 30,
	['X'] = 31, ['Y'] = 32, ['Z'] = 33, ['a'] = 34, ['b'] = 35, ['c'] = 36,
	['d'] = 37, ['e'] = 38, ['f'] = 39, ['g'] = 40, ['h'] = 41, ['i'] = 42,
	['j'] = 43, ['k'] = 44, ['m'] = 45, ['n'] = 46, ['o'] = 47, ['p'] = 48,
	['q'] = 49, ['r'] = 50, ['s'] = 51, ['t'] = 52, ['u'] = 53, ['v'] = 54,
	['w'] = 55, ['x'] = 56, ['y'] = 57, ['z'] = 58
};

static inline void
put_pair(char *text, uint64_t n)
{
	memcpy(text, pairs + 2 * n, 2);
}

/* The upper 64 bits of a product. */
static inline uint64_t
multiply_high(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	return (uint64_t) ((unsigned __int128) a * b >> 64);
#else
	uint64_t	low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t	middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t	other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);

	return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
#endif
}

/*
 * gid_encode() gets the digits of a number n below 58^k from the left, two at a
 * time and without a division by 58:
 *
 * Let d = 58^(k-2).  The integer part of n / d is the first two digits.  The
 * integer part of the fraction multiplied by 58^2 is the next two digits, and
 * so on.  q is n / d as an integer in units of 2^-54.  It fits into 64 bits,
 * because n / d is below 2^10 here.
 *
 * The digits are exact.  n / d is a multiple of 1 / d, and every value at which
 * a digit changes is also a multiple of 1 / d.  q is too large by less than
 * 1 / d:
 *
 *		part of the text	k	d		1 / d in units		q too large by
 *		T, bytes 0-6		10	58^8	> 140				<= 2
 *		first 8 of R		8	58^6	> 470,000			<= 2
 *		last 5 of R			5	58^4	> 1,591,000,000		< 58^5 < 657,000,000
 *
 * In the last part, d is 58^(k-1), and the integer part of n / d is one digit.
 *
 * For T and the first 8 digits of R, q is multiply_high(n << s, M) + 1.  M is
 * ceil(2^(118-s) / d), and s is the value for which M just fits into 64 bits.
 * Rounding M up adds less than 1 unit, because n << s is below 2^64.  "+ 1"
 * compensates for the bits that multiply_high() truncates.
 */
#define FRACTION_BITS	54

/* Writes two digits of a 64-bit fraction.  Returns the remaining fraction. */
static inline uint64_t
put_next_pair(char *text, uint64_t fraction)
{
	put_pair(text, multiply_high(fraction, PAIR));
	return fraction * PAIR;
}

void
gid_encode(GidWords id, char *text)
{
	/* 2^64 = word_quotient * 58^5 + word_remainder */
	const uint64_t word_quotient = UINT64_MAX / GROUP;
	const uint64_t word_remainder = UINT64_MAX % GROUP + 1;
	uint64_t	top = id.high & 0xFF;	/* R is top * 2^64 + id.low */
	uint64_t	tail;
	uint64_t	head;
	uint64_t	quotient;
	uint64_t	fraction;

	/* n is T and s is 8, because T is in the high word; M is ceil(2^110 / 58^8) */
	quotient = multiply_high(id.high - top, UINT64_C(0x8CAB0CC25287FC80)) + 1;
	put_pair(text, quotient >> FRACTION_BITS);
	fraction = put_next_pair(text + 2, quotient << (64 - FRACTION_BITS));
	fraction = put_next_pair(text + 4, fraction);
	fraction = put_next_pair(text + 6, fraction);
	put_next_pair(text + 8, fraction);

	text[GID_DASH] = '-';

	/* R as head * 58^5 + the last five digits: head stays below 2^43 */
	tail = top * word_remainder + id.low % GROUP;
	head = top * word_quotient + id.low / GROUP + tail / GROUP;
	tail %= GROUP;

	/* n is head and s is 21; M is ceil(2^97 / 58^6) */
	quotient = multiply_high(head << 21, UINT64_C(0x39C3BD9D4C241790)) + 1;
	put_pair(text + 11, quotient >> FRACTION_BITS);
	fraction = put_next_pair(text + 13, quotient << (64 - FRACTION_BITS));
	fraction = put_next_pair(text + 15, fraction);
	put_next_pair(text + 17, fraction);

	/* q is tail * ceil(2^54 / 58^4) */
	quotient = tail * ((UINT64_C(1) << FRACTION_BITS) / (PAIR * PAIR) + 1);
	text[19] = ALPHABET[quotient >> FRACTION_BITS];
	fraction = put_next_pair(text + 20, quotient << (64 - FRACTION_BITS));
	put_next_pair(text + 22, fraction);
}

void
gid_encode_compact(GidWords id, char *text)
{
	uint32_t	limb[4] = {
		id.high >> 32, (uint32_t) id.high, id.low >> 32, (uint32_t) id.low
	};

	/* Long division by 58, from the last digit to the first. */
	for (int place = GID_COMPACT_LENGTH - 1; place >= 0; place--)
	{
		uint64_t	remainder = 0;

		for (int i = 0; i < 4; i++)
		{
			uint64_t	dividend = remainder << 32 | limb[i];

			limb[i] = (uint32_t) (dividend / 58);
			remainder = dividend % 58;
		}
		text[place] = ALPHABET[remainder];
	}
}

/*
 * Returns the value of up to five digits.  A character outside the alphabet
 * sets bits above the sixth in *bad, and makes the value meaningless.
 */
static inline uint32_t
get_digits(const char *text, int count, uint32_t *bad)
{
	uint32_t	n = 0;

	for (int i = 0; i < count; i++)
	{
		uint32_t	digit = digits[(uint8_t) text[i]] - UINT32_C(1);

		*bad |= digit;
		n = n * 58 + digit;
	}
	return n;
}

/* Finds the first wrong character in text that contains one. */
static GidTextStatus
find_bad_character(const char *text, size_t length, size_t *position)
{
	size_t		i;

	for (i = 0; i < length; i++)
	{
		bool		dash_here = (length == GID_TEXT_LENGTH && i == GID_DASH);

		*position = i;
		if ((text[i] == '-') != dash_here)
			return GID_TEXT_DASH_WRONG;
		if (!dash_here && digits[(uint8_t) text[i]] == 0)
			break;
	}
	return GID_TEXT_NOT_BASE58;
}

static GidTextStatus
decode_canonical(const char *text, GidWords *words)
{
	uint32_t	bad = 0;
	uint64_t	t = get_digits(text, 5, &bad) * GROUP +
		get_digits(text + 5, 5, &bad);
	uint64_t	head = get_digits(text + 11, 3, &bad) * GROUP +
		get_digits(text + 14, 5, &bad);
	uint64_t	tail = get_digits(text + 19, 5, &bad);
	uint64_t	upper;

	if (bad >> 6 != 0 || text[GID_DASH] != '-')
		return GID_TEXT_NOT_BASE58;

	/* R is head * 58^5 + tail.  head is below 58^8, which is below 2^47. */
	upper = (head >> 32) * GROUP;
	tail += (head & UINT32_MAX) * GROUP;
	words->low = (upper << 32) + tail;
	upper = (upper >> 32) + (words->low < tail);
	words->high = t << 8 | upper;

	if (t >> 56 != 0 || upper >> 8 != 0)
		return GID_TEXT_OVERFLOW;
	return GID_TEXT_OK;
}

static GidTextStatus
decode_compact(const char *text, GidWords *words)
{
	uint32_t	bad = 0;
	uint32_t	limb[4] = {0};
	uint64_t	carry = 0;

	for (int place = 0; place < GID_COMPACT_LENGTH; place++)
	{
		carry = get_digits(text + place, 1, &bad);
		for (int i = 3; i >= 0; i--)
		{
			carry += limb[i] * UINT64_C(58);
			limb[i] = (uint32_t) carry;
			carry >>= 32;
		}
	}
	words->high = (uint64_t) limb[0] << 32 | limb[1];
	words->low = (uint64_t) limb[2] << 32 | limb[3];

	if (bad >> 6 != 0)
		return GID_TEXT_NOT_BASE58;
	/* Only the last digit can overflow, as 58^21 is below 2^128. */
	return carry == 0 ? GID_TEXT_OK : GID_TEXT_OVERFLOW;
}

GidTextStatus
gid_decode(const char *text, size_t length, GidWords *id, size_t *position)
{
	GidWords	words;
	GidTextStatus status;

	if (length == GID_TEXT_LENGTH)
		status = decode_canonical(text, &words);
	else if (length == GID_COMPACT_LENGTH)
		status = decode_compact(text, &words);
	else
		return GID_TEXT_LENGTH_WRONG;

	if (status == GID_TEXT_NOT_BASE58)
		return find_bad_character(text, length, position);
	if (status != GID_TEXT_OK)
		return status;
	if (!gid_is_valid(words))
		return GID_TEXT_NO_HIGH_BIT;
	*id = words;
	return GID_TEXT_OK;
}
