/*
 * codec.h
 *		The text of a gid: base 58, in a canonical and a compact form.
 *
 * Plain C: it must not know PostgreSQL, so that a fuzzer, a benchmark or
 * another program can link it.
 */
#ifndef GID_CODEC_H
#define GID_CODEC_H

#include <stddef.h>

#include "layout.h"

#define GID_TEXT_LENGTH		24	/* canonical: TTTTTTTTTT-RRRRRRRRRRRRR */
#define GID_DASH			10	/* the dash's place in it, from 0 */
#define GID_COMPACT_LENGTH	22
#define GID_SHORT_LENGTH	13	/* R alone */

typedef enum GidTextStatus
{
	GID_TEXT_OK,
	GID_TEXT_LENGTH_WRONG,
	GID_TEXT_DASH_WRONG,		/* missing, or in another place */
	GID_TEXT_NOT_BASE58,		/* a character outside the alphabet */
	GID_TEXT_OVERFLOW,			/* a part exceeds its bytes */
	GID_TEXT_NO_HIGH_BIT		/* the first byte is below 0x80 */
} GidTextStatus;

/*
 * The encoders write exactly GID_TEXT_LENGTH, GID_COMPACT_LENGTH bytes, with
 * no terminating zero.  They take any two words, valid gid or not.
 */
extern void gid_encode(GidWords id, char *text);
extern void gid_encode_compact(GidWords id, char *text);

/*
 * Decodes either form, depending on the length.  Sets *id if the result is
 * GID_TEXT_OK, and *position, counted from 0, if it is GID_TEXT_DASH_WRONG or
 * GID_TEXT_NOT_BASE58.
 */
extern GidTextStatus gid_decode(const char *text, size_t length,
								GidWords *id, size_t *position);

#endif							/* GID_CODEC_H */
