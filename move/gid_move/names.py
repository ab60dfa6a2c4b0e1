"""What a move is about, and how everything is called before and after the switch.

It must not know formats, triggers or steps.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple, Union

from . import programs, refusals, trees
from .catalog import Catalog, Column, Inventory, Item, Refusal, Table

STATE, BEFORE, SCRATCH = "gid_move", "gid_before", "gid_move_scratch"


@dataclass
class Chosen:
    """What the user chose for the key of one table."""

    table: str
    kind: str
    source: Optional[str] = None
    column: Optional[str] = None
    time: Optional[str] = None
    prefix: Optional[str] = None


@dataclass
class Options:
    """What the user chose."""

    keys: List[Chosen]
    references: List[str] = field(default_factory=list)
    accept: List[str] = field(default_factory=list)
    published: bool = False

    @classmethod
    def stored(cls, values: Dict[str, Any]) -> Options:
        """The options of a move that has begun."""
        return cls(**dict(values, keys=[Chosen(**key) for key in values["keys"]]))


def take_inventory(catalog: Catalog, options: Options) -> Inventory:
    """What depends on the keys, and what cannot be moved."""
    roots = [catalog.find_table(key.table) for key in options.keys]
    keys = [(root, catalog.find_column(root, key.column)) for root, key in zip(roots, options.keys)]
    if len(set(roots)) < len(roots):
        raise Refusal("A table is named twice.", "Two keys of one table move one after the other.")
    more, owns = [], []
    for reference in options.references:
        column, _, to = reference.partition("=")
        name, _, own = column.rpartition(".")
        other, root = catalog.find_table(name), catalog.find_table(to) if to else roots[0]
        if root not in roots or not to and len(roots) > 1:
            raise Refusal(
                f"--reference {reference} does not say to which of the tables.", f"{column}={options.keys[0].table}"
            )
        more.append((other, catalog.find_column(other, own), roots.index(root)))
        owns.append(own)
    found = catalog.inventory(keys, more)
    # A later command can have another search_path.
    at = lambda oid: catalog.quote(found.table(oid).schema, found.table(oid).name)
    for chosen, moved in zip(options.keys, found.keys):
        chosen.table, chosen.column = at(moved.table), moved.name
    options.references = [f"{at(table)}.{own}={at(roots[place])}" for (table, _, place), own in zip(more, owns)]
    refusals.check_tables(catalog, found)
    refusals.check_items(catalog, found)
    names = {
        catalog.quote(*names): view.oid
        for view in found.of("view")
        for names in ((view.name,), (view.schema, view.name))
    }
    accepted = {names.get(name) for name in options.accept}
    found.misuses = [m for m in trees.Reader(catalog, found).read() if m[0] is None or m[0].oid not in accepted]
    return found


class Names:
    """The tables of a move, and their names in SQL."""

    def __init__(self, catalog: Catalog, options: Options) -> None:
        self.catalog, self.options = catalog, options
        self.q = catalog.quote
        self.found = take_inventory(catalog, options)
        self.refuse = self.found.refuse
        refusals.look_around(catalog, self.found)
        programs.announce(catalog, self.found)
        self.new_names = self.names("__new")
        self.old_names = self.names("__old")

    @staticmethod
    def derived(name: str, suffix: str) -> str:
        """A name that PostgreSQL does not cut off.  Names that start with the same bytes still differ."""
        if len(name.encode()) + len(suffix) > 63:
            suffix = f"_{zlib.crc32(name.encode()):08x}{suffix}"
        return name.encode()[: 63 - len(suffix)].decode(errors="ignore") + suffix

    def names(self, suffix: str) -> Dict[Tuple[int, str], str]:
        """New columns have the name of their table too, so that no NATURAL JOIN compares them while they are empty."""
        names = {}  # type: Dict[Tuple[int, str], str]
        for table, column in self.columns():
            name = self.derived(f"{table.name}_{column.name}" if suffix == "__new" else column.name, suffix)
            if name in table.columns:
                self.refuse(
                    f"{table.name} has a column {name}, and gid-move needs that name.",
                    f"ALTER TABLE {self.at(table)} RENAME {self.q(name)} TO ...; Queries must use the new name.",
                )
            names[(table.oid, column.name)] = name
        return names

    def table_of(self, item: Item) -> Table:
        return self.found.table(item.table)

    def root(self, column: Column) -> Table:
        """The table of the key that a column leads to."""
        return self.found.table(column.root.table)

    def at(self, of: Union[Table, Item]) -> str:
        """The name of a table, or of that of an item."""
        table = self.table_of(of) if isinstance(of, Item) else of
        return self.q(table.schema, table.name)

    def named(self, item: Item, suffix: str = "", schema: Optional[str] = None) -> str:
        return self.q(schema or item.schema, self.derived(item.name, suffix))

    def comment(self, on: str, text: Optional[str]) -> List[str]:
        return [] if text is None else [f"COMMENT ON {on} IS {self.catalog.literal(text)}"]

    def old(self, column: Column, switched: bool = False) -> str:
        """How the old column is called before or after the switch."""
        return self.q(self.old_names[(column.table, column.name)] if switched else column.name)

    def new(self, column: Column, switched: bool = False) -> str:
        return self.q(column.name if switched else self.new_names[(column.table, column.name)])

    @staticmethod
    def word(view: Item) -> str:
        return "MATERIALIZED VIEW" if view.more["materialized"] else "VIEW"

    def columns(self) -> List[Tuple[Table, Column]]:
        return [(table, column) for table in self.found.tables for column in table.moved]

    def late_of(self, table: Table) -> List[Column]:
        return [column for column in table.moved if column.late]
