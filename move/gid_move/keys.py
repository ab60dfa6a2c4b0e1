"""How a key becomes a gid, and a gid a key, in SQL.

It must not know triggers or steps.
"""

from __future__ import annotations

import re
from typing import Optional, Tuple

import psycopg

from . import formats
from .catalog import Catalog, Refusal
from .names import STATE, Names, Options


class Keys(Names):
    """The format of the key, and what computes the other key of a row."""

    def __init__(self, catalog: Catalog, options: Options) -> None:
        super().__init__(catalog, options)
        self.choose_format()
        self.check_defaults()

    def choose_format(self) -> None:
        key, options, catalog = self.found.key, self.options, self.catalog
        at, name = self.at(self.found.root), self.q(key.name)
        try:
            with catalog.connection.transaction(force_rollback=True):
                self.prefix = catalog.value(
                    "SELECT pg_catalog.gid_prefix(pg_catalog.gid_lower_bound(%s, 'epoch'))", options.kind
                )
        except psycopg.Error as error:
            raise Refusal(f"{error.diag.message_primary}.", error.diag.message_hint or "--kind o") from None
        self.kind = catalog.literal(options.kind)
        sample = f"(SELECT {name} FROM {at} WHERE {name} IS NOT NULL ORDER BY {name} LIMIT 500)"
        both = f"{sample} UNION ALL {sample.replace('LIMIT', 'DESC LIMIT')}"
        if (options.to is None) == (key.type == "gid"):
            if options.to:
                raise Refusal(f"{at}.{name} is {key.type}, not a gid.", "Without --to, it is moved to gid.")
            raise Refusal(f"{at}.{name} is a gid already.", "To move it back, say to which format: --to number")
        if options.to is None and options.source is None:
            keys = catalog.values(both)
            options.source = (
                formats.guess(key.type, keys or [0], self.prefix) if keys or key.type in formats.NUMBER else None
            )
            if options.source is None:
                raise Refusal(
                    f"The format of {at}.{name}, which is {key.type}, is not clear from its keys.",
                    f"Name it: --from {', '.join(formats.NAMES)}",
                )
            self.found.notes.append(
                f"The keys of {at} look like {options.source}. If they are something else, say --from."
            )
        wanted = options.to or options.source or ""
        if options.to:
            candidates = [f for f in formats.FORMATS if f.name == options.to and f.exact_of]
            if not candidates:
                raise Refusal(
                    f"Ids cannot be moved back to {options.to}: a gid has not all of its bits.",
                    f"The lossless formats are {', '.join(sorted({f.name for f in formats.FORMATS if f.exact_of}))}.",
                )
            self.format = candidates[0]
        else:
            found = formats.find(wanted, key.type)
            if found is None:
                raise Refusal(
                    f"{at}.{name} is {key.type}, and cannot have keys of the format {wanted}.",
                    "Name another format, or cast the column first.",
                )
            self.format = found
        if self.format.name == "typeid" and not options.prefix:
            raise Refusal("A TypeID has a prefix.", "Name it: --prefix user")
        self.new_type = self.format.types[0] if options.to else f"gid({self.kind_word()})"
        self.now = f"timestamptz {catalog.literal(str(catalog.value('SELECT now()')))}"
        self.time = self.check_time()
        self.default = None if options.to else f"gid_new({self.kind})"
        if options.default:
            self.default = self.qualified(f"({options.default})", "", "--default " + options.default)[0]
        if options.to:
            self.found.notes.append(
                f"Rows that got their id from gid_new() get {options.to} keys that no other row has, and numbers among them can be"
                " large. After finish the default is "
                + (self.default or f"none: name one with --default, above the largest {options.to}")
                + "."
            )

    def kind_word(self) -> str:
        word = self.options.kind.lower()
        return word if re.fullmatch(r"[a-z]+|\d+", word) else self.q(word)

    def check_time(self) -> Optional[str]:
        """The expression of a row's time, in names that every search_path finds."""
        at, expression = self.at(self.found.root), self.options.time
        if expression is None:
            if self.format.needs_time and not self.options.to:
                self.found.notes.append(
                    f"Rows of {at} that exist now get the time of the move. If a column has their time, name it, as in"
                    " --time created_at, or --time \"created_at AT TIME ZONE 'UTC'\" for a timestamp without time zone."
                )
            return None
        text, kind = self.qualified(f"({expression})", f"FROM {at} AS r", "--time " + expression)
        if kind != "timestamp with time zone":
            raise Refusal(
                f"--time {expression} is {kind}, which means another time in each time zone.",
                f"Say in which zone the times are: --time \"{expression} AT TIME ZONE 'UTC'\"",
            )
        return text

    def qualified(self, expression: str, source: str, what: str) -> Tuple[str, str]:
        """An expression in names that every search_path finds, and its type."""
        catalog = self.catalog
        with catalog.connection.transaction(force_rollback=True):
            try:
                catalog.connection.execute(
                    f"CREATE TEMP VIEW gid_move_view AS SELECT {expression} AS gid_move_column {source}"  # type: ignore[arg-type]
                )
            except psycopg.Error as error:
                raise Refusal(
                    f"{what}: {error.diag.message_primary}.", "Name a column, or an expression in SQL."
                ) from None
            kind = catalog.value(
                "SELECT format_type(atttypid, NULL) FROM pg_attribute"
                " WHERE attrelid = 'pg_temp.gid_move_view'::regclass::oid AND attnum = 1"
            )
            if catalog.value(
                "SELECT EXISTS (SELECT FROM pg_depend JOIN pg_rewrite r ON r.oid = objid AND classid = 'pg_rewrite'::regclass::oid"
                " WHERE ev_class = 'pg_temp.gid_move_view'::regclass::oid AND refobjid = %s AND refobjsubid = ANY (%s))",
                self.found.root.oid,
                self.found.root.numbers,
            ):
                raise Refusal(f"{what} uses a column that moves.", "The time of a row must come from another column.")
            catalog.connection.execute("SET LOCAL search_path = pg_catalog")
            text = catalog.value("SELECT pg_get_viewdef('pg_temp.gid_move_view'::regclass)")
        match = re.match(r"\s*SELECT (.*?)(?: AS gid_move_column)?(?:\s+FROM [^\n]*)?;\s*$", text, re.S)
        assert match, text
        return match.group(1), kind

    def forward(self, key: str, time: str) -> str:
        """The new key of an old one."""
        return self.convert(self.format.exact_of if self.options.to else self.format.gid_of, key, time)

    def backward(self, new: str) -> Optional[str]:
        """An old key for a new one, where every new key has one."""
        if self.options.to:
            return self.convert(self.format.gid_of, new, "now()")
        expression = self.format.old_of or self.format.exact_of
        # A number says nothing of an id that gid_new() made.
        return None if expression is None or self.format.name == "number" else self.convert(expression, new, "now()")

    def convert(self, template: Optional[str], value: str, time: str) -> str:
        parts = self.options.epoch.split(",")
        epoch, bits = formats.EPOCHS.get(parts[0]) or (int(parts[0]), int(parts[1]) if len(parts) > 1 else 22)
        cast = {"bigint": "::bigint", "text": "::text"}.get(self.format.types[0], "")
        return (template or "").format(
            kind=self.kind,
            key=f"({value}){cast}",
            id=f"({value})",
            time=f"({time})",
            epoch=epoch,
            bits=bits,
            prefix=self.catalog.literal(self.options.prefix or ""),
            s=STATE + ".",
        )

    def of_row(self, key: str) -> str:
        """The new key of a row that was there before the move.  The row is r."""
        return self.forward(f"r.{key}", self.time or self.now)

    def check_collisions(self) -> None:
        """Whether two keys would have one id, which the new primary key would find after the whole backfill."""
        if not self.options.to and self.format.name in ("bytes", "number", "snowflake", "sno"):
            return
        at, key = self.at(self.found.root), self.q(self.found.key.name)
        groups = (
            f'SELECT id, min(key), max(key) FROM (SELECT r.{key}::text COLLATE "C" AS key, {self.of_row(key)} AS id'
            f" FROM {at} AS r) AS r WHERE id IS NOT NULL GROUP BY id HAVING min(key) <> max(key)"
        )
        found = self.catalog.rows(f"SELECT *, count(*) OVER () FROM ({groups}) AS g (id, one, other) LIMIT 1")
        if found:
            self.refuse(
                "{count:,} ids of {at} would be those of several keys: {id} of {one} and {other}.".format(
                    at=at, **found[0]
                ),
                "The id has not all bits of the key. Delete one of both rows, give one another key"
                + (", or another time." if self.time else "."),
            )

    def check_defaults(self) -> None:
        for table, column in self.columns():
            if (
                column is not self.found.key
                and column.default
                and not re.fullmatch(r"'(?:[^']|'')*'::[\w ]+|\d+|NULL::[\w ]+", column.default)
            ):
                self.refuse(
                    f"{table.name}.{column.name} has the default {column.default}.",
                    "Only constants can be moved: drop the default until the move has ended.",
                )
        if (
            self.options.to is None
            and self.format.old_of is None
            and not (self.found.key.default or self.found.key.identity)
        ):
            self.found.notes.append(
                f"{self.found.key.name} has no default. Between switch and finish, programs must give new rows ids that have a"
                f" {self.format.name}, or the column a default that makes one."
            )
