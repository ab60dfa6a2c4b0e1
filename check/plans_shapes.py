"""Every kind of expression around an id whose kind nobody checked, for check/plans.py.

PL/pgSQL plans the expressions with a field of a record for the first record: its ids are of kind o.  The ids of the
other records are of that kind, of a smaller and of a larger kind.
"""

import re
import subprocess

from plans_statement import FIRST_MS, KINDS, id_text

# Expressions that return x, or y, another id of the same record, by the node that represents them.  None is for nodes
# that cannot contain an id: the reason is in the comment.  A number is the version of PostgreSQL that has the syntax.
SHAPES = {
    "Var": ["(SELECT c FROM (SELECT {x} AS c OFFSET 0) s)", "(SELECT c FROM (SELECT DISTINCT {x} AS c) s)",
            "(WITH s AS MATERIALIZED (SELECT {x} AS c) SELECT c FROM s)", "(SELECT c FROM (VALUES ({x}), ({x})) s (c) LIMIT 1)",
            "(SELECT c FROM (SELECT {x} AS c UNION ALL SELECT id FROM plans_kept WHERE id IS NULL) s LIMIT 1)",
            "(SELECT c FROM (SELECT id AS c FROM plans_kept WHERE id IS NULL UNION SELECT {x}) s LIMIT 1)",
            "(SELECT c FROM unnest(ARRAY[{x}]) c)", "(SELECT c FROM plans_promise({x}) AS s (c gid(o)))",
            "(SELECT c FROM (SELECT 1) n, LATERAL (SELECT {x} AS c OFFSET 0) s GROUP BY c HAVING c IS NOT NULL)"],
    "Const": ["coalesce({x}, gid '{literal}')"], "Param": ["{x}"],
    "Aggref": ["(SELECT max({x}))", "(SELECT (array_agg({x}))[1])"],
    "GroupingFunc": ["(SELECT {x} FROM (VALUES (1)) v (n) GROUP BY ROLLUP (n) HAVING grouping(n) = 0)"],
    "WindowFunc": ["(SELECT first_value({x}) OVER ())", "(SELECT lag({y}, 1, {x}) OVER ())"],
    "SubscriptingRef": ["(ARRAY[{x}, {y}])[1]", "((ARRAY[{x}])[1:1])[1]"], "ArrayExpr": ["(ARRAY[{y}, {x}])[2]"],
    "FuncExpr": ["plans_same({x})", "gid({x}, -1, true)", "gid_smaller({x}, {y})"],
    "NamedArgExpr": ["plans_named(b => {y}, a => {x})"], "OpExpr": ["CASE WHEN {x} = {y} THEN {x} ELSE {y} END"],
    "DistinctExpr": ["CASE WHEN {x} IS DISTINCT FROM {y} THEN {x} ELSE {y} END"], "NullIfExpr": ["nullif({x}, gid '{literal}')"],
    "ScalarArrayOpExpr": ["CASE WHEN {x} = ANY (ARRAY[{y}]) THEN {x} ELSE {y} END"],
    "BoolExpr": ["CASE WHEN NOT ({x} IS NULL OR {y} IS NULL) THEN {x} ELSE {y} END"],
    "SubLink": ["(SELECT {x})", "(ARRAY(SELECT {x}))[1]", "(SELECT (SELECT {x}))"],
    "SubPlan": ["(SELECT (SELECT {x} WHERE v.n < 3) FROM generate_series(1, 2) v (n) LIMIT 1)"],
    "AlternativeSubPlan": ["(SELECT CASE WHEN EXISTS (SELECT FROM plans_kept k WHERE k.n = v.n) THEN {x} ELSE {y} END FROM plans_kept v LIMIT 1)"],
    "FieldSelect": ["(SELECT (k).id FROM (SELECT ROW({x})::plans_item AS k OFFSET 0) s)",
                    "(SELECT (k).f1 FROM (SELECT ROW({x}) AS k UNION ALL SELECT ROW({y})) s LIMIT 1)",
                    "(SELECT (k).f1 FROM (SELECT ROW(id) AS k FROM plans_kept WHERE n > 2 UNION ALL SELECT ROW({x})) s)"],
    "RelabelType": ["CAST(CAST({x} AS plans_id) AS gid)", "CAST({x} AS gid)"], "CoerceViaIO": ["CAST(CAST({x} AS text) AS gid)"],
    "ArrayCoerceExpr": ["(CAST(ARRAY[{x}] AS plans_id[]))[1]"],
    "ConvertRowtypeExpr": ["(CAST(CAST(ROW({x}, 1) AS plans_child) AS plans_parent)).id"],
    "CollateExpr": ["CASE WHEN {x}::text COLLATE \"C\" > '' THEN {x} END"],
    "CaseExpr": ["CASE WHEN {x} IS NOT NULL THEN {x} ELSE {y} END"], "CaseWhen": ["CASE WHEN {x} IS NULL THEN {y} ELSE {x} END"],
    "CaseTestExpr": ["CASE {x} WHEN {y} THEN {x} ELSE {y} END"], "RowExpr": ["(ROW({x}, 1)).f1"],
    "RowCompareExpr": ["CASE WHEN ROW({x}, 1) < ROW({y}, 2) THEN {x} ELSE {y} END"],
    "CoalesceExpr": ["coalesce({y}, {x})"], "MinMaxExpr": ["greatest({x}, {y})", "least({y}, {x})"],
    "SQLValueFunction": ["CASE WHEN current_date IS NOT NULL THEN {x} END"],
    "XmlExpr": ["CASE WHEN xmlforest({x} AS a) IS NOT NULL THEN {x} END"],
    "TableFunc": ["(SELECT c FROM XMLTABLE('/r' PASSING '<r/>' COLUMNS c gid(o) PATH '@c' DEFAULT {x}) t)"],
    "NullTest": ["CASE WHEN {x} IS NULL THEN {y} ELSE {x} END"], "BooleanTest": ["CASE WHEN ({x} = {y}) IS TRUE THEN {x} ELSE {y} END"],
    "CoerceToDomain": ["CAST({x} AS plans_id)"], "CoerceToDomainValue": ["CAST({x} AS plans_recent_id)"],
    "JoinExpr": ["(SELECT id FROM (SELECT {x} AS id) a FULL JOIN (SELECT {y} AS id) b USING (id) LIMIT 1)",
                 "(SELECT a.id FROM plans_kept k LEFT JOIN (SELECT {x} AS id, 1 AS n) a USING (n) WHERE n = 1)"],
    "JsonValueExpr": ["CAST(json_array({x} RETURNING jsonb)->>0 AS gid)", 16],
    "JsonConstructorExpr": ["CAST(json_object('a': {x} RETURNING jsonb)->>'a' AS gid)", 16],
    "JsonIsPredicate": ["CASE WHEN {x}::text IS NOT JSON THEN {x} END", 16],
    "JsonExpr": ["JSON_VALUE(jsonb_build_array({x}), '$[0]' RETURNING gid)", 17],
    "JsonTablePath": ["(SELECT c FROM JSON_TABLE(jsonb_build_array({x}), '$[*]' COLUMNS (c gid PATH '$')) t)", 17],
}
NO_SHAPE = {
    "parts of a query, or only in the planner": "Alias RangeVar IntoClause Expr TargetEntry RangeTblRef FromExpr WindowFuncRunCondition "
    "JsonFormat JsonReturning JsonTablePlan JsonTablePathScan JsonTableSiblingJoin MergeAction",
    "in the use ON CONFLICT": "OnConflictExpr InferenceElem", "a constant": "JsonBehavior SetToDefault",
    "a number, a condition or a text": "NextValueExpr CurrentOfExpr MergeSupportFunc",
    "a column of a table, in SET or RETURNING": "FieldStore ReturningExpr",
}

SOURCES = {
    "a field": "r.id", "an element": "r.ids[1]", "a sub-select": "(SELECT r.id OFFSET 0)", "a variadic argument": "plans_first(VARIADIC ARRAY[r.id])",
    "a field of a composite": "(SELECT (k).id FROM (SELECT ROW(r.id)::plans_item AS k OFFSET 0) k)",
    "a column": "(SELECT id FROM plans_kept WHERE n = 1)",
}
EARLIER, AT, LATER = (f"timestamptz '2026-01-0{day} 00:00+00'" for day in (1, 2, 3))
# A column whose kind nobody checked.
UNCHECKED = "(SELECT (k).f1 AS id, 1 AS n FROM (SELECT ROW(id) AS k FROM plans_kept WHERE n > 2 UNION ALL SELECT ROW(CAST(e AS gid))) k OFFSET 0) u"
USES = {
    "conditions": f"""SELECT CASE WHEN e IS NULL THEN 'rejected' ELSE concat_ws(' ', e < {EARLIER}, e >= {LATER}, {LATER} > e, {EARLIER} <= e, gid_within(e, tstzrange({EARLIER}, {LATER})),
        (SELECT count(*) FROM plans_parted p WHERE p.id >= e), (SELECT count(*) FROM plans_parted p WHERE greatest(p.id, e) < {LATER}),
        (SELECT count(*) FROM plans_kept k WHERE k.id < e OR e <> k.id),
        (SELECT count(*) FROM plans_kept k, {UNCHECKED} WHERE k.id > CASE WHEN u.id < {EARLIER} THEN {LATER} ELSE {EARLIER} END),
        (SELECT count(*) FROM plans_kept k WHERE (SELECT count(*) FROM {UNCHECKED}, LATERAL (SELECT FROM generate_series(1, (u.id < {EARLIER})::int)) s) > 0),
        (SELECT count(*) FROM {UNCHECKED}, LATERAL (SELECT u.id UNION ALL SELECT u.id) v WHERE v.id < {EARLIER}),
        (SELECT count(*) FROM {UNCHECKED} JOIN plans_parent p ON p.n = u.n WHERE p.id >= {EARLIER})) END""",
    "a cast": "SELECT coalesce(CAST(CAST(e AS gid) AS gid(o))::text, 'rejected')",
    "INSERT": "INSERT INTO plans_kept SELECT -1, e RETURNING coalesce(id::text, 'rejected')",
    "ON CONFLICT": f"INSERT INTO plans_sink VALUES (0, e) ON CONFLICT (n) DO UPDATE SET n = 0 WHERE excluded.id >= {EARLIER} RETURNING n::text",
}


def id_of(kind, number):
    return id_text(KINDS[kind], FIRST_MS + 86400000, bytes([KINDS[kind]]) + bytes([number] * 8))


SCHEMA = f"""
    CREATE TABLE plans_kept (n int, id gid(o)); INSERT INTO plans_kept VALUES (1, '{id_of("o", 1)}'), (2, '{id_of("o", 9)}');
    CREATE TABLE plans_sink (n int UNIQUE, id gid(o)); INSERT INTO plans_sink VALUES (0);
    CREATE TABLE plans_parted (id gid(o)) PARTITION BY RANGE (id);
    CREATE TABLE plans_parted_1 PARTITION OF plans_parted FOR VALUES FROM (MINVALUE) TO (gid_lower_bound('o', {AT}));
    CREATE TABLE plans_parted_2 PARTITION OF plans_parted FOR VALUES FROM (gid_lower_bound('o', {AT})) TO (MAXVALUE);
    INSERT INTO plans_parted SELECT id FROM plans_kept; ANALYZE plans_kept, plans_parted;
    CREATE TYPE plans_item AS (id gid(o)); CREATE DOMAIN plans_id AS gid(o);
    CREATE DOMAIN plans_recent_id AS gid(o) CHECK (VALUE >= {EARLIER} AND VALUE < {LATER});
    CREATE TABLE plans_parent (id gid(o), n int DEFAULT 1);
    CREATE TABLE plans_child (CHECK (id < {LATER})) INHERITS (plans_parent); INSERT INTO plans_child SELECT id FROM plans_kept;
    CREATE FUNCTION plans_same(gid) RETURNS gid LANGUAGE sql IMMUTABLE AS 'SELECT $1';
    CREATE FUNCTION plans_named(a gid, b gid) RETURNS gid LANGUAGE sql IMMUTABLE AS 'SELECT coalesce(a, b)';
    CREATE FUNCTION plans_first(VARIADIC gid[]) RETURNS gid LANGUAGE sql IMMUTABLE AS 'SELECT $1[1]';
    CREATE FUNCTION plans_promise(gid) RETURNS record LANGUAGE sql IMMUTABLE AS 'SELECT ROW($1)'"""


def unknown_nodes(pg_config):
    """The nodes of this version of PostgreSQL that neither SHAPES nor NO_SHAPE has."""
    folder = subprocess.run([pg_config, "--includedir-server"], capture_output=True, text=True, check=True).stdout.strip()
    with open(f"{folder}/nodes/primnodes.h", encoding="utf-8") as header:
        nodes = set(re.findall(r"^typedef (?:struct|OpExpr) (\w+);?$", header.read(), re.MULTILINE))
    return nodes - set(SHAPES) - set(" ".join(NO_SHAPE.values()).split())


def statements(version, rnd):
    """Yields the names, the setup and the text of statements: each shape around each source, and around another shape."""
    shapes = [(node, text) for node, texts in SHAPES.items() for text in texts
              if isinstance(text, str) and version >= max([one for one in texts if isinstance(one, int)], default=15)]
    records = ["SELECT gid({kind}) '{one}' AS id, gid({kind}) '{two}' AS other, ARRAY[gid({kind}) '{one}'] AS ids".format(
        kind=kind, one=id_of(kind, one), two=id_of(kind, two)) for kind, one, two in (("o", 2, 1), ("o", 1, 2), ("p", 1, 2), ("segment", 2, 1))]
    for node, shape in shapes:
        for source, text in SOURCES.items():
            names, x = f"{node} around {source}", text
            if source == "a sub-select":  # around another shape as well
                inner, x = rnd.choice(shapes)
                names, x = f"{node} around {inner}", x.format(x="r.id", y="r.other", literal=id_of("o", 0))
            expression = shape.format(x=x, y="r.other", literal=id_of("o", 0))
            for use, query in USES.items():
                query = re.sub(r"\be\b", lambda _: f"({expression})", query)
                yield f"{use}: {names}", f"""; CREATE FUNCTION pg_temp.f() RETURNS SETOF text LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $f$
                    DECLARE
                        r record;
                        query text;
                    BEGIN
                        FOREACH query IN ARRAY $r${{{", ".join(f'"{one}"' for one in records)}}}$r$::text[] LOOP
                            FOR r IN EXECUTE query LOOP
                                BEGIN
                                    RETURN QUERY {query};
                                EXCEPTION WHEN invalid_parameter_value THEN
                                    IF SQLERRM LIKE 'cannot compare gids%' THEN RAISE; END IF;
                                    {"NULL" if "CONFLICT" in query else "RETURN NEXT 'rejected'"};
                                END;
                            END LOOP;
                        END LOOP;
                    END $f$""", "SELECT * FROM pg_temp.f()"
