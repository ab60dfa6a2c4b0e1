/*
 * layout.h
 *		The bit layout of a gid.
 *
 * A gid is 16 bytes, read as two big-endian 64-bit words:
 *
 *		high:	prefix (8) | Unix milliseconds (48) | byte 7 (8)
 *		low:	payload (64)
 *
 * and the payload of an id that gid_new() minted is a packed muid:
 *
 *		low:	microseconds (10) | medallion (24) | offset (30)
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

/* Byte 7: the prefix again in ids that gid minted, any value in other ids. */
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

static inline uint32_t
gid_offset_of(GidWords id)
{
	return (uint32_t) id.low & GID_MAX_OFFSET;
}

/* The high word for a kind and a millisecond.  Byte 7 repeats the prefix. */
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

/*
 * Whether the payload can be a muid.  If not, gid_new() did not mint the id.
 *
 * The result can also be true for an id with a random payload: for 97.7 % of
 * the ids of gid_random(), where byte 7 repeats the prefix, and for one of 131
 * ids of Graft, where the lower 7 bits of byte 7 are random.
 */
static inline bool
gid_may_be_muid(GidWords id)
{
	return gid_byte7_of(id) == gid_prefix_of(id) &&
		gid_micro_of(id) <= GID_MAX_MICRO;
}

#endif							/* GID_LAYOUT_H */
