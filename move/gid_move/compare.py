"""What must be the same before and after a move.

It must not know how the move is done.
"""

from __future__ import annotations

import re
from typing import Any, List

from .catalog import Inventory

# Numbers that PostgreSQL gave, and what a move changes.
IGNORED = ("parent", "index_oid", "fired", "populated", "valid")


def fingerprint(found: Inventory) -> List[Any]:
    """All that must be the same before and after, by name."""
    result, names = [], {table.oid: table.name for table in found.tables}
    for item in found.items:
        more = {key: value for key, value in item.more.items() if key not in IGNORED}
        for kind in ("indexes", "triggers"):
            more[kind] = [
                [own["name"], own["definition"], own["comment"], own["more"].get("enabled")]
                for own in more.get(kind, [])
            ]
        definition = item.definition.replace(" NOT VALID", "")
        if item.kind == "view":  # which loses casts of NULL in a UNION, see trees.py
            definition = re.sub(r"\bNULL::(character varying|\w+)(\(\d+\))?", "NULL", definition)
        if more.get("materialized") and "USING (" in definition:  # such columns are shown with the names that they had
            definition = ""
        if item.kind == "trigger":  # between switch and finish, it is also for the old columns
            definition = re.sub(" UPDATE OF .* ON ", " UPDATE OF ON ", definition)
        of = names.get(item.table, "")
        result.append([item.kind, item.schema, item.name, of, definition, item.comment, more])
    for table in found.tables:
        more = {"acl": table.acl, "row_security": [table.row_security, table.force_row_security]}
        result.append(["table", table.schema, table.name, table.name, "", None, more])
        for column in table.moved:
            more = {key: getattr(column, key) for key in ("acl", "late", "statistics", "options")}
            more["not_null"] = column.not_null or column.late  # which is NOT NULL again at the end
            result.append(["column", table.schema, column.name, table.name, "", column.comment, more])
    return sorted(result, key=lambda entry: entry[:4])
