"""What cannot be moved, and what the user should know before a move.

Each refusal says why, and what to do.  It must not know the steps of a move.
"""

from __future__ import annotations

import re
from typing import Dict, List

from . import programs
from .catalog import ANY_COLUMN, Catalog, Column, Inventory, Table
from .formats import NUMBER, TEXT


def check_tables(catalog: Catalog, found: Inventory) -> None:
    refuse = found.refuse
    for table in found.tables:
        label = catalog.quote(table.schema, table.name)
        alter = f"ALTER TABLE {label}"
        if table.problem:
            refuse(
                f"{label} is {table.problem}.",
                "Only ordinary tables can be moved: copy its rows to a new table. If it only refers to the key, it can keep the old"
                " one: partitioned.sql of gid-move shows how.",
            )
        if table.owner != found.root.owner:
            refuse(
                f"{label} belongs to {table.owner}, and {found.root.name} to {found.root.owner}.",
                f"All tables of a move must have one owner: {alter} OWNER TO {catalog.quote(found.root.owner)};",
            )
        bypasses = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s"
        if table.force_row_security and not catalog.value(bypasses, table.owner):
            refuse(
                f"{label} has FORCE ROW LEVEL SECURITY, so its owner cannot see all rows.",
                f"{alter} NO FORCE ROW LEVEL SECURITY; until the move has ended."
                f" Programs that connect as {table.owner} then see all rows: let them connect as another role first.",
            )
        for column in table.moved:
            name, key = catalog.quote(column.name), column.root
            where = f"{label}.{name}"
            if column.clash:
                drop = f"{alter} DROP CONSTRAINT {catalog.quote(column.clash)};"
                refuse(
                    f"{where} leads to two keys that move, to one of them by {column.clash}.",
                    f"Move only one of these tables. Or {drop if column.clash != '--reference' else 'omit --reference.'}",
                )
            if column.type != key.type and {column.type, key.type} - set(NUMBER + TEXT):
                change = f"{alter} ALTER COLUMN {name} TYPE {key.type}; writes the whole table while it is locked."
                refuse(f"{where} is {column.type}, and {key.name} is {key.type}.", change)
            if column is key and not column.not_null:
                refuse(f"{where} can be NULL.", f"{alter} ALTER COLUMN {name} SET NOT NULL; reads the locked table.")
            if column.domain:
                found.note(f"{{}} has the domain {column.domain}. The new column has the type, without its constraints.", where)
            query = """
                    SELECT EXISTS (SELECT FROM pg_index WHERE indrelid = %s AND indisunique AND indisvalid AND indpred IS NULL
                                   AND indnkeyatts = 1 AND indkey[0] = %s AND indexprs IS NULL)"""
            if column is key and not catalog.value(query, column.table, column.number):
                refuse(
                    f"{where} is not unique by itself.",
                    f"CREATE UNIQUE INDEX CONCURRENTLY ON {label} ({name}); A key that is unique only with another column cannot be moved.",
                )
            if column is not key and not column.late:
                found.note(
                    "A primary key or replica identity contains {}. Until finish, insert each row after the row that it refers"
                    " to, also if a deferred constraint allows another order.",
                    where,
                )
            query = """
                    SELECT conname, confrelid::regclass::text AS parent FROM pg_constraint
                    WHERE conrelid = %s AND contype = 'f' AND conkey OPERATOR(pg_catalog.@>) ARRAY[%s]::int2[] AND conparentid = 0::oid
                    AND NOT EXISTS (SELECT FROM unnest(%s::oid[], %s::int2[]) AS moved (oid, number)
                                    WHERE oid = confrelid AND number = confkey[array_position(conkey, %s::int2)])"""
            for row in catalog.rows(query, column.table, column.number, *found.columns, column.number):
                refuse(
                    f"{where} refers to {row['parent']} as well ({row['conname']}), which does not move.",
                    f"Move {row['parent']}, if it is the table with the key. Or {alter} DROP CONSTRAINT {catalog.quote(row['conname'])};"
                    " PostgreSQL then no longer checks that reference.",
                )
        check_table_triggers(catalog, found, table)


def check_table_triggers(catalog: Catalog, found: Inventory, table: Table) -> None:
    """Triggers that the catalog does not connect with a column, but that must work during the move."""
    refuse = found.refuse
    query = """
            SELECT tgname AS name, p.oid::regprocedure::text AS function, tgtype::int4 & 3 = 3 AS before_row,
                   tgname COLLATE "C" > '~gid_move' OR tgname COLLATE "C" < '!gid_move' AS outside,
                   regexp_replace(prosrc, '(new|old)(\\s*\\.\\s*\\*)?\\s*\\)?\\s+is\\s+(not\\s+)?distinct\\s+from\\s+(row\\s*)?\\(?\\s*(new|old)\\s*\\.\\s*\\*',
                       '', 'gi') ~* '\\m(new|old)\\s*\\)?\\s*\\.\\s*\\*' AS whole,
                   coalesce(array_to_string(proconfig, ' '), '') !~ 'search_path' AND lanname <> 'internal' AS no_path
            FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid JOIN pg_language l ON l.oid = prolang
            WHERE tgrelid = %s AND NOT tgisinternal AND tgname::text !~ '^[~!]gid_move' ORDER BY 1"""
    for row in catalog.rows(query, table.oid):
        if row["before_row"] and row["outside"]:
            refuse(
                f"The trigger {row['name']} of {table.name} would run before or after gid-move's triggers.",
                f"ALTER TRIGGER {catalog.quote(row['name'])} ON {catalog.quote(table.schema, table.name)} RENAME TO a name that sorts between"
                ' "!gid_move" and "~gid_move".',
            )
        if row["whole"]:
            refuse(
                f"{row['function']}, of the trigger {row['name']} of {table.name}, uses NEW.* or OLD.*: the new columns come last.",
                "Name the columns in the function.",
            )
        if row["no_path"]:
            found.note(
                "These functions of triggers have no search_path of their own. If they use tables that move, they need one, so that"
                f" they find the new type also when an old program fires them: ALTER FUNCTION ... SET search_path ="
                f" {catalog.quote(table.schema)} and what else they use; {{}}",
                row["function"],
            )


def check_items(catalog: Catalog, found: Inventory) -> None:
    refuse = found.refuse
    query = """
            SELECT pg_describe_object(u.classid, u.objid, u.objsubid) AS what, s.objid::regclass::text AS name, s.deptype = 'i' AS fixed
            FROM pg_depend s JOIN pg_class c ON c.oid = s.objid AND relkind = 'S' AND s.classid = 'pg_class'::regclass::oid
            JOIN pg_depend u ON u.refclassid = s.classid AND u.refobjid = s.objid AND u.deptype = 'n'
            LEFT JOIN pg_attrdef a ON u.classid = 'pg_attrdef'::regclass::oid AND a.oid = u.objid
            WHERE s.refclassid = s.classid AND s.refobjid = %s AND s.refobjsubid = %s AND s.deptype IN ('a', 'i')
            AND (adrelid, adnum) IS DISTINCT FROM (s.refobjid, s.refobjsubid::int2)"""
    for key in found.keys:
        for row in catalog.rows(query, key.table, key.number):
            hint = f"ALTER SEQUENCE {row['name']} OWNED BY NONE; keeps it."
            refuse(
                f"{row['what']} also uses {row['name']}, which is dropped with the key.",
                "Create another sequence for it." if row["fixed"] else hint,
            )
    for item in found.of("primary key"):
        query = """
                SELECT DISTINCT pg_describe_object(classid, objid, 0) FROM pg_depend
                WHERE refclassid = 'pg_constraint'::regclass::oid AND refobjid = %s
                AND classid IN ('pg_rewrite'::regclass::oid, 'pg_proc'::regclass::oid)"""
        for what in catalog.values(query, item.oid):
            refuse(
                f"The {what.replace('rule _RETURN on ', '')} groups by {item.name} and uses other columns of that table.",
                "Name these columns in GROUP BY as well, until the move has ended.",
            )
    for item in found.of("view"):
        can = "SELECT pg_has_role(%s::name, %s::name, 'MEMBER') AND has_schema_privilege(%s::name, %s, 'CREATE')"
        if not catalog.value(can, found.root.owner, item.more["owner"], found.root.owner, item.schema):
            owner = catalog.quote(found.root.owner)
            refuse(
                f"{found.root.owner} cannot create the view {item.schema}.{item.name} again, which belongs to {item.more['owner']}.",
                f"ALTER VIEW {catalog.quote(item.schema, item.name)} OWNER TO {owner};"
                f" GRANT CREATE ON SCHEMA {catalog.quote(item.schema)} TO {owner};",
            )
    # Generated columns, rules, exclusion constraints, and what the queries above do not know, must not be dropped in silence
    # with the old column or view.
    views = found.of("view")
    known = {item.oid for item in found.items}
    known |= {item.more["index_oid"] for item in found.of("primary key", "unique")}
    known |= {own["oid"] for view in views for own in view.more["indexes"] + view.more["triggers"]}
    query = """
            SELECT DISTINCT regexp_replace(pg_describe_object(d.classid, d.objid, d.objsubid), '^default value for(?= .* of table )', 'generated') AS what, d.objid::int8,
                   (pg_identify_object(d.classid, d.objid, 0)).identity
            FROM pg_class c JOIN pg_type t ON t.oid = reltype
            JOIN pg_depend d ON refclassid = 'pg_class'::regclass::oid AND refobjid = c.oid AND refobjsubid = ANY (%(numbers)s)
                             -- A function can use the row type of a table.  Values in a column would lose the key.
                             OR refclassid = 'pg_type'::regclass::oid AND refobjid IN (t.oid, typarray)
                             AND (relkind <> 'r' OR classid IN ('pg_class'::regclass::oid, 'pg_type'::regclass::oid))
            WHERE c.oid = %(oid)s AND d.deptype NOT IN ('i', 'P', 'S')
            AND NOT EXISTS (SELECT FROM pg_attrdef a WHERE relkind = 'r' AND d.classid = 'pg_attrdef'::regclass::oid AND a.oid = d.objid AND adnum = refobjsubid)
            AND NOT EXISTS (SELECT FROM pg_rewrite r WHERE d.classid = 'pg_rewrite'::regclass::oid AND r.oid = d.objid AND rulename = '_RETURN')
            AND NOT (d.classid = 'pg_class'::regclass::oid AND (d.objid = refobjid
                     OR EXISTS (SELECT FROM pg_class s WHERE s.oid = d.objid AND relkind = 'S')))
            AND NOT (d.classid = 'pg_trigger'::regclass::oid AND EXISTS (
                     SELECT FROM pg_trigger t WHERE t.oid = d.objid AND tgname = '~gid_move_late'))
            AND NOT (d.classid = 'pg_constraint'::regclass::oid AND EXISTS (
                     SELECT FROM pg_constraint c WHERE c.oid = d.objid AND (contype = 'n' OR conrelid <> refobjid)))
            UNION SELECT concat('the security label of ', pg_describe_object(classoid, objoid, objsubid)), 0, '' FROM pg_seclabel
            WHERE classoid = 'pg_class'::regclass::oid AND objoid = %(oid)s AND objsubid = ANY (%(numbers)s)
            UNION SELECT pg_describe_object('pg_rewrite'::regclass::oid, oid, 0), 0, '' FROM pg_rewrite  -- the backfill would fire it
            WHERE ev_class = %(oid)s AND ev_type = '2'"""
    relations = [(table.oid, table.name, table.numbers) for table in found.tables]
    relations += [(view.oid, view.name, ANY_COLUMN) for view in views if view.schema != "gid_before"]
    for oid, name, numbers in relations:
        for row in catalog.rows(query, numbers=numbers, oid=oid):
            if row["objid"] not in known:
                hint = "Replace it by a trigger, or drop it, and create it again after the move. It does nothing until then."
                if row["what"].startswith("statistics object "):
                    hint = f"DROP STATISTICS {row['identity']}; and create them again after the move."
                if row["what"].startswith("function "):
                    hint = "Write a body that is BEGIN ATOMIC as text (AS $$ ... $$), which finds both keys. Or drop the function until then."
                if row["what"].startswith("publication "):
                    hint = "Publish the table without a list of columns and without WHERE until the move has ended."
                refuse(f"{row['what']} depends on {name}, and cannot be moved.", hint)


def name_loose(catalog: Catalog, found: Inventory, key: Column) -> None:
    """Names everything that can hold the key, and is not known to."""
    root = found.table(key.table)
    plain = lambda name: re.sub("[^a-z0-9]", "", name.lower())
    ones = {re.sub(end, to, root.name) for end, to in (("$", ""), ("s$", ""), ("es$", ""), ("ies$", "y"))}
    names = {plain(one + more) for one in ones for more in (key.name, "id")}
    names |= set() if key.name in ("id", "key", "uuid", "code") else {plain(key.name)}
    own = {plain(c.name) for table in found.tables for c in table.moved if c.root is key}
    whole = own - {plain(key.name)} | set(map(plain, ones))
    named = lambda name: plain(name).endswith(tuple(names)) or plain(name) in whole
    alike: List[str] = []
    others: List[str] = []
    for row in catalog.loose_columns(found, key):
        is_text = row["type"] in TEXT and key.type not in TEXT
        can = row["in_root"] and plain(row["column"]).endswith("id")
        can = can or row["column"] == key.name and not row["is_unique"]
        can = can and not is_text or named(row["column"]) or row["of_domain"]
        if row["kind"] and not row["is_key"]:
            others.append(f"{row['name']} with {row['kind']}")
        elif row["is_array"]:
            is_own = named(row["column"].rstrip("s")) or row["is_typed"] and key.type not in (*NUMBER, *TEXT)
            others += [row["name"]] if is_own else []
        elif can and not row["is_key"]:
            (alike if row["movable"] else others).append(row["reference" if row["movable"] else "name"])
    for row in programs.functions(catalog, found):
        for path in dict.fromkeys(re.findall(r"(?:->>?|#>>?|\?)\s*'([^']+)'", row["text"])):
            others += [f"{path} in JSON, which {row['name']} reads"] if named(path.rstrip("}").rstrip("s")) else []
    if alike:
        found.note(
            f"These columns have no foreign key, and can refer to {root.name}, by their names and types. If they do, name"
            f" each with --reference: {', '.join(alike)}"
        )
    for other in others:
        found.note(
            "These can hold keys too, and do not move: {}. If they do, give each a column for the ids, after switch or"
            " finish, where r is the table of the key: ALTER TABLE t ADD c_id gid; UPDATE t SET c_id = r.id FROM r WHERE"
            " r.id__old::text = t.c::text",
            other,
        )


def look_around(catalog: Catalog, found: Inventory) -> None:
    """What the catalog does not know, or what the move does not change but affects."""
    for key in found.keys:
        name_loose(catalog, found, key)
    follows = """
            SELECT FROM pg_stat_replication r
            WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE active_pid = r.pid AND slot_type = 'logical')"""
    if catalog.rows(follows):
        found.note(
            "A standby follows this server. Behind a long query there, its readers wait for the locks of start, switch, finish and"
            " undo until the query ends, or max_standby_streaming_delay of the standby (30 s by default) cancels it."
        )
    only = """
            SELECT attrelid::regclass::text FROM pg_attribute, aclexplode(attacl) WHERE attrelid = ANY (%s::oid[])
            AND NOT attisdropped AND privilege_type = 'SELECT' AND NOT has_table_privilege(grantee, attrelid, 'SELECT') ORDER BY 1"""
    for name in catalog.values(only, [table.oid for table in found.tables]):
        found.note("Roles that can read only some columns of a table cannot read its view in gid_before: {}", name)


def check_publications(catalog: Catalog, found: Inventory, alter: Dict[int, str]) -> None:
    """A subscriber stops at the first column that it lacks, and the slot then keeps WAL."""
    query = """
            SELECT pubname AS name, puballtables AS all, array_agg(c.oid::int8) AS oids FROM pg_publication_tables
            JOIN pg_publication USING (pubname) JOIN pg_namespace n ON nspname = schemaname
            JOIN pg_class c ON relname = tablename AND relnamespace = n.oid WHERE c.oid = ANY (%s::oid[]) GROUP BY 1, 2"""
    for row in catalog.rows(query, [table.oid for table in found.tables]):
        name, schemas = catalog.quote(row["name"]), ", ".join(sorted({catalog.quote(t.schema) for t in found.tables}))
        hint = f"On each subscriber: CREATE EXTENSION gid; {' '.join(alter[oid] for oid in row['oids'])} Then use --published. After"
        hint += " switch, the subscriber waits until its columns have the new names: plan --sql prints them."
        if row["all"]:
            hint = "It is FOR ALL TABLES, so it would also publish the schema gid_move. As a superuser, with all schemas that it must"
            hint += f" publish: BEGIN; DROP PUBLICATION {name}; CREATE PUBLICATION {name} FOR TABLES IN SCHEMA {schemas}; COMMIT;"
        tables = ", ".join(found.table(oid).name for oid in row["oids"])
        found.refuse(
            f"Subscribers of the publication {row['name']} would stop, because they lack new columns: {tables}.", hint
        )
