"""The triggers that fill the new columns, and after the switch the old ones too.

They run as the owner of the tables, not as the role that writes.  Their search_path has no schema in which others could create
something.
"""

from __future__ import annotations

from typing import List

from .catalog import Column, Table
from .keys import Keys
from .names import STATE

ANY = "__any"  # ends the name of a constraint, which lasts as long as the old column
EARLIEST, LATEST = "1970-01-01 00:00:00+00", "10889-08-02 00:00:00+00"  # that an id can have, in whole days
FILLING = "gid_move.filling"  # says that the backfill writes, if it is the owner who says it
# Sessions keep the types with which a function has used a record, such as NEW, until the function changes.
RECOMPILE = """DO $gid_move$ DECLARE f record; BEGIN
    FOR f IN SELECT p.oid::regprocedure AS name, prosecdef FROM pg_proc p JOIN pg_language l ON l.oid = prolang
        WHERE lanname = 'plpgsql' AND prokind IN ('f', 'p') AND pg_has_role(proowner, 'USAGE') AND has_schema_privilege(pronamespace, 'USAGE')
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass::oid AND objid = p.oid AND deptype = 'e')
    LOOP EXECUTE format('ALTER ROUTINE %s SECURITY %s', f.name, CASE WHEN f.prosecdef THEN 'DEFINER' ELSE 'INVOKER' END); END LOOP;
END $gid_move$"""


class Triggers(Keys):
    """The SQL of the triggers and their functions."""

    def function_of(self, table: Table, what: str = "fill") -> str:
        return f"{STATE}.{what}_{table.oid}"

    def function(self, name: str, lines: List[str], result: str) -> str:
        body = "\n".join("    " + line for line in lines)
        return (
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER\n"
            f"SET search_path = pg_catalog, pg_temp AS $gid_move$\nBEGIN\n{body}\n    RETURN {result};\nEND $gid_move$"
        )

    def equal(self, a: str, b: str) -> str:
        """Whether two keys are equal."""
        return f"{a} OPERATOR(pg_catalog.=) {b}"

    def lookup(self, column: Column, switched: bool, back: bool, row: str = "NEW") -> str:
        """A query of the key that a reference has on the other side.  The row that is written is NEW in a trigger."""
        root, key, made = self.root(column), column.root, self.key(column)
        mine = self.new(column, switched) if back else self.old(column, switched)
        theirs = self.new(key, switched) if back else self.old(key, switched)
        old, new = self.old(key, switched), self.new(key, switched)
        result = f"r.{old}" if back else f"coalesce(r.{new}, {made.of_row(old)})"
        query = f"(SELECT {result} FROM {self.at(root)} AS r WHERE {self.equal(f'r.{theirs}', f'{row}.{mine}')})"
        given = made.backward(f"{row}.{mine}") if back and not column.foreign_key else None
        query = f"coalesce({query}, {given})" if given else query  # also where it refers to no row
        if column.table != root.oid or row != "NEW":
            return query
        # A row can refer to itself.
        same = self.equal(f"NEW.{mine}", f"NEW.{theirs}")
        return f"CASE WHEN {same} THEN NEW.{old if back else new} ELSE {query} END"

    def fill_function(self, table: Table, switched: bool) -> str:
        """The function of a table's trigger."""
        lines = []
        for column in table.moved:
            if column is column.root:
                lines += self.fill_key_after(column) if switched else self.fill_key(column)
            else:
                lines += self.fill_reference_after(column) if switched else self.fill_reference(column)
        return self.function(self.function_of(table), lines, "NEW")

    def of_new_row(self, key: Column, name: str) -> str:
        """The new key of a row that is inserted: its time is checked only where rows existed before the move."""
        made, time = self.key(key), "now()"
        if made.time:
            time = (
                f"(SELECT CASE WHEN at >= timestamptz '{EARLIEST}' AND at < timestamptz '{LATEST}' THEN at ELSE now() END"
                f" FROM (SELECT ({made.time}) AS at) AS t)"
            )
        return f"(SELECT {made.forward(f'r.{name}', time)} FROM (SELECT NEW.*) AS r)"

    def fill_key(self, key: Column) -> List[str]:
        old, new = self.old(key), self.new(key)
        return [
            "IF TG_OP = 'INSERT' THEN",
            f"    NEW.{new} := {self.of_new_row(key, old)};",
            "ELSE",
            f"    NEW.{new} := coalesce(OLD.{new}, (SELECT {self.key(key).of_row(old)} FROM (SELECT OLD.*) AS r));",
            "END IF;",
        ]

    def fill_key_after(self, key: Column) -> List[str]:
        old, new, made = self.old(key, True), self.new(key, True), self.key(key)
        lines = [
            "IF TG_OP = 'INSERT' THEN",
            f"    IF NEW.{new} IS NULL AND NEW.{old} IS NULL THEN",
            f"        NEW.{new} := {made.default};",
            "    END IF;",
            f"    IF NEW.{new} IS NULL THEN",
            f"        NEW.{new} := {self.of_new_row(key, old)};",
            "    END IF;",
        ]
        given = made.backward(f"NEW.{new}")
        if given:
            lines += [f"    IF NEW.{old} IS NULL THEN", f"        NEW.{old} := {given};", "    END IF;"]
        return lines + [
            f"ELSIF NEW.{old} IS DISTINCT FROM OLD.{old} THEN",
            "    RAISE 'Old programs cannot change a key until gid-move has ended.';",
            "END IF;",
        ]

    def fill_reference(self, column: Column) -> List[str]:
        old, new = self.old(column), self.new(column)
        changed = f"OLD.{old} IS DISTINCT FROM NEW.{old}"
        return [
            f"IF TG_OP = 'INSERT' OR OLD.{new} IS NULL OR NEW.{old} IS NULL OR {changed} THEN",
            f"    NEW.{new} := {self.lookup(column, False, False)};",
            "ELSE",
            f"    NEW.{new} := OLD.{new};",
            "END IF;",
        ]

    def fill_reference_after(self, column: Column) -> List[str]:
        """Runs before the table's own triggers and after them.  What a new program says comes first."""
        old, new = self.old(column, True), self.new(column, True)
        to_new, to_old = self.lookup(column, True, False), self.lookup(column, True, True)
        changed = f"OLD.{old} IS DISTINCT FROM NEW.{old}"
        restored = f"TG_NAME = '~gid_move' AND {changed}"  # a trigger of the table can set what OLD has
        return [
            f"IF NEW.{new} IS NULL AND NEW.{old} IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.{new} IS NULL OR {changed}) THEN",
            f"    NEW.{new} := {to_new};",
            f"ELSIF TG_OP = 'INSERT' OR OLD.{new} IS DISTINCT FROM NEW.{new} OR NEW.{old} IS NULL AND OLD.{old} IS NULL OR {restored} THEN",
            f"    NEW.{old} := {to_old};",
            f"ELSIF {changed} THEN",
            f"    NEW.{new} := {to_new};",
            "END IF;",
        ]

    def late_function(self, table: Table, switched: bool, is_strict: bool) -> str:
        """Fills rows that came before the row that they refer to.  It sets a value, so that it does not fire itself again and again.

        If it is strict, it rejects the others, as the old foreign keys would, which end at the switch.
        """
        own, lines = self.equal("c.ctid", "NEW.ctid"), []
        for column in self.late_of(table):
            for back, other in ((False, self.new(column, switched)), (True, self.old(column, switched))):
                value = self.lookup(column, switched, back, "c")
                where = f"{own} AND c.{other} IS NULL AND {value} IS NOT NULL"
                lines.append(f"UPDATE {self.at(table)} AS c SET {other} = {value} WHERE {where};")
        for column in [c for c in self.late_of(table) if is_strict and (c.foreign_key or c.not_null)]:
            one = f"(c.{self.old(column, switched)} IS NULL) <> (c.{self.new(column, switched)} IS NULL)"
            message = f'insert or update on table "{table.name}" violates foreign key constraint "{column.foreign_key}"'
            if not column.foreign_key:
                message = f'"{table.name}.{column.name}" is NOT NULL, and until gid-move finish it must refer to a row of "{self.root(column).name}"'
            lines += [
                f"IF EXISTS (SELECT FROM {self.at(table)} AS c WHERE {one} AND {own}) THEN",
                f"    RAISE foreign_key_violation USING MESSAGE = {self.catalog.literal(message)},",
                f"        CONSTRAINT = {self.catalog.literal(column.foreign_key or '')}, TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;",
                "END IF;",
            ]
        return self.function(self.function_of(table, "late"), lines, "NULL")

    def backfill_sql(self, table: Table) -> List[str]:
        """The update of a range of rows, and the condition of rows that are left.

        It computes what the triggers would, which do not fire: a call of PL/pgSQL takes longer than the rest of an update.
        """
        missing = []
        for column in table.moved:
            missing.append(f"t.{self.old(column)} IS NOT NULL AND t.{self.new(column)} IS NULL")
            if column is not column.root and not column.foreign_key:  # it can refer to no row
                same = self.equal(f"r.{self.old(column.root)}", f"t.{self.old(column)}")
                missing[-1] += f" AND EXISTS (SELECT FROM {self.at(self.root(column))} AS r WHERE {same})"
        values = [
            f"(SELECT {self.key(column).of_row(self.old(column))} FROM (SELECT t.*) AS r)"
            if column is column.root
            else self.lookup(column, False, False, "t")
            for column in table.moved
        ]
        new = [self.new(column) for column in table.moved]
        sets = ", ".join(f"{name} = coalesce(t.{name}, {value})" for name, value in zip(new, values))
        condition = " OR ".join(missing)
        return [
            f"WITH touched AS (UPDATE ONLY {self.at(table)} AS t SET {sets} WHERE t.ctid = ANY (ARRAY("
            f"SELECT t.ctid FROM ONLY {self.at(table)} AS t WHERE ({condition}) AND gid-move:rows"
            f" FOR NO KEY UPDATE SKIP LOCKED)) RETURNING {condition} AS missing)"
            " SELECT count(*) FILTER (WHERE NOT missing) FROM touched",
            condition,
        ]

    def create_triggers(self, table: Table) -> List[str]:
        """The trigger that runs before the table's own ones has no use before the switch."""
        at, function = self.at(table), self.function_of(table)
        owner = self.catalog.literal(table.owner)
        sql = [self.fill_function(table, False), f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC"]
        sql += [
            f"CREATE TRIGGER {name} BEFORE INSERT OR UPDATE ON {at} FOR EACH ROW WHEN"
            f" (current_setting('{FILLING}', true) IS DISTINCT FROM 'on' OR current_user <> {owner}) EXECUTE FUNCTION {function}()"
            for name in ('"~gid_move"', '"!gid_move"')
        ]
        sql.append(f'ALTER TABLE {at} ENABLE ALWAYS TRIGGER "~gid_move", DISABLE TRIGGER "!gid_move"')
        function = self.function_of(table, "late")
        one = [
            f"(NEW.{self.old(column)} IS NULL) <> (NEW.{self.new(column)} IS NULL)" for column in self.late_of(table)
        ]
        if not one:
            return sql
        keys = [item.more["deferrable"] for item in self.found.of("foreign key") if item.table == table.oid]
        when = "DEFERRED" if any(keys) or not all(c.foreign_key for c in self.late_of(table)) else "IMMEDIATE"
        return sql + [
            self.late_function(table, False, False),
            f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC",
            f'CREATE CONSTRAINT TRIGGER "~gid_move_late" AFTER INSERT OR UPDATE ON {at} DEFERRABLE INITIALLY {when}'
            f" FOR EACH ROW WHEN ({' OR '.join(one)}) EXECUTE FUNCTION {function}()",
            f'ALTER TABLE {at} ENABLE ALWAYS TRIGGER "~gid_move_late"',
        ]

    def turn_triggers(self, table: Table, switched: bool) -> List[str]:
        """Makes the triggers those of the names before or after the switch."""
        changes = [f"{'ENABLE ALWAYS' if switched else 'DISABLE'} TRIGGER \"!gid_move\""]
        for column in table.moved if switched else []:
            if column.late and column.not_null:  # a reference that comes before its row has one key at first
                old, new = self.old(column, True), self.new(column, True)
                name = self.any_name(table, column)
                changes.append(f"ALTER COLUMN {old} DROP NOT NULL")
                changes.append(f"ADD CONSTRAINT {name} CHECK ({old} IS NOT NULL OR {new} IS NOT NULL) NOT VALID")
        sql = [f"ALTER TABLE {self.at(table)} {', '.join(changes)}", self.fill_function(table, switched)]
        return sql + ([self.late_function(table, switched, True)] if self.late_of(table) else [])

    def any_name(self, table: Table, column: Column) -> str:
        return self.q(self.derived(f"{table.name}_{column.name}", ANY))

    def drop_triggers(self, table: Table) -> List[str]:
        return [
            f"DROP TRIGGER IF EXISTS {name} ON {self.at(table)}"
            for name in ('"~gid_move"', '"!gid_move"', '"~gid_move_late"')
        ] + [f"DROP FUNCTION IF EXISTS {self.function_of(table)}(), {self.function_of(table, 'late')}()"]
