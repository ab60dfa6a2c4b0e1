/*
 * settled.h
 *		The shared memory of settled.c, which gid.c creates.
 */
#ifndef GID_SETTLED_H
#define GID_SETTLED_H

#include "storage/lwlock.h"

extern Size gid_samples_size(void);
extern void gid_attach_samples(LWLock *lock);

#endif							/* GID_SETTLED_H */
