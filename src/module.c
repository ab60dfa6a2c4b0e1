/*
 * module.c
 *		What makes the library loadable.
 */
#include "gid.h"

GID_MODULE_MAGIC;
