"""What cannot be moved, and what the user should know before a move.

Each refusal says why, and what to do.  It must not know the steps of a move.
"""

from __future__ import annotations

import re

from .catalog import Catalog, Inventory, Table
from .formats import NUMBER, TEXT


def check(catalog: Catalog, found: Inventory) -> None:
    """Adds refusals and notes to an inventory."""
    check_tables(catalog, found)
    check_items(catalog, found)


def check_tables(catalog: Catalog, found: Inventory) -> None:
    refuse, key = found.refuse, found.key
    hints = {
        "partitioned": "PostgreSQL can build its indexes and foreign keys only while it is locked. Copy the rows to a new table,"
        " one partition at a time.",
        "inherited": "End the inheritance with ALTER TABLE ... NO INHERIT, or copy the rows to a new table.",
    }
    for table in found.tables:
        label = catalog.quote(table.schema, table.name)
        alter = f"ALTER TABLE {label}"
        if table.problem and table.moved[0] is not key and table.moved[0].foreign_key:
            keys = [f"{alter} DROP CONSTRAINT {catalog.quote(c.foreign_key)};" for c in table.moved if c.foreign_key]
            refuse(
                f"{label} is {table.problem}, and refers to {found.root.name}.",
                f'It can keep the old key, which then needs a column of its own: "A partitioned table refers to the key" in'
                f" doc/moving.md. Then: {' '.join(keys)}",
            )
        elif table.problem:
            refuse(f"{label} is {table.problem}.", hints.get(table.problem, "Only ordinary tables can be moved."))
        if table.owner != found.root.owner:
            refuse(
                f"{label} belongs to {table.owner}, and {found.root.name} to {found.root.owner}.",
                f"All tables of a move must have one owner: {alter} OWNER TO {catalog.quote(found.root.owner)};",
            )
        if table.force_row_security and not catalog.value(
            "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s", table.owner
        ):
            refuse(
                f"{label} has FORCE ROW LEVEL SECURITY, so its owner cannot see all rows.",
                f"{alter} NO FORCE ROW LEVEL SECURITY; until the move has ended."
                f" Programs that connect as {table.owner} then see all rows: let them connect as another role first.",
            )
        for column in table.moved:
            name = catalog.quote(column.name)
            where = f"{label}.{name}"
            if column.type != key.type and {column.type, key.type} - set(NUMBER + TEXT):
                change = f"{alter} ALTER COLUMN {name} TYPE {key.type}; writes the whole table while it is locked."
                refuse(f"{where} is {column.type}, and {key.name} is {key.type}.", change)
            if column is key and not column.not_null:
                refuse(f"{where} can be NULL.", f"{alter} ALTER COLUMN {name} SET NOT NULL; reads the locked table.")
            if column.domain:
                found.note(
                    "{} has the domain " + column.domain + ". The new column has the type, without the domain's constraints.",
                    where,
                )
            for partner in catalog.values(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s AND attname = ANY (%s::name[]) AND NOT attnotnull",
                table.oid,
                [own for own, _ in column.via if own != column.name],
            ):
                refuse(
                    f"{label}.{partner} can be NULL, and then {column.name} refers to no row.",
                    f"{alter} ALTER COLUMN {catalog.quote(partner)} SET NOT NULL; reads the locked table. Or give {found.root.name} a unique"
                    f" constraint on {key.name} alone.",
                )
            if column is not key and not column.late:
                found.note(
                    "In the primary key or the replica identity are {}: until finish, a row must be inserted after the row that"
                    " it refers to, also where a deferred constraint would allow another order.",
                    where,
                )
            query = """
                    SELECT DISTINCT pg_describe_object(classid, objid, objsubid) FROM pg_depend d
                    WHERE refclassid = 'pg_class'::regclass::oid AND refobjid = to_regclass(%s)::oid AND deptype = 'n'
                    AND NOT EXISTS (SELECT FROM pg_attrdef WHERE classid = 'pg_attrdef'::regclass::oid AND oid = objid
                                    AND adrelid = %s AND adnum = %s)"""
            for what in catalog.values(query, column.sequence, column.table, column.number):
                refuse(
                    f"finish would drop {column.sequence} with {where}, and the {what} uses the sequence.",
                    f"ALTER SEQUENCE {column.sequence} OWNED BY NONE;",
                )
            if column is not key and column.identity:
                hint = f"{alter} ALTER COLUMN {name} DROP IDENTITY; Programs must then name the row that they refer to."
                refuse(f"{where} refers to {key.name} and is an identity column.", hint)
            for row in catalog.rows(
                """
                    SELECT conname, confrelid::regclass::text AS parent FROM pg_constraint
                    WHERE conrelid = %s AND contype = 'f' AND conkey OPERATOR(pg_catalog.@>) ARRAY[%s]::int2[] AND conparentid = 0::oid
                    AND NOT EXISTS (SELECT FROM unnest(%s::oid[], %s::int2[]) AS moved (oid, number)
                                    WHERE oid = confrelid AND number = confkey[array_position(conkey, %s::int2)])""",
                column.table,
                column.number,
                *found.columns,
                column.number,
            ):
                if column is key:
                    refuse(
                        f"{where} refers to {row['parent']} ({row['conname']}).",
                        f"Move {row['parent']}: {where} moves with it.",
                    )
                else:
                    refuse(
                        f"{where} refers to {row['parent']} as well ({row['conname']}), which does not move.",
                        f"{alter} DROP CONSTRAINT {catalog.quote(row['conname'])}; PostgreSQL then no longer checks that reference.",
                    )


def check_table_triggers(catalog: Catalog, found: Inventory, table: Table) -> None:
    """Triggers that the catalog does not connect with a column, but that must work during the move."""
    refuse = found.refuse
    query = """
            SELECT tgname AS name, p.oid::regprocedure::text AS function, tgtype::int4 & 3 = 3 AS before_row,
                   tgname COLLATE "C" > '~gid_move' OR tgname COLLATE "C" < '!gid_move' AS outside,
                   prosrc ~* '\\m(new|old)\\s*\\)?\\s*\\.\\s*\\*' AS whole,
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
                f" {catalog.quote(table.schema)}; {{}}",
                row["function"],
            )


def check_items(catalog: Catalog, found: Inventory) -> None:
    refuse = found.refuse
    for table in found.tables:
        check_table_triggers(catalog, found, table)
        names = {column.name for column in table.moved}
        for item in found.of("foreign key"):
            if item.table == table.oid and len(names & set(item.more["columns"])) > 1:
                drop = (
                    f"ALTER TABLE {catalog.quote(table.schema, table.name)} DROP CONSTRAINT {catalog.quote(item.name)};"
                )
                refuse(
                    f"{item.name} has two columns that move.",
                    f"{drop} Add it again after the move: it is not checked until then.",
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
    oids, numbers = found.columns
    views = [view.oid for view in found.of("view")]
    query = """
            SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid) AS what, concat('the row type of ', c.oid::regclass) AS uses
            FROM pg_class c JOIN pg_type t ON t.typrelid = c.oid
            JOIN pg_depend d ON refclassid = 'pg_type'::regclass::oid AND refobjid IN (t.oid, t.typarray) AND deptype = 'n'
            -- A function can use the row type of a table.  Values in a column would lose the key.
            WHERE c.oid = ANY (%s::oid[]) OR c.oid = ANY (%s::oid[]) AND classid IN ('pg_class'::regclass::oid, 'pg_type'::regclass::oid)
            UNION
            SELECT pg_describe_object(classoid, objoid, objsubid), concat('a security label of ', provider)
            FROM pg_seclabel WHERE classoid = 'pg_class'::regclass::oid
            AND (objoid = ANY (%s::oid[]) OR (objoid, objsubid) IN (SELECT * FROM unnest(%s::oid[], %s::int4[])))
            UNION
            SELECT pg_describe_object('pg_rewrite'::regclass::oid, oid, 0), 'UPDATE, as does the backfill' FROM pg_rewrite
            WHERE ev_class = ANY (%s::oid[]) AND ev_type = '2' ORDER BY 1"""
    for row in catalog.rows(query, views, oids, views, oids, numbers, oids):
        refuse(f"The {row['what']} uses {row['uses']}.", "Drop that, and create it again after the move.")
    for item in found.of("view"):
        if not catalog.value("SELECT pg_has_role(%s::name, %s::name, 'MEMBER')", found.root.owner, item.more["owner"]):
            refuse(
                f"The view {item.schema}.{item.name} belongs to {item.more['owner']}, and {found.root.name} to {found.root.owner}.",
                f"ALTER VIEW {catalog.quote(item.schema, item.name)} OWNER TO {catalog.quote(found.root.owner)};",
            )
        if not catalog.value("SELECT has_schema_privilege(%s::name, %s, 'CREATE')", found.root.owner, item.schema):
            refuse(
                f"{found.root.owner} cannot create views in the schema {item.schema}, where {item.name} is.",
                f"GRANT CREATE ON SCHEMA {catalog.quote(item.schema)} TO {catalog.quote(found.root.owner)};",
            )
        for rule in item.more["rules"]:
            refuse(
                f"The view {item.schema}.{item.name} has the rule {rule}.",
                "Replace the rule by an INSTEAD OF trigger, or drop the view and create it again after the move.",
            )
    for item in found.of("foreign key"):
        if "d" in item.more["actions"]:
            table, name = found.table(item.table), catalog.quote(item.name)
            text = catalog.constraint(item.oid).replace("SET DEFAULT", "NO ACTION")
            change = f"DROP CONSTRAINT {name}, ADD CONSTRAINT {name} {text}"
            hint = f"ALTER TABLE {catalog.quote(table.schema, table.name)} {change}; Until the move has ended, DELETE then fails."
            refuse(f"{item.name} has the action SET DEFAULT.", hint)
    # Generated columns, rules, and what the queries above do not know, must not be dropped in silence with the old column.
    known = {item.oid for item in found.items}
    known |= {index["oid"] for view in found.of("view") for index in view.more["indexes"]}
    for table in found.tables:
        query = """
                SELECT DISTINCT regexp_replace(pg_describe_object(classid, objid, objsubid), '^default value for', 'generated') AS what, objid::int8
                FROM pg_depend d
                WHERE refclassid = 'pg_class'::regclass::oid AND refobjid = %s AND refobjsubid = ANY (%s)
                AND deptype NOT IN ('i', 'P', 'S')
                AND NOT EXISTS (SELECT FROM pg_attrdef a WHERE classid = 'pg_attrdef'::regclass::oid AND a.oid = objid AND adnum = refobjsubid)
                AND NOT EXISTS (SELECT FROM pg_rewrite r WHERE classid = 'pg_rewrite'::regclass::oid AND r.oid = objid AND rulename = '_RETURN')
                AND NOT (classid = 'pg_class'::regclass::oid AND (objid = refobjid
                         OR EXISTS (SELECT FROM pg_class s WHERE s.oid = objid AND relkind IN ('S', 'i', 'I'))))
                AND NOT (classid = 'pg_trigger'::regclass::oid AND EXISTS (
                         SELECT FROM pg_trigger t WHERE t.oid = objid AND tgname = '~gid_move_late'))
                AND NOT (classid = 'pg_constraint'::regclass::oid AND EXISTS (
                         SELECT FROM pg_constraint c WHERE c.oid = objid AND (contype = 'n' OR conrelid <> refobjid)))"""
        for row in catalog.rows(query, table.oid, table.numbers):
            if row["objid"] not in known:
                hint = "Replace it by a trigger, or drop it, and create it again after the move. It does nothing until then."
                if row["what"].startswith("publication "):
                    hint = "Publish the table without a list of columns and without WHERE until the move has ended."
                refuse(f"{row['what']} depends on {table.name}, and cannot be moved.", hint)


def look_around(catalog: Catalog, found: Inventory) -> None:
    """What the catalog does not know, or what the move does not change but affects."""
    oids = [table.oid for table in found.tables]
    root, key = found.root.name, found.key.name
    names = {column.name for table in found.tables for column in table.moved}
    names |= {f"{one}_{key}" for one in (root, re.sub("s$", "", root), re.sub("ies$", "y", root))}
    rows = [row for row in catalog.loose_columns(found) if row["ordinary"] and row["column"] in names - {key}]
    alike = [row["name"] for row in rows]
    if alike:
        found.notes.append(
            f"These columns have the name and the type of one that refers to {root}, and no foreign key. If they refer to it, name"
            f" each with --reference: {', '.join(alike)}"
        )
    query = """
            SELECT DISTINCT c.oid::int8, pubname FROM pg_publication JOIN pg_publication_tables USING (pubname)
            JOIN pg_class c ON relname = tablename AND relnamespace = schemaname::text::regnamespace::oid
            WHERE c.oid = ANY (%s::oid[]) AND pubupdate AND relreplident <> 'f' AND NOT EXISTS (
                SELECT FROM pg_index WHERE indrelid = c.oid AND CASE relreplident WHEN 'd' THEN indisprimary WHEN 'i' THEN indisreplident END)"""
    for row in catalog.rows(query, oids):
        label = catalog.quote(found.table(row["oid"]).schema, found.table(row["oid"]).name)
        found.refuse(
            f"{label} is in the publication {row['pubname']} and has no replica identity, so the backfill cannot update it.",
            f"ALTER TABLE {label} REPLICA IDENTITY FULL; writes whole old rows to the WAL. Or add a primary key.",
        )
    for row in catalog.rows(
        "SELECT srrelid::int8, subname FROM pg_subscription_rel JOIN pg_subscription s ON s.oid = srsubid WHERE srrelid = ANY (%s::oid[])",
        oids,
    ):
        name = found.table(row["srrelid"]).name
        found.notes.append(
            f"{name} gets rows from the subscription {row['subname']}, which fails after switch, because the publisher sends old"
            f" keys. Before switch: ALTER SUBSCRIPTION {catalog.quote(row['subname'])} DISABLE; or end it, if the publisher is"
            " to be replaced."
        )
    for table in found.tables:
        for publication in catalog.values(
            "SELECT DISTINCT pubname FROM pg_publication_tables WHERE schemaname = %s AND tablename = %s",
            table.schema,
            table.name,
        ):
            found.note(
                f"The subscribers of the publication {publication} need the new columns before start, and the new names at"
                " switch: {}",
                table.name,
            )
        if table.column_acl:
            found.note(
                "Roles that can read only some columns of a table cannot read its view in gid_before: {}", table.name
            )
