"""The triggers that fill the new columns, and after the switch the old ones too.

They run as the owner of the tables, not as the role that writes.  Their search_path has no schema in which others could create
something.
"""

from __future__ import annotations

from typing import List

from .catalog import Column, Table
from .keys import Keys
from .names import STATE

FILLING = "gid_move.filling"  # says that the backfill writes, if it is the owner who says it
EARLIEST, LATEST = "1970-01-01 00:00:00+00", "10889-08-02 00:00:00+00"  # that an id can have, in whole days
# Sessions keep the types with which a function has used a record, such as NEW, until the function changes.
RECOMPILE = """DO $gid_move$ DECLARE f record; BEGIN
    FOR f IN SELECT p.oid::regprocedure AS name, prosecdef FROM pg_proc p JOIN pg_language l ON l.oid = prolang
        WHERE lanname = 'plpgsql' AND prokind IN ('f', 'p') AND pg_has_role(proowner, 'USAGE') AND NOT EXISTS (
            SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass::oid AND objid = p.oid AND deptype = 'e')
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

    def partners(self, column: Column, parent: str, child: str) -> List[str]:
        """Whether the other columns of a composite foreign key are equal."""
        return [
            self.catalog.equal(column.table, own, f"{parent}.{self.q(other)}", f"{child}.{self.q(own)}")
            for own, other in column.via
            if own != column.name
        ]

    def lookup(self, column: Column, switched: bool, back: bool, row: str = "NEW") -> str:
        """A query of the key that a reference has on the other side.  The row that is written is NEW in a trigger."""
        root, key = self.found.root, self.found.key
        mine = self.new(column, switched) if back else self.old(column, switched)
        theirs = self.new(key, switched) if back else self.old(key, switched)
        conditions = [self.equal(f"r.{theirs}", f"{row}.{mine}")] + self.partners(column, "r", row)
        old, new = self.old(key, switched), self.new(key, switched)
        result = f"r.{old}" if back else f"coalesce(r.{new}, {self.of_row(old)})"
        query = f"(SELECT {result} FROM {self.at(root)} AS r WHERE {' AND '.join(conditions)})"
        if column.table != root.oid or row != "NEW":
            return query
        # A row can refer to itself.
        same = self.equal(f"NEW.{mine}", f"NEW.{theirs}")
        return f"CASE WHEN {same} THEN NEW.{old if back else new} ELSE {query} END"

    def fill_function(self, table: Table, switched: bool, keep: bool = False) -> str:
        """The function of a table's trigger.  To keep ids, the columns of all tables must be there."""
        lines, self.keep = [], keep
        for column in table.moved:
            if column is self.found.key:
                lines += self.fill_key_after(column) if switched else self.fill_key(column)
            else:
                lines += self.fill_reference_after(column) if switched else self.fill_reference(column)
                lines += self.check_not_null(table, column, switched) if column.late and column.not_null else []
        return self.function(self.function_of(table), lines, "NEW")

    def of_new_row(self, name: str) -> str:
        """The new key of a row that is inserted: its time is checked only where rows existed before the move."""
        time = "now()"
        if self.time:
            time = (
                f"(SELECT CASE WHEN at >= timestamptz '{EARLIEST}' AND at < timestamptz '{LATEST}' THEN at ELSE now() END"
                f" FROM (SELECT ({self.time}) AS at) AS t)"
            )
        return f"(SELECT {self.forward(f'r.{name}', time)} FROM (SELECT NEW.*) AS r)"

    def kept(self, switched: bool, back: bool, other: str) -> str:
        """The key that deferred references still have, where a row is deleted and inserted again in one transaction."""
        queries, root = [], self.found.root
        for item in self.found.of("foreign key") if self.keep else []:
            if not item.more["deferrable"] or item.more["parent"] != root.oid:
                continue
            table = self.found.table(item.table)
            column = next(column for column in table.moved if column.name in item.more["columns"])
            if not self.catalog.value(
                "SELECT EXISTS (SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]"
                " WHERE indrelid = %s AND indisvalid AND indpred IS NULL AND attname = ANY (%s::name[]))",
                table.oid,
                item.more["columns"],
            ):
                self.found.note(
                    "A row to which {} refers must not be deleted and inserted again in one transaction until finish: no index"
                    " finds the references.",
                    f"{self.at(table)}.{self.q(column.name)}",
                )
                continue
            wanted, known = self.old(column, switched), self.new(column, switched)
            if not back:
                wanted, known = known, wanted
            key = self.new(self.found.key, switched) if back else self.old(self.found.key, switched)
            same = [self.equal(f"c.{known}", f"NEW.{key}"), *self.partners(column, "NEW", "c")]
            where = " AND ".join(same + [f"c.{wanted} IS NOT NULL"])
            queries.append(f"(SELECT c.{wanted} FROM {self.at(table)} AS c WHERE {where} LIMIT 1)")
        return f"coalesce({', '.join(queries + [other])})"

    def fill_key(self, key: Column) -> List[str]:
        old, new = self.old(key), self.new(key)
        return [
            "IF TG_OP = 'INSERT' THEN",
            f"    NEW.{new} := {self.kept(False, False, self.of_new_row(old))};",
            "ELSE",
            f"    NEW.{new} := coalesce(OLD.{new}, (SELECT {self.of_row(old)} FROM (SELECT OLD.*) AS r));",
            "END IF;",
        ]

    def fill_key_after(self, key: Column) -> List[str]:
        old, new = self.old(key, True), self.new(key, True)
        lines = [
            "IF TG_OP = 'INSERT' THEN",
            f"    IF NEW.{new} IS NULL AND NEW.{old} IS NULL THEN",
            f"        NEW.{new} := {self.default};",
            "    END IF;",
            f"    IF NEW.{new} IS NULL THEN",
            f"        NEW.{new} := {self.kept(True, False, self.of_new_row(old))};",
            "    ELSE",
            f"        NEW.{old} := {self.kept(True, True, f'NEW.{old}')};",
            "    END IF;",
        ]
        given = self.backward(f"NEW.{new}")
        if given:
            lines += [f"    IF NEW.{old} IS NULL THEN", f"        NEW.{old} := {given};", "    END IF;"]
        return lines + ["END IF;"]

    def partners_changed(self, column: Column) -> List[str]:
        """Whether other columns of a composite foreign key change."""
        return [
            "NOT " + self.catalog.equal(column.table, own, f"NEW.{self.q(own)}", f"OLD.{self.q(own)}")
            for own, _ in column.via
            if own != column.name
        ]

    def fill_reference(self, column: Column) -> List[str]:
        old, new = self.old(column), self.new(column)
        changed = " OR ".join([f"OLD.{old} IS DISTINCT FROM NEW.{old}"] + self.partners_changed(column))
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
        changed = " OR ".join([f"OLD.{old} IS DISTINCT FROM NEW.{old}"] + self.partners_changed(column))
        return [
            f"IF NEW.{new} IS NULL AND NEW.{old} IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.{new} IS NULL OR {changed}) THEN",
            f"    NEW.{new} := {to_new};",
            f"ELSIF TG_OP = 'INSERT' OR OLD.{new} IS DISTINCT FROM NEW.{new} OR NEW.{old} IS NULL AND OLD.{old} IS NULL THEN",
            f"    NEW.{old} := {to_old};",
            f"ELSIF {changed} THEN",
            f"    NEW.{new} := {to_new};",
            "END IF;",
        ]

    def check_not_null(self, table: Table, column: Column, switched: bool) -> List[str]:
        """In place of a constraint, since a reference that comes before its row has only one key until the commit."""
        message = f'null value in column "{column.name}" of relation "{table.name}" violates not-null constraint'
        return [
            f"IF TG_NAME = '~gid_move' AND NEW.{self.old(column, switched)} IS NULL AND NEW.{self.new(column, switched)} IS NULL THEN",
            f"    RAISE not_null_violation USING MESSAGE = {self.catalog.literal(message)},",
            f"        COLUMN = {self.catalog.literal(column.name)}, TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;",
            "END IF;",
        ]

    def late_function(self, table: Table, switched: bool) -> str:
        """Touches rows that came before the row that they refer to, at the commit, so that they are filled."""
        lines, moved = [], {column.name: column for column in table.moved}
        rows = self.catalog.rows(
            "SELECT attname AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY ((indkey::int2[])[0:indnkeyatts - 1])"
            " WHERE indrelid = %s AND indisprimary",
            table.oid,
        )
        names = [
            (r["name"], self.old(moved[r["name"]], switched) if r["name"] in moved else self.q(r["name"])) for r in rows
        ]
        for column in self.late_of(table):
            old, new = self.old(column, switched), self.new(column, switched)
            # By the row's own key: many rows can refer to one.  num_nulls(), so that no other index is used.
            own = " AND ".join([self.catalog.equal(table.oid, n, f"c.{q}", f"NEW.{q}") for n, q in names])
            own = own and f"{own} AND num_nulls(c.{old}, c.{new}) = 1"
            for mine, other, is_new in ((old, new, False), (new, old, True)):
                same = own or f"{self.equal(f'c.{mine}', f'NEW.{mine}')} AND c.{other} IS NULL"
                lines.append(self.touch(table, column, switched, is_new, same) + ";")
        return self.function(self.function_of(table, "late"), lines, "NULL")

    def touch(self, table: Table, column: Column, switched: bool, is_new: bool, which: str) -> str:
        """An update of references that have one key, and of which the row is there, for which triggers fill the other."""
        both = [self.old(column, switched), self.new(column, switched)]
        theirs = self.new(self.found.key, switched) if is_new else self.old(self.found.key, switched)
        same = [self.equal(f"r.{theirs}", f"c.{both[is_new]}"), *self.partners(column, "r", "c")]
        return (
            f"UPDATE {self.at(table)} AS c SET {both[not is_new]} = NULL WHERE {which}"
            f" AND EXISTS (SELECT FROM {self.at(self.found.root)} AS r WHERE {' AND '.join(same)})"
        )

    def heal(self, switched: bool) -> List[str]:
        """Fills references that came before their row, and that SET CONSTRAINTS ALL IMMEDIATE hid from the trigger."""
        sql = []
        for table, column in self.late_columns():
            both = [self.old(column, switched), self.new(column, switched)]
            for is_new in [False, True] if switched else [False]:
                which = f"c.{both[is_new]} IS NOT NULL AND c.{both[not is_new]} IS NULL"
                sql.append(self.touch(table, column, switched, is_new, which))
        return sql

    def backfill_sql(self, table: Table) -> List[str]:
        """The update of a range of rows, and the condition of rows that are left.

        It computes what the triggers would, which do not fire: a call of PL/pgSQL takes longer than the rest of an update.
        """
        missing = [f"t.{self.old(column)} IS NOT NULL AND t.{self.new(column)} IS NULL" for column in table.moved]
        values = [
            f"(SELECT {self.of_row(self.old(column))} FROM (SELECT t.*) AS r)"
            if column is self.found.key
            else self.lookup(column, False, False, "t")
            for column in table.moved
        ]
        new = [self.new(column) for column in table.moved]
        sets = ", ".join(f"{name} = coalesce(t.{name}, {value})" for name, value in zip(new, values))
        condition = " OR ".join(missing)
        return [
            f"WITH touched AS (UPDATE ONLY {self.at(table)} AS t SET {sets} WHERE t.ctid = ANY (ARRAY("
            f"SELECT t.ctid FROM ONLY {self.at(table)} AS t WHERE gid-move:range AND ({condition}) gid-move:limit"
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
        return sql + [
            self.late_function(table, False),
            f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC",
            f'CREATE CONSTRAINT TRIGGER "~gid_move_late" AFTER INSERT OR UPDATE ON {at} DEFERRABLE INITIALLY DEFERRED'
            f" FOR EACH ROW WHEN ({' OR '.join(one)}) EXECUTE FUNCTION {function}()",
            f'ALTER TABLE {at} ENABLE ALWAYS TRIGGER "~gid_move_late"',
        ]

    def turn_triggers(self, table: Table, switched: bool) -> List[str]:
        """Makes the triggers those of the names before or after the switch."""
        changes = [f"{'ENABLE ALWAYS' if switched else 'DISABLE'} TRIGGER \"!gid_move\""]
        if switched:
            changes += [
                f"ALTER COLUMN {self.old(column, True)} DROP NOT NULL"
                for column in table.moved
                if column.late and column.not_null
            ]
        sql = [f"ALTER TABLE {self.at(table)} {', '.join(changes)}", self.fill_function(table, switched, switched)]
        return sql + ([self.late_function(table, switched)] if self.late_of(table) else [])

    def drop_triggers(self, table: Table) -> List[str]:
        return [
            f"DROP TRIGGER IF EXISTS {name} ON {self.at(table)}"
            for name in ('"~gid_move"', '"!gid_move"', '"~gid_move_late"')
        ] + [f"DROP FUNCTION IF EXISTS {self.function_of(table)}(), {self.function_of(table, 'late')}()"]
