"""The SQL of each step of a move.

Every table that moves gets a column next to each old one, which triggers and a backfill fill.  Indexes, constraints and
views are built over the new columns in advance, so that the switch only changes names in the catalog.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional

from .catalog import TABLE, Column, Item, Table
from .names import BEFORE, STATE
from .rehearsal import Rehearsal
from .triggers import RECOMPILE

INSTANT, SHORT, READS = "milliseconds", "under a second", "reads the table"
SHARE, UPDATE, ROW, EXCLUSIVE = "ACCESS SHARE", "SHARE UPDATE EXCLUSIVE", "SHARE ROW EXCLUSIVE", "ACCESS EXCLUSIVE"
NAME = r'(?:"(?:[^"]|"")*"|[^ ,"]+)'  # in SQL

Changes = Callable[[Table], List[str]]  # the SQL of a table


@dataclass
class Step:
    """One step.  Its statements are one transaction, unless it is of another kind than "sql"."""

    phase: str  # start, backfill, switch, finish, drop, undo
    title: str  # in which {} stands for the name
    lock: str
    lasts: str
    statements: List[str]
    kind: str = "sql"  # sql, swap, unswap, drop: one transaction; alone: none; backfill, compare, verify
    table: str = ""  # its name, because the oids of a restored dump are others
    index: Optional[str] = None  # what a step of CREATE INDEX CONCURRENTLY builds
    name: str = ""  # in the title

    def __str__(self) -> str:
        return self.title.replace("{}", self.name)


class Plan(Rehearsal):
    """The steps, made from the catalog and from what the user chose."""

    def start(self) -> List[Step]:
        steps, views = [], []
        for tables in self.groups():
            names, sql = ", ".join(table.name for table in tables), self.lock([], tables)
            for table in tables:
                sql += self.add_columns(table) + self.create_triggers(table)
            steps.append(self.locked("start", "add new columns, and triggers that fill them, to {}", sql, names))
        for table in self.found.tables:
            at, name, columns = self.at(table), self.q(BEFORE, table.name), ", ".join(map(self.q, table.columns))
            # Who can do what is decided by the table's privileges and policies alone.
            views += [
                f"CREATE VIEW {name} WITH (security_invoker) AS SELECT {columns} FROM {at}",
                self.revoke_all(name),
                *(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO {role}" for role in table.schema_users),
            ]
        title = f"create {BEFORE}, in which programs find the old columns"
        return steps + [Step("start", title, SHARE, INSTANT, views)]

    def add_columns(self, table: Table) -> List[str]:
        at, sql = self.at(table), []  # type: str, List[str]
        for column in table.moved:
            new = self.new(column)
            sql.append(f"ALTER TABLE {at} ADD COLUMN {new} {self.key(column).new_type}")
            if column.statistics is not None:
                sql.append(f"ALTER TABLE {at} ALTER COLUMN {new} SET STATISTICS {column.statistics}")
            if column.options:
                sql.append(f"ALTER TABLE {at} ALTER COLUMN {new} SET ({', '.join(column.options)})")
            sql += self.comment(f"COLUMN {at}.{new}", column.comment) + self.grants(column.acl, at, new)
        return sql

    def locked(self, phase: str, title: str, sql: List[str], name: str = "", kind: str = "sql") -> Step:
        """A transaction that programs wait for.  A statement takes about half a millisecond, or more on a busy server."""
        seconds = len(sql) / 1000
        lasts = INSTANT if seconds < 0.1 else SHORT
        if seconds >= 1:
            lasts = f"about {seconds:,.0f} s: {len(sql):,} statements of 1 ms"
        return Step(phase, title, EXCLUSIVE, lasts, sql, kind, name=name)

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
        return sql + [f"LOCK TABLE {self.at(table)} IN {EXCLUSIVE} MODE" for table in tables]

    def of_table(self, table: Table, *kinds: str) -> List[Item]:
        return [item for item in self.found.of(*kinds) if item.table == table.oid]

    def groups(self) -> List[List[Table]]:
        """The tables that change at the same time: those of the keys, whose triggers read each other's columns."""
        count = len(self.keys)
        return [self.found.tables[:count], *([table] for table in self.found.tables[count:])]

    def keys_of(self, table: Table) -> List[Item]:
        return self.of_table(table, "foreign key")

    def follow(self, phase: str, title: str, changes: Changes, views_in: List[str], keys: bool = False) -> List[Step]:
        """Changes one group after another.  To change a foreign key locks the table that it refers to as well."""
        steps = []
        for tables in reversed(self.groups()):
            sql = [statement for table in reversed(tables) for statement in changes(table)]
            if sql:
                owned = [item for table in tables for item in self.keys_of(table)]
                lock = self.lock_keys(owned, EXCLUSIVE) if keys else self.lock(views_in, tables)
                steps.append(self.locked(phase, title, lock + sql, ", ".join(table.name for table in tables)))
        return steps

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
        found = self.found
        return [
            *map(self.fill, found.tables),
            *self.new_indexes(),
            *self.new_constraints(),
            *(self.online("analyze {}", t.name, t, [f"ANALYZE {self.at(t)}"]) for t in found.tables),
            *map(self.new_view, found.of("view")),
            self.compared("backfill", False),
        ]

    def fill(self, table: Table) -> Step:
        title, lock, sql = "fill the new columns of {}", "ROW EXCLUSIVE, rows in batches", self.backfill_sql(table)
        return Step("backfill", title, lock, INSTANT, sql, "backfill", self.at(table), name=table.name)

    def compared(self, phase: str, switched: bool) -> Step:
        sql = self.comparisons(switched, phase == "undo")
        return Step(phase, "compare old and new", SHARE, "reads all tables", sql, "compare")

    def online(self, title: str, name: str, table: Table, sql: List[str], index: Optional[str] = None) -> Step:
        """A step that no reader or writer notices."""
        return Step("backfill", title, UPDATE, READS, sql, "alone", self.at(table), index, name)

    def new_indexes(self) -> List[Step]:
        """Those of the new columns, and another one of the old primary key."""
        steps = []
        for item in self.found.of("primary key", "unique", "index"):
            steps.append(self.build_again(item, item.new, "__new"))
            if item.kind == "primary key":
                steps.append(self.build_again(item, item.more["index"], "__old"))
        return steps

    def build_again(self, item: Item, text: str, suffix: str) -> Step:
        name, table, tablespace = self.derived(item.name, suffix), self.table_of(item), item.more["tablespace"]
        space = self.q(tablespace) if tablespace else "''"
        sql = [f"SET default_tablespace = {space}", self.renamed_index(text, name)]
        at = self.q(table.schema, name)
        if item.kind == "index":
            sql += self.comment(f"INDEX {at}", item.comment)
            sql += [f"ALTER INDEX {at} ALTER COLUMN {n} SET STATISTICS {value}" for n, value in item.more["statistics"]]
        sql.append("SET default_tablespace = ''")
        return self.online("build the index {}", name, table, sql, at)

    def renamed_index(self, text: str, name: str, how: str = " CONCURRENTLY") -> str:
        new = lambda match: f"CREATE {match.group(1) or ''}INDEX{how} {self.q(name)} ON "
        return re.sub(f"^CREATE (UNIQUE )?INDEX {NAME} ON ", new, text)

    def new_constraints(self) -> List[Step]:
        steps = []
        for table, column in self.columns():
            if column.not_null and not column.late:
                name = self.derived(f"{table.name}_{column.name}_not_null", "__new")
                steps += self.not_null(table, column, "backfill", self.new(column), name)
        for item in self.found.of("check") + self.in_firing_order(self.found.of("foreign key")):
            table, name = self.table_of(item), self.derived(item.name, "__new")
            lock = self.lock_keys([item])
            sql = lock + [f"ALTER TABLE {self.at(table)} ADD CONSTRAINT {self.q(name)} {self.not_valid(item.new)}"]
            sql += self.comment(f"CONSTRAINT {self.q(name)} ON {self.at(table)}", item.comment)
            title = f"add the {item.kind} {{}}"
            steps.append(Step("backfill", title, ROW if lock else EXCLUSIVE, INSTANT, sql, name=name))
            if item.more["valid"]:
                steps.append(self.validate("backfill", table, name))
        return steps

    def old_keys(self) -> List[Step]:
        """Puts the old foreign keys, which switch dropped, in place of the new ones."""
        steps = []
        keys = self.in_firing_order(self.found.of("foreign key"))
        for _, group in itertools.groupby(keys, lambda item: item.table):
            again = list(group)
            at, sql = self.at(again[0]), self.lock_keys(again, EXCLUSIVE)
            for item in again:
                name, definition = self.q(item.name), self.not_valid(item.definition)
                sql += [self.drop_constraint(item), f"ALTER TABLE {at} ADD CONSTRAINT {name} {definition}"]
                sql += self.comment(f"CONSTRAINT {name} ON {at}", item.comment)
            steps.append(self.locked("undo", "add the old foreign keys of {}", sql, self.table_of(again[0]).name))
        return steps

    @staticmethod
    def in_firing_order(keys: List[Item]) -> List[Item]:
        """Their triggers fire in the order of their names: ON DELETE CASCADE can come before NO ACTION over the same rows."""
        return sorted(keys, key=lambda item: item.more["fired"] or "")

    def lock_keys(self, items: List[Item], mode: str = ROW) -> List[str]:
        """Locks what foreign keys lock: a table and those that it refers to."""
        oids = {oid for item in items if item.kind == "foreign key" for oid in (item.table, item.more["parent"])}
        return [f"LOCK TABLE {self.at(table)} IN {mode} MODE" for table in self.found.tables if table.oid in oids]

    def validate(self, phase: str, table: Table, name: str) -> Step:
        sql = [f"ALTER TABLE {self.at(table)} VALIDATE CONSTRAINT {self.q(name)}"]
        return Step(phase, "validate {}", UPDATE, READS, sql, name=name)

    def not_null(self, table: Table, column: Column, phase: str, name: str, constraint: str) -> List[Step]:
        alter, what = f"ALTER TABLE {self.at(table)}", f"{name} of {table.name}"
        is_direct = self.catalog.version >= 18
        text = f"NOT NULL {name}" if is_direct else f"CHECK ({name} IS NOT NULL)"
        sql = [f"{alter} ADD CONSTRAINT {self.q(constraint)} {text} NOT VALID"]
        steps = [Step(phase, "declare {} NOT NULL", EXCLUSIVE, INSTANT, sql, name=what)]
        steps.append(self.validate(phase, table, constraint))
        if not is_direct:
            sql = [f"{alter} ALTER COLUMN {name} SET NOT NULL", f"{alter} DROP CONSTRAINT {self.q(constraint)}"]
            steps.append(Step(phase, "set {} NOT NULL", EXCLUSIVE, INSTANT, sql, name=what))
        return steps

    def new_view(self, item: Item) -> Step:
        more, word, name = item.more, self.word(item), self.named(item, "__new", STATE)
        sql = [self.create_view(item, name, item.new), self.revoke_all(name)]
        for index in more["indexes"]:
            new = self.derived(index["name"], "__new")
            if index["more"]["tablespace"]:
                sql.append(f"SET LOCAL default_tablespace = {self.q(index['more']['tablespace'])}")
            sql.append(self.renamed_index(index["new"], new, ""))
            sql += self.comment(f"INDEX {self.q(STATE, new)}", index["comment"])
        sql += self.comment(f"{word} {name}", item.comment)
        for column in more["columns"]:
            quoted = self.q(column["name"])
            sql += self.comment(f"COLUMN {name}.{quoted}", column["comment"]) + self.grants(column["acl"], name, quoted)
        for trigger in more["triggers"]:
            on = rf" ON (?:{re.escape(self.q(item.schema))}\.)?{re.escape(self.q(item.name))} "
            sql.append(re.sub(on, lambda match: f" ON {name} ", trigger["definition"], count=1))
            sql += self.trigger_more(trigger["name"], name, trigger["more"]["enabled"], trigger["comment"])
        sql += self.grants(more["acl"], name)
        if more["owner"] != self.found.root.owner:
            sql.append(f"ALTER {word} {name} OWNER TO {self.q(more['owner'])}")
        lasts = "as long as its query" if more["materialized"] else INSTANT
        return Step("backfill", f"create {STATE}.{{}}", SHARE, lasts, sql, name=self.derived(item.name, "__new"))

    def trigger_more(self, name: str, on: str, enabled: str, comment: Optional[str]) -> List[str]:
        word = {"O": "", "D": "DISABLE", "A": "ENABLE ALWAYS", "R": "ENABLE REPLICA"}[enabled]
        sql = [f"ALTER TABLE {on} {word} TRIGGER {self.q(name)}"] if word else []
        return sql + self.comment(f"TRIGGER {self.q(name)} ON {on}", comment)

    def comparisons(self, switched: bool, undo: bool) -> List[str]:
        """Queries, each of which returns how many rows it compared, how many differ, how many refer to no row, and three of those."""
        queries = []
        for table, column in self.columns():
            key = column.root
            old, new = self.old(column, switched), self.new(column, switched)
            if column is key:
                queries.append(
                    f"-- rows have only one of the two keys in {table.name}.{column.name}\nSELECT count(*), count(*) FILTER"
                    f" (WHERE ({old} IS NULL) <> ({new} IS NULL)), 0, NULL FROM {self.at(table)}"
                )
                continue
            pairs = (self.old(key, switched), old), (self.new(key, switched), new)
            conditions = [self.equal(f"p.{theirs}", f"c.{mine}") for theirs, mine in pairs]
            lead = [
                f"EXISTS (SELECT FROM {self.at(self.root(column))} AS p WHERE {condition})" for condition in conditions
            ]
            lead += [f"c.{new} IS NULL"] if column.not_null and not undo else []
            queries.append(
                f"-- references lead to their rows by only one of the two keys in {table.name}.{column.name}\n"
                "SELECT count(*), count(*) FILTER (WHERE differs), count(*) FILTER (WHERE NOT differs),"
                " (array_agg(value) FILTER (WHERE NOT differs))[1:3]"
                f" FROM (SELECT coalesce(c.{old}::text, c.{new}::text) AS value, CASE WHEN p.{self.new(key, switched)} IS NULL THEN"
                f" {' OR '.join(lead)} END AS differs FROM {self.at(table)} AS c LEFT JOIN {self.at(self.root(column))} AS p"
                f" ON {' AND '.join(conditions)} WHERE c.{old} IS NOT NULL OR c.{new} IS NOT NULL) AS c"
            )
        return queries

    def switch(self) -> List[Step]:
        found, sql = self.found, self.lock([""])
        for table, column in self.columns():
            sql.append(f"ALTER TABLE {self.at(table)} RENAME {self.old(column)} TO {self.old(column, True)}")
            sql.append(f"ALTER TABLE {self.at(table)} RENAME {self.new(column)} TO {self.new(column, True)}")
        for view in found.of("view"):
            alter = f"ALTER {self.word(view)}"
            sql += [
                f"{alter} {self.named(view)} SET SCHEMA {BEFORE}",
                f"{alter} {self.named(view, '__new', STATE)} RENAME TO {self.q(view.name)}",
                f"{alter} {self.named(view, '', STATE)} SET SCHEMA {self.q(view.schema)}",
                *self.rename_indexes(view, "__new", ""),
            ]
        sql += self.views_again() + self.rebind(True) + [RECOMPILE]
        for table in found.tables:
            sql += self.turn_triggers(table, True)
        refresh = [
            f"REFRESH MATERIALIZED VIEW {self.named(view, '__new', STATE)}"
            for view in found.of("view")
            if view.more["materialized"] and view.more["populated"]
        ]
        lock, lasts = "none that readers notice", "as long as their queries"
        steps = [Step("switch", "refresh materialized views", lock, lasts, refresh, "alone")] if refresh else []
        return steps + [
            self.compared("switch", False),
            self.locked("switch", "give the new columns and views the names of the old ones", sql, kind="swap"),
            *self.follow("switch", "name the foreign keys of {}", self.key_names, [], True),
            *self.follow("switch", "name the indexes and constraints of {}", self.names_of, []),
            self.verified("switch"),
        ]

    def views_again(self) -> List[str]:
        """The text of views, since it cannot always be read back after a column was renamed, or a dump was restored."""
        return [
            self.create_view(view, self.named(view), view.definition).replace("CREATE", "CREATE OR REPLACE", 1)
            for view in self.found.of("view")
            if not view.more["materialized"]
        ]

    def verified(self, phase: str) -> Step:
        return Step(phase, "check that everything has its definition", SHARE, INSTANT, [], "verify")

    def rename_indexes(self, view: Item, a: str, b: str) -> List[str]:
        """Renames the indexes of a materialized view."""
        names = [[self.derived(index["name"], suffix) for suffix in (a, b)] for index in view.more["indexes"]]
        return [f"ALTER INDEX {self.q(view.schema, old)} RENAME TO {self.q(new)}" for old, new in names]

    def constraint(self, item: Item, a: str, b: str) -> str:
        """Renames a constraint."""
        names = self.q(self.derived(item.name, a)), self.q(self.derived(item.name, b))
        return f"ALTER TABLE {self.at(item)} RENAME CONSTRAINT {names[0]} TO {names[1]}"

    def drop_constraint(self, item: Item, suffix: str = "", if_exists: str = "") -> str:
        return f"ALTER TABLE {self.at(item)} DROP CONSTRAINT {if_exists}{self.q(self.derived(item.name, suffix))}"

    def key_names(self, table: Table) -> List[str]:
        """Puts the new foreign keys of a table in place of the old ones: triggers keep both keys the same."""
        sql = []
        for item in self.keys_of(table):
            sql += [self.drop_constraint(item), self.constraint(item, "__new", "")]
        return sql

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
        for item in self.of_table(table, "index"):
            sql.append(f"ALTER INDEX {self.named(item, a)} RENAME TO {self.q(self.derived(item.name, b))}")
            sql += self.index_uses(item, self.at(item)) if b == "" else []
        return sql

    def rebind(self, to_both: bool) -> List[str]:
        """What follows a column by its number, and is to follow its name: created again, by the same text."""
        sql = []
        for item in self.found.of("policy", "trigger"):
            at = self.at(item)
            sql.append(f"DROP {item.kind.upper()} {self.q(item.name)} ON {at}")
            sql.append(self.update_of_both(item) if item.kind == "trigger" and to_both else item.on(at))
            if item.kind == "trigger":
                sql += self.trigger_more(item.name, at, item.more["enabled"], item.comment)
            else:
                sql += self.comment(f"POLICY {self.q(item.name)} ON {at}", item.comment)
        return sql

    def update_of_both(self, item: Item) -> str:
        """A trigger for UPDATE OF a column fires for both kinds of programs."""
        olds = {self.q(c.name): self.old(c, True) for c in self.table_of(item).moved}

        def both(match: "re.Match[str]") -> str:
            names = re.findall(NAME, match.group(1))
            return " UPDATE OF " + ", ".join(names + [olds[name] for name in names if name in olds]) + " ON "

        return re.sub(rf" UPDATE OF ({NAME}(?:, {NAME})*) ON ", both, item.definition, count=1)

    def drop_before(self, table: Table) -> str:
        return f"DROP VIEW IF EXISTS {self.q(BEFORE, table.name)}"

    def drop_new_keys(self, table: Table) -> List[str]:
        return [
            self.drop_constraint(item, "__new", "IF EXISTS ").replace("TABLE", "TABLE IF EXISTS", 1)
            for item in self.keys_of(table)
        ]

    def drop_new(self, table: Table) -> List[str]:
        """Drops the new columns of a table that has not been switched."""
        drop = f"ALTER TABLE IF EXISTS {self.at(table)} DROP COLUMN IF EXISTS"
        sql = [self.drop_before(table), *self.drop_triggers(table)]
        sql += [f"{drop} {self.new(column)}" for column in table.moved]
        for item in self.of_table(table, "primary key"):
            # After a parallel restore, foreign keys can be bound to the other index, which then becomes the primary key.
            name = self.named(item, "__old")
            other = "; ".join([self.drop_constraint(item), *self.use_index(item, self.derived(item.name, "__old"))])
            sql.append(
                "DO $gid_move$ BEGIN IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND"
                f" conindid = to_regclass({self.catalog.literal(name)})::oid) THEN {other};"
                f" ELSE DROP INDEX IF EXISTS {name}; END IF; END $gid_move$"
            )
        return sql

    def restore_names(self, table: Table) -> List[str]:
        """Drops the new columns of a table that was switched, and gives everything its name again."""
        at, sql = self.at(table), self.drop_triggers(table)
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
        return sql + self.declare_not_null(table)

    def undo(self, switched: bool) -> List[Step]:
        found, views = self.found, list(reversed(self.found.of("view")))
        if not switched:
            sql = [f"DROP {self.word(view)} IF EXISTS {self.named(view, '__new', STATE)}" for view in views]
            return [
                self.locked("undo", "drop the new views", sql),
                *self.follow("undo", "drop the new foreign keys of {}", self.drop_new_keys, [], True),
                *self.follow("undo", "drop the new columns of {}", self.drop_new, [BEFORE]),
                self.verified("undo"),
            ]
        sql, drop = self.lock(["", BEFORE]), []
        valid = [key for key in found.of("foreign key") if key.more["valid"]]
        for view in views:
            alter = f"ALTER {self.word(view)}"
            sql += [
                *self.rename_indexes(view, "", "__new"),
                f"{alter} {self.named(view)} RENAME TO {self.q(self.derived(view.name, '__new'))}",
                f"{alter} {self.named(view, '__new')} SET SCHEMA {STATE}",
            ]
            drop.append(f"DROP {self.word(view)} {self.named(view, '__new', STATE)}")
        sql += [self.drop_before(table) for table in found.tables]
        for view in found.of("view"):
            sql.append(f"ALTER {self.word(view)} {self.named(view, '', BEFORE)} SET SCHEMA {self.q(view.schema)}")
        for table, column in self.columns():
            sql.append(f"ALTER TABLE {self.at(table)} RENAME {self.new(column, True)} TO {self.new(column)}")
            sql.append(f"ALTER TABLE {self.at(table)} RENAME {self.old(column, True)} TO {self.old(column)}")
        for table in found.tables:
            sql += self.turn_triggers(table, False)
        sql += self.views_again() + self.rebind(False) + [RECOMPILE] + drop
        return [
            self.compared("undo", True),
            self.locked("undo", "give the old columns their names again", sql, kind="unswap"),
            *self.old_keys(),
            *self.follow("undo", "drop the new columns of {}", self.restore_names, []),
            *(self.validate("undo", self.table_of(key), key.name) for key in valid),
            *self.late_not_null("undo"),
            self.verified("undo"),
        ]

    def late_not_null(self, phase: str) -> List[Step]:
        return [
            step
            for table in self.found.tables
            for column in self.late_of(table)
            for step in self.not_null_again(table, column, phase)[1:]
        ]

    def not_null_again(self, table: Table, column: Column, phase: str = "") -> List[Step]:
        """The first one declares it, together with the end of the triggers that checked it."""
        name = column.not_null_name or self.derived(f"{table.name}_{column.name}_not_null", "__new")
        return self.not_null(table, column, phase, self.q(column.name), name) if column.not_null else []

    def declare_not_null(self, table: Table) -> List[str]:
        steps = [step for column in self.late_of(table) for step in self.not_null_again(table, column)[:1]]
        return [sql for step in steps for sql in step.statements]

    def finish(self) -> List[Step]:
        views = list(reversed(self.found.of("view")))
        names = [f"{self.word(view)} {self.named(view, '', BEFORE)}" for view in views]
        sql = [f"ALTER {name} OWNER TO {self.q(view.more['owner'])}" for name, view in zip(names, views)]
        sql += [f"DROP {name}" for name in names]
        return [
            self.compared("finish", True),
            self.locked("finish", f"drop the views in {BEFORE}", sql, kind="drop"),
            *self.follow("finish", "drop the triggers, and what uses the old columns, of {}", self.retire, [BEFORE]),
            *self.late_not_null("finish"),
            self.verified("finish"),
        ]

    def retire(self, table: Table) -> List[str]:
        """Leaves the old columns to themselves, and to the old keys the index that finds them."""
        at, sql = self.at(table), [self.drop_before(table)] + self.drop_triggers(table)
        kept = [self.kept_index(column) for column in table.moved if column is column.root]
        for item in self.of_table(table, "trigger"):
            sql += [f"DROP TRIGGER {self.q(item.name)} ON {at}", item.definition]
            sql += self.trigger_more(item.name, at, item.more["enabled"], item.comment)
        for item in self.of_table(table, "unique", "check", "primary key", "index"):
            if item not in kept:
                is_index = item.kind in ("primary key", "index")
                sql.append(
                    f"DROP INDEX {self.named(item, '__old')}" if is_index else self.drop_constraint(item, "__old")
                )
        for column in table.moved:
            alter = f"ALTER TABLE {at} ALTER COLUMN {self.old(column, True)}"
            if column.late and column.not_null:
                sql.append(f"ALTER TABLE {at} DROP CONSTRAINT {self.any_name(table, column)}")
            if column.domain:  # which can reject NULL
                sql.append(f"{alter} TYPE {'bpchar' if column.type == 'character' else column.type}")
            sql.append(f"{alter} DROP {'IDENTITY' if column.identity else 'DEFAULT'}")
            sql.append(f"{alter} DROP NOT NULL")
            if column is column.root:
                sql.append(
                    f"ALTER TABLE {at} ALTER COLUMN {self.q(column.name)} SET DEFAULT {self.key(column).default}"
                )
        return sql + self.declare_not_null(table)

    def kept_index(self, key: Column) -> Item:
        """An index that finds old keys."""
        items = self.of_table(self.root(key), "primary key", "unique", "index")
        return next(i for i in items if i.more.get("columns") == [key.name] or i.more.get("unique"))

    def drop(self) -> List[Step]:
        """What the user runs when he needs the old keys no more."""
        steps = []
        for table in self.found.tables:
            columns = ", ".join(f"DROP COLUMN {self.old(column, True)}" for column in table.moved)
            at, title = self.at(table), "drop the old columns of {}, by yourself"
            sql = [f"ALTER TABLE {at} {columns}"]
            steps.append(Step("drop", title, EXCLUSIVE, INSTANT, sql, table=at, name=table.name))
        return steps

    def steps(self) -> List[Step]:
        """All steps.  Those of undo depend on whether the switch was done: "undo" or "undo switch"."""
        undo = self.undo(True)
        for step in undo:
            step.phase = "undo switch"
        return self.start() + self.backfill() + self.switch() + self.finish() + self.drop() + self.undo(False) + undo
