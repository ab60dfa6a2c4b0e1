/*
 * generator.h
 *		The generator of this session.
 */
#ifndef GID_GENERATOR_H
#define GID_GENERATOR_H

#include "gid.h"

extern void gid_reject_parallel_worker(const char *action);
extern GidWords gid_next(uint8 prefix);
extern void gid_observe_instant(int64 instant);

#endif							/* GID_GENERATOR_H */
