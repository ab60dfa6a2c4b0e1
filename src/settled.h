/*
 * settled.h
 *		The shared memory of settled.c, which module.c creates, and what planner
 *		support functions need to know of gid_settled().
 */
#ifndef GID_SETTLED_H
#define GID_SETTLED_H

#include "gid.h"

#include "storage/lwlock.h"

extern Size gid_samples_size(void);
extern void gid_attach_samples(LWLock *lock);
extern void gid_reject_settled_with_table(void);
extern PGDLLEXPORT Datum gid_settled(PG_FUNCTION_ARGS);

#endif							/* GID_SETTLED_H */
