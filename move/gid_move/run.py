"""Executes the steps of a move.

Each step is done once: what it changed and the note that it is done are one transaction, and a step that cannot be in
a transaction finds out what it did before.  So a move goes on where it was when it was killed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import time
from typing import Any, Callable, List, Optional

from psycopg import errors

from .catalog import Catalog, Later, Refusal
from .names import BEFORE, STATE, Options, take_inventory
from .plan import EXCLUSIVE, Step
from .state import Move, State, fingerprint
from .triggers import ANY, FILLING

LOCK = re.compile(r"LOCK TABLE (.*) IN [A-Z ]* MODE$", re.S)
AFTER = {"swap": "switching", "unswap": "undoing", "drop": "finishing"}  # the phase after such a step
RETRIED = (errors.LockNotAvailable, errors.DeadlockDetected)


class Runner:
    """Runs the steps of one move on one connection."""

    def __init__(self, catalog: Catalog, move: Move, limits: argparse.Namespace) -> None:
        self.catalog, self.move, self.limits = catalog, move, limits
        self.owner = catalog.value("SELECT current_user::text")
        self.connection, self.state = catalog.connection, State(catalog)
        catalog.set_path(f"{move.path}, {STATE}")
        catalog.check_schemas(catalog.value("SELECT pg_catalog.current_schemas(false)"), self.owner)
        query = "SELECT setting::float8 / 1000::float8 FROM pg_settings WHERE name = 'deadlock_timeout'"
        self.deadlock = catalog.value(query)
        self.patience = min(0.5, self.deadlock / 2)
        self.missing = [name for name in move.tables if not catalog.value("SELECT to_regclass(%s)::oid", name)]

    def phase(self, phase: str) -> None:
        """Runs those steps of a phase that are not done."""
        if self.missing and phase != "undo":
            raise Refusal(
                f"{', '.join(self.missing)}, which moves, does not exist any more.",
                f"gid-move undo {self.move.table_name}; or, after switch, create it again from a backup first.",
            )
        if phase == "undo switch" and self.move.phase == "switching":  # every name is either the new one or the old one
            for row in self.state.steps(self.move, "switch"):
                if row["done_at"] is None and row["step"].kind == "sql":
                    self.step(row["step"], row["place"], row["progress"])
        for row in self.state.steps(self.move, phase):
            if row["done_at"] is None:
                self.step(row["step"], row["place"], row["progress"])
        is_used = self.catalog.value("SELECT oid FROM pg_class WHERE relnamespace = to_regnamespace(%s)::oid", BEFORE)
        if not is_used and self.move.phase in ("finishing", "undoing"):
            self.connection.execute(f"DROP SCHEMA IF EXISTS {BEFORE}")

    def step(self, step: Step, place: int, progress: int) -> None:
        began = time.monotonic()
        say(f"{step} ...", end="")
        methods = {"alone": self.alone, "backfill": self.backfill, "compare": self.compare}
        methods.get(step.kind, self.transaction)(step, place, progress)
        say(f" {time.monotonic() - began:.1f} s")

    # --- One transaction -----------------------------------------------------------------------------------------

    def transaction(self, step: Step, place: int, progress: int) -> None:
        gone = [f"LOCK TABLE {name} IN {EXCLUSIVE} MODE" for name in self.missing]
        statements = [sql for sql in step.statements if sql not in gone]
        locks = list(itertools.takewhile(is_lock, statements))
        rest = statements[len(locks) :]

        def run() -> None:
            with self.connection.transaction():
                if step.kind in ("swap", "drop"):
                    self.check_same(step, "since the move began" if step.kind == "swap" else "since the switch")
                # Autovacuum gives way to this, after deadlock_timeout, and reads and writes go on meanwhile.
                tables = [match.group(1) for match in map(LOCK.match, locks) if match]
                if tables:
                    self.connection.execute(f"SET LOCAL lock_timeout = {int(self.deadlock * 1500) + 500}")
                    self.connection.execute(f"LOCK TABLE {', '.join(tables)} IN SHARE UPDATE EXCLUSIVE MODE")  # type: ignore[arg-type]
                end, asked = None, time.monotonic()
                for number, statement in enumerate(locks):
                    try:
                        self.be_patient(end)
                        self.connection.execute(statement)  # type: ignore[arg-type]
                    except RETRIED:
                        # Programs that lock in another order hold this lock while they wait for an earlier one.
                        locks.insert(0, locks.pop(number))
                        raise
                    end = end or asked + self.patience
                if rest:  # at once: with the locks, no time is for the network
                    self.be_patient(None)
                    self.connection.execute("SET LOCAL check_function_bodies = off;" + ";".join(rest))  # type: ignore[arg-type]
                if step.kind == "verify" and not self.missing:
                    self.check_same(step, "by this step")
                if step.kind in AFTER:
                    self.state.phase(self.move, AFTER[step.kind])
                self.state.done(self.move, place)

        self.retry(run)

    def be_patient(self, end: Optional[float]) -> None:
        """How long to wait for a lock.  With one that others may wait for, less than deadlock_timeout in all.

        So it is never another's transaction that is aborted, and no program waits longer.
        """
        seconds = self.limits.lock_timeout if end is None else min(end - time.monotonic(), self.limits.lock_timeout)
        self.connection.execute(f"SET LOCAL lock_timeout = {max(int(seconds * 1000), 1)}")

    def retry(self, run: Callable[[], Any]) -> Any:
        """Retries after a failure to get a lock, and waits in between so that others get it first."""
        for attempt in range(1, self.limits.retries + 1):
            try:
                return run()
            except RETRIED as error:
                if attempt == self.limits.retries:
                    raise Later(
                        f"After {attempt} attempts: {error.diag.message_primary}.",
                        "Nothing was changed. Look in pg_stat_activity for long transactions, and run the command again.",
                    ) from None
                say(f" waiting for a lock ({attempt})", end="")
                time.sleep(min(0.2 * 1.5**attempt, 10) * random.uniform(0.5, 1))

    def check_same(self, step: Step, when: str) -> None:
        """Stops if what depends on the key is not what it was when the move began."""
        path, move = self.catalog.value("SELECT current_setting('search_path')"), self.move
        found = take_inventory(self.catalog, Options.stored(move.options))
        self.catalog.set_local_path(path)
        ours = {row["step"].index for row in self.state.steps(self.move)} - {None}
        for refusal in found.refusals:
            raise Refusal(refusal.what, refusal.hint)
        query = """
            SELECT relname FROM unnest(%s::regclass[]) AS t JOIN pg_class c ON c.oid = t::oid
            WHERE to_regclass(concat(%s::text, '.', quote_ident(relname))) IS NULL OR NOT EXISTS (
                SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgname = '~gid_move' AND tgenabled = 'A')"""
        for own in self.catalog.values(query, move.tables, BEFORE) if step.kind == "swap" else []:
            raise Refusal(
                f"{BEFORE}.{own} or the trigger ~gid_move of {own} is missing, perhaps because of DROP COLUMN ... CASCADE.",
                f"Nothing was lost. Undo the move, and start it again: gid-move undo {move.table_name}",
            )
        found.items = [
            item
            for item in found.items
            if item.schema not in (BEFORE, STATE)
            and self.catalog.quote(item.schema, item.name) not in ours
            and not (item.kind == "check" and item.name.endswith(ANY))
        ]
        before = {tuple(entry[:4]): entry for entry in move.inventory}
        now = {tuple(entry[:4]): entry for entry in json.loads(json.dumps(fingerprint(found)))}
        for kind, schema, name, table in {**before, **now}:
            a, b = (entries.get((kind, schema, name, table)) for entries in (before, now))
            if a != b:
                raise Refusal(
                    f"The {kind} {name}{' of ' + table if table else ''} has changed {when}.\n"
                    f"  now:    {shown(b, a)}\n  before: {shown(a, b)}",
                    "Nothing was lost. Restore it as it was before, and run the same command again.",
                )

    # --- No transaction ------------------------------------------------------------------------------------------

    def alone(self, step: Step, place: int, progress: int) -> None:
        if self.move.phase == "switching":  # the step that follows is done
            return

        def run() -> None:
            statements = step.statements
            if step.index:
                valid = self.catalog.value(
                    "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)::oid", step.index
                )
                if valid is False:
                    self.connection.execute(f"DROP INDEX CONCURRENTLY {step.index}")
                statements = statements[2:] if valid else statements  # after default_tablespace and CREATE INDEX
            for statement in statements:
                self.connection.execute(statement)  # type: ignore[arg-type]

        # CREATE INDEX CONCURRENTLY waits for old transactions, and blocks nobody.
        self.connection.execute("SET lock_timeout = 0")
        self.retry(run)
        if step.phase != "switch":
            self.state.done(self.move, place)

    # --- Comparison ----------------------------------------------------------------------------------------------

    def compare(self, step: Step, place: int, progress: int) -> None:
        """All queries see one snapshot."""
        after = {"switch": "switching", "finish": "finishing", "undo switch": "undoing"}
        if self.move.phase == after.get(step.phase):  # the step that follows is done
            return
        with self.connection.transaction():
            self.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            for query in step.statements:
                what = query.split("\n")[0].lstrip("- ")
                rows, wrong, lost, such = self.connection.execute(query).fetchone()  # type: ignore[arg-type, misc]
                if wrong:
                    raise Refusal(
                        f"{wrong:,} of {rows:,} {what}.",
                        "Correct these rows. UPDATE t SET c = c is enough for a reference that came before its row. This query counts"
                        f" them:\n{query}",
                    )
                lost = f" ({lost:,} refer to no row, such as {', '.join(such)})" if lost else ""
                say(f" {rows:,} in {what.split()[-1]}{lost},", end="")

    # --- Backfill ------------------------------------------------------------------------------------------------

    def backfill(self, step: Step, place: int, progress: int) -> None:
        """Fills rows in batches, in the order in which they are stored, and then what is left.

        That order reads each page once, whatever the primary key is.  Rows that are locked are left for later.
        """
        update, missing = step.statements
        table = step.table
        pages = self.catalog.value("SELECT pg_relation_size(%s::regclass) / current_setting('block_size')::int", table)
        count, shown_at = 0, time.monotonic()
        for page in range(progress, pages, self.limits.batch):

            def run() -> int:
                with self.connection.transaction():
                    # A crash can lose the last batches, together with the note that they are done.
                    self.connection.execute(
                        f"SET LOCAL lock_timeout = {int(self.limits.lock_timeout * 1000)}; SET LOCAL synchronous_commit = off"
                    )
                    end = page + self.limits.batch
                    where = f"t.ctid >= '({page},0)' AND t.ctid < '({end},0)'"
                    filled = self.fill(update.replace("gid-move:rows", where))
                    self.state.progress(self.move, place, end)
                    return filled

            count += self.retry(run)
            if time.monotonic() - shown_at > 10:
                shown_at = time.monotonic()
                say(f"\n    {page / pages:4.0%}  {count:,} rows", end="")
            self.give_way()
        self.rest(update, missing, table)
        say(f" {count:,} rows,", end="")
        self.state.done(self.move, place)

    def rest(self, update: str, missing: str, table: str) -> None:
        """Rows that were locked, and rows that began before the triggers were there."""
        some, tries = update.replace("gid-move:rows", "true LIMIT 2000"), 0
        while self.catalog.value(f"SELECT EXISTS (SELECT FROM ONLY {table} AS t WHERE {missing})"):
            if tries == self.limits.retries:
                raise Refusal(
                    f"Rows of {table} get no new value: they refer to no row, or are locked.",
                    f"Find them: SELECT * FROM {table} AS t WHERE {missing};",
                )
            time.sleep(min(tries, 1))
            with self.connection.transaction():
                filled = self.fill(some)
            tries = 0 if filled else tries + 1

    def fill(self, update: str) -> int:
        """Fills rows in a transaction, and returns how many.

        The tables' own triggers have no part in the backfill, which changes nothing that they know.
        """
        sql = f"SET LOCAL {FILLING} = 'on'"
        if self.catalog.value("SELECT has_parameter_privilege(session_user, 'session_replication_role', 'SET')"):
            owner = self.catalog.quote(self.owner)
            sql += f"; SET LOCAL ROLE NONE; SET LOCAL session_replication_role = replica; SET LOCAL ROLE {owner}"
        self.connection.execute(sql)  # type: ignore[arg-type]
        return self.catalog.value(update)

    def give_way(self) -> None:
        """Waits while a standby is more than 10 s behind."""
        while self.catalog.value("SELECT max(replay_lag) > '10 s' FROM pg_stat_replication"):
            say(" waiting for a standby", end="")
            time.sleep(1)


def is_lock(statement: str) -> bool:
    """A view is locked by giving it the owner that it has: LOCK would lock its tables too."""
    return statement.startswith("LOCK TABLE") or " VIEW " in statement and " OWNER TO " in statement


def say(text: str, end: str = "\n") -> None:
    print(text, end=end, flush=True)


def shown(entry: Optional[List[Any]], other: Optional[List[Any]]) -> str:
    """What is different in one of two entries."""
    if entry is None:
        return "nothing"
    if other is None or entry[4:6] != other[4:6]:
        return f"{entry[4]} {entry[5] or ''}".strip() or "it exists"
    return ", ".join(f"{key} {value}" for key, value in entry[6].items() if value != other[6].get(key))
