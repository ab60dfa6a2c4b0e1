/*
 * litmus.c
 *		Shows why a claim needs a full barrier between store and load.
 *
 * One thread publishes a claim and reads the floor, the other raises the floor
 * and reads the claims.  If neither sees the other's store, an id is missed.
 *
 *		litmus none SECONDS		without a barrier; ends at the first 100
 *		litmus full SECONDS		with one
 *
 * Prints how often neither saw the other, and of how many tries.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A few tries for each start, since the threads drift apart. */
#define CELLS	64
#define ENOUGH	100

typedef struct Cell
{
	_Alignas(64) atomic_int claim;
	_Alignas(64) atomic_int floor;
} Cell;

static Cell cells[CELLS];
static int	claimant_saw[CELLS];
static int	asker_saw[CELLS];
static atomic_long started;		/* rounds */
static atomic_long finished;
static atomic_bool done;
static bool full;

static void
run_round(bool is_claimant)
{
	for (int i = 0; i < CELLS; i++)
	{
		atomic_int *mine = is_claimant ? &cells[i].claim : &cells[i].floor;
		atomic_int *other = is_claimant ? &cells[i].floor : &cells[i].claim;

		atomic_store_explicit(mine, 1, memory_order_relaxed);
		if (full)
			atomic_thread_fence(memory_order_seq_cst);
		else
			atomic_signal_fence(memory_order_seq_cst);	/* the compiler's order */
		(is_claimant ? claimant_saw : asker_saw)[i] =
			atomic_load_explicit(other, memory_order_relaxed);
	}
}

static void *
claimant(void *arg)
{
	for (long round = 1;; round++)
	{
		while (atomic_load(&started) < round)
		{
			if (atomic_load(&done))
				return arg;
		}
		run_round(true);
		atomic_store(&finished, round);
	}
}

int
main(int argc, char **argv)
{
	pthread_t	thread;
	long		neither = 0;
	long		round = 0;
	time_t		end;

	if (argc != 3)
		return 2;
	full = strcmp(argv[1], "full") == 0;
	end = time(NULL) + atoi(argv[2]);
	if (pthread_create(&thread, NULL, claimant, NULL) != 0)
		return 2;
	while (time(NULL) < end && neither < ENOUGH)
	{
		for (int i = 0; i < CELLS; i++)
		{
			atomic_store_explicit(&cells[i].claim, 0, memory_order_relaxed);
			atomic_store_explicit(&cells[i].floor, 0, memory_order_relaxed);
		}
		atomic_store(&started, ++round);
		run_round(false);
		while (atomic_load(&finished) < round)
			;
		for (int i = 0; i < CELLS; i++)
			neither += (claimant_saw[i] == 0 && asker_saw[i] == 0);
	}
	atomic_store(&done, true);
	pthread_join(thread, NULL);
	printf("%ld of %ld\n", neither, round * CELLS);
	return 0;
}
