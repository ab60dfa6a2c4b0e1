/*
 * asan_first.c
 *		Lets AddressSanitizer start before a lock is taken that it needs.
 *
 * Preloaded into a server that was built without it, AddressSanitizer starts
 * at the first malloc() of all.  That is in newlocale() or bindtextdomain(),
 * which the constructors of some libraries call (libp11-kit and libgnutls, by
 * way of libldap).  glibc holds its locks on locales there; the start of
 * AddressSanitizer takes and releases them as well, to translate messages, and
 * then the server hangs.  So these two allocate something first.
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
