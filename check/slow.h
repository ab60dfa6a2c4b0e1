/*
 * slow.h
 *		A simple codec, which uses long division and multiplication.
 *
 * codec_test.c compares src/codec.c with this codec.  It processes one digit at
 * a time over single bytes, as doc/format.md specifies the text.  It shares only
 * the names of the results with src/codec.c.
 */
#ifndef SLOW_H
#define SLOW_H

#include <string.h>

#include "codec.h"

#define T_SIZE		7			/* bytes of the part before the dash */
#define T_DIGITS	10
#define R_SIZE		9
#define R_DIGITS	13

static const char slow_alphabet[] =
"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/* Returns the value of a digit, or -1 if the character is not a digit. */
static inline int
slow_digit(char c)
{
	const char *found = c ? strchr(slow_alphabet, c) : NULL;

	return found ? (int) (found - slow_alphabet) : -1;
}

/* Sets n to n * factor + summand.  Returns true if the result does not fit. */
static inline bool
slow_multiply_add(uint8_t *n, size_t size, unsigned factor, unsigned summand)
{
	for (size_t i = size; i-- > 0;)
	{
		summand += n[i] * factor;
		n[i] = summand & 0xFF;
		summand >>= 8;
	}
	return summand != 0;
}

static inline void
slow_write(const uint8_t *bytes, size_t size, char *text, size_t digits)
{
	uint8_t		n[GID_SIZE];

	memcpy(n, bytes, size);
	while (digits-- > 0)
	{
		unsigned	remainder = 0;

		for (size_t i = 0; i < size; i++)
		{
			remainder = remainder << 8 | n[i];
			n[i] = remainder / 58;
			remainder %= 58;
		}
		text[digits] = slow_alphabet[remainder];
	}
}

/* Reads a number.  Returns true if the number fits in the bytes. */
static inline bool
slow_read(const char *text, size_t digits, uint8_t *bytes, size_t size)
{
	bool		fits = true;

	memset(bytes, 0, size);
	for (size_t i = 0; i < digits; i++)
	{
		if (slow_multiply_add(bytes, size, 58, slow_digit(text[i])))
			fits = false;
	}
	return fits;
}

static inline void
slow_encode(const uint8_t *id, char *text)
{
	slow_write(id, T_SIZE, text, T_DIGITS);
	text[T_DIGITS] = '-';
	slow_write(id + T_SIZE, R_SIZE, text + T_DIGITS + 1, R_DIGITS);
}

static inline void
slow_encode_compact(const uint8_t *id, char *text)
{
	slow_write(id, GID_SIZE, text, GID_COMPACT_LENGTH);
}

/* Returns the error of one character.  The length of the text must be valid. */
static inline GidTextStatus
slow_fault_at(const char *text, size_t length, size_t position)
{
	bool		dash = (length == GID_TEXT_LENGTH && position == T_DIGITS);

	if ((text[position] == '-') != dash)
		return GID_TEXT_DASH_WRONG;
	if (!dash && slow_digit(text[position]) < 0)
		return GID_TEXT_NOT_BASE58;
	return GID_TEXT_OK;
}

/*
 * Returns whether a status and a position of the codec are right.  If a text has
 * several errors, each of them is a right answer.  If the text is valid, id is
 * set to its 16 bytes.
 */
static inline bool
slow_agrees(const char *text, size_t length, GidTextStatus status,
			size_t position, uint8_t *id)
{
	bool		first_fits,
				all_fits;

	if (length != GID_TEXT_LENGTH && length != GID_COMPACT_LENGTH)
		return status == GID_TEXT_LENGTH_WRONG;

	for (size_t i = 0; i < length; i++)
	{
		if (slow_fault_at(text, length, i) != GID_TEXT_OK)
			return position < length && status != GID_TEXT_OK &&
				status == slow_fault_at(text, length, position);
	}

	if (length == GID_TEXT_LENGTH)
	{
		first_fits = slow_read(text, T_DIGITS, id, T_SIZE);
		all_fits = slow_read(text + T_DIGITS + 1, R_DIGITS,
							 id + T_SIZE, R_SIZE) && first_fits;
	}
	else
		first_fits = all_fits = slow_read(text, length, id, GID_SIZE);

	if (!all_fits && status == GID_TEXT_OVERFLOW)
		return true;
	if (first_fits && id[0] < 0x80)
		return status == GID_TEXT_NO_HIGH_BIT;
	return all_fits && status == GID_TEXT_OK;
}

static inline GidWords
slow_words(const uint8_t *id)
{
	GidWords	words = {0, 0};

	for (int i = 0; i < 8; i++)
	{
		words.high = words.high << 8 | id[i];
		words.low = words.low << 8 | id[i + 8];
	}
	return words;
}

#endif							/* SLOW_H */
