"""The schema gid_move, which remembers a move and its steps in the database.

It must not know what a step does.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from .catalog import Catalog, Refusal
from .compare import fingerprint
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


class State:
    """The moves of a database."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog

    def moves(self, only_active: bool = False) -> List[Move]:
        if not self.catalog.value("SELECT to_regclass(%s)::oid", f"{STATE}.steps"):
            return []
        query = f"SELECT * FROM {STATE}.moves WHERE ended_at IS NULL OR NOT %s ORDER BY number"
        return [Move(**row) for row in self.catalog.rows(query, only_active)]

    def active(self, table: str) -> Optional[Move]:
        """The move of a table, if one has begun and not ended."""
        oid = self.catalog.find_table(table)
        for move in self.moves(True):
            for key in move.options["keys"]:
                if self.catalog.value("SELECT to_regclass(%s)::oid", key["table"]) == oid:
                    return move
        return None

    def find(self, table: str) -> Move:
        """The active move of a table."""
        move = self.active(table)
        if move:
            return move
        raise Refusal(f"No move of {table} goes on.", f"gid-move status, or gid-move start {table} --kind ...")

    def begin(self, plan: Plan) -> Move:
        """Remembers a new move and all its steps, in the caller's transaction."""
        connection, owner = self.catalog.connection, plan.found.root.owner
        tables = [plan.at(table) for table in plan.found.tables]
        self.catalog.create_schema(STATE, owner)
        self.catalog.create_schema(BEFORE, owner)
        self.grant_usage(plan)
        connection.execute(TABLES)  # type: ignore[arg-type]
        names = {table.name for table in plan.found.tables} | {view.name for view in plan.found.of("view")}
        for move in self.moves(True):
            for both in [entry[2] for entry in move.inventory if entry[0] in ("table", "view") and entry[2] in names]:
                raise Refusal(
                    f"The move of {move.table_name} has not ended, and has {BEFORE}.{both} as well.",
                    f"gid-move finish {move.table_name}, or gid-move undo {move.table_name}",
                )
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
        owner = plan.q(plan.found.root.owner)
        present = set(self.catalog.schema_users(BEFORE)) - {owner}
        if "PUBLIC" not in users and present - users:
            raise Refusal(
                f"Another move lets {', '.join(sorted(present - users))} use {BEFORE}, but not all schemas of this one.",
                "Finish or undo that move first: gid-move status shows it.",
            )
        for user in sorted(users - {owner}):
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
