"""What programs and functions must write differently, so that it works before, during and after a move.

Searches texts that PostgreSQL does not understand: bodies of functions, and the statements in pg_stat_statements.
"""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, List, Tuple

import psycopg

from .catalog import Catalog, Inventory

ALIASES = dict(bigint="int8", integer="int int4", smallint="int2", character="char", **{"character varying": "varchar"})
VIEW = "After switch, old programs find a view."
TYPED = "If this is a key, it does not fit after switch: a variable, an argument or a result has the key's type."
UNTYPED = "variables as t.id%TYPE; arguments and results as anyelement or anyarray"
END, INNER = r";|\bloop\b", re.compile(r"\([^()]*\)")
FROM = r"(?:(?<!distinct\s)\bfrom|\bjoin|\binto|\bupdate)\s*(?:\bonly\s+)?"
COMPOSED = r"""(?:'|[\w".]*(?:%|'?\s*\|\|))"""
# In which texts to search (f function, s statement, t only in a query that names a table that moves), for what (<t> is such
# a table, <c> a column), what happens, and what to write instead.
TRAPS = r"""
f | <c>\s*\)?\s*::\s*(?:text|varchar|character varying)|\bcast\s*\([^()]*<c>\s+as\s+(?:text|varchar) | After switch, this is the text of the gid, and old programs have the old key. | id = (SELECT (as_key(NULL::t, x)).id), where t is the table and as_key is in the README of gid-move; in a trigger, to_jsonb(NEW) ->> 'id' = x OR to_jsonb(NEW) ->> 'id__old' = x, or for the old key alone coalesce(to_jsonb(NEW) ->> 'id__old', to_jsonb(NEW) ->> 'id')
fst | \b(?:select(?:\s+distinct)?|returning)\s+(?:[\w"]+\s*\.\s*)?\*|<t>\s*\.\s*\* | After start, * contains the new columns, and prepared statements fail once (cached plan must not change result type). | the names of the columns
fs | \binsert\s+into\s+<t>\s+(?:as\s+\w+\s+)?(?:overriding\s+\w+\s+value\s+)?(?:values|select|with|table|\(\s*select)\b | After switch, the new column is the last one, and the values would get into other columns. | INSERT INTO t (the names of the columns)
fst | \bnatural\s+(?:\w+\s+){0,2}join\b | After switch, it compares the old keys as well, or keys of two types. | JOIN ... USING (the names of the columns)
fs | \bset\s+constraints\s+(?!all\b) | After backfill, there are two foreign keys, and one has another name. | SET CONSTRAINTS ALL DEFERRED
fs | \bcopy\s+<t>[^;]*\bfrom\b | VIEW | CREATE TEMP TABLE n AS SELECT the columns FROM t WITH NO DATA; COPY n FROM ...; INSERT INTO t (the columns) SELECT * FROM n
fs | \bcopy\s+<t>(?![^;]*\bfrom\b) | VIEW | COPY (SELECT the columns FROM t) TO
fst | \b(?:xmin|xmax|cmin|cmax|ctid|tableoid)\b | VIEW | the key, or a column of your own that counts versions
fst | \bwhere\s+current\s+of\b | VIEW | WHERE with the key
fst | \btablesample\b | VIEW | WHERE random() < 0.01
fs | \btruncate\s+(?:table\s+)?(?:only\s+)?<t> | VIEW | DELETE FROM t
fs | \bmerge\s+into\s+<t> | VIEW | INSERT ... ON CONFLICT (the columns)
fst | \bon\s+conflict\s+on\s+constraint\b | VIEW | ON CONFLICT (the columns of the constraint)
"""


def announce(catalog: Catalog, found: Inventory) -> None:
    """Adds to an inventory what must be written differently."""
    tables = [table.name for table in found.tables] + [view.name for view in found.of("view")]
    columns = {column.name for table in found.tables for column in table.moved}
    table, column = any_of(tables), any_of(sorted(columns))
    traps = [line.replace("VIEW", VIEW).split(" | ") for line in TRAPS.strip().split("\n")]
    rows = functions(catalog, found)
    words = "|".join(re.escape(word) for name in found.types for word in (name, *ALIASES.get(name, "").split()))
    # A variable of the type of the key, or a call of a function that has such an argument or result.
    typed = [rf"(?m:^[ \t]*(?:declare\s+)?\w+\s+(?:constant\s+)?(?:{words})\b(?!\s*\.))"]
    typed += [rf"(?<!\w){re.escape(row['proname'])}\s*\(" for row in rows if row["typed"]]
    traps.append(["f", "|".join(typed), TYPED, UNTYPED])
    loose = {
        row["reference"]: row for key in found.keys for row in catalog.loose_columns(found, key) if row["is_typed"]
    }
    copied = [row for row in loose.values() if not (row["own"] or row["is_array"])]
    names = any_of(tables + [item.name for item in found.of("foreign key")])
    moving = any_of(tables + [row["proname"] for row in rows if row["rows_of"]])
    for kind, place, text in texts(catalog, found, rows, names):
        for kinds, pattern, what, instead in traps:
            pattern = pattern.replace("<t>", table).replace("<c>", column)
            matches = re.finditer(pattern, text, re.I) if kind in kinds else iter(())
            match = next((m for m in matches if "t" not in kinds or reads(moving, text, m.start())), None)
            if match:
                trap(found, place, text, match, what, f"Write instead: {instead}")
        if kind == "f" and re.search(column, text, re.I):
            copies(found, copied, place, text)
    for row in [row for row in rows if row["name"] in found.functions]:
        of_rows(catalog, found, row)
        if row["typed"] and (f"function {row['name']}", TYPED) not in [(known[0], known[2]) for known in found.traps]:
            found.traps.append((f"function {row['name']}", row["name"], TYPED, f"Write instead: {UNTYPED}"))
    query = """
            SELECT DISTINCT p.oid::regprocedure::text FROM pg_proc p, unnest(proargtypes::oid[]) AS a (t), pg_class c
            WHERE t = reltype AND c.oid = ANY (%s::oid[]) AND pronamespace <> 'pg_catalog'::regnamespace::oid ORDER BY 1"""
    for name in catalog.values(query, [table.oid for table in found.tables]):
        instead = "Write as well, after start: the same function of the view's rows, f(gid_before.t). Drop it before finish or undo."
        found.traps.append(
            (f"function {name}", name, "Old programs find a view, whose rows have another type.", instead)
        )


def trap(found: Inventory, place: str, text: str, match: "re.Match[str]", what: str, instead: str) -> None:
    """Adds a trap with the lines of a match, and the number of the first line where there are several."""
    first, last = (text.count("\n", 0, position) for position in match.span())
    lines = text.split("\n")
    line = " ".join(" ".join(lines[first : last + 1]).split())[:100]
    if not any(known[0] == place and known[2:] == (what, instead) for known in found.traps):
        found.traps.append((place, line if len(lines) == 1 else f"line {first + 1}: {line}", what, instead))


def reads(moving: str, text: str, place: int) -> bool:
    """Whether the innermost query around a place reads or writes a table that moves, or one whose name is composed."""
    before, after = re.split(END, text[:place], flags=re.I)[-1], re.split(END, text[place:], flags=re.I)[0]
    while INNER.search(before) or INNER.search(after):
        before, after = INNER.sub(" ", before), INNER.sub(" ", after)
    outer, rest = before.split("("), after.split(")")
    for depth in range(1, max(len(outer), len(rest)) + 1):
        query = " ".join(outer[-depth:] + rest[:depth])
        if re.search(FROM, query, re.I):
            return bool(re.search(f"{moving}|{FROM}{COMPOSED}", query, re.I))
    return True


def any_of(names: List[str]) -> str:
    """A pattern of one of these names, with or without quotes and a schema."""
    return r'(?:[\w"]+\s*\.\s*)?(?<!\w)"?(?:' + "|".join(re.escape(name) for name in names) + r')"?(?!\w)'


def functions(catalog: Catalog, found: Inventory) -> List[Dict[str, Any]]:
    """Functions of which PostgreSQL has the text alone, and whether an argument or the result has the type of the key."""
    query = """
            SELECT p.oid::regprocedure::text AS name, proname, prosrc AS text,
                   EXISTS (SELECT FROM pg_trigger WHERE tgfoid = p.oid AND tgrelid = ANY (%(oids)s::oid[])) AS fired,
                   EXISTS (SELECT FROM unnest(array_append(coalesce(proallargtypes, proargtypes::oid[]), prorettype)) AS a (t)
                           WHERE replace(format_type(t, NULL), '[]', '') = ANY (%(types)s::text[])) AS typed,
                   (SELECT typrelid::int8 FROM pg_type t WHERE t.oid = prorettype AND typrelid = ANY (%(oids)s::oid[])) AS rows_of,
                   lanname = 'sql' AS sql
            FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace JOIN pg_language l ON l.oid = prolang
            WHERE nspname NOT IN ('pg_catalog', 'information_schema', 'gid_move') AND lanname NOT IN ('c', 'internal')
            AND prosqlbody IS NULL
            AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass::oid AND objid = p.oid AND deptype = 'e')
            ORDER BY 1"""
    return catalog.rows(query, types=found.types, oids=[table.oid for table in found.tables])


def texts(catalog: Catalog, found: Inventory, rows: List[Dict[str, Any]], name: str) -> Iterator[Tuple[str, str, str]]:
    """The kind, the place and the text of everything that mentions a name, or that a table fires."""
    for row in rows:
        blank = lambda match: re.sub(r"[^\n]", " ", match.group())
        row["text"] = re.sub(r"--[^\n]*|/\*.*?\*/", blank, row["text"], flags=re.S)
        if row["fired"] or re.search(name, row["text"], re.I):
            found.functions.append(row["name"])
            yield "f", f"function {row['name']}", row["text"]
    query = "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'pg_stat_statements'"
    schema, ours = catalog.value(query), r"^\s*(?:create|alter)\b|__(?:new|old)\b"
    query = f"SELECT DISTINCT queryid, query FROM {schema}.pg_stat_statements JOIN pg_database d ON d.oid = dbid"
    try:
        with catalog.connection.transaction():
            for row in catalog.rows(f"{query} WHERE datname = current_database() ORDER BY 1") if schema else []:
                if re.search(name, row["query"], re.I) and not re.search(ours, row["query"], re.I):
                    yield "s", f"pg_stat_statements, queryid {row['queryid']}", row["query"]
    except psycopg.Error as error:
        found.note(f"pg_stat_statements was not searched: {error.diag.message_primary}.")


def copies(found: Inventory, loose: List[Dict[str, Any]], place: str, text: str) -> None:
    """Columns of the old type, in tables that do not move, to which a function writes."""
    for table in dict.fromkeys(row["table"] for row in loose):
        writes = rf"\b(update|insert\s+into|merge\s+into)\s+(?:only\s+)?{any_of([table])}(\s*\()?"
        match = re.search(writes, text, re.I)
        # An INSERT can have no names of columns.
        names_none = match and not match.group(2) and match.group(1).lower() != "update"
        own = [row for row in loose if match and row["table"] == table]
        into = [row["reference"] for row in own if names_none or re.search(any_of([row["column"]]), text, re.I)]
        if match and into:
            what = f"If this writes the key into a column of {table}, which does not move, it fails after switch."
            trap(found, place, text, match, what, f"Move that column as well: --reference {' or '.join(into)}")


def of_rows(catalog: Catalog, found: Inventory, row: Dict[str, Any]) -> None:
    """A function that returns rows of a table, by a list of the columns that they have."""
    text = row["text"]
    match = re.search(r'\b(?:select|returning)\s(?:(?!\bfrom\b)[\w\s."()])*,', text, re.I)
    returns = row["rows_of"] and (row["sql"] or re.search(r"\breturn\s+query\b", text, re.I))
    if match and returns and "jsonb_populate_record" not in text:
        table, longer = found.table(row["rows_of"]), "After start, the row has more columns than this list."
        name = catalog.quote(table.schema, table.name)
        whole = f"SELECT t FROM {name} AS t"
        if not row["sql"]:
            whole = f"SELECT (jsonb_populate_record(NULL::{name}, to_jsonb(q))).* FROM (the query) AS q"
        trap(found, f"function {row['name']}", text, match, longer, f"Write instead: {whole}")
