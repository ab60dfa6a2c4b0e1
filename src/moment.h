/*
 * moment.h
 *		What is remembered while one query is planned: see moment.c.
 */
#ifndef GID_MOMENT_H
#define GID_MOMENT_H

#include "gid.h"

#include "nodes/pathnodes.h"

extern bool gid_is_foreign_moment(PlannerInfo *root);

#endif							/* GID_MOMENT_H */
