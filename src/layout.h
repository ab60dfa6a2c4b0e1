/*
 * layout.h
 *		The bit layout of a gid.
 *
 * A gid is 16 bytes, read as two big-endian 64-bit words:
 *
 *		high:	prefix (8) | Unix milliseconds (48) | byte 7 (8)
 *		low:	payload (64)
 *
 * Byte 7 says what the payload is:
 *
 *		the prefix	a packed muid, as gid_new() mints it:
 *					microseconds (10) | medallion (24) | offset (30)
 *		0xFF		any other payload
 *		0			a bound: the payload is 0
 *
 * In ids of Graft, the high bit of byte 7 is set.  The other 7 bits and the
 * payload are random.  No value is rejected.
 *
 * Ids sort as the pair (high, low).
 *
 * This file is plain C.  It must not depend on PostgreSQL, on the byte order of
 * the machine, or on the names of kinds.
 */
#ifndef GID_LAYOUT_H
#define GID_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct GidWords
{
	uint64_t	high;
	uint64_t	low;
} GidWords;

#define GID_SIZE				16		/* bytes */

#define GID_PREFIX_SHIFT		56		/* in the high word */
#define GID_MS_SHIFT			8
#define GID_MS_BITS				48
#define GID_MAX_MS				((UINT64_C(1) << GID_MS_BITS) - 1)

#define GID_FIRST_KIND			0x80	/* prefixes */
#define GID_LAST_KIND			0xFE
#define GID_OTHER_PAYLOAD		0xFF	/* in byte 7; no kind has this prefix */

#define GID_MICRO_SHIFT			54		/* in the low word */
#define GID_MEDALLION_SHIFT		30
#define GID_MEDALLION_BITS		24
#define GID_SLOT_BITS			14		/* of the medallion, below the node */
#define GID_OFFSET_BITS			30
#define GID_MAX_MICRO			999
#define GID_MAX_MEDALLION		((UINT32_C(1) << GID_MEDALLION_BITS) - 1)
#define GID_MAX_OFFSET			((UINT32_C(1) << GID_OFFSET_BITS) - 1)

/* The largest instant, in Unix microseconds; the smallest is 0. */
#define GID_MAX_INSTANT			((int64_t) (GID_MAX_MS * 1000 + GID_MAX_MICRO))

/* 16 bytes are a valid gid if the high bit of the first byte is set. */
static inline bool
gid_is_valid(GidWords id)
{
	return (id.high >> 63) != 0;
}

/* Whether a number is the prefix of a kind. */
static inline bool
gid_is_kind(int32_t number)
{
	return number >= GID_FIRST_KIND && number <= GID_LAST_KIND;
}

static inline uint8_t
gid_prefix_of(GidWords id)
{
	return (uint8_t) (id.high >> GID_PREFIX_SHIFT);
}

static inline uint64_t
gid_ms_of(GidWords id)
{
	return (id.high >> GID_MS_SHIFT) & GID_MAX_MS;
}

static inline uint8_t
gid_byte7_of(GidWords id)
{
	return (uint8_t) id.high;
}

static inline uint32_t
gid_micro_of(GidWords id)
{
	return (uint32_t) (id.low >> GID_MICRO_SHIFT);
}

static inline uint32_t
gid_medallion_of(GidWords id)
{
	return (uint32_t) (id.low >> GID_MEDALLION_SHIFT) & GID_MAX_MEDALLION;
}

/* The upper bits of the medallion: gid.node, or random if it is not set. */
static inline uint32_t
gid_node_of(GidWords id)
{
	return gid_medallion_of(id) >> GID_SLOT_BITS;
}

static inline uint32_t
gid_offset_of(GidWords id)
{
	return (uint32_t) id.low & GID_MAX_OFFSET;
}

/* The high word of an id whose payload is a muid. */
static inline uint64_t
gid_high_word(uint8_t prefix, uint64_t ms)
{
	return (uint64_t) prefix << GID_PREFIX_SHIFT | ms << GID_MS_SHIFT | prefix;
}

/* The gid of a muid, as gid_new() mints it.  The instant is in microseconds. */
static inline GidWords
gid_pack(uint8_t prefix, int64_t instant, uint32_t medallion, uint32_t offset)
{
	GidWords	id;

	id.high = gid_high_word(prefix, (uint64_t) instant / 1000);
	id.low = (uint64_t) instant % 1000 << GID_MICRO_SHIFT |
		(uint64_t) medallion << GID_MEDALLION_SHIFT | offset;
	return id;
}

/* An id whose payload is not a muid. */
static inline GidWords
gid_with_payload(uint8_t prefix, uint64_t ms, uint64_t payload)
{
	GidWords	id = {gid_high_word(prefix, ms) | GID_OTHER_PAYLOAD, payload};

	return id;
}

/*
 * Whether the payload is a muid.  The result is also true for one of 131 ids of
 * Graft: the lower 7 bits of byte 7 are then those of the prefix, and the
 * microseconds are valid.  Prefix 255 is not a kind, so no such id was minted.
 */
static inline bool
gid_has_muid(GidWords id)
{
	return gid_byte7_of(id) == gid_prefix_of(id) &&
		gid_byte7_of(id) != GID_OTHER_PAYLOAD &&
		gid_micro_of(id) <= GID_MAX_MICRO;
}

#endif							/* GID_LAYOUT_H */
