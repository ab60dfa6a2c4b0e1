/*
 * codec.h
 *		The text of a gid: base 58, in a canonical and a compact form.
 *
 * This file is plain C.  It must not depend on PostgreSQL, so that another
 * program can link codec.c.
 */
#ifndef GID_CODEC_H
#define GID_CODEC_H

#include <stddef.h>

#include "layout.h"

#define GID_TEXT_LENGTH		24	/* canonical: TTTTTTTTTT-RRRRRRRRRRRRR */
#define GID_DASH			10	/* position of the dash, counted from 0 */
#define GID_COMPACT_LENGTH	22

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
 * gid_encode() writes exactly GID_TEXT_LENGTH bytes, gid_encode_compact()
 * GID_COMPACT_LENGTH bytes, without a terminating zero.  The words can be any,
 * not only those of a valid gid.
 */
extern void gid_encode(GidWords id, char *text);
extern void gid_encode_compact(GidWords id, char *text);

/*
 * Decodes canonical or compact text, depending on the length.  Sets *id if the
 * result is GID_TEXT_OK.  Sets *position, counted from 0, if the result is
 * GID_TEXT_DASH_WRONG or GID_TEXT_NOT_BASE58.
 */
extern GidTextStatus gid_decode(const char *text, size_t length,
								GidWords *id, size_t *position);

#endif							/* GID_CODEC_H */
