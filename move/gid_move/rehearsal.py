"""Creates each definition with the new type in a scratch schema.

All of them are run on empty copies of the tables, in a transaction that the caller rolls back.  So PostgreSQL itself
says what cannot be moved, and how a definition reads when columns have other names.
"""

from __future__ import annotations

import re
from typing import Any, Dict, List, Optional

import psycopg

from . import formats
from .catalog import Catalog, Item
from .names import SCRATCH, STATE, Options
from .trees import Misuse
from .triggers import Triggers


# How to write a definition that works with both types, or the statement that removes it, and what that costs.
HINTS = {
    "index": "DROP INDEX CONCURRENTLY {name}; Queries that use it then read the table. Create it again after the move, for gid.",
    "check": "ALTER TABLE {on} DROP CONSTRAINT {own}; Rows are not checked then. Add it again after the move, for gid.",
    "policy": "Write it so that it finds both keys: id = (SELECT (as_key(NULL::t, x)).id), where t is the table. The README of gid-move has as_key.",
    "trigger": "Write the condition in its function instead, with OLD for DELETE: to_jsonb(NEW) ->> 'id' = x OR to_jsonb(NEW) ->> 'id__old' = x.",
    "view": "If it compares the key with a column without a foreign key, move that column as well: --reference TABLE.COLUMN. Or"
    " cast the key to text in it, also in each part of a UNION: its readers then see text. Or DROP VIEW {name}; and create it"
    " again after the move: programs cannot read it until then.",
}
CLASSES = " gid has the default classes of btree, hash, GiST, GIN and BRIN, and minmax_multi and bloom of BRIN."


class Rehearsal(Triggers):
    """The definitions, after they were tried."""

    def __init__(self, catalog: Catalog, options: Options) -> None:
        super().__init__(catalog, options)
        self.check_triggers()
        self.check_misuses()
        if not self.found.refusals:
            self.rehearse()

    def check_triggers(self) -> None:
        """The backfill is no change that the table's own triggers should see."""
        replica = self.catalog.value("SELECT has_parameter_privilege(session_user, 'session_replication_role', 'SET')")
        query = """
            SELECT tgname FROM pg_trigger WHERE tgrelid = %s AND NOT tgisinternal
            AND tgenabled = ANY (%s::"char"[]) AND tgtype::int4 & 16 > 0 AND tgattr::text = ''"""
        for table in self.found.tables:
            for name in self.catalog.values(query, table.oid, ["A", "R"] if replica else ["O", "A"]):
                grant = f"As a superuser: GRANT SET ON PARAMETER session_replication_role TO {self.q(table.owner)}; or "
                disable = f"ALTER TABLE {self.at(table)} DISABLE TRIGGER {self.q(name)}; until backfill has ended."
                what = f"The backfill would fire the trigger {name} of {table.name}."
                self.refuse(what, disable if replica else grant + disable)

    def check_misuses(self) -> None:
        """What PostgreSQL could accept with the new type, and what would then mean something else."""
        several: Dict[Any, List[Misuse]] = {}
        for misuse in self.found.misuses:
            several.setdefault(misuse[1], []).append(misuse)
        for name, misuses in several.items():
            item, _, _, text, _ = misuses[0]
            what = "; ".join(dict.fromkeys(misuse[2] for misuse in misuses))
            hint = self.hint(item) if item else "Drop it, and create it again after the move, or let it name columns."
            if item and all(acceptable for *_, acceptable in misuses):
                accept = f"--accept {self.named(item)} if new programs may get what it makes of ids: they have other texts and another order."
                hint += f"\n  Or accept it: {accept} Old programs get the same as before."
            refusal = f"After switch, the {name} would mean something else: {what}.\n  {' '.join(text.split())}"
            self.refuse(refusal, hint)

    def hint(self, item: Item) -> str:
        """What to write instead."""
        hint = HINTS.get(item.kind, "Change it so that it works with both types, or drop it.")
        on = self.at(item) if item.table else ""
        return hint.format(name=self.named(item), own=self.q(item.name), on=on)

    def rehearse(self) -> None:
        """Runs every definition on empty copies of the tables, and reads back what it is with other names."""
        catalog, found = self.catalog, self.found
        names = [table.name for table in found.tables] + [
            item.name for item in found.of("view", "index", "primary key", "unique")
        ]
        for name in sorted({name for name in names if names.count(name) > 1}):
            hint = "Rename one of them until the move has ended."
            return self.refuse(f"Two tables, views or indexes of this move are called {name}.", hint)
        path = catalog.value("SELECT current_setting('search_path')")
        with catalog.connection.transaction(force_rollback=True):
            catalog.create_schema(SCRATCH, found.root.owner)
            self.run(f"SET LOCAL search_path = {SCRATCH}, {path}, {STATE}")
            self.install_functions()
            for key in self.keys:
                key.check_rows()
            self.check_references()
            for table in found.tables:
                self.run(f"CREATE TABLE {self.q(table.name)} (LIKE {self.at(table)})")
                # Definitions can name columns by their places, so these are those of the real table after the switch.
                for column in table.moved:
                    self.run(f"ALTER TABLE {self.q(table.name)} RENAME {self.old(column)} TO {self.old(column, True)}")
                for column in table.moved:
                    self.run(
                        f"ALTER TABLE {self.q(table.name)} ADD {self.new(column, True)} {self.key(column).new_type}"
                    )
            for key in self.keys:
                if key.time:
                    # It must be the same whenever it is computed, as in an index.
                    time = re.sub(r'(?<![\w"])r[.]', "", key.time)
                    message = self.failure(f"CREATE INDEX ON {self.q(key.table.name)} (({time}))")
                    if message:
                        hint = "Name a column, or an immutable expression."
                        self.refuse(f"--time {key.options.time}: {message}.", hint)
            for table in found.tables:  # a key that does not move: GROUP BY it allows all columns
                for text in catalog.values(
                    "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s"
                    " AND contype = 'p' AND oid <> ALL (%s::oid[])",
                    table.oid,
                    [item.oid for item in found.of("primary key")],
                ):
                    self.run(f"ALTER TABLE {self.q(table.name)} ADD {text}")
            for item in found.of("primary key", "unique"):
                self.attempt(item, item.more["index"])
                self.attempt(item, self.use_index(item, item.name)[0].replace(self.at(item), self.copy(item)))
            for item in found.of("index"):
                self.attempt(item, item.definition)
            for item in found.of("check", "foreign key"):
                self.attempt(
                    item, f"ALTER TABLE {self.copy(item)} ADD CONSTRAINT {self.q(item.name)} {item.definition}"
                )
            for item in found.of("view"):
                if not self.attempt(
                    item, self.create_view(item, self.q(SCRATCH, item.name), item.definition, empty=True)
                ):
                    continue
                self.check_types(item)
                for own in item.more["indexes"] + item.more["triggers"]:
                    self.attempt(item, own["definition"])
            for item in found.of("policy", "trigger"):
                self.attempt(item, item.on(self.copy(item)))
            self.check_names()
            if not found.refusals:
                self.read_back()

    def check_names(self) -> None:
        """Whether a view found a real table where it should have found the copy, and whether names are taken."""
        found, catalog = self.found, self.catalog
        oids = [table.oid for table in found.tables] + [view.oid for view in found.of("view")]
        for item in found.of("view"):
            query = """
                    SELECT DISTINCT refobjid::regclass::text FROM pg_depend JOIN pg_rewrite r ON r.oid = objid
                    WHERE classid = 'pg_rewrite'::regclass::oid AND ev_class = to_regclass(%s)::oid
                    AND refclassid = 'pg_class'::regclass::oid AND refobjid = ANY (%s::oid[])"""
            for name in catalog.values(query, self.q(SCRATCH, item.name), oids):
                self.refuse(
                    f"The view {item.schema}.{item.name} gives the name of {name} to something else as well.",
                    "Rename that (in WITH, for example), or drop the view until the move has ended.",
                )
        taken = """
                SELECT to_regclass(%s) IS NOT NULL OR EXISTS (SELECT FROM pg_constraint WHERE conrelid = %s AND conname = %s)"""
        for item in found.of("index", "primary key", "unique", "check", "foreign key"):
            for suffix in ("__new", "__old"):
                name = self.named(item, suffix)
                if catalog.value(taken, name, item.table, self.derived(item.name, suffix)):
                    self.refuse(f"gid-move needs the name {name}, which is taken.", "Rename the object that has this name.")

    def run(self, statement: str) -> None:
        self.catalog.connection.execute(statement)  # type: ignore[arg-type]

    def copy(self, item: Item) -> str:
        return self.q(self.table_of(item).name)

    def failure(self, statement: str) -> Optional[str]:
        """Runs a statement.  Returns PostgreSQL's message where it fails."""
        try:
            with self.catalog.connection.transaction():
                self.run(statement)
        except psycopg.Error as error:
            return error.diag.message_primary
        return None

    def attempt(self, item: Item, statement: str) -> bool:
        message = self.failure(statement)
        if message:
            classes = "" if "operator class" not in message else CLASSES
            self.refuse(f"The {item.kind} {item.name} does not work with gid: {message}.", self.hint(item) + classes)
        return not message

    def check_types(self, view: Item) -> None:
        """Whether NULL without its cast still has its type."""
        query = """
                SELECT a.attname FROM pg_attribute a JOIN pg_attribute b USING (attnum) JOIN pg_type t ON t.oid = b.atttypid
                WHERE a.attrelid = %s AND b.attrelid = to_regclass(%s)::oid AND attnum > 0 AND a.atttypid <> b.atttypid
                AND t.typname NOT IN ('gid', '_gid')"""
        for name in self.catalog.values(query, view.oid, self.q(SCRATCH, view.name)):
            hint = "Change this column of the view, or drop the view until the move has ended."
            self.refuse(f"The view {view.name} would show another type in {name}.", hint)

    def install_functions(self) -> None:
        self.catalog.create_schema(STATE, self.found.root.owner)
        if not self.catalog.value("SELECT to_regproc(%s)::oid", f"{STATE}.gid_of_number"):
            path = self.catalog.set_local_path(STATE)
            self.run(formats.functions())
            self.catalog.set_local_path(path)

    def check_references(self) -> None:
        """Whether each reference that PostgreSQL has not checked leads to a row."""
        keys = [item for item in self.found.of("foreign key") if item.more["valid"]]
        # With MATCH SIMPLE, PostgreSQL checks no row in which another column is NULL.
        full = [item for item in keys if len(item.more["columns"]) == 1 or item.more["match"] == "f"]
        checked = {(item.table, item.name) for item in full}
        for table, column in self.columns():
            if column is column.root or (table.oid, column.foreign_key) in checked:
                continue
            at, root, name = self.at(table), self.at(self.root(column)), self.old(column)
            same = self.equal(f"r.{self.old(column.root)}", f"c.{name}")
            where = f"c.{name} IS NOT NULL AND NOT EXISTS (SELECT FROM {root} AS r WHERE {same})"
            count = self.catalog.value(f"SELECT count(*) FROM {at} AS c WHERE {where}")
            if count and not column.foreign_key and not column.not_null:
                self.found.note(
                    f"{count:,} rows of {at} have a {column.name} that refers to no row of {root}. New programs find NULL"
                    f" there. The old column keeps its value: SELECT * FROM {at} AS c WHERE {where};"
                )
            elif count:
                self.refuse(
                    f"{count:,} rows of {at} have a {column.name} that refers to no row of {root}.",
                    f"DELETE FROM {at} AS c WHERE {where}; or UPDATE {at} AS c SET {name} = NULL WHERE {where};",
                )

    def create_view(self, item: Item, name: str, definition: str, empty: bool = False) -> str:
        more, options = item.more, ""
        if more["options"]:
            options = " WITH (" + ", ".join(more["options"]) + ")"
        if not more["materialized"]:
            return f"CREATE VIEW {name}{options} AS {definition}"
        space = f" TABLESPACE {self.q(more['tablespace'])}" if more["tablespace"] else ""
        data = "NO " if empty or not more["populated"] else ""
        return f"CREATE MATERIALIZED VIEW {name}{options}{space} AS {definition} WITH {data}DATA"

    def use_index(self, item: Item, index: str) -> List[str]:
        more, at, name = item.more, self.at(item), self.q(item.name)
        text = f"ALTER TABLE {at} ADD CONSTRAINT {name} {item.kind.upper()} USING INDEX {self.q(index)}"
        text += " DEFERRABLE" if more["deferrable"] else ""
        text += " INITIALLY DEFERRED" if more["deferred"] else ""
        sql = [text, *self.comment(f"CONSTRAINT {name} ON {at}", item.comment)]
        sql += self.comment(f"INDEX {self.named(item)}", more["index_comment"])
        return sql + self.index_uses(item, at)

    def index_uses(self, item: Item, at: str) -> List[str]:
        sql = []
        if item.more["replica_identity"]:
            sql.append(f"ALTER TABLE {at} REPLICA IDENTITY USING INDEX {self.q(item.name)}")
        if item.more["clustered"]:
            sql.append(f"ALTER TABLE {at} CLUSTER ON {self.q(item.name)}")
        return sql

    def read_back(self) -> None:
        """Reads each definition with the names before the switch."""
        found, value = self.found, self.catalog.value
        scratch = lambda name: self.q(SCRATCH, name)
        index_text = lambda name: value("SELECT pg_get_indexdef(%s::regclass, 0, true)", scratch(name))
        for view in found.of("view"):
            new = self.q(self.derived(view.name, "__new"))
            self.run(f"ALTER {self.word(view)} {scratch(view.name)} RENAME TO {new}")
        for table, column in self.columns():
            for name, target in [
                (self.new(column, True), self.new(column)),
                (self.old(column, True), self.old(column)),
            ]:
                self.run(f"ALTER TABLE {scratch(table.name)} RENAME {name} TO {target}")
        for item in found.of("check", "foreign key"):
            item.new = value(
                "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = %s AND conrelid = %s::regclass::oid",
                item.name,
                scratch(self.table_of(item).name),
            )
        for item in found.of("primary key", "unique", "index"):
            item.new = index_text(item.name)
        for view in found.of("view"):
            name = scratch(self.derived(view.name, "__new"))
            view.new = value("SELECT pg_get_viewdef(%s::regclass)", name).strip().rstrip(";")
            for index in view.more["indexes"]:
                index["new"] = index_text(index["name"])
