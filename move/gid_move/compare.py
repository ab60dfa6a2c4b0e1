"""What must be the same before and after a move.

It must not know how the move is done.
"""

from __future__ import annotations

import re
from typing import Any, List

from .catalog import Inventory


def fingerprint(found: Inventory) -> List[Any]:
    """All that must be the same before and after: by name, and without numbers that PostgreSQL gave."""
    result = []
    for item in found.items:
        more = {
            key: value
            for key, value in item.more.items()
            if key
            not in ("parent", "parent_index", "own_index", "populated", "index_name", "indexes", "triggers", "valid")
        }
        more["columns"] = [
            {k: v for k, v in column.items() if k != "number"} if isinstance(column, dict) else column
            for column in more.get("columns") or []
        ]
        more["indexes"] = [
            [index["name"], index["definition"], index["comment"]] for index in item.more.get("indexes", [])
        ]
        more["triggers"] = [
            [trigger[k] for k in ("name", "definition", "enabled", "comment")]
            for trigger in item.more.get("triggers", [])
        ]
        of = found.table(item.table).name if item.table in {t.oid for t in found.tables} else ""
        definition = re.sub(r"[\w.]+_((?:minmax_multi|bloom)_ops)", r"\1", item.definition.replace(" NOT VALID", ""))
        if item.kind == "statistics":  # their columns are in the order of the table's
            definition = "".join(sorted(definition))
        if (
            item.more.get("materialized") and "USING (" in definition
        ):  # such columns are shown with the names that they had
            definition = ""
        result.append([item.kind, item.schema, item.name, of, definition, item.comment, more])
    for table in found.tables:
        result.append(
            [
                "table",
                table.schema,
                table.name,
                table.name,
                "",
                None,
                {"acl": table.acl, "row_security": [table.row_security, table.force_row_security]},
            ]
        )
        for column in table.moved:
            result.append(
                [
                    "column",
                    table.schema,
                    column.name,
                    table.name,
                    "",
                    column.comment,
                    {
                        "acl": column.acl,
                        "not_null": column.not_null,
                        "late": column.late,
                        "statistics": column.statistics,
                        "options": column.options,
                    },
                ]
            )
    return sorted(result, key=lambda entry: entry[:4])
