/*
 * settled.h
 *		The shared memory of settled.c, which module.c creates, and gid_settled(),
 *		which returns a bound.
 */
#ifndef GID_SETTLED_H
#define GID_SETTLED_H

#include "gid.h"

#include "storage/lwlock.h"

extern Size gid_samples_size(void);
extern void gid_attach_samples(LWLock *lock);
extern PGDLLEXPORT Datum gid_settled(PG_FUNCTION_ARGS);

#endif							/* GID_SETTLED_H */
