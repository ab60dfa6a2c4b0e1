/*
 * gid.c
 *		What makes the library loadable.
 */
#include "gid.h"

#include "server_clock.h"

GID_MODULE_MAGIC;

extern void _PG_init(void);

void
_PG_init(void)
{
	gid_define_settings();
	gid_request_server_clock();
}
