/*
 * lookup.h
 *		Functions of gid in the catalog: see lookup.c.
 */
#ifndef GID_LOOKUP_H
#define GID_LOOKUP_H

#include "gid.h"

extern void gid_watch_catalog(void);
extern uint64 gid_catalog_version(void);
extern PGFunction gid_address_of(Oid function);
extern bool gid_all_may_execute(Oid function);
extern Oid	gid_find_function(const char *name, Oid first_type,
							  Oid second_type, PGFunction wanted);

#endif							/* GID_LOOKUP_H */
