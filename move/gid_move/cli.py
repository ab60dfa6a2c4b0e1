"""The commands of gid-move."""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
import textwrap
import time
from typing import Any, Callable, Dict, List, NoReturn, Optional, Union

try:
    import psycopg
except ImportError:
    how = f"{sys.executable} -m pip install 'psycopg[binary]'"
    if sys.executable.startswith("/usr/bin/"):
        how = "apt-get install python3-psycopg"
    sys.exit(f"gid-move requires psycopg 3 for {sys.executable}: {how}")

from . import __version__, formats
from .catalog import Catalog, Later, Refusal
from .names import BEFORE, STATE, Chosen, Options
from .plan import Plan, Step
from .run import Runner, say
from .state import Move, State

NEXT = {
    "begun": "start",
    "started": "backfill",
    "backfilled": "switch",
    "switching": "switch",
    "switched": "finish",
    "finishing": "finish",
    "undoing": "undo",
}
# What a role or a database can have other values of.  Definitions must read the same in each session.
SETTINGS = """
    array_nulls=on; bytea_output=hex; check_function_bodies=on; client_connection_check_interval=1s;
    client_min_messages=warning; DateStyle=ISO, MDY; default_table_access_method=heap; default_tablespace=;
    default_transaction_deferrable=off; default_transaction_isolation=read committed; default_transaction_read_only=off;
    enable_indexscan=on; enable_tidscan=on; extra_float_digits=1; idle_in_transaction_session_timeout=0;
    idle_session_timeout=0; IntervalStyle=postgres; lock_timeout=0; quote_all_identifiers=off; row_security=off;
    standard_conforming_strings=on; statement_timeout=0; TimeZone=UTC; transaction_timeout=0; transform_null_equals=off
    """
# The phase after a command, and what to do then.
DONE = {
    "start": ("started", "New and changed rows now have both keys. Next: gid-move backfill {}"),
    "backfill": (
        "backfilled",
        "The new columns are complete. Set search_path of old programs so that they find gid_before first. Next: gid-move"
        " switch {}",
    ),
    "switch": (
        "switched",
        "Programs now find the new type, except for those that find gid_before first. When no program uses the old type:"
        " gid-move finish {}",
    ),
    "finish": (
        "finished",
        "These tables have moved: {}. Their old keys are kept. When you no longer need them, drop them:",
    ),
}


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gid-move",
        description="Moves a table's key, and every column that refers to it, to gid while the table is in use.",
        epilog="Commands in order: plan, start, backfill, switch, finish. The README of gid-move explains them. Exit status: 0 done,"
        " 1 something must be changed first, 2 wrong arguments, 3 the same command can succeed later, 4 plan found what programs must"
        " write differently.",
    )
    parser.add_argument("--version", action="version", version=f"gid-move {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, help: str, tables: Union[int, str] = 1) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=help, description=help)
        made.add_argument("-d", "--dbname", default="", help="a database or a connection string of libpq")
        if name != "status":
            made.add_argument("table", nargs=tables, help="the table whose key moves, as in orders or shop.orders")
        return made

    def chosen(made: argparse.ArgumentParser) -> None:
        add = made.add_argument
        own: Dict[str, Any] = {"action": "append", "default": []}
        add("--kind", required=True, help="the kind of the ids, as in o; of several tables, one for each", **own)
        add("--column", help="the key, if it is not the primary key alone", **own)
        which = "the format of the keys, unless they are numbers"
        add("--from", dest="source", choices=formats.NAMES, help=which, **own)
        add("--time", metavar="EXPRESSION", help="the time of a row, as in created_at", **own)
        add("--prefix", help="of TypeIDs", **own)
        which = "a column that refers to the key without a foreign key; of several tables, TABLE.COLUMN=ONE"
        add("--reference", dest="references", metavar="TABLE.COLUMN", help=which, **own)
        add("--published", action="store_true", help="subscribers have the new columns")
        what = "a view that new programs may see with what it makes of ids"
        add("--accept", action="append", default=[], metavar="VIEW", help=what)

    def limited(made: argparse.ArgumentParser) -> Callable[..., argparse.Action]:
        add = made.add_argument
        wait = "how long to wait for a lock at once (0.5)"
        add("--lock-timeout", type=float, default=0.5, metavar="SECONDS", help=wait)
        add("--retries", type=int, default=30, help="how often to try to lock a table, or to fill locked rows (30)")
        return add

    shows = "Shows what depends on the key, what programs must write differently, and each step with its lock"
    made = command("plan", f"{shows}. Changes nothing.", "+")
    chosen(made)
    made.add_argument("--sql", action="store_true", help="show the SQL of each step")
    brief, undo = "Locks tables for milliseconds", "gid-move undo drops them."
    made = command("start", f"Adds the new columns, and triggers that fill them. {brief}. {undo}", "+")
    chosen(made)
    limited(made)
    fills = "Fills the new columns, and builds their indexes and so on"
    made = command("backfill", f"{fills}. {brief}, rows in batches. {undo}")
    add = limited(made)
    add("--batch", type=int, default=32, metavar="PAGES", help="pages of the table in a transaction (32)")
    locks = "Locks the tables, for as long as plan shows."
    gives = "Gives the new columns the names of the old ones"
    limited(command("switch", f"{gives}. {locks} gid-move undo reverts it, and keeps new rows."))
    limited(command("finish", f"Drops the triggers, and keeps the old columns. {locks} Cannot be undone."))
    limited(command("undo", f"Restores the tables as they were before start, at any time before finish. {locks}"))
    command("status", "Shows the moves of a database and their next steps. Locks nothing.")
    return parser


def connect(dbname: str) -> Catalog:
    connection = psycopg.connect(
        dbname if "=" in dbname or "://" in dbname or not dbname else f"dbname={dbname}",
        autocommit=True,
        application_name="gid-move",
    )
    pid = connection.execute("SELECT pg_catalog.pg_backend_pid()").fetchone()
    if pid != (connection.pgconn.backend_pid,):  # before the first SET, which another session would inherit
        raise Refusal(
            "The connection goes through a pooler, such as PgBouncer.",
            "Connect to the server itself: the settings of gid-move must not reach other programs.",
        )
    connection.execute("SET statement_timeout = 0; SET lock_timeout = 0")  # at once: they limit the next statement
    connection.execute(
        "SELECT pg_catalog.set_config(name, value, false) FROM pg_catalog.jsonb_each_text(%s) AS s (name, value)"
        " JOIN pg_catalog.pg_settings USING (name)",
        (json.dumps(dict(part.strip().split("=") for part in SETTINGS.split(";"))),),
    )
    if connection.info.server_version < 150000:
        raise Refusal("gid-move requires PostgreSQL 15 or newer.", "Upgrade the server first.")
    if connection.execute("SELECT pg_catalog.pg_is_in_recovery()").fetchone() == (True,):
        raise Refusal("This server is a standby.", "Connect to the primary.")
    return Catalog(connection)


def become_owner(catalog: Catalog, owner: str) -> None:
    """Everything is done with the rights of the tables' owner.

    A superuser is rejected, because functions and triggers of the owner could use his privileges.
    """
    is_super = "SELECT rolsuper FROM pg_roles WHERE rolname = %s"
    if catalog.value(is_super, catalog.value("SELECT session_user::text")) and not catalog.value(is_super, owner):
        raise Refusal(
            f"You are a superuser, and {owner} is not.",
            f"Connect as {owner} or as a member of {owner}, so that the owner's functions and triggers run with no other rights.",
        )
    try:
        catalog.connection.execute(f"SET ROLE {catalog.quote(owner)}")
    except psycopg.errors.InsufficientPrivilege:
        raise Refusal(f"You are not a member of {owner}.", f"Connect as {owner}.") from None
    for schema in (STATE, BEFORE):
        catalog.own_schema(schema, owner)


def alone(catalog: Catalog) -> None:
    """One gid-move at a time in a database."""
    for _ in range(20):
        if catalog.value("SELECT pg_try_advisory_lock(hashtext('gid-move'), 0)"):
            return
        time.sleep(0.25)
    raise Later("Another gid-move is running in this database.", "Wait until it ends. pg_stat_activity shows it.")


def options_from(given: argparse.Namespace) -> Options:
    """What was chosen for each table, in their order.  An option that was given once is for all of them."""
    count, columns = len(given.table), []
    for field in dataclasses.fields(Chosen):
        values = getattr(given, field.name)
        if len(values) not in ((count,) if field.name == "kind" else (0, 1, count)):
            name = field.name.replace("source", "from")
            what = f"The number of tables is {count}, and the number of --{name} is {len(values)}."
            raise Refusal(what, f"Give --{name} once for each table, in their order.")
        columns.append(values if len(values) == count else (values or [None]) * count)
    keys = [Chosen(*values) for values in zip(*columns)]
    return Options(keys, given.references, given.accept, given.published)


def show_plan(plan: Plan, sql: bool) -> None:
    found = plan.found
    steps = [] if found.refusals else plan.steps()
    for made in plan.keys:
        say(f"{made.at}.{made.name}: {made.column.type} ({made.format.name}) becomes {made.new_type}")
    say("")
    show_items(plan)
    heap, indexes = (sum(getattr(table, name) for table in found.tables) / 1048576 for name in ("bytes", "index_bytes"))
    say(
        f"\nDisk: tables and indexes have {heap + indexes:,.1f} MB, and grow to about {2 * heap + 3 * indexes:,.1f} MB. The same"
        " amount of WAL is written.\nAfter finish, VACUUM FULL (it locks a table) or pg_repack gives the space back.\n"
    )
    if steps:
        show_steps(plan, steps, sql)
    for note, names in found.notes.items():
        say(wrapped(f"Note: {note}".replace("{}", ", ".join(names))))
    if found.functions:
        say("\nPostgreSQL does not know what these functions use. Check that they work with both types:")
        say(wrapped("  " + ", ".join(found.functions)))
    show_traps(plan)


def show_steps(plan: Plan, steps: List[Step], sql: bool) -> None:
    """Each step with its SQL, or steps of one kind together."""
    say("Steps, each with its lock and how long it is held:")
    alike: Dict[Any, List[Step]] = {}
    for place, step in enumerate(steps):
        if step.phase in (*DONE, "drop"):
            alike.setdefault((step.phase, step.title, step.lock, step.lasts, sql and place), []).append(step)
    for (phase, title, lock, lasts, _), some in alike.items():
        *names, last = [step.name for step in some[:3]] + ([f"{len(some) - 3} more"] if len(some) > 3 else [])
        listed = " and ".join(filter(None, [", ".join(names), last]))
        say(f"  {phase:9} {title.replace('{}', listed)}: {lock}, {lasts}")
        for statement in some[0].statements[: 1 if some[0].kind == "backfill" else None] if sql else []:
            say(textwrap.indent(statement.replace("gid-move:rows", "true LIMIT 2000") + ";", "      "))
    say(
        "\nPrograms: before start, write the names of the columns in each INSERT. After backfill, set search_path of old programs to"
        f"\n  {BEFORE}, {', '.join(dict.fromkeys(plan.q(table.schema) for table in plan.found.tables))}"
        "\nand connect them again; then switch. New programs keep their search_path. Stop the old programs before finish.\n"
    )


def show_items(plan: Plan) -> None:
    found = plan.found
    for table in found.tables:
        say(f"{plan.at(table)}: about {table.rows:,} rows, {table.bytes / 1048576:,.1f} MB")
        for column in table.moved:
            is_key, by = column is column.root, f" by {column.foreign_key}" if column.foreign_key else ""
            say(f"  column {column.name}" + ("" if is_key else f", which refers to {plan.root(column).name}{by}"))
            default = "an identity" if column.identity else column.default
            if default:
                say(f"    default {default}" + (f", and after finish {plan.key(column).default}" if is_key else ""))
        for item in found.items:
            if item.table == table.oid:
                say(f"  {item.kind} {item.name}: {' '.join(item.on(plan.at(table)).split())}")
    for item in found.of("view"):
        say(f"{plan.word(item).lower()} {plan.q(item.schema, item.name)}")


def show_traps(plan: Plan) -> None:
    """What programs must write differently, grouped by what to write."""
    traps = plan.found.traps
    if traps:
        say("\nThese must be written differently before start. The other form works before, during and after the move:")
    for what, instead in dict.fromkeys(trap[2:] for trap in traps):
        for place, text, *rest in traps:
            if rest == [what, instead]:
                say(f"  {place}: {text}")
        say(f"    {what}\n    {instead}")


def wrapped(text: str) -> str:
    indent = " " * (len(text) - len(text.lstrip()))
    return textwrap.fill(text, 100, subsequent_indent=" " * 6, initial_indent=indent)


def refuse(refusals: List[Refusal]) -> None:
    for refusal in refusals:
        print(f"gid-move: {refusal.what}\n  {refusal.hint}", file=sys.stderr)
    sys.exit(max(refusal.status for refusal in refusals))


def refuse_second(move: Optional[Move]) -> None:
    """Rejects a move while another one goes on."""
    if move:
        again = f"gid-move {NEXT[move.phase]} {move.table_name}"
        hint = f"{again} continues it, and gid-move undo {move.table_name} ends it."
        raise Refusal(f"The move of {', '.join(move.keys)} has begun, and not ended.", hint)


def run(given: argparse.Namespace) -> None:
    catalog = connect(given.dbname)
    state = State(catalog)
    owner = catalog.schema_owner(STATE)  # of a move that has begun: its table can have been dropped
    if given.command in ("plan", "start"):
        owned = "SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = %s"
        owner = catalog.value(owned, catalog.find_table(given.table[0]))
    if owner:
        become_owner(catalog, owner)
    if given.command == "status":
        return status(state)
    if given.command == "plan":
        refuse_second(state.active())
        with catalog.connection.transaction(force_rollback=True):
            plan = Plan(catalog, options_from(given))
            show_plan(plan, given.sql)
            if plan.found.refusals:
                refuse(plan.found.refusals)
            if plan.found.traps:
                sys.exit(4)
        return
    alone(catalog)
    move = start(catalog, state, given) if given.command == "start" else state.find(given.table[0])
    step(Runner(catalog, move, given), given.command)


def start(catalog: Catalog, state: State, given: argparse.Namespace) -> Move:
    move = state.active()
    if move and move.phase == "begun" and state.is_of(move, given.table):
        return move
    refuse_second(move)
    with catalog.connection.transaction():
        plan = Plan(catalog, options_from(given))
        if plan.found.refusals:
            refuse(plan.found.refusals)
        show_traps(plan)
        return state.begin(plan)


def step(runner: Runner, command: str) -> None:
    move, state = runner.move, runner.state
    expected = NEXT[move.phase]
    if command == "undo":
        if move.phase == "finishing":
            raise Refusal("finish has dropped the triggers already.", f"gid-move finish {move.table_name}")
        begun = any(row["done_at"] for row in state.steps(move, "undo switch"))
        switched = begun or move.phase in ("switching", "switched")
        if not switched and move.phase != "undoing":
            state.phase(move, "undoing")
        runner.phase("undo switch" if switched else "undo")
        state.phase(move, "undone")
        say(f"Everything is as it was before start: {', '.join(move.keys)}.")
        return
    if command != expected:
        again = f"gid-move {expected} {move.table_name}"
        raise Refusal(f"The next command for {move.table_name} is {expected}, not {command}.", again)
    runner.phase(command)
    phase, message = DONE[command]
    state.phase(move, phase)
    say(message.format(", ".join(move.keys) if command == "finish" else move.table_name))
    if command == "finish":
        show_kept(state, move)


def show_kept(state: State, move: Move) -> None:
    """The statements that drop old columns, where they are still there."""
    query = """
        SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(%s)::oid AND attname LIKE '%%\\_\\_old' AND strpos(%s, attname) > 0)"""
    for step in [row["step"] for row in state.steps(move, "drop")]:
        if state.catalog.value(query, step.table, step.statements[0]):
            say(f"  {step.statements[0]};")


def status(state: State) -> None:
    moves = state.moves()
    if not moves:
        say("No table has moved in this database, and none is moving.")
    for move in moves:
        steps = [row for row in state.steps(move) if row["step"].phase in DONE and row["step"].kind != "compare"]
        rest = [str(row["step"]) for row in steps if row["done_at"] is None]
        far = f" {move.ended_at:%Y-%m-%d %H:%M}" if move.ended_at else f", {len(rest)} of {len(steps)} steps left"
        names = ", ".join("{table}.{column}".format(**key) for key in move.options["keys"])
        say(f"{names}: begun {move.started_at:%Y-%m-%d %H:%M}, {move.phase}{far}")
        if move.phase == "finished":
            show_kept(state, move)
        if move.ended_at is None:
            say(f"  next: gid-move {NEXT[move.phase]} {move.table_name}" + (f" ({rest[0]})" if rest else ""))


def fatal(error: psycopg.Error) -> NoReturn:
    """Ends the program because of an error of the server or the connection."""
    hint, again = error.diag.message_hint, "Remove the cause, and run the command again. It continues with this step."
    if isinstance(error, psycopg.errors.DependentObjectsStillExist):  # PostgreSQL's hint is CASCADE
        hint = "Drop what is not part of the move. ALTER SEQUENCE ... OWNED BY NONE keeps a sequence."
    lines = [str(error.diag.message_primary or error).rstrip(), error.diag.message_detail, hint, again]
    print("\ngid-move: " + "\n  ".join(line for line in lines if line), file=sys.stderr)
    sys.exit(3 if isinstance(error, psycopg.OperationalError) else 1)


def main() -> None:
    """The program."""
    given = arguments().parse_args()
    try:
        run(given)
    except Refusal as refusal:
        say("", end="\n" if given.command not in ("plan", "status") else "")
        refuse([refusal])
    except psycopg.Error as error:
        fatal(error)
    except BrokenPipeError:
        sys.stderr.close()  # as in gid-move plan | head
        sys.exit(1)
    except KeyboardInterrupt:
        print("\ngid-move: interrupted. Run the same command again to continue.", file=sys.stderr)
        sys.exit(3)
