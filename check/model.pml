/*
 * model.pml
 *		A model of the protocol of gid_settled(), for Spin.  See model.pl.
 *
 * The model follows gid_claim_instant() and gid_end_transaction() in
 * server_clock.c and find_horizon() in settled.c.  An inline has the name of
 * the C function that it stands for.  Each access to shared memory is a step of
 * its own, and what a lock protects is one step.  A comment such as
 * "find_horizon: step 1" marks each numbered step of the code.
 *
 * Clocks are not trusted: each reading is any instant from 1 to INSTANTS.
 * The walk of step 5 can reach its limit at any xid.
 * A slot has one entry for ended transactions, which its next transaction
 * overwrites.  A session that ends and its successor in the same slot are one
 * writer with two transactions.
 *
 * TransactionXmin, the wraparound of xids, and what happens to the samples of
 * close instants (t/018_samples.pl) are not in the model.
 *
 * The macros WRITERS, TRANSACTIONS (of each writer), IDS (of each transaction),
 * POLLERS, POLLS (of each poller) and INSTANTS are the size of a search.
 * Each of the others adds something:
 *
 *		PREPARE		transactions can be prepared
 *		SUBXIDS		transactions can have a subtransaction
 *		OLD			a poller also asks for an older snapshot
 *		THIN		samples are removed
 *		OBSERVE		a session raises the floor (gid_observe_server())
 *		OWN			the first writer asks before it ends
 *		ARM			processors delay stores and reorder loads; x86 does less
 *		LIVE		pollers never stop
 *		BRIEF		each transaction mints, gets its xid and commits
 */

/*
 * The mutations.  The first word of a comment is the search that finds the
 * mutation.
 */
#define FLOOR_BEFORE_CLAIM		1	/* base: the floor is read before the claim is published */
#define CLAIMS_BEFORE_FLOOR		2	/* base: claims are read before the floor is raised */
#define XID_BEFORE_CLAIMS		3	/* base: the next xid is read before the claims */
#define RUNNING_BEFORE_CLAIMS	4	/* base: running transactions are read before the claims */
#define NOT_ABOVE_FLOOR			5	/* base: instants are not raised above the floor (without step 3) */
#define WITHOUT_XIP				6	/* base: the xids in progress at the snapshot are ignored */
#define NEWEST_SAMPLE			7	/* base: the newest sample is used, whatever its xid */
#define CLEARED_EARLY			8	/* base: the claim is cleared before the commit */
#define WITHOUT_OWN_CLAIM		9	/* own: the claim of the own session is ignored */
#define SAMPLE_WITHOUT_CLAIMS	10	/* base: samples are made of the floor alone */
#define PREPARED_AS_RUNNING		11	/* base: prepared transactions count as running */
#define WITHOUT_LEAST			12	/* base: only the sample limits the horizon in step 6 */
#define NEW_ANSWERS				13	/* base: each call with a snapshot has an answer of its own */
#define ENDED_WITHOUT_INSTANT	14	/* base: an ended transaction is recorded without its instant */
#define CLAIM_LOWERED			15	/* clock: a claim is lowered within a transaction */
#define WITHOUT_CLAIM			16	/* base: the claim is first published in step 4 (without step 1) */
#define WITHOUT_CLAIMS			17	/* base: claims are not read (without step 2) */
#define WITHOUT_SAMPLE			18	/* base: no sample limits the horizon in step 6 */
#define FLOOR_STORED			19	/* base: the floor is raised by a store */
#define NOT_CLEARED_ENTRY		20	/* base: the xid stays in an entry that changes */
#define ENTRY_NOT_CHECKED		21	/* base: the xid of an entry is not read again */
#define CLEARED_BEFORE_LEAVING	22	/* base: the claim is cleared before the transaction leaves the process array */
#define NO_FLOOR				30	/* live: the floor is not raised (without step 1) */
#define NO_SAMPLES				31	/* live: no sample is added (without step 3) */
#define NO_RUNNING				32	/* live: running transactions are not read (without step 4) */
#define NO_WALK					33	/* live: the first xid that the snapshot does not see counts (without step 5) */
#define FLOOR_STOPS				34	/* live: the floor stops if the clock was set back */
#define CLAIM_TOO_LOW			35	/* live: the claim stays at the intended instant (without step 4) */
#define CLAIM_KEPT				36	/* live: the claim is not cleared */
#define NO_CLAIM_BARRIER		41	/* arm: no barrier after the claim is published (without step 2) */
#define NO_FLOOR_BARRIER		42	/* arm: no barrier after the floor is raised */
#define NO_CLAIMS_BARRIER		43	/* arm: no barrier after the claims are read */
#define NO_ENTRY_BARRIER_1		44	/* ring: no barrier before the instant of an entry is written */
#define NO_BARRIER_AFTER_ENTRY	45	/* ring: neither a barrier after the instant of an entry is written nor before the claim is cleared */
#define NO_READ_BARRIER_2		47	/* ring: no barrier after the instant of an entry is read */

/* A parameter of each process, because it never changes. */
#define BROKEN(what)	(mutation == what)

#define WHEN(condition, step)	if :: condition -> step :: else fi

#define XIDS	(WRITERS * TRANSACTIONS + EXTRA_XIDS)
#ifdef SUBXIDS
#define EXTRA_XIDS	1
#elif defined(LIVE)
#define EXTRA_XIDS	1
#else
#define EXTRA_XIDS	0
#endif
#define BIT(xid)		(1 << (xid))

/* --- Memory ------------------------------------------------------------------ */

/* The words that are read without a lock, and the next xid. */
#define FLOOR		0
#define NEXT_XID	1
#define CLAIM(slot)			(2 + (slot))
#define RUNNING(slot)		(2 + WRITERS + (slot))
#define ENDED_XID(slot)		(2 + 2 * WRITERS + (slot))
#define ENDED_LEAST(slot)	(2 + 3 * WRITERS + (slot))
#define WORDS				(2 + 4 * WRITERS)

byte memory[WORDS];

#ifdef ARM

/*
 * The stores of a writer wait here: group, word, value.  Stores of a group leave
 * in any order, except that those of one word stay in order.  A write barrier
 * begins a new group.  A lock or a compare-and-swap orders nothing, which is
 * weaker than it is.
 *
 * A load returns any value that the word had since the poller's last barrier or
 * its snapshot.  seen[] has a bit for each such value, and is 0 while the value
 * is not needed.
 */
chan stores[WRITERS] = [6] of { byte, byte, byte };
byte group[WRITERS];

#define STORE(word, value)	stores[slot] ! group[slot], word, value
#define WRITE_BARRIER	\
	if :: nempty(stores[slot]) -> group[slot]++ :: empty(stores[slot]) fi
#define BARRIER			atomic { empty(stores[slot]) -> group[slot] = 0 }

byte seen[WORDS];

#define SET_MEMORY(word, value)	\
	memory[word] = value; \
	seen[word] = (seen[word] != 0 -> seen[word] | (1 << memory[word]) : 0)
#define FORGET(word)	seen[word] = 0

inline load(variable, word)
{
	if
	:: seen[word] & 1 -> variable = 0
	:: seen[word] & 2 -> variable = 1
	:: seen[word] & 4 -> variable = 2
	:: seen[word] & 8 -> variable = 3
	:: seen[word] & 16 -> variable = 4
	:: seen[word] & 32 -> variable = 5
	:: seen[word] & 64 -> variable = 6
	:: seen[word] & 128 -> variable = 7
	fi
}

inline BARRIER_OF_LOADS(is_first)
{
	d_step {
		for (word : 1 .. WORDS - 1) {
			seen[word] = (seen[word] != 0 || is_first -> 1 << memory[word] : 0)
		}
		word = 0
	}
}
#define READ_BARRIER()	BARRIER_OF_LOADS(false)

proctype Processor()
{
	byte first, word, value;

end:
	do
	:: atomic {
		stores[0] ? < first, word, value >;
		if
		:: stores[0] ?? [eval(first), eval(CLAIM(0)), _] -> word = CLAIM(0)
		:: stores[0] ?? [eval(first), eval(RUNNING(0)), _] -> word = RUNNING(0)
		:: stores[0] ?? [eval(first), eval(ENDED_XID(0)), _] -> word = ENDED_XID(0)
		:: stores[0] ?? [eval(first), eval(ENDED_LEAST(0)), _] -> word = ENDED_LEAST(0)
		fi;
		stores[0] ?? eval(first), eval(word), value;
		SET_MEMORY(word, value);
		WHEN(empty(stores[0]), group[0] = 0);
		first = 0; word = 0; value = 0
	}
	od
}

#else
#define STORE(word, value)	memory[word] = value
#define WRITE_BARRIER		skip
#define BARRIER				skip
#define SET_MEMORY(word, value)	memory[word] = value
#define FORGET(word)			skip
#define READ_BARRIER()			skip
inline load(variable, word) { variable = memory[word] }
#endif

/* --- What PostgreSQL knows about transactions ---------------------------------- */

byte committed;					/* pg_xact: a bit for each xid */
byte in_array;					/* the top-level xids in the process array */
byte prepared;					/* those that are prepared */
byte latest_completed;
#ifdef SUBXIDS
byte parent[XIDS + 1];			/* pg_subtrans */
#define PARENT(xid)	parent[xid]
#else
#define PARENT(xid)	0
#endif

/* The samples: an instant for each xid, or 0. */
byte samples[XIDS + 2];

/*
 * The properties.  The lowest id of each committed transaction, and the highest
 * horizon of all snapshots that do not see the transaction.
 */
byte lowest[XIDS + 1];
byte given[XIDS + 1];

#ifdef LIVE
byte result;					/* of the last poll */
byte top;						/* the id of the writer */
bool is_open;					/* the writer's transaction stays open */
bool is_lost;					/* a prepared transaction has lost its record */
byte ready;						/* 2 if all transactions have ended, or stay as they are */
bool set_back;
#define END_OF_TIME		(INSTANTS + 2)
#define RISE(instant)	((instant) < END_OF_TIME -> (instant) + 1 : END_OF_TIME)

#define is_reached	(ready == 2 && result > 0 && \
	(is_lost || result > top || result == END_OF_TIME || (is_open && result == top)))
ltl reached { <> is_reached }
#else
#define RISE(instant)	((instant) + 1)
#endif

/* Any instant. */
#if INSTANTS == 2
#define ANY(instant)	if :: instant = 1 :: instant = 2 fi
#elif INSTANTS == 3
#define ANY(instant)	if :: instant = 1 :: instant = 2 :: instant = 3 fi
#else
#define ANY(instant)	if :: instant = 1 :: instant = 2 :: instant = 3 :: instant = 4 fi
#endif

inline check_commit(xid)
{
	assert(lowest[xid] == 0 || lowest[xid] >= given[xid])
}

inline set_floor(instant)
{
	assert(instant >= memory[FLOOR]);
	memory[FLOOR] = instant
}

/* --- Minting ------------------------------------------------------------------- */

/*
 * Also stands for the condition in gid_claim_instant(), which reads the floor
 * before: it has not decreased since.  move_floor() waits for the clock, which
 * no one trusts here.
 */
inline raise_above_floor(instant)
{
	do
	:: atomic {
		floor = memory[FLOOR];
		WHEN(BROKEN(FLOOR_BEFORE_CLAIM), floor = early_floor);
		if
		:: instant > floor + 1 || BROKEN(NOT_ABOVE_FLOOR) -> floor = 0; break
		:: else -> ANY(clock)
		fi;
		if
		:: clock > floor ->
			instant = (instant > floor -> instant : clock);
			floor = 0; clock = 0;
			break
		:: else -> clock = 0
		fi
		}
		/* move_floor */
		atomic {
			if
			:: memory[FLOOR] == floor ->
				instant = RISE(floor);
				set_floor(instant);
				floor = 0;
				break
			:: else -> floor = 0
			fi
		}
	od
}

/* The first id of a transaction, or a later one. */
inline gid_claim_instant()
{
	atomic { ANY(instant) }
	if
	:: claimed != 0 ->
		if
		:: instant < claimed && BROKEN(CLAIM_LOWERED) ->
			atomic { STORE(CLAIM(slot), instant); claimed = instant }
			BARRIER;
			raise_above_floor(instant)
		:: instant == claimed || (instant < claimed && !BROKEN(CLAIM_LOWERED)) ->
			instant = claimed
		:: instant > claimed		/* is from the clock */
		:: instant > claimed ->
			raise_above_floor(instant)
		fi
	:: else ->
		WHEN(BROKEN(FLOOR_BEFORE_CLAIM), early_floor = memory[FLOOR]);
		WHEN(!BROKEN(WITHOUT_CLAIM), STORE(CLAIM(slot), instant));	/* gid_claim_instant: step 1 */
		WHEN(!BROKEN(NO_CLAIM_BARRIER), BARRIER);	/* gid_claim_instant: step 2 */
		raise_above_floor(instant);		/* gid_claim_instant: step 3 */
		atomic {
			WHEN(!BROKEN(CLAIM_TOO_LOW), STORE(CLAIM(slot), instant));	/* gid_claim_instant: step 4 */
			claimed = instant;
			early_floor = 0
		}
	fi;
	atomic {
		least = (least == 0 || instant < least -> instant : least);
		instant = 0
	}
}

inline remember_ended()
{
	WHEN(!BROKEN(NOT_CLEARED_ENTRY), STORE(ENDED_XID(slot), 0));
	WHEN(!BROKEN(NO_ENTRY_BARRIER_1), WRITE_BARRIER);
	STORE(ENDED_LEAST(slot), (BROKEN(ENDED_WITHOUT_INSTANT) -> 0 : claimed));
	WHEN(!BROKEN(NO_BARRIER_AFTER_ENTRY), WRITE_BARRIER);
	STORE(ENDED_XID(slot), xid)
}

inline clear_claim()
{
	WHEN(claimed != 0 && !BROKEN(CLAIM_KEPT), STORE(CLAIM(slot), 0))
}

inline gid_end_transaction()
{
	remember_ended();
	WHEN(!BROKEN(NO_BARRIER_AFTER_ENTRY), WRITE_BARRIER);
	clear_claim()
}

/* GetNewTransactionId() */
inline assign_xid()
{
	atomic {
		xid = memory[NEXT_XID];
		SET_MEMORY(NEXT_XID, xid + 1);
		in_array = in_array | BIT(xid);
		STORE(RUNNING(slot), xid)
	}
}

/* Also what ProcArrayEndTransaction() and ProcArrayRemove() do. */
inline complete(last)
{
	in_array = in_array & ~BIT(xid);
	latest_completed = (last > latest_completed -> last : latest_completed)
}

/* --- Asking -------------------------------------------------------------------- */

/* GetSnapshotData() */
inline take_snapshot(xmax, xip)
{
	atomic {
		xmax = latest_completed + 1;
		xip = in_array & (BIT(xmax) - 1)
#ifdef ARM
		;
		BARRIER_OF_LOADS(true)
#endif
	}
}

/* The floor is raised in one step, because raise_instant() repeats until it succeeds. */
inline gid_raise_floor_to_clock()
{
	atomic {
		current = memory[FLOOR];
#ifdef LIVE
		if
		:: set_back -> sample = 0
		:: else -> sample = RISE(current)
		fi
#else
		ANY(sample)
#endif
	};
	atomic {
		if
		:: BROKEN(NO_FLOOR) -> h = memory[FLOOR]
		:: BROKEN(FLOOR_STORED) && sample >= current ->
			set_floor(sample);
			h = sample
		:: !BROKEN(NO_FLOOR) && !BROKEN(FLOOR_STORED) && sample >= current ->
			WHEN(sample > memory[FLOOR], set_floor(sample));
			h = memory[FLOOR]
		:: sample < current && !BROKEN(NO_FLOOR) ->
			h = current;
			if
			:: memory[FLOOR] == current && !BROKEN(FLOOR_STOPS) ->
				h = RISE(current);
				set_floor(h)
			:: else
			fi
		fi;
		sample = 0; current = 0
	};
	WHEN(!BROKEN(NO_FLOOR_BARRIER), READ_BARRIER())
}

inline least_claim()
{
	do
	:: atomic {
		i < WRITERS ->
		load(current, CLAIM(i));
		FORGET(CLAIM(i));
#ifdef OWN
		WHEN(BROKEN(WITHOUT_OWN_CLAIM) && i == slot, current = 0);
#endif
		h = (current != 0 && current < h -> current : h);
		current = 0;
		i++
		}
	:: atomic { i == WRITERS -> i = 0; break }
	od;
	WHEN(!BROKEN(NO_CLAIMS_BARRIER), READ_BARRIER())
}

/* gid_needs_sample() and gid_add_sample() */
inline add_sample()
{
	atomic {
		newest_sample(next);
		if
		:: current < sample ->
			samples[next] = sample;
			for (i : next + 1 .. XIDS + 1) {
				samples[i] = (samples[i] <= sample -> 0 : samples[i])
			}
#ifdef THIN
			for (i : 1 .. XIDS + 1) {
				if
				:: true
				:: samples[i] = 0
				fi
			}
#endif
		:: else
		fi;
		current = 0; i = 0
	}
}

/* gid_find_sample(): the instant of the newest sample up to an xid */
inline newest_sample(xid)
{
	i = xid;
	do
	:: i == 0 || samples[i] != 0 -> break
	:: else -> i--
	od;
	current = samples[i];
	i = 0
}

inline find_sample(xid)
{
	atomic {
		if
		:: BROKEN(NEWEST_SAMPLE) -> newest_sample(XIDS + 1)
		:: else -> newest_sample(xid)
		fi;
		sample = current;
		current = 0
	}
}

inline read_running()
{
	do
	:: atomic {
		i < WRITERS ->
		load(current, RUNNING(i));
		FORGET(RUNNING(i));
		running = (current != 0 -> running | BIT(current) : running);
		current = 0;
		i++
		}
	:: atomic {
		i == WRITERS ->
		i = 0;
		if
		:: BROKEN(PREPARED_AS_RUNNING) -> running = running | prepared
#ifdef LIVE
		:: !BROKEN(PREPARED_AS_RUNNING) -> running = running | (in_array & ~prepared)
#endif
		:: else
		fi;
		break
		}
	od;
	READ_BARRIER()
}

/* An entry before xmin is not ignored: the snapshot sees its transaction. */
inline read_ended()
{
	do
	:: i < WRITERS ->
		atomic { load(ended[i], ENDED_XID(i)) };
		READ_BARRIER();
		if
		:: ended[i] != 0 ->
			atomic { load(instants[i], ENDED_LEAST(i)); FORGET(ENDED_LEAST(i)) };
			WHEN(!BROKEN(NO_READ_BARRIER_2), READ_BARRIER());
			atomic {
				load(current, ENDED_XID(i));
				WHEN(!BROKEN(ENTRY_NOT_CHECKED) && current != ended[i], ended[i] = 0; instants[i] = 0);
				current = 0
			}
		:: else
		fi;
		i++
	:: atomic { i == WRITERS -> i = 0; break }
	od
}

/*
 * Whether a top-level transaction is accounted for.  If it is both running and
 * recorded, its instant is not used: find_accounted() can find either.
 */
inline is_accounted_for(xid)
{
	is_accounted = (running & BIT(xid)) != 0;
	i = 0;
	do
	:: i == WRITERS -> break
	:: i < WRITERS ->
		is_accounted = is_accounted || ended[i] == xid;
		h = (ended[i] == xid && !(running & BIT(xid)) && instants[i] != 0 && instants[i] < h -> instants[i] : h);
		i++
	od;
	i = 0
}

/* One step: what it reads does not change meanwhile. */
inline first_unaccounted()
{
	atomic {
		first = xmax;
		do
		:: first >= next -> break
		:: else ->
			is_accounted_for(first);
			if
			:: (is_accounted || PARENT(first) != 0) && !BROKEN(NO_WALK) -> first++
#ifndef LIVE
			:: !is_accounted -> break		/* also if there are too many lookups */
#endif
			:: else -> break
			fi
		od;
		candidate = 1;
		do
		:: candidate >= xmax || candidate >= first || BROKEN(WITHOUT_XIP) -> break
		:: else ->
			if
			:: xip & BIT(candidate) ->
				is_accounted_for(candidate);
				WHEN(!is_accounted || BROKEN(NO_WALK), first = candidate)
			:: else
			fi;
			candidate++
		od;
		candidate = 0; is_accounted = false; running = 0;
		for (i : 0 .. WRITERS - 1) {
			ended[i] = 0; instants[i] = 0;
			FORGET(ENDED_XID(i)); FORGET(ENDED_LEAST(i))
		}
		i = 0
	}
}

/* ReadNextFullTransactionId() */
inline read_next_xid()
{
	atomic { load(next, NEXT_XID); FORGET(NEXT_XID) }
}

#ifdef OWN
#define IS_OWN	|| i == xid
#else
#define IS_OWN
#endif

inline find_horizon()
{
	if
	:: BROKEN(CLAIMS_BEFORE_FLOOR) ->
		h = INSTANTS + 9;
		least_claim();
		atomic { candidate = h };
		gid_raise_floor_to_clock();
		atomic { h = (candidate < h -> candidate : h); candidate = 0 }
	:: else ->
		gid_raise_floor_to_clock()		/* find_horizon: step 1 */
	fi;
	atomic { candidate = (BROKEN(SAMPLE_WITHOUT_CLAIMS) -> h : 0) };
	if
	:: BROKEN(XID_BEFORE_CLAIMS) -> read_next_xid()
	:: BROKEN(RUNNING_BEFORE_CLAIMS) -> read_next_xid(); read_running()
	:: else
	fi;
	WHEN(!BROKEN(CLAIMS_BEFORE_FLOOR) && !BROKEN(WITHOUT_CLAIMS), least_claim());	/* find_horizon: step 2 */
	WHEN(!BROKEN(XID_BEFORE_CLAIMS) && !BROKEN(RUNNING_BEFORE_CLAIMS), read_next_xid());
	atomic { sample = (candidate != 0 -> candidate : h); candidate = 0 };
	WHEN(!BROKEN(NO_SAMPLES), add_sample());	/* find_horizon: step 3 */
	WHEN(!BROKEN(RUNNING_BEFORE_CLAIMS) && !BROKEN(NO_RUNNING), read_running());	/* find_horizon: step 4 */
	read_ended();
	first_unaccounted();				/* find_horizon: step 5 */
	WHEN(first != next, find_sample(first));
	atomic {
		/* find_horizon: step 6 */
		if
		:: BROKEN(WITHOUT_LEAST) -> horizon = sample
		:: BROKEN(WITHOUT_SAMPLE) -> horizon = h
		:: else -> horizon = (sample < h -> sample : h)
		fi;
		h = 0; sample = 0; next = 0; first = 0;
#ifndef LIVE
		for (i : 1 .. XIDS) {
			if
			:: (i >= xmax || (xip & BIT(i)) IS_OWN) && horizon > given[i] ->
				given[i] = horizon;
				WHEN(committed & BIT(i), check_commit(i))
			:: else
			fi
		}
#endif
		i = 0
	}
}

/* --- Processes ----------------------------------------------------------------- */

proctype Writer(byte mutation, slot)
{
	byte number;				/* of the transaction */
	byte xid, last_xid;			/* last_xid can be a subtransaction's */
	byte ids, instant, claimed;
	byte least;					/* the lowest id, which can differ from the claim if the code is wrong */
	byte floor, early_floor, clock;
	byte word;
#ifdef OWN
	byte polls, xmax, xip, horizon, known_xmax, known_xip, known_horizon;
	byte h, next, first, candidate, current, sample, running, i;
	byte ended[WRITERS], instants[WRITERS];
	bool is_accounted;
#endif

	do
	:: number == TRANSACTIONS -> break
	:: number < TRANSACTIONS ->
		do
		:: ids < IDS -> atomic { ids++ }; gid_claim_instant()
#ifdef BRIEF
		:: xid == 0 && ids == IDS -> assign_xid(); last_xid = xid
#else
		:: xid == 0 -> assign_xid(); last_xid = xid
#endif
#ifdef SUBXIDS
		:: atomic { xid != 0 && last_xid == xid && memory[NEXT_XID] + TRANSACTIONS - number - 1 <= XIDS ->
			last_xid = memory[NEXT_XID];
			SET_MEMORY(NEXT_XID, last_xid + 1);
			parent[last_xid] = xid
			}
#endif
#ifdef OWN
		:: polls == 0 && slot == 0 ->
			take_snapshot(xmax, xip);
			atomic { xip = xip & ~BIT(xid) };
			find_horizon();
			polls = 1
#endif
#ifdef LIVE
		:: least != 0 && xid != 0 -> is_open = true; goto open
#endif
		:: xid != 0 -> break		/* without an xid, nothing is stored */
		od;

		WHEN(BROKEN(CLEARED_EARLY), clear_claim());
		if
		:: atomic {
#ifndef LIVE
			lowest[xid] = least;
#endif
			committed = committed | BIT(xid);
			check_commit(xid)
			};
			WHEN(BROKEN(CLEARED_BEFORE_LEAVING), clear_claim());
			atomic { complete(last_xid); STORE(RUNNING(slot), 0) };
			gid_end_transaction()
#ifndef BRIEF
		:: skip;				/* is aborted */
			atomic { complete(last_xid); STORE(RUNNING(slot), 0) };
			gid_end_transaction()
#endif
#ifdef PREPARE
		:: atomic { prepared == 0 -> prepared = BIT(xid); lowest[xid] = least };
			atomic { STORE(RUNNING(slot), 0) };
			gid_end_transaction();
			run Finisher(xid, last_xid)
#endif
		fi;
		atomic {
#ifdef LIVE
			top = least;
#endif
			xid = 0; last_xid = 0; ids = 0; claimed = 0; least = 0;
			number++
		}
	od;
open:
#ifdef LIVE
	atomic {
		WHEN(is_open, top = least);
		ready++
	}
#endif
	skip
}

/* COMMIT PREPARED or ROLLBACK PREPARED in another session */
proctype Finisher(byte xid, last_xid)
{
	if
	:: atomic {
		committed = committed | BIT(xid);
		check_commit(xid)
		}
	:: lowest[xid] = 0
	fi;
	atomic { complete(last_xid); prepared = 0 }
}

#ifdef OBSERVE
/* gid_observe_server(), and hold_if_set_back() */
proctype Observer()
{
	byte instant;

	atomic {
		ANY(instant);
		WHEN(instant > memory[FLOOR], set_floor(instant));
		instant = 0
	}
}
#endif

#ifdef LIVE
/* A transaction with an xid and without an id, which never ends. */
proctype Holder()
{
	byte slot = 1;
	byte xid;

	if
	:: result != 0
	fi;
	assign_xid();
	if
	:: true
	:: atomic { prepared = BIT(xid); STORE(RUNNING(slot), 0); is_lost = true }
	fi;
	ready++
}
#endif

proctype Poller(byte mutation)
{
	byte polls, xmax, xip, horizon;
	byte known_xmax, known_xip, known_horizon;	/* horizon_of(): the cache */
	byte h;						/* the lowest instant of what was read */
	byte next, first, candidate, current, sample, running, i, word;
	byte ended[WRITERS], instants[WRITERS];
	bool is_accounted;
#ifdef OWN
	byte slot = 255, xid;
#endif
#ifdef OLD
	byte old_xmax, old_xip;

	take_snapshot(old_xmax, old_xip);
#endif
	do
	:: polls == POLLS -> break
	:: else ->
		if
		:: take_snapshot(xmax, xip)
#ifdef OLD
		:: atomic { xmax = old_xmax; xip = old_xip }
#endif
		:: atomic { known_xmax != 0 && BROKEN(NEW_ANSWERS) -> xmax = known_xmax; xip = known_xip }
		fi;
		if
		:: xmax == known_xmax && xip == known_xip && !BROKEN(NEW_ANSWERS) ->
			horizon = known_horizon
		:: else ->
			find_horizon()
		fi;
		atomic {
#ifdef LIVE
			result = horizon;
#else
			assert(xmax != known_xmax || xip != known_xip || horizon == known_horizon);
			known_xmax = xmax; known_xip = xip; known_horizon = horizon;
			polls++;
#endif
			xmax = 0; xip = 0; horizon = 0
		}
	od
}

init
{
	byte mutation;

	atomic {
		c_code {
			const char *chosen = getenv("MUTATION");

			Pinit->mutation = chosen ? atoi(chosen) : 0;
		};
		memory[NEXT_XID] = 1;
#ifdef LIVE
		memory[FLOOR] = 1;
		if
		:: set_back = true
		:: set_back = false
		fi;
		run Writer(mutation, 0);
		run Holder();
#else
		run Writer(mutation, 0);
#if WRITERS > 1
		run Writer(mutation, 1);
#endif
#endif
#if POLLERS > 0
		run Poller(mutation);
#endif
#if POLLERS > 1
		run Poller(mutation);
#endif
#ifdef OBSERVE
		run Observer();
#endif
#ifdef ARM
		run Processor();
#endif
	}
}
