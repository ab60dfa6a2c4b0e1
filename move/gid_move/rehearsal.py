"""Creates each definition with the new type in a scratch schema.

All of them are run on empty copies of the tables, in a transaction that the caller rolls back.  So PostgreSQL itself
says what cannot be moved, and how a definition reads when columns have other names.
"""

from __future__ import annotations

import re
from typing import Dict, List, Tuple

import psycopg

from . import formats
from .catalog import STATISTICS, TABLE, Catalog, Item
from .names import SCRATCH, STATE, Options
from .triggers import Triggers


# How to write a definition that works with both types, or the statement that removes it, and what that costs.
HINTS = {
    "index": "DROP INDEX CONCURRENTLY {name}; Queries that use it then read the table. gid has the default classes of btree, hash,"
    " GiST, GIN and BRIN, and those of BRIN for minmax_multi and bloom: create it again with one of these.",
    "check": "ALTER TABLE {on} DROP CONSTRAINT {own}; Rows are not checked then. Add it again after the move, for gid.",
    "policy": "Write it so that it finds both keys: to_jsonb(t) ->> 'id' = x OR to_jsonb(t) ->> 'id__old' = x, where t is the table.",
    "trigger": "In WHEN, write to_jsonb(NEW) ->> 'id' instead of the key.",
    "view": "If it compares the key with a column without a foreign key, move that column as well: --reference TABLE.COLUMN. Or"
    " cast the key to text in it, also in each part of a UNION: its readers then see text. Or DROP VIEW {name}; and create it"
    " again after the move: programs cannot read it until then.",
    "function": "Let it return text, or write its body as text (AS $$ ... $$), which PostgreSQL does not bind to the type.",
    "publication": "ALTER PUBLICATION {own} DROP TABLE {on}; and add it without the row filter: subscribers then get all rows.",
}


class Rehearsal(Triggers):
    """The definitions, after they were tried."""

    def __init__(self, catalog: Catalog, options: Options) -> None:
        super().__init__(catalog, options)
        self.texts = {}  # type: Dict[Tuple[str, int], str]
        self.check_triggers()
        # A table has one primary key, so the old one ends at the switch, and with it what refers to it.
        keys = [item.more["index_oid"] for item in self.found.of("primary key")]
        self.again = [item for item in self.found.of("foreign key") if item.more["index_oid"] in keys]
        # Without the rights of the owner, plan shows what the catalog says.
        self.is_tried = bool(
            catalog.value(
                "SELECT current_user = %s::name AND NOT pg_is_in_recovery() AND"
                " (has_database_privilege(current_database(), 'CREATE') OR has_database_privilege(session_user, current_database(), 'CREATE'))",
                self.found.root.owner,
            )
        )
        if not self.found.refusals and self.is_tried:
            self.rehearse()

    def check_triggers(self) -> None:
        """The backfill is no change that the table's own triggers should see."""
        replica = self.catalog.value("SELECT has_parameter_privilege(session_user, 'session_replication_role', 'SET')")
        firing = ["A", "R"] if replica else ["O", "A"]
        for table in self.found.tables:
            if self.catalog.value(
                "SELECT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = %s AND tgname = '~gid_move')", table.oid
            ):
                self.refuse(
                    f"{self.at(table)} is part of another move.",
                    "Finish or undo that move first: gid-move status shows it.",
                )
                return
        for table in self.found.tables:
            for row in self.catalog.rows(
                """
                    SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = %s AND NOT tgisinternal
                    AND tgenabled = ANY (%s::"char"[]) AND tgtype::int4 & 16 > 0 AND tgattr::text = ''""",
                table.oid,
                firing,
            ):
                if not self.options.fire_triggers:
                    grant = (
                        f"As a superuser: GRANT SET ON PARAMETER session_replication_role TO {self.q(table.owner)}; or"
                    )
                    self.refuse(
                        f"The backfill would fire the trigger {row['tgname']} of {table.name}.",
                        f"{'Disable the trigger, or' if replica else grant} allow it: --fire-triggers",
                    )

    def rehearse(self) -> None:
        """Runs every definition on empty copies of the tables, and reads back what it is with other names."""
        catalog, found = self.catalog, self.found
        names = [table.name for table in found.tables] + [view.name for view in found.of("view")]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.refuse(
                f"Two tables or views of this move are called {name}.", "Rename one of them until the move has ended."
            )
            return
        path = catalog.value("SELECT current_setting('search_path')")
        with catalog.connection.transaction(force_rollback=True):
            catalog.create_schema(SCRATCH, found.root.owner)
            self.run(f"SET LOCAL search_path = {SCRATCH}, {path}, {STATE}")
            self.run("SET LOCAL check_function_bodies = off")
            self.install_functions()
            self.check_keys()
            self.check_references()
            for table in found.tables:
                self.run(f"CREATE TABLE {self.q(table.name)} (LIKE {self.at(table)})")
                # Definitions can name columns by their places, so these are those of the real table after the switch.
                for column in table.moved:
                    self.run(f"ALTER TABLE {self.q(table.name)} RENAME {self.old(column)} TO {self.old(column, True)}")
                for column in table.moved:
                    self.run(f"ALTER TABLE {self.q(table.name)} ADD {self.new(column, True)} {self.new_type}")
            if self.time:
                root = self.q(found.root.name)
                self.attempt_time(f"CREATE INDEX ON {root} (({self.time.replace('r.', '')}))")
            for table in found.tables:  # a key that does not move: GROUP BY it allows all columns
                for row in catalog.rows(
                    "SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = %s"
                    " AND contype = 'p' AND oid <> ALL (%s::oid[])",
                    table.oid,
                    [item.oid for item in found.of("primary key")],
                ):
                    self.run(f"ALTER TABLE {self.q(table.name)} ADD {row['text']}")
            self.run("SET LOCAL check_function_bodies = on")
            for item in found.of("primary key", "unique"):
                self.attempt(item, item.more["index"])
                self.attempt(
                    item, self.use_index(item, item.name)[0].replace(self.at(found.table(item.table)), self.on(item))
                )
            for item in found.of("index"):
                self.attempt(item, self.with_classes(item))
            for item in found.of("check", "foreign key"):
                self.attempt(item, f"ALTER TABLE {self.on(item)} ADD CONSTRAINT {self.q(item.name)} {item.definition}")
            for item in found.of("statistics"):
                self.attempt(item, f"CREATE STATISTICS {SCRATCH}.{self.q(item.name)} {item.definition}")
            for item in found.of("view"):
                self.attempt(item, self.create_view(item, self.q(SCRATCH, item.name), item.definition, empty=True))
                for index in item.more["indexes"]:
                    self.attempt(item, index["definition"])
                for trigger in item.more["triggers"]:
                    self.attempt(item, trigger["definition"])
                for own in item.more["columns"]:
                    if own["default"]:
                        self.attempt(
                            item,
                            f"ALTER VIEW {self.q(item.name)} ALTER {self.q(own['name'])} SET DEFAULT {own['default']}",
                        )
            for item in found.of("policy", "trigger", "function", "publication"):
                self.attempt(
                    item, item.definition.replace(TABLE, self.q(found.table(item.table).name) if item.table else "")
                )
            self.check_names()
            if not found.refusals:
                self.read_back()

    def check_names(self) -> None:
        """Whether a view found a real table where it should have found the copy, and whether names are taken."""
        found, catalog = self.found, self.catalog
        for item in found.of("view"):
            for row in catalog.rows(
                """
                    SELECT DISTINCT refobjid::regclass::text AS name FROM pg_depend JOIN pg_rewrite r ON r.oid = objid
                    WHERE classid = 'pg_rewrite'::regclass::oid AND ev_class = to_regclass(%s)::oid
                    AND refclassid = 'pg_class'::regclass::oid AND refobjid = ANY (%s::oid[])""",
                self.q(SCRATCH, item.name),
                [table.oid for table in found.tables] + [view.oid for view in found.of("view")],
            ):
                self.refuse(
                    f"The view {item.schema}.{item.name} gives the name of {row['name']} to something else as well.",
                    "Rename that (in WITH, for example), or drop the view until the move has ended.",
                )
        relations, constraints = [], []
        for item in found.of("index", "primary key", "unique", "statistics"):
            relations += [self.q(item.schema, self.derived(item.name, suffix)) for suffix in ("__new", "__old")]
        for table, column in self.late_columns():
            relations += [self.q(table.schema, self.late_index(table, column, number)) for number in (1, 2)]
        for view in found.of("view"):
            for index in view.more["indexes"]:
                relations.append(self.q(view.schema, self.derived(index["name"], "__new")))
        for item in found.of("primary key", "unique", "check", "foreign key"):
            constraints += [(item.table, self.derived(item.name, suffix)) for suffix in ("__new", "__old")]
        taken = {name: f"{name} RENAME" for name in relations if catalog.value("SELECT to_regclass(%s)::oid", name)}
        for oid, name in constraints:
            if catalog.value("SELECT oid FROM pg_constraint WHERE conrelid = %s AND conname = %s", oid, name):
                taken[name] = f"{self.at(found.table(oid))} RENAME CONSTRAINT {self.q(name)}"
        for name, rename in sorted(taken.items()):
            self.refuse(f"gid-move needs the name {name}, which is taken.", f"ALTER TABLE {rename} TO another name;")

    def run(self, statement: str) -> None:
        self.catalog.connection.execute(statement)  # type: ignore[arg-type]

    def on(self, item: Item) -> str:
        return self.q(self.found.table(item.table).name)

    def attempt(self, item: Item, statement: str) -> None:
        try:
            with self.catalog.connection.transaction():
                self.run(statement)
        except psycopg.Error as error:
            name = item.name if item.kind == "function" else self.q(item.schema, item.name)
            on = self.at(self.found.table(item.table)) if item.table in {t.oid for t in self.found.tables} else ""
            self.refuse(
                f"The {item.kind} {item.name} does not work with {self.new_type}: {error.diag.message_primary}.",
                HINTS.get(item.kind, "Change it so that it works with both types, or drop it.").format(name=name, own=self.q(item.name), on=on),
            )

    def with_classes(self, item: Item) -> str:
        """The definition of an index, with gid's operator classes of BRIN."""
        text = item.definition
        for column in self.found.table(item.table).moved if not self.options.to else []:
            classes = rf"(?<=[ (]){re.escape(self.q(column.name))} [\w.]+_(minmax_multi|bloom)_ops"
            text = re.sub(classes, lambda m: f"{self.q(column.name)} {self.gid}gid_{m.group(1)}_ops", text)
        return text

    def attempt_time(self, statement: str) -> None:
        """The time of a row must be the same whenever it is computed, as in an index."""
        try:
            with self.catalog.connection.transaction():
                self.run(statement)
        except psycopg.Error as error:
            self.refuse(
                f"--time {self.options.time}: {error.diag.message_primary}.",
                "Name a column, or an immutable expression.",
            )

    def install_functions(self) -> None:
        self.catalog.create_schema(STATE, self.found.root.owner)
        if not self.catalog.value("SELECT to_regproc(%s)::oid", f"{STATE}.gid_of_number"):
            path = self.catalog.value("SELECT current_setting('search_path')")
            self.run(f"SET LOCAL search_path = {STATE}, {self.q(self.found.gid_schema)}")
            self.run(formats.functions())
            self.catalog.connection.execute("SELECT set_config('search_path', %s, true)", (path,))

    def check_keys(self) -> None:
        """Whether all keys have the format, and all rows a time."""
        at, name = self.at(self.found.root), self.q(self.found.key.name)
        try:
            with self.catalog.connection.transaction():
                lacking = self.catalog.value(f"SELECT count(*) FROM {at} AS r WHERE {self.of_row(name)} IS NULL")
        except psycopg.Error as error:
            self.refuse(
                f"{at} has a key or a time that cannot be moved: {error.diag.message_primary}.",
                error.diag.message_detail or "Correct that row, or name another format: --from",
            )
            return
        self.check_collisions()
        if lacking:
            self.refuse(
                f"{lacking:,} rows of {at} have no time, or no key of this format.",
                f'Correct them, or give them a time: --time "coalesce({self.options.time}, ...)"'
                if self.options.time
                else "Correct these rows.",
            )

    def check_references(self) -> None:
        """Whether each reference that PostgreSQL has not checked leads to a row."""
        checked = {name for item in self.found.of("foreign key") if item.more["valid"] for name in [(item.table, item.name)]}
        for table, column in self.columns():
            if column is self.found.key or (table.oid, column.foreign_key) in checked:
                continue
            same = [self.catalog.equal(table.oid, own, f"r.{self.q(parent)}", f"c.{self.q(own)}") for own, parent in column.via]
            where = f"c.{self.q(column.name)} IS NOT NULL AND NOT EXISTS (SELECT FROM {self.at(self.found.root)} AS r WHERE {' AND '.join(same)})"
            count = self.catalog.value(f"SELECT count(*) FROM {self.at(table)} AS c WHERE {where}")
            if count:
                self.refuse(
                    f"{count:,} rows of {self.at(table)} refer with {column.name} to no row of {self.at(self.found.root)}, and get no gid.",
                    f"Keep what you need of them, then: DELETE FROM {self.at(table)} AS c WHERE {where}; or, to keep the rows"
                    f" without their reference: UPDATE {self.at(table)} AS c SET {self.q(column.name)} = NULL WHERE {where};",
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
        more, at, name = item.more, self.at(self.found.table(item.table)), self.q(item.name)
        text = f"ALTER TABLE {at} ADD CONSTRAINT {name} {item.kind.upper()} USING INDEX {self.q(index)}"
        text += " DEFERRABLE" if more["deferrable"] else ""
        text += " INITIALLY DEFERRED" if more["deferred"] else ""
        sql = [text]
        if item.comment:
            sql.append(f"COMMENT ON CONSTRAINT {name} ON {at} IS {self.catalog.literal(item.comment)}")
        if more["index_comment"]:
            sql.append(
                f"COMMENT ON INDEX {self.q(item.schema, item.name)} IS {self.catalog.literal(more['index_comment'])}"
            )
        return sql + self.index_uses(item, at)

    def index_uses(self, item: Item, at: str) -> List[str]:
        sql = []
        if item.more["replica_identity"]:
            sql.append(f"ALTER TABLE {at} REPLICA IDENTITY USING INDEX {self.q(item.name)}")
        if item.more["clustered"]:
            sql.append(f"ALTER TABLE {at} CLUSTER ON {self.q(item.name)}")
        return sql

    def read_back(self) -> None:
        """The definitions of everything with the names before the switch, and of foreign keys with those after it."""
        scratch = lambda name: self.q(SCRATCH, name)
        found = self.found
        for item in found.of("view"):
            kind = "MATERIALIZED VIEW" if item.more["materialized"] else "VIEW"
            self.run(f"ALTER {kind} {scratch(item.name)} RENAME TO {self.q(self.derived(item.name, '__new'))}")
        for name in [i.name for i in found.of("index")] + [
            x["name"] for v in found.of("view") for x in v.more["indexes"]
        ]:
            self.run(f"ALTER INDEX {scratch(name)} RENAME TO {self.q(self.derived(name, '__new'))}")
        for suffix in ("__new", "__old"):
            for table, column in self.columns():
                renames = [(self.new(column, True), self.new(column)), (self.old(column, True), self.old(column))]
                if suffix == "__old":
                    renames = [
                        (self.old(column), "gid_move_other_" + str(column.number)),
                        (self.new(column), self.old(column, True)),
                    ]
                for name, target in renames:
                    self.run(f"ALTER TABLE {scratch(table.name)} RENAME {name} TO {target}")
            for item in found.of("primary key", "unique", "check", "foreign key"):
                self.texts[(suffix, item.oid)] = self.catalog.value(
                    "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = %s AND conrelid = %s::regclass::oid",
                    item.name,
                    scratch(self.found.table(item.table).name),
                )
                if item.kind in ("primary key", "unique"):
                    self.texts[("index" + suffix, item.oid)] = self.index_text(item.name)
            for item in found.of("index"):
                self.texts[(suffix, item.oid)] = self.index_text(self.derived(item.name, "__new"))
            for item in found.of("statistics"):
                self.texts[(suffix, item.oid)] = self.catalog.value(
                    f"SELECT {STATISTICS} FROM pg_statistic_ext s WHERE stxname = %s AND stxnamespace = %s::regnamespace::oid",
                    item.name,
                    SCRATCH,
                )
            for item in found.of("view"):
                name = self.derived(item.name, "__new")
                self.texts[(suffix, item.oid)] = (
                    self.catalog.value("SELECT pg_get_viewdef(%s::regclass)", scratch(name)).strip().rstrip(";")
                )
                for index in item.more["indexes"]:
                    self.texts[(suffix, index["oid"])] = self.index_text(self.derived(index["name"], "__new"))
                for trigger in item.more["triggers"]:
                    trigger["new"] = self.catalog.value(
                        "SELECT pg_get_triggerdef(oid, true) FROM pg_trigger"
                        " WHERE tgname = %s AND tgrelid = %s::regclass::oid",
                        trigger["name"],
                        scratch(name),
                    )

    def index_text(self, name: str) -> str:
        return self.catalog.value("SELECT pg_get_indexdef(%s::regclass, 0, true)", self.q(SCRATCH, name))
