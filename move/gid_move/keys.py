"""How a key becomes a gid, and a gid a key, in SQL.

It must not know triggers or steps.
"""

from __future__ import annotations

import re
from typing import List, Optional

import psycopg

from . import formats, refusals
from .catalog import Catalog, Column, Inventory, Refusal
from .names import STATE, Chosen, Names, Options


class Key:
    """The format of a key, and what computes the other key of a row."""

    def __init__(self, catalog: Catalog, found: Inventory, column: Column, chosen: Chosen) -> None:
        self.catalog, self.found, self.column, self.options = catalog, found, column, chosen
        self.table, self.name = found.table(column.table), catalog.quote(column.name)
        self.at = catalog.quote(self.table.schema, self.table.name)
        self.choose_format()
        if not (self.format.old_of or column.default or column.identity):
            found.note(
                f"{self.at}.{self.name} has no default. Between switch and finish, programs must give new rows ids that have a"
                f" {self.format.name}, or the column a default that makes one."
            )

    def choose_format(self) -> None:
        key, options, catalog, at = self.column, self.options, self.catalog, f"{self.at}.{self.name}"
        try:
            with catalog.connection.transaction(force_rollback=True):
                catalog.value("SELECT pg_catalog.gid_lower_bound(%s, 'epoch')", options.kind)
        except psycopg.Error as error:
            raise Refusal(f"{error.diag.message_primary}.", error.diag.message_hint or "--kind o") from None
        self.kind = catalog.literal(options.kind)
        if key.type == "gid":
            raise Refusal(f"{at} is a gid already.", "Name another table.")
        known = formats.of_type(key.type)
        none = f"keep it, and add a column of the type gid({options.kind}) with DEFAULT gid_new({self.kind}) for new programs."
        if not known:
            raise Refusal(
                f"{at} is {key.type}, and no format of this type can be moved.", f"Name another column, or {none}"
            )
        options.source = options.source or (next(iter(known)) if len(known) == 1 else None)
        if options.source not in known:
            what = (
                f"cannot have keys of the format {options.source}"
                if options.source
                else "can have keys of several formats"
            )
            raise Refusal(
                f"{at} is {key.type}, and {what}.",
                f"Name one of these: --from {', '.join(known)}. If the key is something else, such as cuid, nanoid, ObjectId or a"
                f" Snowflake, {none}",
            )
        self.format = known[options.source]
        if self.format.name == "typeid" and not options.prefix:
            raise Refusal("A TypeID has a prefix.", "Name it: --prefix user")
        word = options.kind.lower()
        self.new_type = f"gid({word if re.fullmatch('[a-z]+|[0-9]+', word) else catalog.quote(word)})"
        self.now = f"timestamptz {catalog.literal(str(catalog.value('SELECT now()')))}"
        self.time = self.check_time()
        self.default = f"gid_new({self.kind})"

    def check_time(self) -> Optional[str]:
        """The expression of a row's time, in names that every search_path finds."""
        at, expression = self.at, self.options.time
        if not expression:
            if self.format.needs_time:
                self.found.note(
                    f"Rows of {at} that exist now get the time of the move. If a column has their time, name it, as in"
                    " --time created_at, or --time \"created_at AT TIME ZONE 'UTC'\" for a timestamp without time zone."
                )
            return None
        what, catalog = f"--time {expression}", self.catalog
        with catalog.connection.transaction(force_rollback=True):
            try:
                catalog.connection.execute(
                    f"CREATE TEMP VIEW gid_move_view AS SELECT ({expression}) AS gid_move_column FROM {at} AS r"  # type: ignore[arg-type]
                )
            except psycopg.Error as error:
                hint = "Name a column, or an expression in SQL."
                raise Refusal(f"{what}: {error.diag.message_primary}.", hint) from None
            kind = catalog.value(
                "SELECT format_type(atttypid, NULL) FROM pg_attribute"
                " WHERE attrelid = 'pg_temp.gid_move_view'::regclass::oid AND attnum = 1"
            )
            if catalog.value(
                "SELECT EXISTS (SELECT FROM pg_depend JOIN pg_rewrite r ON r.oid = objid AND classid = 'pg_rewrite'::regclass::oid"
                " WHERE ev_class = 'pg_temp.gid_move_view'::regclass::oid AND refobjid = %s AND refobjsubid = ANY (%s))",
                self.table.oid,
                self.table.numbers,
            ):
                raise Refusal(f"{what} uses a column that moves.", "The time of a row must come from another column.")
            catalog.connection.execute("SET LOCAL search_path = pg_catalog")
            text = catalog.value("SELECT pg_get_viewdef('pg_temp.gid_move_view'::regclass)")
        if kind != "timestamp with time zone":
            raise Refusal(
                f"{what} is {kind}, not timestamp with time zone.",
                f"If it has no zone, say in which one the times are: --time \"{expression} AT TIME ZONE 'UTC'\"",
            )
        match = re.match(r"\s*SELECT (.*?)(?: AS gid_move_column)?(?:\s+FROM [^\n]*)?;\s*$", text, re.S)
        assert match, text
        return match.group(1)

    def forward(self, key: str, time: str) -> str:
        """The new key of an old one."""
        return self.convert(self.format.gid_of, key, time)

    def backward(self, new: str) -> Optional[str]:
        """An old key for a new one, where every new key has one."""
        return None if self.format.old_of is None else self.convert(self.format.old_of, new, "now()")

    def convert(self, template: str, value: str, time: str) -> str:
        cast = {"bigint": "::bigint", "text": "::text"}.get(self.format.types[0], "")
        return template.format(
            kind=self.kind,
            key=f"({value}){cast}",
            id=f"({value})",
            time=f"({time})",
            prefix=self.catalog.literal(self.options.prefix or ""),
            s=STATE + ".",
        )

    def of_row(self, key: str) -> str:
        """The new key of a row that was there before the move.  The row is r."""
        return self.forward(f"r.{key}", self.time or self.now)

    def check_rows(self) -> None:
        """Whether all keys have the format, and all rows a time."""
        at, name = self.at, self.name
        try:
            with self.catalog.connection.transaction():
                lacking = self.catalog.value(f"SELECT count(*) FROM {at} AS r WHERE {self.of_row(name)} IS NULL")
        except psycopg.Error as error:
            self.found.refuse(
                f"{at} has a key or a time that cannot be moved: {error.diag.message_primary}.",
                error.diag.message_detail or "Correct that row, or name another format: --from",
            )
            return
        if lacking:
            hint = "Correct these rows."
            if self.options.time:
                hint = f'Correct them, or give them a time: --time "coalesce({self.options.time}, ...)"'
            self.found.refuse(f"{lacking:,} rows of {at} have no time, or no key of this format.", hint)


class Keys(Names):
    """The keys that move."""

    def __init__(self, catalog: Catalog, options: Options) -> None:
        super().__init__(catalog, options)
        pairs = zip(self.found.keys, options.keys)
        self.keys: List[Key] = [Key(catalog, self.found, column, chosen) for column, chosen in pairs]
        self.check_defaults()
        if not options.published:
            adds = {t.oid: [f"ADD {self.new(c)} {self.key(c).new_type}" for c in t.moved] for t in self.found.tables}
            alter = {t.oid: f"ALTER TABLE {self.at(t)} {', '.join(adds[t.oid])};" for t in self.found.tables}
            refusals.check_publications(catalog, self.found, alter)

    def key(self, column: Column) -> Key:
        """The key that a column leads to."""
        return next(key for key in self.keys if key.column is column.root)

    def check_defaults(self) -> None:
        for table, column in self.columns():
            has = column.identity or column.default and not re.fullmatch(r"NULL::[\w ]+", column.default)
            if column is not column.root and has:
                drop = f"ALTER TABLE {self.at(table)} ALTER {self.q(column.name)} DROP {'IDENTITY' if column.identity else 'DEFAULT'};"
                what = f"{table.name}.{column.name} has the default {column.default or 'of an identity'}."
                self.refuse(what, f"{drop} Programs must then name the column.")
