"""Random statements return the same with and without the planner's rewrites.

Two databases contain the same schema and rows.  In plans_rewritten, gid is as it is.  In plans_reference,
its functions have no planner support: PostgreSQL compares an id with a time in each row, and checks the kind
in each cast.  The rows, as multisets, the SQLSTATE and the contents of a table that a statement changes are
compared.  Each statement is rolled back.

PostgreSQL can evaluate a cast that fails, or skip it; both are right.  In plans_reference, the cast to
gid(kind) therefore returns NULL for an id of another kind.  If the statement succeeds in plans_rewritten, no
failing cast affected the result, and neither does the NULL.  If the planner lost a check, the results differ.

Only a statement that compares ids of two kinds may raise the error for that.  It is then executed again
without the check.
"""

import argparse
import contextlib
import os
import random
import re
import sys
import time
from collections import Counter, namedtuple

import psycopg

import plans_shapes
from plans_statement import Choices
from plans_world import World

# SQLSTATEs: a cast to gid(kind) failed, ids of different kinds are compared, statement_timeout.
ANOTHER_KIND, TOO_LONG = "22023", "57014"
CRASH = "XX, the backend crashed"
MOST_ROWS = 20000
PER_WORLD = 250  # statements

# PostgreSQL bugs: MERGE puts a row into a partition that was pruned when the plan started.  Its
# action for rows that match contains a sub-select, or the columns of the partition are in another order.
POSTGRESQL_BUGS = {"SubPlan found with no parent plan", "table row type and query-specified row type do not match"}
# Version 19rc1 plans a path that it has freed, also if no function of gid takes part in planning.  No node has such a number.
FREED_PATH = re.compile(r"unrecognized node type: \d{5}")

# The bounds of a rewritten comparison in a plan.
BOUND = re.compile(r"gid_(lower|upper)_bound\(")
REWRITTEN = re.compile(BOUND.pattern + r"|[<>]=? '[1-9A-Za-z]{10}-[1-9A-Za-z]{13}'::(public\.)?gid")

# How many of a thousand statements that were compared must have each feature: an eighth of the usual number, or
# less.  A way that pick() offers, and that is not listed, must be in EACH_WAY of a thousand.
EACH_WAY = 4
LEAST = {
    40: "FROM table, FROM view, FROM row-level security, cast, EXISTS: hashable, EXISTS at depth 2, "
        "EXISTS in the select list of a grouped query, time: constant, time: now(), time: parameter, time: column, "
        "comparison: BETWEEN, comparison: id < time, comparison: id <= time, comparison: id >= time, "
        "comparison: id > time, comparison: time < id, comparison: time <= id, comparison: time >= id, comparison: time > id",
    20: "cast in EXISTS that can be hashed, cast that may fail, comparison with a bound, EXISTS in WHERE, FROM function, "
        "FROM foreign, FROM updatable view, FROM partitioned, FROM inherited, run under a role with policies, "
        "run as a custom plan, run as a generic plan, id: label, id: to a domain, id: minted, FROM: LEFT JOIN, grouped: GROUP BY",
    8: "rejected because of kinds, EXISTS in the select list, EXISTS in OR, EXISTS in CASE, RETURNING, FROM WITH, "
       "FROM: RIGHT JOIN, FROM: FULL JOIN, FROM: LATERAL, time: column from outside, time: sub-select, id: parameter, UNION ALL, "
       "INSERT, UPDATE, MERGE, grouped: GROUPING SETS, plain: DISTINCT",
    3: "EXISTS in HAVING, EXISTS in SET, EXISTS in ON, EXISTS in RETURNING, EXISTS in GROUP BY, EXISTS in ORDER BY, "
       "IN in WHERE, IN in the select list, IN in OR, assignment that casts",
}

Outcome = namedtuple("Outcome", "state message rows")

# What is needed to execute a statement.  A Statement contains it, too.
Run = namedtuple("Run", "sql fallible conflicts changed setup", defaults=(False, 0, None, ""))


class Session:
    """A connection.  Values are compared as the server writes them."""

    def __init__(self, database=None):
        self.database = database
        self.connect()

    def connect(self):
        for attempt in range(6000):  # after a crash, the server needs a moment
            with contextlib.suppress(psycopg.OperationalError if attempt < 5999 else ()):
                self.connection = psycopg.connect(dbname=self.database, autocommit=True, prepare_threshold=None)
                self.execute("SET search_path = plans, public; SET timezone = 'UTC'; SET jit = off; "
                             "SET client_min_messages = error")
                break
            time.sleep(0.1)
        self.version = self.connection.info.server_version // 10000

    def execute(self, sql):
        return self.connection.execute(sql).pgresult

    def outcome(self, steps):
        """Executes steps and rolls them back."""
        rows = []
        try:
            for number, step in enumerate(steps):
                result = self.execute(step)
                if result.ntuples > MOST_ROWS:
                    return Outcome(TOO_LONG, None, [])
                if number > 0:
                    rows.append((number, result.command_tuples))
                    rows += [(number, *(result.get_value(row, column) for column in range(result.nfields)))
                             for row in range(result.ntuples)]
            return Outcome(None, None, rows)
        except psycopg.Error as error:
            state = CRASH if self.connection.broken else error.sqlstate
            return Outcome(state, error.diag.message_primary or str(error).strip(), [])
        finally:
            if not self.connection.broken:
                self.execute("ROLLBACK; DEALLOCATE ALL")


def steps_of(run, settings="", explain=""):
    after = ["RESET ROLE", f"SELECT t FROM {run.changed} t"] if run.changed and not explain else []
    before = "BEGIN; SET LOCAL statement_timeout = '40s'"
    return [f"SET gid.check_comparisons = off; {settings} {before}{run.setup}", explain + run.sql, *after]


def shown(what):
    """An outcome, or the first of some rows.  Rows start with the number of their step."""
    if isinstance(what, Counter):
        return f"{sum(what.values())} rows " + " ".join(str(row) for row in list(what)[:3])
    return f"SQLSTATE {what.state} ({what.message})" if what.state else f"{len(what.rows)} rows"


class Fuzzer:
    def __init__(self, options):
        self.options = options
        self.counts, self.features = Counter(), Counter()
        self.results = self.failures = 0
        self.prepare()
        self.began = time.monotonic()

    def check(self, what, holds):
        print(f"{'ok' if holds else 'not ok'} - {what}", flush=True)
        self.results += 1
        self.failures += not holds

    def prepare(self):
        """Creates the databases, and the roles and functions that every world uses."""
        session = Session()
        info = session.connection.info
        session.execute("DO $$ BEGIN CREATE ROLE plans_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        for database in ("plans_rewritten", "plans_reference"):
            session.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
            session.execute(f"CREATE DATABASE {database}")
            Session(database).execute(f"""
                CREATE EXTENSION gid; CREATE EXTENSION postgres_fdw; CREATE TABLE canary (a text);
                CREATE SERVER loopback FOREIGN DATA WRAPPER postgres_fdw
                    OPTIONS (host '{info.host}', port '{info.port}', dbname '{database}', extensions 'gid',
                             options '-c gid.check_comparisons=off');
                CREATE USER MAPPING FOR CURRENT_USER SERVER loopback""")
        Session("plans_reference").execute("""
            UPDATE pg_proc SET prosupport = 0 FROM pg_depend, pg_extension
                WHERE objid = pg_proc.oid AND classid = 'pg_proc'::regclass AND deptype = 'e'
                    AND refobjid = pg_extension.oid AND extname = 'gid';
            CREATE OR REPLACE FUNCTION pg_catalog.gid(id gid, modifier integer, is_explicit boolean) RETURNS gid
                LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1 AS $$
                BEGIN
                    RETURN CASE WHEN modifier < 0 OR gid_prefix(id) = modifier THEN id END;
                END $$""")
        self.rewritten, self.reference = Session("plans_rewritten"), Session("plans_reference")

    def outcome(self, session, run, *settings):
        """Executes a statement.  A crash closes both connections."""
        outcome = session.outcome(steps_of(run, *settings))
        if outcome.state == CRASH:
            time.sleep(0.5)
            self.rewritten.connect()
            self.reference.connect()
        return outcome

    def difference(self, run):
        """Returns what is wrong, if anything, the outcomes, and whether ids of different kinds were rejected."""
        rewritten = self.outcome(self.rewritten, run, "SET gid.check_comparisons = on;")
        rejected = (rewritten.message or "").startswith("cannot compare gids")
        if rejected and not run.conflicts:
            return f"{shown(rewritten)}, but no ids of different kinds are compared", rewritten, rewritten, True
        if rejected:
            rewritten = self.outcome(self.rewritten, run)
        reference = self.outcome(self.reference, run)
        more, less, wrong = Counter(rewritten.rows), Counter(reference.rows), None
        if not (TOO_LONG in (rewritten.state, reference.state) or rewritten.state == ANOTHER_KIND and run.fallible
                or "MERGE" in run.setup + run.sql and POSTGRESQL_BUGS & {rewritten.message, reference.message}
                or all(FREED_PATH.match(outcome.message or "") for outcome in (rewritten, reference))):
            if rewritten.state != reference.state or (rewritten.state or "").startswith("XX"):
                wrong = f"{shown(rewritten)} with rewrites, {shown(reference)} without"
            elif more != less:
                wrong = f"with rewrites too many: {shown(more - less)}, too few: {shown(less - more)}"
        return wrong, rewritten, reference, rejected

    def canaries(self):
        """Checks that each kind of error would be detected."""
        here = "CASE current_database() WHEN 'plans_rewritten' THEN"
        for what, run in {
            "a row too many": Run("SELECT 1 WHERE current_database() = 'plans_rewritten'"),
            "another value": Run("SELECT current_database()"),
            "a lost cast": Run(f"SELECT gid_kind({here} gid_new('p') ELSE gid_new('p')::gid(o) END)", True),
            "an error": Run(f"SELECT 1 / {here} 0 ELSE 1 END", True),
            "a cast that fails and should not": Run("SELECT gid_new('p')::gid(o) IS NULL"),
            "an error about kinds that do not differ": Run(
                "SELECT FROM o JOIN p USING (id)", setup="; CREATE TEMP TABLE o (id gid(o)); CREATE TEMP TABLE p (id gid(p))"),
            "another row in the table": Run("INSERT INTO canary VALUES (current_database())", changed="canary"),
            "a crash": Run("SELECT pg_terminate_backend(pg_backend_pid())"),
        }.items():
            self.check(f"{what} would be detected", self.difference(run)[0])

    def shapes(self):
        """Executes each shape of an expression."""
        unknown = plans_shapes.unknown_nodes(os.environ["PG_CONFIG"])
        self.check(f"every kind of expression has a shape, or a reason for none, not without: {sorted(unknown)}", not unknown)
        for session in (self.rewritten, self.reference):
            session.execute(f"DROP SCHEMA IF EXISTS plans CASCADE; CREATE SCHEMA plans; {plans_shapes.SCHEMA}")
        count, failed = 0, []
        for name, setup, sql in plans_shapes.statements(self.rewritten.version, random.Random(self.options.seed)):
            wrong, rewritten, _, rejected = self.difference(Run(sql, conflicts=1, setup=setup))
            count += 1
            if wrong or rewritten.state or len(rewritten.rows) < 2:
                failed.append(f"{name}: {wrong or shown(rewritten)}")
        for one in failed[:20]:
            print(f"# {one}")
        self.check(f"{count} shapes of an expression return the same with and without rewrites, except {len(failed)}", not failed)

    def run(self):
        first, last, end = 0, 10**9 if self.options.seconds else 3000, self.began + (self.options.seconds or 10**9)
        if self.options.only:
            first = int(self.options.only.split(".")[0]) * PER_WORLD + int(self.options.only.split(".")[1])
            last = first + 1
        for number in range(first, last):
            if time.monotonic() >= end or self.failures >= 3:
                break
            place, seed = f"{number // PER_WORLD}.{number % PER_WORLD}", self.options.seed
            if number % PER_WORLD == 0 or number == first:
                self.world = World((self.rewritten, self.reference), random.Random(f"{seed}.{number // PER_WORLD}"))
            statement = self.world.statement(random.Random(f"{seed}.{place}"))
            if wrong := self.one(statement, number % 4 == 0):
                self.failed(place, statement, wrong)

    def one(self, statement, explain):
        """Executes and counts a statement.  Returns what is wrong, if anything."""
        wrong, rewritten, reference, rejected = self.difference(statement)
        counts = self.counts
        counts["statements"] += 1
        statement.features |= {"rejected because of kinds"} if rejected else set()
        if self.options.only or explain and not wrong and not rewritten.state:
            self.explain(statement)
        if rewritten.state == ANOTHER_KIND and statement.fallible:
            counts["a cast failed"] += 1
        elif TOO_LONG in (rewritten.state, reference.state):
            counts["took too long, or returned too much"] += 1
        elif rewritten.state:
            counts.update(["failed", f"error {rewritten.state} {rewritten.message}"])
        elif not wrong:
            counts["compared"] += 1
            counts["compared, with rows"] += any(row[1] for row in rewritten.rows)
            self.features.update(statement.features)
        return wrong

    def explain(self, statement):
        plans = []
        for session in (self.rewritten, self.reference):
            outcome = self.outcome(session, statement, "", "EXPLAIN (VERBOSE, COSTS OFF) ")
            plans.append("\n".join(row[1].decode() for row in outcome.rows if isinstance(row[1], bytes)))
            if self.options.only:
                print(f"{session.database}: {'; '.join(steps_of(statement))}\n{plans[-1] or outcome}")
        self.counts["hashed sub-select in a plan"] += "hashed SubPlan" in plans[0]
        if statement.declared and "comparison with a bound" not in statement.features:
            self.counts["explained"] += 1
            self.counts["rewritten"] += bool(REWRITTEN.search(plans[0]))
            self.counts["rewritten without support"] += bool(BOUND.search(plans[1]))

    def failed(self, place, statement, wrong):
        self.check(f"statement {place} of seed {self.options.seed}, after {self.counts['statements']} statements "
                   f"and {time.monotonic() - self.began:.1f} s: {wrong}", False)
        lines = [f"Again: check/plans.pl --seed {self.options.seed} --only {place}", "The statement:",
                 *self.world.definitions_for(statement.setup + statement.sql),
                 *steps_of(statement, "SET gid.check_comparisons = on;")]
        print("# " + ";\n".join(lines).replace("\n", "\n# "), file=sys.stderr, flush=True)

    def report(self):
        """Prints what was done, and checks that it was enough."""
        counts, statements, compared = self.counts, self.counts["statements"], self.counts["compared"]
        for what, count in sorted(counts.items()) + sorted(self.features.items()):
            print(f"  {count:6} {what}")
        least = dict.fromkeys(Choices.offered, EACH_WAY)
        least.update((feature, count) for count, features in LEAST.items() for feature in features.split(", "))
        few = [feature for feature in least if self.features[feature] < least[feature] * compared // 1000]
        for what, holds in ({} if self.failures else {"the statement returned the same": True} if self.options.only else {
            f"{compared} statements returned the same with and without rewrites": True,
            "two thirds of all statements were compared": compared * 3 >= statements * 2,
            "half of those that were compared returned rows": counts["compared, with rows"] * 2 >= compared,
            "at most one in 20 failed, other than by a cast that may, or took too long":
                (counts["failed"] + counts["took too long, or returned too much"]) * 20 <= statements,
            "a cast failed in one of 100 at least": counts["a cast failed"] * 100 >= statements,
            "three in four were rewritten, as their plans show": counts["rewritten"] * 4 >= counts["explained"] * 3 > 0,
            "without support, no comparison was rewritten": counts["rewritten without support"] == 0,
            "sub-selects were hashed": counts["hashed sub-select in a plan"] * 40 >= counts["explained"],
            f"each construct was in enough statements, not in too few: {few}": not few,
        }).items():
            self.check(what, holds)
        print(f"1..{self.results}")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--seconds", type=float, help="instead of 3000 statements")
parser.add_argument("--only", metavar="W.S", help="statement S of world W alone, with its plans")
options = parser.parse_args()
fuzzer = Fuzzer(options)
print(f"seed {options.seed}, PostgreSQL {fuzzer.rewritten.version}", flush=True)
if not options.only:
    fuzzer.canaries()
    fuzzer.shapes()
fuzzer.run()
fuzzer.report()
sys.exit(fuzzer.failures > 0)
