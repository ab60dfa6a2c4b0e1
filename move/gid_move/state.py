"""The schema gid_move, which remembers a move, its steps, and what must be the same before and after it.

It must not know what a step does.
"""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from .catalog import Catalog, Inventory, Refusal
from .names import BEFORE, STATE
from .plan import Plan, Step

TABLES = f"""
CREATE TABLE IF NOT EXISTS {STATE}.moves (
    number     int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_name text NOT NULL,
    tables     text[] NOT NULL,
    phase      text NOT NULL,
    options    jsonb NOT NULL,
    path       text NOT NULL,
    inventory  jsonb NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz
);
CREATE TABLE IF NOT EXISTS {STATE}.steps (
    move       int REFERENCES {STATE}.moves,
    place      int,
    step       jsonb NOT NULL,
    progress   bigint NOT NULL DEFAULT 0,
    done_at    timestamptz,
    PRIMARY KEY (move, place)
);
"""
# Numbers that PostgreSQL gave, and what a move changes.
IGNORED = ("parent", "index_oid", "fired", "populated", "valid")


@dataclass
class Move:
    """A move that has begun."""

    number: int
    table_name: str
    tables: List[str]
    phase: str  # begun, started, backfilled, switching, switched, finishing, undoing, finished, undone
    options: Dict[str, Any]
    path: str
    inventory: List[Any]
    started_at: Any
    ended_at: Any

    @property
    def keys(self) -> List[str]:
        """The tables whose keys move."""
        return [key["table"] for key in self.options["keys"]]


class State:
    """The moves of a database."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def moves(self) -> List[Move]:
        if not self.catalog.value("SELECT to_regclass(%s)::oid", f"{STATE}.steps"):
            return []
        return [Move(**row) for row in self.catalog.rows(f"SELECT * FROM {STATE}.moves ORDER BY number")]

    def active(self) -> Optional[Move]:
        """The move that has begun and not ended.  A database has one at most."""
        return next((move for move in self.moves() if move.ended_at is None), None)

    def is_of(self, move: Move, tables: List[str]) -> bool:
        """Whether the keys of all these tables move."""
        oids = [self.catalog.value("SELECT to_regclass(%s)::oid", table) for table in move.keys]
        return set(map(self.catalog.find_table, tables)) <= set(oids)

    def find(self, table: str) -> Move:
        """The active move of a table."""
        move = self.active()
        if move and (table in move.keys or self.is_of(move, [table])):
            return move
        raise Refusal(f"There is no unfinished move of {table}.", f"gid-move status, or gid-move start {table} --kind ...")

    def begin(self, plan: Plan) -> Move:
        """Remembers a new move and all its steps, in the caller's transaction."""
        connection, owner = self.catalog.connection, plan.found.root.owner
        tables = [plan.at(table) for table in plan.found.tables]
        self.catalog.create_schema(STATE, owner)
        if self.catalog.schema_owner(BEFORE):
            raise Refusal(
                f"The schema {BEFORE} exists already.", f"If you do not need its contents: DROP SCHEMA {BEFORE} CASCADE;"
            )
        self.catalog.create_schema(BEFORE, owner)
        self.grant_usage(plan)
        connection.execute(TABLES)  # type: ignore[arg-type]
        plan.install_functions()
        number = self.catalog.value(
            f"INSERT INTO {STATE}.moves (table_name, tables, phase, options, path, inventory)"
            " VALUES (%s, %s, 'begun', %s, %s, %s) RETURNING number",
            plan.at(plan.found.root),
            tables,
            json.dumps(dataclasses.asdict(plan.options)),
            self.catalog.value("SELECT current_setting('search_path')"),
            json.dumps(fingerprint(plan.found)),
        )
        for place, step in enumerate(plan.steps(), 1):
            connection.execute(
                f"INSERT INTO {STATE}.steps (move, place, step) VALUES (%s, %s, %s)",
                (number, place, json.dumps(step.__dict__)),
            )
        return next(move for move in self.moves() if move.number == number)

    def grant_usage(self, plan: Plan) -> None:
        """Lets those use gid_before who can use all schemas whose tables and views it shows."""
        names = {table.schema for table in plan.found.tables} | {view.schema for view in plan.found.of("view")}
        users = {"PUBLIC"}
        for name in sorted(names):
            others = set(self.catalog.schema_users(name))
            users = others if "PUBLIC" in users else users if "PUBLIC" in others else users & others
        for user in sorted(users - {plan.q(plan.found.root.owner)}):
            self.catalog.connection.execute(f"GRANT USAGE ON SCHEMA {BEFORE} TO {user}")

    def steps(self, move: Move, phase: Optional[str] = None) -> List[Dict[str, Any]]:
        rows = self.catalog.rows(
            f"SELECT place, progress, done_at, step FROM {STATE}.steps WHERE move = %s ORDER BY place", move.number
        )
        for row in rows:
            row["step"] = Step(**row["step"])
        return [row for row in rows if phase is None or row["step"].phase == phase]

    def done(self, move: Move, place: int) -> None:
        self.catalog.connection.execute(
            f"UPDATE {STATE}.steps SET done_at = now() WHERE move = %s AND place = %s", (move.number, place)
        )

    def progress(self, move: Move, place: int, value: int) -> None:
        self.catalog.connection.execute(
            f"UPDATE {STATE}.steps SET progress = %s WHERE move = %s AND place = %s", (value, move.number, place)
        )

    def phase(self, move: Move, phase: str) -> None:
        move.phase = phase
        self.catalog.connection.execute(
            f"UPDATE {STATE}.moves SET phase = %s, ended_at = CASE WHEN %s IN ('finished', 'undone') THEN now() END WHERE number = %s",
            (phase, phase, move.number),
        )


def fingerprint(found: Inventory) -> List[Any]:
    """All that must be the same before and after, by name."""
    result, names = [], {table.oid: table.name for table in found.tables}
    for item in found.items:
        more = {key: value for key, value in item.more.items() if key not in IGNORED}
        for kind in ("indexes", "triggers"):
            more[kind] = [
                [own["name"], own["definition"], own["comment"], own["more"].get("enabled")]
                for own in more.get(kind, [])
            ]
        definition = item.definition.replace(" NOT VALID", "")
        if item.kind == "view":  # which loses casts of NULL in a UNION, see trees.py
            definition = re.sub(r"\bNULL::(character varying|\w+)(\(\d+\))?", "NULL", definition)
        if more.get("materialized") and "USING (" in definition:  # such columns are shown with the names that they had
            definition = ""
        if item.kind == "trigger":  # between switch and finish, it is also for the old columns
            definition = re.sub(" UPDATE OF .* ON ", " UPDATE OF ON ", definition)
        of = names.get(item.table, "")
        result.append([item.kind, item.schema, item.name, of, definition, item.comment, more])
    for table in found.tables:
        more = {"acl": table.acl, "row_security": [table.row_security, table.force_row_security]}
        result.append(["table", table.schema, table.name, table.name, "", None, more])
        for column in table.moved:
            more = {key: getattr(column, key) for key in ("acl", "late", "statistics", "options")}
            more["not_null"] = column.not_null or column.late  # which is NOT NULL again at the end
            result.append(["column", table.schema, column.name, table.name, "", column.comment, more])
    return sorted(result, key=lambda entry: entry[:4])
