/*
 * asan_first.c
 *		Starts AddressSanitizer before glibc acquires a lock that it needs.
 *
 * If AddressSanitizer is preloaded into a server that was built without it, it
 * starts at the first call of malloc().  That call is in newlocale() or
 * bindtextdomain(), which constructors of libp11-kit and libgnutls call (libldap
 * loads them).  glibc then holds its locks on locales.  AddressSanitizer
 * acquires the same locks to translate messages, and the server hangs.
 * Therefore these wrappers allocate memory before they call glibc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libintl.h>
#include <locale.h>
#include <stdlib.h>

static void *
allocate_and_find(const char *name)
{
	void	   *volatile first = malloc(1);

	free(first);
	return dlsym(RTLD_NEXT, name);
}

locale_t
newlocale(int categories, const char *name, locale_t base)
{
	locale_t	(*real) (int, const char *, locale_t);

	*(void **) &real = allocate_and_find("newlocale");
	return real(categories, name, base);
}

#undef bindtextdomain
char *
bindtextdomain(const char *domain, const char *folder)
{
	char	   *(*real) (const char *, const char *);

	*(void **) &real = allocate_and_find("bindtextdomain");
	return real(domain, folder);
}
