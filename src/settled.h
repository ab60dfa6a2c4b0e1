/*
 * settled.h
 *		The shared memory of settled.c, which module.c creates, and an error.
 */
#ifndef GID_SETTLED_H
#define GID_SETTLED_H

#include "storage/lwlock.h"

extern Size gid_samples_size(void);
extern void gid_attach_samples(LWLock *lock);
extern void gid_reject_settled_with_table(void);

#endif							/* GID_SETTLED_H */
