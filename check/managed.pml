/*
 * managed.pml
 *		A model of gid_new() and gid_settled() in examples/managed/gid.sql.  See model.pl.
 *
 * As in model.pml, no clock is trusted, and the macros are the size of a search.
 * Reading the floor, setval(), a lock and a look at all locks are one step each.
 * The setting of a transaction begins with any claim: a session can set it.
 */
#define FLOOR_READ_ONCE		101	/* managed: the floor is not read after the claim is taken */
#define FLOOR_NOT_RAISED	102	/* managed: the floor is not raised */
#define CLAIMS_FIRST		103	/* managed: the claims are read before the floor is raised */
#define SAME_STATEMENT		104	/* managed: the statement that reads begins before the claims are read */
#define NO_MUTEX			105	/* managed: two sessions raise the floor at a time */
#define RELEASED_EARLY		106	/* managed: the claim ends before the rows are visible */
#define SETTING_BELIEVED	107	/* managed: the lock is not taken again */
#define CLAIM_ABOVE			108	/* managed: a claim above the id is kept */
#define BELOW_FLOOR			109	/* managed: the floor is not a minimum */

#define BROKEN(what)		(mutation == what)
#define WHEN(condition, step)	if :: condition -> step :: else fi
#define LEAST(a, b)			((a) != 0 && (a) < (b) -> (a) : (b))
#define ANY(instant)		if :: instant = 1 :: instant = 2 :: instant = 3 fi

byte floor = 1;
bool is_locked;				/* the lock of the sessions that raise the floor */
byte locks[WRITERS];		/* the least claim of a transaction, or 0 */
byte given;					/* the greatest horizon that a statement has read with */
byte recent;				/* the least id that became visible after the last statement began */

proctype Writer(byte mutation, slot)
{
	byte transactions, ids, claim, instant, least, saved_claim, saved_lock, saved_least;
	bool is_held, is_saved;

	do
	:: transactions == TRANSACTIONS -> break
	:: else ->
		if :: claim = 0 :: ANY(claim) fi;
		do
		:: ids < IDS ->
			atomic {
				ids++;
				is_held = claim != 0;
				WHEN(is_held && !BROKEN(SETTING_BELIEVED), locks[slot] = LEAST(locks[slot], claim))
			};
			do
			:: atomic {
				ANY(instant);
				instant = (instant < floor && !BROKEN(BELOW_FLOOR) -> floor : instant);
				if
				:: is_held && (claim <= instant || BROKEN(CLAIM_ABOVE)) -> break
				:: else -> claim = instant
				fi
				};
				atomic {
					locks[slot] = LEAST(locks[slot], claim);
					is_held = true;
					if
					:: BROKEN(FLOOR_READ_ONCE) -> break
					:: else
					fi
				}
			od;
			least = LEAST(least, instant)
		:: atomic { !is_saved -> is_saved = true; saved_claim = claim; saved_lock = locks[slot]; saved_least = least }
		:: atomic { is_saved -> is_saved = false; claim = saved_claim; locks[slot] = saved_lock; least = saved_least }
		:: ids > 0 -> break
		od;
		WHEN(BROKEN(RELEASED_EARLY), locks[slot] = 0);
		atomic {
			assert(least == 0 || least >= given);
			recent = (least == 0 -> recent : LEAST(recent, least))
		};
		atomic {
			locks[slot] = 0; transactions++; ids = 0; claim = 0; instant = 0; least = 0;
			is_held = false; is_saved = false; saved_claim = 0; saved_lock = 0; saved_least = 0
		}
	od
}

inline least_claim()
{
	atomic {
		for (i : 0 .. WRITERS - 1) { least = LEAST(locks[i], least) }
		i = 0
	}
}

proctype Poller(byte mutation)
{
	byte current, i;
	byte least = 255;

	recent = 0;
	WHEN(BROKEN(CLAIMS_FIRST), least_claim());
	atomic { !is_locked || BROKEN(NO_MUTEX) -> is_locked = true };
	atomic { current = floor; ANY(i); i = (i > current -> i : current + 1) };
	atomic { floor = (BROKEN(FLOOR_NOT_RAISED) -> floor : i); least = LEAST(least, i); i = 0; is_locked = false };
	WHEN(!BROKEN(CLAIMS_FIRST), least_claim());
	if
	:: BROKEN(SAME_STATEMENT) -> assert(recent == 0 || recent >= least)
	:: else -> atomic { given = (least > given -> least : given) }
	fi
}

init
{
	byte mutation;

	atomic {
		c_code {
			const char *chosen = getenv("MUTATION");

			Pinit->mutation = chosen ? atoi(chosen) : 0;
		};
		run Writer(mutation, 0);
#if WRITERS > 1
		run Writer(mutation, 1);
#endif
		run Poller(mutation);
		run Poller(mutation)
	}
}
