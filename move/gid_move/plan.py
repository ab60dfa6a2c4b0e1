"""The SQL of each step of a move.

Every table that moves gets a column next to each old one, which triggers and a backfill fill.  Indexes, constraints and
views are built over the new columns in advance, so that the switch only changes names in the catalog.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional

from .catalog import TABLE, Column, Item, Table
from .names import BEFORE, STATE
from .rehearsal import Rehearsal

INSTANT, SHORT = "milliseconds", "under a second"
NAME = r'(?:"(?:[^"]|"")*"|[^ ,"]+)'  # in SQL


@dataclass
class Step:
    """One step.  Its statements are one transaction, unless it is of another kind than "sql"."""

    phase: str  # start, backfill, switch, finish, undo
    title: str
    lock: str
    lasts: str
    statements: List[str]
    kind: str = "sql"  # sql, swap, unswap, drop: one transaction; alone: none; backfill, compare, verify, restored
    table: int = 0
    index: Optional[str] = None  # what a step of CREATE INDEX CONCURRENTLY builds


class Plan(Rehearsal):
    """The steps, made from the catalog and from what the user chose."""

    def start(self) -> List[Step]:
        steps = []
        for table in self.found.tables:
            at, sql = self.at(table), self.lock([], [table])
            for column in table.moved:
                new = self.new(column)
                sql.append(f"ALTER TABLE {at} ADD COLUMN {new} {self.new_type}")
                if column.statistics is not None:
                    sql.append(f"ALTER TABLE {at} ALTER COLUMN {new} SET STATISTICS {column.statistics}")
                if column.options:
                    sql.append(f"ALTER TABLE {at} ALTER COLUMN {new} SET ({', '.join(column.options)})")
                if column.comment is not None:
                    sql.append(f"COMMENT ON COLUMN {at}.{new} IS {self.catalog.literal(column.comment)}")
                sql += self.grants(column.acl, at, new)
            sql += self.create_triggers(table)
            steps.append(self.locked("start", f"add the new columns of {table.name}, and triggers that fill them", sql))
        views = []
        for table in self.found.tables:
            name = self.q(BEFORE, table.name)
            columns = ", ".join(self.q(column) for column in table.columns)
            # Who can do what is decided by the table's privileges and policies alone.
            views.append(f"CREATE VIEW {name} WITH (security_invoker) AS SELECT {columns} FROM {self.at(table)}")
            views += [self.revoke_all(name)] + [
                f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO {role}" for role in table.schema_users
            ]
        return steps + [
            Step("start", f"create {BEFORE}, in which programs find the old columns", "ACCESS SHARE", INSTANT, views)
        ]

    def locked(self, phase: str, title: str, sql: List[str], kind: str = "sql") -> Step:
        """A transaction that programs wait for.  A statement takes about half a millisecond, or more on a busy server."""
        seconds = len(sql) / 1000
        lasts = INSTANT if seconds < 0.1 else SHORT
        if seconds >= 1:
            lasts = f"about {seconds:,.0f} s: {len(sql):,} statements of 1 ms"
        return Step(phase, title, "ACCESS EXCLUSIVE", lasts, sql, kind)

    def lock(self, views_in: List[str], tables: Optional[List[Table]] = None) -> List[str]:
        """Locks the views of these schemas, where "" is their own, and tables, in the order of most programs."""
        sql, tables = [], self.found.tables if tables is None else tables
        if BEFORE in views_in:
            owner = self.q(self.found.root.owner)
            sql = [f"ALTER VIEW IF EXISTS {self.q(BEFORE, t.name)} OWNER TO {owner}" for t in tables]
        for schema in views_in if tables == self.found.tables else []:
            if_exists = "IF EXISTS " if schema == BEFORE else ""
            for view in reversed(self.found.of("view")):
                name, owner = self.q(schema or view.schema, view.name), self.q(view.more["owner"])
                sql.append(f"ALTER {self.word(view)} {if_exists}{name} OWNER TO {owner}")
        return sql + [f"LOCK TABLE {self.at(table)} IN ACCESS EXCLUSIVE MODE" for table in tables]

    def keys_of(self, table: Table) -> List[Item]:
        """The foreign keys of a table."""
        return [item for item in self.found.of("foreign key") if item.table == table.oid]

    def lock_with_parents(self, tables: List[Table]) -> List[str]:
        """Dropping a foreign key locks the table that it refers to as well."""
        oids = {table.oid for table in tables} | {item.more["parent"] for t in tables for item in self.keys_of(t)}
        return self.lock([], [table for table in self.found.tables if table.oid in oids])

    def at_once(self) -> List[Table]:
        """Published tables: all columns of the replica identity must be in the list of columns at any time."""
        oids = {item.table for item in self.found.of("publication")}
        return [table for table in reversed(self.found.tables) if table.oid in oids]

    def follow(
        self,
        phase: str,
        titles: List[str],
        keys: Callable[[Table], List[str]],
        rest: Callable[[Table], List[str]],
        at_once: List[Table],
        views: bool = False,
    ) -> List[Step]:
        """Changes one table after another: first the foreign keys of all, so that no key is referred to, then the rest."""
        now = {table.oid for table in at_once} | self.children(at_once)
        steps = []
        for table in reversed(self.found.tables):
            if table.oid not in now and keys(table):
                sql = self.lock_with_parents([table]) + keys(table)
                steps.append(self.locked(phase, titles[0].format(table.name), sql))
        for table in reversed(self.found.tables):
            if table not in at_once and rest(table):
                sql = self.lock([BEFORE] if views else [], [table]) + rest(table)
                steps.append(self.locked(phase, titles[1].format(table.name), sql))
        return steps

    def children(self, tables: List[Table]) -> "set[int]":
        parents = {table.oid for table in tables}
        return {item.table for item in self.found.of("foreign key") if item.more["parent"] in parents}

    def both_now(self, keys: Callable[[Table], List[str]], rest: Callable[[Table], List[str]]) -> List[str]:
        """The same for published tables, within the swap."""
        tables = self.at_once()
        now = {table.oid for table in tables} | self.children(tables)
        first = [sql for table in self.found.tables if table.oid in now for sql in keys(table)]
        return first + [sql for table in tables for sql in rest(table)]

    def check_both(self, only: Table, switched: bool) -> List[str]:
        """Raises an error if a reference has only one of both keys.  Partial indexes find it."""
        sql = []
        for table, column in self.late_columns():
            if table is not only:
                continue
            old, new = self.old(column, switched), self.new(column, switched)
            message = self.catalog.literal(f"{table.name}.{column.name} has references to rows that do not exist")
            sql.append(
                f"DO $gid_move$ BEGIN IF EXISTS (SELECT FROM {self.at(table)} WHERE {old} IS NULL AND {new} IS NOT NULL)"
                f" OR EXISTS (SELECT FROM {self.at(table)} WHERE {new} IS NULL AND {old} IS NOT NULL)"
                f" THEN RAISE foreign_key_violation USING MESSAGE = {message}; END IF; END $gid_move$"
            )
        return sql

    def revoke_all(self, name: str) -> str:
        """Takes back what ALTER DEFAULT PRIVILEGES gave."""
        return (
            "DO $gid_move$ BEGIN EXECUTE (SELECT coalesce("
            + self.catalog.literal(f"REVOKE ALL ON {name} FROM ")
            + " || string_agg(DISTINCT CASE grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END, ', '),"
            f" 'SELECT') FROM pg_class, aclexplode(relacl) WHERE oid = {self.catalog.literal(name)}::regclass::oid"
            " AND grantee <> relowner); END $gid_move$"
        )

    def grants(self, acl: List[Dict[str, Any]], on: str, column: Optional[str] = None) -> List[str]:
        """The same privileges.  The owner has all that he granted himself."""
        owner = self.q(self.found.root.owner)
        return [
            f"GRANT {grant['privilege']}{f' ({column})' if column else ''} ON {on} TO {grant['grantee']}"
            + (" WITH GRANT OPTION" if grant["grantable"] else "")
            for grant in acl
            if grant["grantee"] != owner
        ]

    def backfill(self) -> List[Step]:
        steps, found = [], self.found
        for table in found.tables:
            steps.append(
                Step(
                    "backfill",
                    f"fill the new columns of {table.name}",
                    "ROW EXCLUSIVE, rows in batches",
                    self.seconds(table, 5),
                    self.backfill_sql(table),
                    "backfill",
                    table.oid,
                )
            )
        late = self.late_columns()
        for table, column in late:
            for number, (is_null, other) in enumerate(
                [(self.new(column), self.old(column)), (self.old(column), self.new(column))]
            ):
                name = self.late_index(table, column, number + 1)
                steps.append(
                    Step(
                        "backfill",
                        f"build the index {name}",
                        "SHARE UPDATE EXCLUSIVE",
                        self.seconds(table, 100),
                        [
                            "SET default_tablespace = ''",
                            f"CREATE INDEX CONCURRENTLY {self.q(name)} ON {self.at(table)} ({other}) WHERE {is_null} IS NULL AND {other} IS NOT NULL",
                        ],
                        "alone",
                        table.oid,
                        self.q(table.schema, name),
                    )
                )
        for item in found.items:
            if item.kind in ("primary key", "unique"):
                table = found.table(item.table)
                steps.append(self.build(table, item, self.texts[("index__new", item.oid)], "__new"))
                if item.kind == "primary key":
                    steps.append(self.build(table, item, item.more["index"], "__old"))
            elif item.kind == "index":
                steps.append(self.build(found.table(item.table), item, self.texts[("__new", item.oid)], "__new"))
        for item in found.of("primary key"):
            if item.more["index_oid"] in [key.more["index_oid"] for key in self.again]:
                table = found.table(item.table)
                name, old = (self.q(table.schema, n) for n in (item.name, self.derived(item.name, "__old")))
                later = [f"{self.catalog.literal(n)}::regclass::oid::int8" for n in (name, old)]
                steps.append(
                    Step(
                        "backfill",
                        f"build {item.name} again, so that foreign keys choose {item.name}__old",
                        "SHARE UPDATE EXCLUSIVE",
                        self.seconds(table, 50),
                        [f"REINDEX INDEX CONCURRENTLY {name}", f"SELECT {later[0]} > {later[1]}"],
                        "reindex",
                        table.oid,
                    )
                )
        for item in found.of("index"):
            table = found.table(item.table)
            name = self.q(table.schema, self.derived(item.name, "__new"))
            more = [f"COMMENT ON INDEX {name} IS {self.catalog.literal(item.comment)}"] if item.comment else []
            more += [
                f"ALTER INDEX {name} ALTER COLUMN {number} SET STATISTICS {value}"
                for number, value in item.more["statistics"]
            ]
            if more:
                steps.append(
                    Step("backfill", f"comment and settings of {item.name}", "SHARE UPDATE EXCLUSIVE", INSTANT, more)
                )
        for table, column in self.columns():
            if column.not_null and not column.late:
                steps += self.not_null(
                    table,
                    column,
                    "backfill",
                    self.new(column),
                    self.derived(f"{table.name}_{column.name}_not_null", "__new"),
                )
        for item in found.of("check", "foreign key"):
            table, name = found.table(item.table), self.derived(item.name, "__new")
            text = self.texts[("__new", item.oid)]
            text += "" if text.endswith(" NOT VALID") else " NOT VALID"
            both = [found.table(item.more["parent"]), table] if item.kind == "foreign key" else []
            lock = [f"LOCK TABLE {self.at(locked)} IN SHARE ROW EXCLUSIVE MODE" for locked in both]
            sql = lock + [f"ALTER TABLE {self.at(table)} ADD CONSTRAINT {self.q(name)} {text}"]
            if item.comment:
                sql.append(
                    f"COMMENT ON CONSTRAINT {self.q(name)} ON {self.at(table)} IS {self.catalog.literal(item.comment)}"
                )
            steps.append(
                Step(
                    "backfill",
                    f"add the {item.kind} {name}",
                    "SHARE ROW EXCLUSIVE" if lock else "ACCESS EXCLUSIVE",
                    INSTANT,
                    sql,
                )
            )
            if item.more["valid"]:
                steps.append(
                    Step(
                        "backfill",
                        f"validate {name}",
                        "SHARE UPDATE EXCLUSIVE",
                        self.seconds(table, 200),
                        [f"ALTER TABLE {self.at(table)} VALIDATE CONSTRAINT {self.q(name)}"],
                    )
                )
        # The old primary key ends after the switch, and with it what refers to it.
        for table in found.tables:
            again = [item for item in self.again if item.table == table.oid]
            if again:
                parents = {item.more["parent"] for item in again} | {table.oid}
                sql = [
                    f"LOCK TABLE {self.at(locked)} IN SHARE ROW EXCLUSIVE MODE"
                    for locked in found.tables
                    if locked.oid in parents
                ]
                sql += [
                    f"ALTER TABLE {self.at(table)} ADD CONSTRAINT {self.q(self.derived(item.name, '__old'))}"
                    f" {self.not_valid(item.definition)}"
                    for item in again
                ]
                title = f"add the old foreign keys of {table.name} again, to the other index"
                steps.append(Step("backfill", title, "SHARE ROW EXCLUSIVE", INSTANT, sql))
        for item in found.of("statistics"):
            name = self.q(item.schema, self.derived(item.name, "__new"))
            sql = [f"CREATE STATISTICS {name} {self.texts[('__new', item.oid)]}"]
            if item.more["target"] is not None:
                sql.append(f"ALTER STATISTICS {name} SET STATISTICS {item.more['target']}")
            if item.comment:
                sql.append(f"COMMENT ON STATISTICS {name} IS {self.catalog.literal(item.comment)}")
            steps.append(
                Step("backfill", f"create the statistics {item.name}__new", "SHARE UPDATE EXCLUSIVE", INSTANT, sql)
            )
        for table in found.tables:
            steps.append(
                Step(
                    "backfill",
                    f"analyze {table.name}",
                    "SHARE UPDATE EXCLUSIVE",
                    self.seconds(table, 200),
                    [f"ANALYZE {self.at(table)}"],
                    "alone",
                    table.oid,
                )
            )
        for item in found.of("view"):
            steps.append(
                Step(
                    "backfill",
                    f"create {STATE}.{self.derived(item.name, '__new')}",
                    "ACCESS SHARE",
                    "as long as its query" if item.more["materialized"] else INSTANT,
                    self.new_view(item),
                )
            )
        steps.append(
            Step(
                "backfill",
                "compare old and new",
                "ACCESS SHARE",
                "reads all tables",
                self.comparisons(False),
                "compare",
            )
        )
        return steps

    def seconds(self, table: Table, megabytes_a_second: int) -> str:
        seconds = table.bytes / 1048576 / megabytes_a_second
        return (
            "under a second"
            if seconds < 1
            else f"about {seconds:,.0f} s"
            if seconds < 120
            else f"about {seconds / 60:,.0f} min"
        )

    def renamed_index(self, text: str, name: str) -> str:
        return re.sub(
            f"^CREATE (UNIQUE )?INDEX {NAME} ON ",
            lambda m: f"CREATE {m.group(1) or ''}INDEX CONCURRENTLY {self.q(name)} ON ",
            text,
        )

    def build(self, table: Table, item: Item, text: str, suffix: str) -> Step:
        name = self.derived(item.name, suffix)
        space = (
            f"SET default_tablespace = {self.q(item.more['tablespace'])}"
            if item.more.get("tablespace")
            else "SET default_tablespace = ''"
        )
        return Step(
            "backfill",
            f"build the index {name}",
            "SHARE UPDATE EXCLUSIVE",
            self.seconds(table, 50),
            [space, self.renamed_index(text, name)],
            "alone",
            table.oid,
            self.q(table.schema, name),
        )

    def not_null(self, table: Table, column: Column, phase: str, name: str, constraint: str) -> List[Step]:
        at, quoted = self.at(table), self.q(constraint)
        if self.found.version >= 18:
            constraint_sql = f"ALTER TABLE {at} ADD CONSTRAINT {quoted} NOT NULL {name} NOT VALID"
        else:
            constraint_sql = f"ALTER TABLE {at} ADD CONSTRAINT {quoted} CHECK ({name} IS NOT NULL) NOT VALID"
        steps = [
            Step(phase, f"declare {name} of {table.name} NOT NULL", "ACCESS EXCLUSIVE", INSTANT, [constraint_sql]),
            Step(
                phase,
                f"validate {constraint}",
                "SHARE UPDATE EXCLUSIVE",
                self.seconds(table, 200),
                [f"ALTER TABLE {at} VALIDATE CONSTRAINT {quoted}"],
            ),
        ]
        if self.found.version < 18:
            steps.append(
                Step(
                    phase,
                    f"set {name} of {table.name} NOT NULL",
                    "ACCESS EXCLUSIVE",
                    INSTANT,
                    [
                        f"ALTER TABLE {at} ALTER COLUMN {name} SET NOT NULL",
                        f"ALTER TABLE {at} DROP CONSTRAINT {quoted}",
                    ],
                )
            )
        return steps

    def new_view(self, item: Item) -> List[str]:
        more, name = item.more, self.q(STATE, self.derived(item.name, "__new"))
        word = self.word(item)
        sql = [self.create_view(item, name, self.texts[("__new", item.oid)]), self.revoke_all(name)]
        for index in more["indexes"]:
            text = self.renamed_index(
                self.texts[("__new", index["oid"])], self.derived(index["name"], "__new")
            ).replace(" CONCURRENTLY", "", 1)
            if index["more"]["tablespace"]:
                sql.append(f"SET LOCAL default_tablespace = {self.q(index['more']['tablespace'])}")
            sql.append(text)
            if index["comment"]:
                sql.append(
                    f"COMMENT ON INDEX {self.q(STATE, self.derived(index['name'], '__new'))} IS {self.catalog.literal(index['comment'])}"
                )
        if item.comment:
            sql.append(f"COMMENT ON {word} {name} IS {self.catalog.literal(item.comment)}")
        for column in more["columns"]:
            quoted = self.q(column["name"])
            if column["default"]:
                sql.append(f"ALTER VIEW {name} ALTER {quoted} SET DEFAULT {column['default']}")
            if column["comment"]:
                sql.append(f"COMMENT ON COLUMN {name}.{quoted} IS {self.catalog.literal(column['comment'])}")
            sql += self.grants(column["acl"], name, quoted)
        for trigger in more["triggers"]:
            sql.append(trigger["new"])
            sql += self.trigger_more(trigger["name"], name, trigger["more"]["enabled"], trigger["comment"])
        sql += self.grants(more["acl"], name)
        if more["owner"] != self.found.root.owner:
            sql.append(f"ALTER {word} {name} OWNER TO {self.q(more['owner'])}")
        return sql

    def trigger_more(self, name: str, on: str, enabled: str, comment: Optional[str]) -> List[str]:
        word = {"O": "", "D": "DISABLE", "A": "ENABLE ALWAYS", "R": "ENABLE REPLICA"}[enabled]
        sql = [f"ALTER TABLE {on} {word} TRIGGER {self.q(name)}"] if word else []
        if comment:
            sql.append(f"COMMENT ON TRIGGER {self.q(name)} ON {on} IS {self.catalog.literal(comment)}")
        return sql

    def comparisons(self, switched: bool) -> List[str]:
        """Queries, each of which returns how many rows it compared and how many differ."""
        root, key, queries = self.found.root, self.found.key, self.heal(switched)
        for table, column in self.columns():
            old, new = self.old(column, switched), self.new(column, switched)
            if column is key:
                queries.append(
                    f"-- rows have only one of both keys in {table.name}.{column.name}\nSELECT count(*), count(*) FILTER"
                    f" (WHERE ({old} IS NULL) <> ({new} IS NULL)) FROM {self.at(table)}"
                )
                continue
            conditions = [self.equal(f"p.{self.new(key, switched)}", f"c.{new}", True)] + [
                self.equal(f"p.{self.old(key, switched)}", f"c.{old}", False)
                if own == column.name
                else self.catalog.equal(table.oid, own, f"p.{self.q(parent)}", f"c.{self.q(own)}")
                for own, parent in column.via
            ]
            queries.append(
                f"-- references lead to another row or to none in {table.name}.{column.name}\n"
                f"SELECT count(*), count(*) FILTER (WHERE p.{self.new(key, switched)} IS NULL) FROM {self.at(table)} AS c"
                f" LEFT JOIN {self.at(root)} AS p ON {' AND '.join(conditions)} WHERE c.{old} IS NOT NULL OR c.{new} IS NOT NULL"
            )
        return queries

    def switch(self) -> List[Step]:
        found, sql = self.found, self.lock([""])
        for table, column in self.columns():
            sql.append(f"ALTER TABLE {self.at(table)} RENAME {self.old(column)} TO {self.old(column, True)}")
            sql.append(f"ALTER TABLE {self.at(table)} RENAME {self.new(column)} TO {self.new(column, True)}")
        for item in found.of("view"):
            word = self.word(item)
            sql += [
                f"ALTER {word} {self.q(item.schema, item.name)} SET SCHEMA {BEFORE}",
                f"ALTER {word} {self.q(STATE, self.derived(item.name, '__new'))} RENAME TO {self.q(item.name)}",
                f"ALTER {word} {self.q(STATE, item.name)} SET SCHEMA {self.q(item.schema)}",
            ]
            sql += [
                f"ALTER INDEX {self.q(item.schema, self.derived(index['name'], '__new'))} RENAME TO {self.q(index['name'])}"
                for index in item.more["indexes"]
            ]
        # The same text again, since it cannot always be read back after a column was renamed.
        sql += [
            self.create_view(item, self.q(item.schema, item.name), item.definition).replace(
                "CREATE VIEW", "CREATE OR REPLACE VIEW", 1
            )
            for item in found.of("view")
            if not item.more["materialized"]
        ]
        sql += self.rebind(True)
        for table in found.tables:
            sql += self.turn_triggers(table, True)
        sql += self.both_now(self.key_names, self.names_of)
        refresh = [
            f"REFRESH MATERIALIZED VIEW {self.q(STATE, self.derived(item.name, '__new'))}"
            for item in found.of("view")
            if item.more["materialized"] and item.more["populated"]
        ]
        steps = (
            [
                Step(
                    "switch",
                    "refresh materialized views",
                    "none that readers notice",
                    "as long as their queries",
                    refresh,
                    "alone",
                )
            ]
            if refresh
            else []
        )
        return steps + [
            Step(
                "switch", "compare old and new", "ACCESS SHARE", "reads all tables", self.comparisons(False), "compare"
            ),
            self.locked("switch", "give the new columns and views the names of the old ones", sql, "swap"),
            *self.follow(
                "switch",
                ["name the foreign keys of {}", "name the indexes and constraints of {}"],
                self.key_names,
                self.names_of,
                self.at_once(),
            ),
            Step("switch", "check that everything has its definition", "ACCESS SHARE", INSTANT, [], "verify"),
        ]

    def constraint(self, item: Item, a: str, b: str) -> str:
        """Renames a constraint."""
        return (
            f"ALTER TABLE {self.at(self.found.table(item.table))} RENAME CONSTRAINT"
            f" {self.q(self.derived(item.name, a))} TO {self.q(self.derived(item.name, b))}"
        )

    def drop_constraint(self, item: Item, suffix: str = "", if_exists: str = "") -> str:
        at = self.at(self.found.table(item.table))
        return f"ALTER TABLE {at} DROP CONSTRAINT {if_exists}{self.q(self.derived(item.name, suffix))}"

    def key_names(self, table: Table) -> List[str]:
        """Gives the new foreign keys of a table the names of the old ones."""
        sql = []
        for item in self.keys_of(table):
            sql.append(self.drop_constraint(item) if item in self.again else self.constraint(item, "", "__old"))
            sql.append(self.constraint(item, "__new", ""))
        return sql

    def of_table(self, table: Table, *kinds: str) -> List[Item]:
        return [item for item in self.found.of(*kinds) if item.table == table.oid]

    def names_of(self, table: Table) -> List[str]:
        """The same for its indexes and other constraints."""
        at, sql = self.at(table), []
        sql += [self.drop_constraint(item) for item in self.of_table(table, "primary key")]
        sql += [self.constraint(item, "", "__old") for item in self.of_table(table, "unique", "check")]
        sql += self.rename_rest(table, "", "__old")
        for column in table.moved:
            if column.not_null_name and not (column.late and column.not_null):
                kept = self.derived(column.not_null_name, "__old")
                sql.append(f"ALTER TABLE {at} RENAME CONSTRAINT {self.q(column.not_null_name)} TO {self.q(kept)}")
                new = self.derived(f"{table.name}_{column.name}_not_null", "__new")
                sql.append(f"ALTER TABLE {at} RENAME CONSTRAINT {self.q(new)} TO {self.q(column.not_null_name)}")
        for item in self.of_table(table, "primary key", "unique"):
            sql += self.use_index(item, self.derived(item.name, "__new"))
        sql += [self.constraint(item, "__new", "") for item in self.of_table(table, "check")]
        return sql + self.rename_rest(table, "__new", "")

    def not_valid(self, text: str) -> str:
        return text if text.endswith(" NOT VALID") else text + " NOT VALID"

    def rename_rest(self, table: Table, a: str, b: str) -> List[str]:
        sql = []
        for item in self.of_table(table, "index", "statistics"):
            sql.append(
                f"ALTER {item.kind.upper()} {self.q(item.schema, self.derived(item.name, a))} RENAME TO {self.q(self.derived(item.name, b))}"
            )
            if item.kind == "index" and b == "":
                sql += self.index_uses(item, self.at(self.found.table(item.table)))
        return sql

    def rebind(self, to_both: bool) -> List[str]:
        """What follows a column by its number, and is to follow its name: created again, by the same text."""
        sql = []
        for item in self.found.of("policy", "trigger"):
            at = self.at(self.found.table(item.table))
            sql.append(f"DROP {item.kind.upper()} {self.q(item.name)} ON {at}")
            definition = item.definition.replace(TABLE, at)
            sql.append(self.update_of_both(item) if item.kind == "trigger" and to_both else definition)
            if item.kind == "trigger":
                sql += self.trigger_more(item.name, at, item.more["enabled"], item.comment)
            elif item.comment:
                sql.append(f"COMMENT ON POLICY {self.q(item.name)} ON {at} IS {self.catalog.literal(item.comment)}")
        sql += [item.definition for item in self.found.of("function")]
        for item in self.found.of("publication"):
            sql.append(f"ALTER PUBLICATION {self.q(item.name)} DROP TABLE {self.at(self.found.table(item.table))}")
            sql.append(item.definition.replace(TABLE, self.at(self.found.table(item.table))))
        return sql

    def update_of_both(self, item: Item) -> str:
        """A trigger for UPDATE OF a column fires for both kinds of programs."""
        olds = {self.q(c.name): self.old(c, True) for c in self.found.table(item.table).moved}

        def both(match: "re.Match[str]") -> str:
            names = re.findall(NAME, match.group(1))
            return " UPDATE OF " + ", ".join(names + [olds[name] for name in names if name in olds]) + " ON "

        return re.sub(rf" UPDATE OF ({NAME}(?:, {NAME})*) ON ", both, item.definition, count=1)

    def drop_before(self, table: Table) -> str:
        return f"DROP VIEW IF EXISTS {self.q(BEFORE, table.name)}"

    def drop_new_keys(self, table: Table) -> List[str]:
        return [
            self.drop_constraint(item, suffix, "IF EXISTS ")
            for item in self.keys_of(table)
            for suffix in (["__new", "__old"] if item in self.again else ["__new"])
        ]

    def drop_new(self, table: Table) -> List[str]:
        """Drops the new columns of a table that has not been switched."""
        sql = [self.drop_before(table)] + self.drop_triggers(table)
        sql += [f"ALTER TABLE {self.at(table)} DROP COLUMN IF EXISTS {self.new(column)}" for column in table.moved]
        return sql + [
            f"DROP INDEX IF EXISTS {self.q(item.schema, self.derived(item.name, '__old'))}"
            for item in self.of_table(table, "primary key")
        ]

    def restore_keys(self, table: Table) -> List[str]:
        sql = []
        for item in self.keys_of(table):
            sql += [self.drop_constraint(item), self.constraint(item, "__old", "")]
            if item in self.again and item.comment:
                on = f"CONSTRAINT {self.q(item.name)} ON {self.at(table)}"
                sql.append(f"COMMENT ON {on} IS {self.catalog.literal(item.comment)}")
        return sql

    def restore_names(self, table: Table) -> List[str]:
        """Drops the new columns of a table that was switched, and gives everything its name again."""
        at = self.at(table)
        sql = self.check_both(table, False) + self.drop_triggers(table)
        for column in table.moved:
            sql.append(f"ALTER TABLE {at} DROP COLUMN {self.new(column)}")
            if column.not_null_name and not column.late:
                kept = self.derived(column.not_null_name, "__old")
                sql.append(f"ALTER TABLE {at} RENAME CONSTRAINT {self.q(kept)} TO {self.q(column.not_null_name)}")
        for item in self.of_table(table, "unique", "check"):
            sql.append(self.constraint(item, "__old", ""))
            sql += self.index_uses(item, at) if item.kind == "unique" else []
        sql += self.rename_rest(table, "__old", "")
        for item in self.of_table(table, "primary key"):
            sql += self.use_index(item, self.derived(item.name, "__old"))
        for column in self.late_of(table):
            for n in (1, 2):
                sql.append(f"DROP INDEX IF EXISTS {self.q(table.schema, self.late_index(table, column, n))}")
        return sql

    def undo(self, switched: bool) -> List[Step]:
        found = self.found
        views, restored = list(reversed(found.of("view"))), "check that everything is as it was"
        last = Step("undo", restored, "ACCESS SHARE", INSTANT, [], "restored")
        if not switched:
            sql = [
                f"DROP {self.word(view)} IF EXISTS {self.q(STATE, self.derived(view.name, '__new'))}" for view in views
            ]
            titles = ["drop the new foreign keys of {}", "drop the new columns of {}"]
            return [
                self.locked("undo", "drop the new views", sql),
                *self.follow("undo", titles, self.drop_new_keys, self.drop_new, [], True),
                last,
            ]
        sql, drop = self.lock(["", BEFORE]), []
        for view in views:
            word, new = self.word(view), self.derived(view.name, "__new")
            sql += [
                f"ALTER INDEX {self.q(view.schema, index['name'])} RENAME TO {self.q(self.derived(index['name'], '__new'))}"
                for index in view.more["indexes"]
            ]
            sql += [
                f"ALTER {word} {self.q(view.schema, view.name)} RENAME TO {self.q(new)}",
                f"ALTER {word} {self.q(view.schema, new)} SET SCHEMA {STATE}",
            ]
            drop.append(f"DROP {word} {self.q(STATE, new)}")
        sql += [self.drop_before(table) for table in found.tables]
        for view in found.of("view"):
            sql.append(f"ALTER {self.word(view)} {self.q(BEFORE, view.name)} SET SCHEMA {self.q(view.schema)}")
        for table, column in self.columns():
            sql.append(f"ALTER TABLE {self.at(table)} RENAME {self.new(column, True)} TO {self.new(column)}")
            sql.append(f"ALTER TABLE {self.at(table)} RENAME {self.old(column, True)} TO {self.old(column)}")
        for table in found.tables:
            sql += self.turn_triggers(table, False)
        sql += self.rebind(False) + drop + self.both_now(self.restore_keys, self.restore_names)
        titles = ["give the old foreign keys of {} their names again", "drop the new columns of {}"]
        steps = [
            Step("undo", "compare old and new", "ACCESS SHARE", "reads all tables", self.comparisons(True), "compare"),
            self.locked("undo", "give the old columns their names again", sql, "unswap"),
            *self.follow("undo", titles, self.restore_keys, self.restore_names, self.at_once()),
        ]
        for item in self.again:
            if item.more["valid"]:
                steps.append(
                    Step(
                        "undo",
                        f"validate {item.name}",
                        "SHARE UPDATE EXCLUSIVE",
                        self.seconds(found.table(item.table), 200),
                        [f"ALTER TABLE {self.at(found.table(item.table))} VALIDATE CONSTRAINT {self.q(item.name)}"],
                    )
                )
        return steps + self.late_not_null("undo") + [last]

    def late_not_null(self, phase: str) -> List[Step]:
        steps = []
        for table, column in self.late_columns():
            if column.not_null:
                name = column.not_null_name or self.derived(f"{table.name}_{column.name}_not_null", "__new")
                steps += self.not_null(table, column, phase, self.q(column.name), name)
        return steps

    def move_default(self, table: Table, column: Column) -> str:
        key = self.found.key
        return (
            "DO $gid_move$ BEGIN EXECUTE (SELECT format("
            + self.catalog.literal(
                f"ALTER TABLE {self.at(table)} ALTER COLUMN {self.new(column, True)} SET DEFAULT ".replace("%", "%%") + "%L"
            )
            + f", (SELECT p.{self.new(key, True)} FROM {self.at(self.found.root)} AS p"
            f" WHERE {self.equal(f'p.{self.old(key, True)}', str(column.default), False)}))); END $gid_move$"
        )

    def finish(self) -> List[Step]:
        views = list(reversed(self.found.of("view")))
        sql = [
            f"ALTER {self.word(view)} {self.q(BEFORE, view.name)} OWNER TO {self.q(view.more['owner'])}"
            for view in views
        ]
        sql += [f"DROP {self.word(view)} {self.q(BEFORE, view.name)}" for view in views]
        titles = ["drop the old foreign keys of {}", "drop the old columns and the triggers of {}"]
        steps = [
            Step(
                "finish", "compare old and new", "ACCESS SHARE", "reads all tables", self.comparisons(True), "compare"
            ),
            self.locked("finish", f"drop the views in {BEFORE}", sql, "drop"),
            *self.follow("finish", titles, self.drop_old_keys, self.drop_old, [], True),
        ]
        steps += self.late_not_null("finish")
        steps.append(Step("finish", "check that everything has its definition", "ACCESS SHARE", INSTANT, [], "verify"))
        return steps

    def drop_old_keys(self, table: Table) -> List[str]:
        return [self.drop_constraint(item, "__old") for item in self.keys_of(table)]

    def drop_old(self, table: Table) -> List[str]:
        at, sql = self.at(table), self.check_both(table, True)
        sql += [self.drop_before(table)] + self.drop_triggers(table)
        for item in self.of_table(table, "trigger"):
            sql += [f"DROP TRIGGER {self.q(item.name)} ON {at}", item.definition]
            sql += self.trigger_more(item.name, at, item.more["enabled"], item.comment)
        for column in table.moved:  # with both keys of a row that a default refers to
            if column is not self.found.key and column.default and not column.default.startswith("NULL"):
                sql.append(self.move_default(table, column))
        for column in table.moved:
            sql.append(f"ALTER TABLE {at} DROP COLUMN {self.old(column, True)}")
            if column is self.found.key and self.default:
                sql.append(f"ALTER TABLE {at} ALTER COLUMN {self.q(column.name)} SET DEFAULT {self.default}")
        return sql

    def steps(self) -> List[Step]:
        """All steps.  Those of undo depend on whether the switch was done: "undo" or "undo switch"."""
        undo = self.undo(True)
        for step in undo:
            step.phase = "undo switch"
        return self.start() + self.backfill() + self.switch() + self.finish() + self.undo(False) + undo
