"""What depends on a key, as PostgreSQL's catalog has it.

Reads the catalog and changes nothing.  Definitions are in the names of the search_path that path() returns, so that the
same text can be run again after columns were renamed.  It must not know the steps of a move.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

from psycopg import Connection
from psycopg.adapt import Dumper
from psycopg.rows import dict_row


TABLE = "gid-move:table"  # stands for the name of the table in a definition
ANY_COLUMN = list(range(1601))  # or the whole row
DEPENDING = """
    (SELECT objid FROM pg_depend WHERE refclassid = 'pg_class'::regclass::oid AND refobjid = %(table)s
     AND refobjsubid = ANY (%(numbers)s) AND classid = """
USING = """
    (SELECT objid FROM pg_depend JOIN unnest(%(oids)s::oid[], %(columns)s::int4[]) AS t (oid, number)
     ON refobjid = t.oid AND refobjsubid = coalesce(number, refobjsubid) WHERE refclassid = 'pg_class'::regclass::oid AND classid = """
# The objects of a table that depend on columns, also on those of other tables in sub-selects.
OBJECTS = {
    "": f"""
        SELECT c.oid::int8, CASE contype WHEN 'p' THEN 'primary key' WHEN 'u' THEN 'unique' WHEN 'f' THEN 'foreign key'
                                         WHEN 'c' THEN 'check' END AS kind,
               conname AS name, pg_get_constraintdef(c.oid) AS definition,
               obj_description(c.oid, 'pg_constraint') AS comment,
               CASE WHEN contype IN ('p', 'u') THEN pg_get_indexdef(conindid, 0, true) END AS index,
               obj_description(nullif(conindid, 0::oid), 'pg_class') AS index_comment,
               spcname AS tablespace, coalesce(indisclustered, false) AS clustered,
               coalesce(indisreplident, false) AS replica_identity, convalidated AS valid,
               condeferrable AS deferrable, condeferred AS deferred, confrelid::int8 AS parent,
               conindid::int8 AS index_oid, (SELECT min(tgname) FROM pg_trigger WHERE tgconstraint = c.oid AND tgrelid = confrelid) AS fired,
               confdeltype::text || confupdtype::text AS actions, confmatchtype AS match,
               ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS k (n, place)
                     JOIN pg_attribute ON attrelid = conrelid AND attnum = n ORDER BY place) AS columns
        FROM pg_constraint c LEFT JOIN pg_index i ON indexrelid = conindid AND contype IN ('p', 'u')
        LEFT JOIN pg_class x ON x.oid = indexrelid LEFT JOIN pg_tablespace s ON s.oid = x.reltablespace
        WHERE conrelid = %(table)s AND contype IN ('p', 'u', 'f', 'c') AND conparentid = 0::oid
        AND NOT coalesce(indisexclusion, false)  -- a key WITHOUT OVERLAPS
        AND (conkey OPERATOR(pg_catalog.&&) %(numbers)s::int2[] OR c.oid IN {DEPENDING} 'pg_constraint'::regclass::oid)
             -- An INCLUDE column is not in conkey.
             OR contype IN ('p', 'u') AND conindid IN {DEPENDING} 'pg_class'::regclass::oid))
        ORDER BY c.contype = 'f', conname""",
    "index": f"""
        SELECT c.oid::int8, relname AS name, pg_get_indexdef(c.oid, 0, true) AS definition, spcname AS tablespace,
               obj_description(c.oid, 'pg_class') AS comment, indisclustered AS clustered,
               indisreplident AS replica_identity,
               indisunique AND indnkeyatts = 1 AND indpred IS NULL AND indexprs IS NULL AS unique,
               ARRAY(SELECT ARRAY[attnum, attstattarget]::int[] FROM pg_attribute
                     WHERE attrelid = c.oid AND attstattarget >= 0) AS statistics
        FROM pg_index JOIN pg_class c ON c.oid = indexrelid LEFT JOIN pg_tablespace s ON s.oid = reltablespace
        WHERE indrelid = %(table)s AND c.oid IN {DEPENDING} 'pg_class'::regclass::oid)
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid AND contype IN ('p', 'u', 'x'))
        ORDER BY relname""",
    "policy": f"""
        SELECT oid::int8, polname AS name, obj_description(oid, 'pg_policy') AS comment,
               concat('CREATE POLICY ', quote_ident(polname), ' ON {TABLE} AS ',
                      CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END, ' FOR ',
                      CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
                                  WHEN 'd' THEN 'DELETE' ELSE 'ALL' END, ' TO ', array_to_string(
                      ARRAY(SELECT CASE r WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(r)) END
                            FROM unnest(polroles) AS r), ', '),
                      ' USING (' || pg_get_expr(polqual, polrelid) || ')',
                      ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')') AS definition
        FROM pg_policy WHERE polrelid = %(table)s AND oid IN {USING} 'pg_policy'::regclass::oid) ORDER BY polname""",
    "trigger": f"""
        SELECT oid::int8, tgname AS name, pg_get_triggerdef(oid, true) AS definition, tgenabled AS enabled,
               obj_description(oid, 'pg_trigger') AS comment
        FROM pg_trigger WHERE tgrelid = %(table)s AND NOT tgisinternal AND oid IN {DEPENDING} 'pg_trigger'::regclass::oid)
        AND tgname <> '~gid_move_late' ORDER BY tgname""",
}


class Refusal(Exception):
    """Something that cannot be moved: what it is, why, and what to do."""

    status = 1  # of the program

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.what, self.hint = what, hint


class Later(Refusal):
    """Something that the same command can do at another time."""

    status = 3


@dataclass
class Column:
    """A column that moves: the key, or one that refers to it."""

    table: int
    number: int
    name: str
    type: str  # without the domain that may be around it
    not_null: bool
    default: Optional[str] = None
    identity: str = ""
    statistics: Optional[int] = None
    options: Optional[List[str]] = None
    comment: Optional[str] = None
    acl: List[Dict[str, Any]] = field(default_factory=list)
    not_null_name: Optional[str] = None
    domain: Optional[str] = None
    late: bool = False  # a row can come before the row that it refers to
    foreign_key: Optional[str] = None
    root: Any = field(default=None, repr=False, compare=False)  # the key that it leads to, which leads to itself
    clash: Optional[str] = None  # a foreign key, or --reference, that leads to another key that moves


@dataclass
class Table:
    """A table with columns that move."""

    oid: int
    schema: str
    name: str
    owner: str
    rows: int
    bytes: int
    index_bytes: int
    row_security: bool
    force_row_security: bool
    schema_users: List[str]
    acl: List[Dict[str, Any]]
    columns: List[str]
    problem: Optional[str]  # why it cannot be moved
    moved: List[Column] = field(default_factory=list)

    @property
    def numbers(self) -> List[int]:
        return [column.number for column in self.moved]


@dataclass
class Item:
    """Something that depends on columns that move, and must exist afterwards as before."""

    kind: str  # primary key, unique, foreign key, check, index, view, policy, trigger
    oid: int
    schema: str
    name: str
    table: int
    definition: str
    comment: Optional[str] = None
    more: Dict[str, Any] = field(default_factory=dict)
    new: str = ""  # its definition, or that of its index, with the names of the new columns

    def on(self, table: str) -> str:
        return self.definition.replace(TABLE, table)


# Something that works with one type, or not with a view: the place, its text, what happens, and what to write instead.
Trap = Tuple[str, str, str, str]


@dataclass
class Inventory:
    """All of it."""

    tables: List[Table]  # those of the keys first, then those that refer to them
    items: List[Item]
    refusals: List[Refusal]
    notes: Dict[str, Dict[str, None]] = field(default_factory=dict)
    traps: List[Trap] = field(default_factory=list)
    misuses: List[Any] = field(default_factory=list)  # what trees.py found
    functions: List[str] = field(default_factory=list)  # that mention a table that moves, or that its triggers call

    @property
    def root(self) -> Table:
        return self.tables[0]

    @property
    def keys(self) -> List[Column]:
        return [column for table in self.tables for column in table.moved if column.root is column]

    @property
    def types(self) -> List[str]:
        return sorted({column.type for table in self.tables for column in table.moved})

    @property
    def columns(self) -> Tuple[List[int], List[int]]:
        """The tables and the numbers of all columns that move."""
        return [t.oid for t in self.tables for _ in t.moved], [number for t in self.tables for number in t.numbers]

    def refuse(self, what: str, hint: str) -> None:
        self.refusals.append(Refusal(what, hint))

    def note(self, text: str, name: str = "") -> None:
        """Adds a note in which {} stands for all names that it is about."""
        self.notes.setdefault(text, {})[name] = None

    def table(self, oid: int) -> Table:
        return next(table for table in self.tables if table.oid == oid)

    def of(self, *kinds: str) -> List[Item]:
        return [item for item in self.items if item.kind in kinds]

    def path(self) -> List[str]:
        """The schemas in which definitions find their names."""
        schemas = [table.schema for table in self.tables] + [item.schema for item in self.of("view")]
        return list(dict.fromkeys(schemas))


class Untyped(Dumper):
    """A number that gets its type where it is used.  The operator of that type and another could be anybody's."""

    def dump(self, obj: int) -> bytes:
        return str(obj).encode()


class Catalog:
    """Queries of the catalog, on a connection whose transaction is the caller's."""

    def __init__(self, connection: Connection[Any]) -> None:
        self.connection = connection
        connection.adapters.register_dumper(int, Untyped)
        self.version = connection.info.server_version // 10000
        # A table's name is never that of a view in gid_before.
        path = self.value("SELECT pg_catalog.current_setting('search_path')")
        self.user_path = ", ".join(part.strip() for part in path.split(",") if part.strip() != "gid_before")
        self.path_now = ""
        self.set_path("pg_catalog, pg_temp")
        self.reserved = set(self.values("SELECT word FROM pg_get_keywords() WHERE catcode <> 'U'"))

    def rows(self, query: str, *values: Any, **named: Any) -> List[Dict[str, Any]]:
        with self.connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query, named or values or None).fetchall()

    def values(self, query: str, *values: Any) -> List[Any]:
        """The first column of each row."""
        return [row[0] for row in self.connection.execute(query, values or None)]

    def value(self, query: str, *values: Any) -> Any:
        return next(iter(self.values(query, *values)), None)

    def set_path(self, path: str) -> None:
        self.path_now = path
        self.connection.execute("SELECT pg_catalog.set_config('search_path', %s, false)", (path,))

    def set_local_path(self, path: str) -> str:
        """Sets search_path in a transaction.  Returns what it was."""
        was = self.value("SELECT current_setting('search_path')")
        self.connection.execute("SELECT set_config('search_path', %s, true)", (path,))
        return was

    def quote(self, *names: str) -> str:
        """Names as SQL, quoted only where they must be."""
        return ".".join(
            name
            if name.isascii() and name.isidentifier() and name == name.lower() and name not in self.reserved
            else '"' + name.replace('"', '""') + '"'
            for name in names
        )

    def literal(self, text: str) -> str:
        return self.value("SELECT quote_literal(%s)", text)

    def create_schema(self, name: str, owner: str) -> None:
        if self.own_schema(name, owner):
            return
        if not self.value("SELECT has_database_privilege(current_database(), 'CREATE')"):
            database = self.quote(self.connection.info.dbname)
            what = f"{owner} cannot create schemas in this database."
            raise Refusal(what, f"GRANT CREATE ON DATABASE {database} TO {self.quote(owner)};")
        self.connection.execute(f"CREATE SCHEMA {name}")

    def own_schema(self, name: str, owner: str) -> bool:
        """Whether a schema of gid-move exists.  Its contents run as the owner, so no other role may create objects in it."""
        present = self.schema_owner(name)
        if present and present != owner:
            raise Refusal(
                f"The schema {name} belongs to {present}, not to {owner}.",
                f"If it contains no unfinished move: DROP SCHEMA {name} CASCADE;",
            )
        if present:
            self.check_schemas([name], owner)
        return bool(present)

    def schema_owner(self, name: str) -> Optional[str]:
        return self.value("SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = %s", name)

    def check_schemas(self, names: List[str], owner: str) -> None:
        """Definitions find their names in these schemas.  Others could put something there that is found first.

        The owner of the database is trusted, except with the rights of a superuser.
        """
        query = """
                SELECT nspname AS name, CASE grantee WHEN 0::oid THEN 'PUBLIC' ELSE pg_get_userbyid(grantee) END AS grantee
                FROM pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) WHERE nspname = ANY (%s::name[]) AND privilege_type = 'CREATE'
                AND pg_get_userbyid(grantee) <> %s AND NOT EXISTS (SELECT FROM pg_roles WHERE oid = grantee AND rolsuper)
                AND NOT (pg_get_userbyid(grantee) = 'pg_database_owner' AND (
                    SELECT d.rolsuper >= t.rolsuper FROM pg_roles d, pg_roles t, pg_database
                    WHERE datname = current_database() AND d.oid = datdba AND t.rolname = %s))"""
        for row in self.rows(query, names, owner, owner):
            raise Refusal(
                f"{row['grantee']} can create functions and operators in the schema {row['name']},"
                f" which gid-move would then run as {owner}.",
                f"REVOKE CREATE ON SCHEMA {self.quote(row['name'])} FROM {self.quote(row['grantee']) if row['grantee'] != 'PUBLIC' else 'PUBLIC'};",
            )

    # --- The columns ---------------------------------------------------------------------------------------------

    def find_table(self, name: str) -> int:
        path = self.path_now
        self.set_path(self.user_path)  # for this query alone
        oid = self.value("SELECT pg_catalog.to_regclass(%s)::pg_catalog.oid", name)
        self.set_path(path)
        if oid is None:
            raise Refusal(f"There is no table {name}.", "Name the table as in SQL, as in orders or shop.orders.")
        return oid

    def find_column(self, table: int, name: Optional[str]) -> int:
        """The number of a column, or of the primary key where that is one column."""
        label = self.value("SELECT %s::oid::regclass::text", table)
        if not name:
            key = self.value("SELECT conkey FROM pg_constraint WHERE conrelid = %s AND contype = 'p'", table)
            if key is None or len(key) != 1:
                what = "has no primary key" if key is None else f"has a primary key of {len(key)} columns"
                raise Refusal(f"{label} {what}.", "Name the column that is to be a gid: --column id")
            return key[0]
        query = """
            SELECT attnum FROM pg_attribute WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped
            AND %s::text IN (attname, '"' || replace(attname, '"', '""') || '"')  -- as plan prints it"""
        number = self.value(query, table, name)
        if number is None:
            raise Refusal(f"{label} has no column {name}.", "Check the name of the column.")
        return number

    def table(self, oid: int) -> Table:
        query = """
            SELECT c.oid::int8, nspname AS schema, relname AS name, rolname AS owner,
                   greatest(reltuples, 0)::bigint AS rows, pg_table_size(c.oid) AS bytes, pg_indexes_size(c.oid) AS index_bytes,
                   relrowsecurity AS row_security, relforcerowsecurity AS force_row_security,
                   ARRAY(SELECT attname::text FROM pg_attribute
                         WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum) AS columns,
                   CASE WHEN relkind = 'p' OR relispartition THEN 'partitioned'
                        WHEN EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent)) THEN 'inherited'
                        WHEN relkind <> 'r' THEN 'not a table'
                        WHEN relpersistence = 't' THEN 'temporary'
                        WHEN reloftype <> 0::oid THEN 'typed'
                        WHEN EXISTS (SELECT FROM pg_subscription_rel WHERE srrelid = c.oid) THEN 'filled by a subscription' END AS problem
            FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_roles r ON r.oid = relowner
            WHERE c.oid = %s"""
        row = self.rows(query, oid)[0]
        return Table(acl=self.table_acl(oid), schema_users=self.schema_users(row["schema"]), **row)

    def schema_users(self, name: str) -> List[str]:
        """The roles, besides the owner, that can use a schema."""
        acl = self.acl("SELECT nspacl FROM pg_namespace WHERE nspname = %s", name)
        return [row["grantee"] for row in acl if row["privilege"] == "USAGE"]

    def table_acl(self, oid: int) -> List[Dict[str, Any]]:
        return self.acl("SELECT relacl FROM pg_class WHERE oid = %s", oid)

    def column_acl(self, table: int, number: int) -> List[Dict[str, Any]]:
        return self.acl("SELECT attacl FROM pg_attribute WHERE attrelid = %s AND attnum = %s", table, number)

    def acl(self, query: str, *values: Any) -> List[Dict[str, Any]]:
        """Who has which privileges.  Those of the owner are left out where they are all that he has by default."""
        query = f"""
            SELECT privilege_type AS privilege, is_grantable AS grantable,
                   CASE grantee WHEN 0::oid THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS grantee
            FROM aclexplode(({query})) ORDER BY 3, 1"""
        return self.rows(query, *values)

    def column(self, table: int, number: int) -> Column:
        query = """
            SELECT a.attrelid::int8 AS table, attnum AS number, attname AS name,
                   format_type(CASE typtype WHEN 'd' THEN typbasetype ELSE t.oid END, NULL) AS type,
                   CASE typtype WHEN 'd' THEN format_type(t.oid, NULL) END AS domain, attnotnull OR typnotnull AS not_null,
                   pg_get_expr(adbin, adrelid) AS default, attidentity AS identity,
                   nullif(attstattarget, -1) AS statistics,
                   -- others are PostgreSQL's own
                   ARRAY(SELECT o FROM unnest(attoptions) AS o WHERE o LIKE 'n_distinct%%') AS options,
                   col_description(attrelid, attnum) AS comment,
                   -- A primary key and a replica identity must be NOT NULL all the time.
                   NOT EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND (indisprimary OR indisreplident)
                               AND attnum = ANY (indkey::int2[])) AS late,
                   (SELECT conname FROM pg_constraint WHERE conrelid = attrelid AND contype = 'n'
                    AND conkey OPERATOR(pg_catalog.=) ARRAY[attnum]) AS not_null_name
            FROM pg_attribute a JOIN pg_type t ON t.oid = atttypid JOIN pg_class c ON c.oid = attrelid
            JOIN pg_namespace n ON n.oid = relnamespace
            LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
            WHERE attrelid = %s AND attnum = %s"""
        row = self.rows(query, table, number)[0]
        return Column(acl=self.column_acl(table, number), **row)

    def references(self, keys: List[Tuple[int, int]], more: List[Tuple[int, int, int]]) -> List[Table]:
        """The keys' tables and those that refer to them, with their columns.  The nearest come first, as most programs lock them."""
        tables: Dict[int, Table] = {}
        found: Dict[Tuple[int, int], Column] = {}
        queue = []

        def add(table: int, number: int, root: Optional[Column], constraint: Optional[str]) -> None:
            column = found.get((table, number))
            if column:
                if root is not column.root:
                    column.clash = constraint or "--reference"
                return
            column = found[(table, number)] = self.column(table, number)
            column.root, column.foreign_key = root or column, constraint
            if table not in tables:
                tables[table] = self.table(table)
            tables[table].moved.append(column)
            queue.append((table, number))

        for table, number in keys:
            add(table, number, None, None)
            found[(table, number)].late = False
        for table, number, place in more:
            add(table, number, found[keys[place]], None)
        while queue:
            table, number = queue.pop(0)
            query = """
                    SELECT conname, conrelid::int8 AS child, conkey[array_position(confkey, %s::int2)] AS number FROM pg_constraint
                    WHERE contype = 'f' AND confrelid = %s AND confkey OPERATOR(pg_catalog.@>) ARRAY[%s]::int2[] AND conparentid = 0::oid
                    ORDER BY cardinality(conkey), conrelid, conname"""
            for row in self.rows(query, number, table, number):
                add(row["child"], row["number"], found[(table, number)].root, row["conname"])
        return list(tables.values())

    # --- What depends on them ----------------------------------------------------------------------------------------

    def inventory(self, keys: List[Tuple[int, int]], more: List[Tuple[int, int, int]]) -> Inventory:
        if not self.value("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'gid')"):
            raise Refusal(
                "This database does not have the extension gid.",
                "CREATE EXTENSION gid; requires the privilege CREATE on the database.",
            )
        found = Inventory(self.references(keys, more), [], [])
        # Views first: definitions are in the names of a search_path, which their schemas are part of.
        found.items += self.views(found)
        self.check_schemas(found.path(), found.root.owner)
        self.set_local_path(", ".join(self.quote(name) for name in found.path()))
        for view in found.of("view"):
            self.describe_view(view)
        views, (oids, columns) = found.of("view"), found.columns
        values: Dict[str, Any] = {"oids": oids + [view.oid for view in views]}
        values["columns"] = [*columns, *(None for _ in views)]
        for table in found.tables:
            for kind, query in OBJECTS.items():
                found.items += self.items(kind, query, table.oid, table.schema, numbers=table.numbers, **values)
        return found

    def items(self, kind: str, query: str, table: int = 0, schema: str = "", **values: Any) -> List[Item]:
        """Items of a kind, or of the kind that a row names.  Other columns are what more there is to know about it."""
        items = []
        for row in self.rows(query, table=table, **values):
            kind, schema = row.pop("kind", kind), row.pop("schema", schema)
            oid, name, definition, comment = (row.pop(key) for key in ("oid", "name", "definition", "comment"))
            items.append(Item(kind, oid, schema, name, table, definition, comment, row))
        return items

    def loose_columns(self, found: Inventory, key: Column) -> List[Dict[str, Any]]:
        """Columns without a foreign key that can hold a key: of its type, a text, an array, or one with a column of a type."""
        query = """
            SELECT concat_ws('.', quote_ident(nspname), quote_ident(relname), quote_ident(attname)) AS reference, relname AS table,
                   (SELECT ' and its children' FROM pg_inherits WHERE inhparent = c.oid AND relkind = 'r' LIMIT 1) AS children,
                   attname AS column, format_type(atttypid, NULL) AS type, relkind = 'r' AND t.typcategory <> 'A' AND is_typed
                   AND NOT EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent)) AS movable,
                   c.oid = %(root)s AS in_root, t.typcategory = 'A' AS is_array, is_typed, typtype = 'd' AND t.oid = key_type AS of_domain,
                   (SELECT attname FROM pg_attribute o WHERE o.attrelid = c.oid AND NOT o.attisdropped AND a.attname ~* 'id$'
                    AND lower(o.attname) = regexp_replace(lower(a.attname), '(_?)id$', '\\1type')) AS kind,
                   is_unique, is_unique AND atthasdef OR attidentity <> '' AS is_key,
                   atthasdef OR attidentity <> '' OR c.oid = ANY (%(oids)s::oid[])
                   OR EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid AND contype = 'p' AND attnum = ANY (conkey)) AS own
            FROM pg_attribute a JOIN pg_type t ON t.oid = atttypid JOIN pg_class c ON c.oid = attrelid
            JOIN pg_namespace n ON n.oid = relnamespace
            CROSS JOIN (SELECT o.atttypid FROM pg_attribute o WHERE o.attrelid = %(root)s AND o.attnum = %(key)s) AS k (key_type),
            unnest(ARRAY[CASE WHEN t.typcategory = 'A' THEN t.typelem WHEN typtype = 'd' THEN typbasetype ELSE t.oid END]) AS e (base),
            unnest(ARRAY[base = ANY (%(types)s::oid[])]) AS y (is_typed),
            unnest(ARRAY[EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisunique AND indnkeyatts = 1 AND indkey[0] = attnum)])
                AS u (is_unique)
            WHERE relkind IN ('r', 'p') AND attinhcount = 0 AND attnum > 0 AND NOT attisdropped AND attname NOT LIKE '%%\\_\\_old'
            AND nspname !~ '^(pg_|gid_|information_schema)' AND (is_typed OR base IN ('text'::regtype::oid, 'varchar'::regtype::oid))
            AND NOT EXISTS (SELECT FROM unnest(%(oids)s::oid[], %(numbers)s::int2[]) AS moved (oid, number)
                            WHERE oid = attrelid AND number = attnum)
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f' AND attnum = ANY (conkey))
            ORDER BY nspname, relname, attnum"""
        own = """
            SELECT CASE typtype WHEN 'd' THEN typbasetype ELSE t.oid END::int8 FROM pg_attribute JOIN pg_type t ON t.oid = atttypid
            JOIN unnest(%s::oid[], %s::int2[]) AS moved (owner, number) ON owner = attrelid AND number = attnum"""
        of_key = [column for table in found.tables for column in table.moved if column.root is key]
        types = self.values(own, [column.table for column in of_key], [column.number for column in of_key])
        types += (20, 21, 23) if {20, 21, 23} & set(types) else ()
        oids, numbers = found.columns
        rows = self.rows(query, root=key.table, key=key.number, types=types, oids=oids, numbers=numbers)
        root = found.table(key.table)
        for row in rows:  # as --reference names it
            row["name"] = row["reference"] + (row["children"] or "")
            row["reference"] += f"={self.quote(root.schema, root.name)}" if len(found.keys) > 1 else ""
        return rows

    def views(self, found: Inventory) -> List[Item]:
        """Views over the columns, and views over those views, each after what it reads."""
        oids, numbers = found.columns
        query = """
            WITH RECURSIVE moved (oid, number) AS (SELECT * FROM unnest(%(oids)s::oid[], %(numbers)s::int2[])),
            views (oid, depth) AS (
                SELECT ev_class, 1 FROM moved JOIN pg_depend ON refclassid = 'pg_class'::regclass::oid AND refobjid = moved.oid
                AND refobjsubid = number AND classid = 'pg_rewrite'::regclass::oid JOIN pg_rewrite r ON r.oid = objid
                WHERE rulename = '_RETURN'
                UNION
                SELECT ev_class, depth + 1 FROM views JOIN pg_depend ON refclassid = 'pg_class'::regclass::oid
                AND refobjid = views.oid AND classid = 'pg_rewrite'::regclass::oid JOIN pg_rewrite r ON r.oid = objid
                WHERE rulename = '_RETURN' AND ev_class <> views.oid AND depth < 100)
            SELECT c.oid::int8, nspname AS schema, relname AS name, '' AS definition, relkind = 'm' AS materialized,
                   pg_get_userbyid(relowner) AS owner, reloptions AS options, relispopulated AS populated,
                   obj_description(c.oid, 'pg_class') AS comment, spcname AS tablespace
            FROM (SELECT oid, max(depth) AS depth FROM views GROUP BY oid) AS v
            JOIN pg_class c USING (oid) JOIN pg_namespace n ON n.oid = relnamespace
            LEFT JOIN pg_tablespace s ON s.oid = reltablespace
            ORDER BY depth, nspname, relname"""
        return self.items("view", query, oids=oids, numbers=numbers)

    def describe_view(self, view: Item) -> None:
        """What a view consists of, in names of the search_path."""
        query = """
            SELECT attname AS name, col_description(attrelid, attnum) AS comment, attnum AS number FROM pg_attribute
            WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum"""
        columns = self.rows(query, view.oid)
        for column in columns:
            column["acl"] = self.column_acl(view.oid, column.pop("number"))
        view.definition = self.value("SELECT pg_get_viewdef(%s::oid)", view.oid).strip().rstrip(";")
        own = {kind: self.items(kind, OBJECTS[kind], view.oid, numbers=ANY_COLUMN) for kind in ("index", "trigger")}
        view.more.update(
            acl=self.table_acl(view.oid),
            columns=columns,
            indexes=[vars(item) for item in own["index"]],
            triggers=[vars(item) for item in own["trigger"]],
        )
