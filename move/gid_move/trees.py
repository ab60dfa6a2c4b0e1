"""What stored expressions do with the columns that move.

PostgreSQL compiles many expressions for gid that then mean something else: text of the key is compared with text of the
id, for example.  So this reads the trees that the catalog stores, and accepts only what certainly means the same: a key
is compared for equality with another key, tested for NULL, counted, grouped, sorted or returned, also as part of a text or of JSON.
"""

from __future__ import annotations

import re
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from .catalog import Catalog, Inventory, Item

# The columns of the catalog that store trees: the table that a tree belongs to, and how it reads.
EXAMINED = {
    "pg_attrdef.adbin": ("adrelid", "pg_get_expr(adbin, adrelid)"),
    "pg_constraint.conbin": ("conrelid", "pg_get_constraintdef(oid)"),
    "pg_index.indexprs": ("indrelid", "pg_get_indexdef(indexrelid)"),
    "pg_index.indpred": ("indrelid", "pg_get_indexdef(indexrelid)"),
    "pg_policy.polqual": ("polrelid", "pg_get_expr(polqual, polrelid)"),
    "pg_policy.polwithcheck": ("polrelid", "pg_get_expr(polwithcheck, polrelid)"),
    "pg_proc.prosqlbody": ("0::oid", "pg_get_function_sqlbody(oid)"),
    "pg_rewrite.ev_action": ("ev_class", "pg_get_ruledef(oid)"),
    "pg_rewrite.ev_qual": ("ev_class", "pg_get_ruledef(oid)"),
    "pg_trigger.tgqual": ("tgrelid", "pg_get_triggerdef(oid)"),
}
TEXTS = ("25", "1042", "1043")  # text, character, character varying
BIGINT = "20"
COUNT = ("2147", "2803")
SHOWING = """format concat concat_ws array_agg string_agg array_to_string array_to_json to_json to_jsonb json_build_object
    jsonb_build_object json_build_array jsonb_build_array json_agg jsonb_agg json_object_agg jsonb_object_agg""".split()
TOKEN = re.compile(r"[(){}]|(?:\\.|[^\s(){}\\])+", re.S)
PLAIN = {"minmax": "GREATEST or LEAST", "targetentry": "a result", "subscriptingref": "an array or in JSON"}


class Key(NamedTuple):
    """A value that changes with the move."""

    name: str
    form: str = "key"  # key, text, mixed (with other texts), array (of keys), shown (all else that contains it), row (of a table)
    relation: int = 0  # of a row
    column: str = ""
    root: int = 0  # the table of the key that it leads to


# What does not mean the same after the move: an item, or None, its name, what it does, how it reads, and whether the user can
# accept it.
Misuse = Tuple[Optional[Item], str, str, str, bool]


def parse(text: str) -> Any:
    """What nodeToString() wrote.  A node is a dict with its kind as "", a list is a list, and all else is text."""
    tokens, place = TOKEN.findall(text), 0

    def value() -> Any:
        nonlocal place
        token, place = tokens[place], place + 1
        if token == "(":
            values = []
            while tokens[place] != ")":
                values.append(value())
            place += 1
            return values
        if token != "{":
            return token
        node, place = {"": tokens[place]}, place + 1
        while tokens[place] != "}":
            name, place = tokens[place][1:], place + 1
            values = [value()]
            while tokens[place] != "}" and tokens[place][0] != ":":  # the bytes of a constant
                values.append(value())
            node[name] = values[0] if len(values) == 1 else values
        place += 1
        return node

    return value()


def kind_of(node: Dict[str, Any]) -> str:
    """The name of a kind differs between versions, as in CASE and CASEEXPR."""
    return re.sub("expr$", "", node[""].lower())


def is_null(node: Any) -> bool:
    return isinstance(node, dict) and node[""] == "CONST" and node["constisnull"] == "true"


def nodes(value: Any) -> List[Dict[str, Any]]:
    """The nodes of lists of lists."""
    if isinstance(value, dict):
        return [value]
    return [node for part in value for node in nodes(part)] if isinstance(value, list) else []


class Reader:
    """Reads one tree after another.  A method of_kind returns the key that the value of such a node is, or None."""

    def __init__(self, catalog: Catalog, found: Inventory) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 10000))
        self.catalog, self.found = catalog, found
        self.views = {view.oid: view for view in found.of("view")}
        self.columns = {
            table.oid: {c.number: Key(f"{table.name}.{c.name}", column=c.name, root=c.root.table) for c in table.moved}
            for table in found.tables
        }
        self.labels = {table.oid: table.name for table in found.tables}
        self.labels.update({view.oid: view.name for view in self.views.values()})
        types = "SELECT oid::int8, reltype::int8 AS type FROM pg_class WHERE oid = ANY (%s::oid[])"
        self.types = {str(row["type"]): row["oid"] for row in catalog.rows(types, list(self.labels))}
        equal = """
            SELECT amopopr AS oid FROM pg_amop JOIN pg_am a ON a.oid = amopmethod
            WHERE amname = 'btree' AND amopstrategy = 3 OR amname = 'hash' AND amopstrategy = 1"""
        built_in = "SELECT oid::text FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace::oid"
        self.equal = set(catalog.values(f"{built_in} AND (oid IN ({equal}) OR oprnegate IN ({equal}))"))
        shows = "SELECT oid::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace::oid AND proname = ANY (%s::name[])"
        self.shows = {*catalog.values(shows, SHOWING), *catalog.values(f"{built_in} AND oprname = '||'")}
        self.ordered = {}  # type: Dict[int, Key]  # views that return rows in the order of a key
        self.begin(0, None)

    def begin(self, relation: int, item: Optional[Item]) -> None:
        self.relation, self.item = relation, item
        self.queries = []  # type: List[Dict[str, Any]]
        self.params = []  # type: List[List[Optional[Key]]]
        self.problems = []  # type: List[Tuple[Key, str, bool]]
        self.casts = []  # type: List[Optional[str]]
        self.nulls = []  # type: List[Any]

    def misuse(self, key: Key, what: str, fits: bool = True) -> Any:
        """Of a key and a value of another type, PostgreSQL makes neither a comparison nor a column: they do not fit."""
        if (key, what, fits) not in self.problems:
            self.problems.append((key, what, fits))

    def mixed(self, key: Key, several: List[Optional[Key]]) -> None:
        if None not in several:
            self.misuse(key, "it mixes {} with another key")
        else:
            are_texts = all(other is None or other.form != "key" for other in several)
            self.misuse(key, "it mixes {} with something that does not move", are_texts)

    def label(self, kind: str, oid: str) -> str:
        return self.catalog.value(f"SELECT {oid}::{kind}::text")

    # --- Whole trees ---------------------------------------------------------------------------------------------

    def read(self) -> List[Misuse]:
        """What must be refused.  Removes casts that PostgreSQL added from the definitions of the rest."""
        misuses = []
        items = {(f"pg_{item.kind}".replace("check", "constraint"), item.oid): item for item in self.found.items}
        rows = [row for column in EXAMINED for row in self.stored(column)]
        place = {oid: number for number, oid in enumerate(self.views)}
        rows.sort(key=lambda row: (place.get(row["relation"], len(place)), row["catalog"] != "pg_rewrite"))
        for row in rows:
            self.is_view = row["catalog"] == "pg_rewrite" and row["relation"] in self.views
            item = self.views[row["relation"]] if self.is_view else items.get((row["catalog"], row["oid"]))
            self.begin(row["relation"], item)
            for node in nodes(parse(row["tree"])):
                self.whole(node)
            # What depends on a column and cannot be moved is refused in any case.
            is_known = item or row["relation"] in self.views
            problems = [problem for problem in self.problems if is_known or problem[0].form == "row"]
            if item and not problems:
                self.uncast(item)
            for key, what, fits in problems:
                name = row["name"].replace("rule _RETURN on ", "")
                text = item.on(self.labels.get(row["relation"], "")) if item else row["text"]
                misuses.append((item, name, what.replace("{}", key.name), text, self.is_view and fits))
        return misuses

    def stored(self, column: str) -> List[Dict[str, Any]]:
        """The trees in a column of the catalog that depend on the tables and views."""
        catalog, name = column.split(".")
        relation, text = EXAMINED[column]
        holder, oid = ("pg_class", "indexrelid") if catalog == "pg_index" else (catalog, "oid")
        query = f"""
            SELECT '{catalog}' AS catalog, {oid}::int8 AS oid, {relation}::int8 AS relation, {name}::text AS tree,
                   pg_describe_object('{holder}'::regclass::oid, {oid}, 0) AS name, {text} AS text
            FROM {catalog} WHERE {name} IS NOT NULL AND {oid} IN (
                SELECT objid FROM pg_depend WHERE classid = '{holder}'::regclass::oid
                AND refclassid = 'pg_class'::regclass::oid AND refobjid = ANY (%s::oid[]))"""
        return self.catalog.rows(query, list(self.labels))

    def whole(self, node: Dict[str, Any]) -> None:
        if node[""] != "QUERY":
            key = self.visit(node)
            if key and key.form != "key":
                self.misuse(key, "it stores {} as another type" if key.form == "text" else "it uses {}")
            return
        for number, key in enumerate(self.of_query(node), 1):
            if key and self.is_view and key.form != "row":
                self.columns.setdefault(self.relation, {})[number] = key
            elif key:
                self.misuse(key, "it returns {}")

    def uncast(self, item: Item) -> None:
        """Removes the casts that PostgreSQL shows of NULL, and where it compares a varchar or a domain, so that gid is compared."""
        if self.casts:
            quoted = "|".join(re.escape(self.catalog.quote(name)) for name in set(self.casts) if name)
            column = r'((?:(?:"(?:[^"]|"")*"|\w+)\.)*(?:' + quoted + "))"
            cast = re.compile(rf'(?:\({column}\)|{column})::(?:"[^"]*"|character varying|\w+)(?!\()')
            if None not in self.casts and len(cast.findall(item.definition)) == len(self.casts):
                item.definition = cast.sub(lambda match: match.group(1) or match.group(2), item.definition)
            elif None in self.nulls:  # NULL has the type of a cast
                return
        kinds = "|".join(sorted([*self.found.types, "bpchar"], reverse=True))
        null = rf"\bNULL::(?:{kinds})(?:\(\d+\))?(?![\w\[])"
        results = re.compile(rf"(?m)^((?:.*\bSELECT (?:DISTINCT )?)?\s*){null}(?=[^,()]*,?\s*$)")
        count = len(re.findall(null, item.definition))
        if count == len({id(value) for value in self.nulls if is_null(value)}):
            item.definition = re.sub(null, "NULL", item.definition)
        elif self.nulls and count == len(results.findall(item.definition)):
            # Those of a UNION have the types of the other parts.
            item.definition = results.sub(r"\1NULL", item.definition)

    # --- Expressions ---------------------------------------------------------------------------------------------

    def visit(self, node: Any) -> Optional[Key]:
        if isinstance(node, dict):
            key = getattr(self, "of_" + kind_of(node), self.of_other)(node)
            types = [self.types.get(str(value), 0) for name, value in node.items() if name.endswith("type")]
            return key if key or is_null(node) else self.of_column(max(types, default=0), 0)
        for part in node if isinstance(node, list) else []:
            key = self.visit(part)
            if isinstance(key, Key):
                self.misuse(key, "it uses {}")
        return None

    def of_other(self, node: Dict[str, Any]) -> None:
        for value in node.values():
            for key in map(self.visit, nodes(value)):
                if isinstance(key, Key):
                    self.misuse(key, f"it uses {{}} in {PLAIN.get(kind_of(node), kind_of(node).upper())}")

    def keys(self, values: Any) -> List[Optional[Key]]:
        return [self.visit(value) for value in nodes(values)]

    def same(self, values: List[Any]) -> Optional[Key]:
        """The key that one of several expressions is, if all of them are."""
        count, keys = len(self.casts), self.keys([value for value in values if not is_null(value)])
        key = next((key for key in keys if key), None)
        if key and key.form == "key":
            self.nulls += values if len(self.casts) == count else [*values, None]
        if key and any(other is None or (other.form, other.root) != (key.form, key.root) for other in keys):
            if {other.form for other in keys if other} <= {"text", "shown"}:
                return key._replace(form="shown")
            self.mixed(key, keys)
            return None
        return key

    def of_var(self, var: Dict[str, Any]) -> Optional[Key]:
        depth, number = len(self.queries) - 1 - int(var["varlevelsup"]), int(var["varattno"])
        if depth < 0:
            return self.of_column(self.relation, number)
        return self.within(depth, lambda: self.of_entry(self.entry(var, depth), number))

    def entry(self, var: Dict[str, Any], depth: int) -> Dict[str, Any]:
        return self.queries[depth]["rtable"][int(var["varno"]) - 1]

    def within(self, depth: int, read: Callable[[], Any]) -> Any:
        """Reads something as part of an outer query."""
        queries, self.queries = self.queries, self.queries[: depth + 1]
        result, self.queries = read(), queries
        return result

    def of_column(self, relation: int, number: int) -> Optional[Key]:
        if number == 0 and self.columns.get(relation):
            return Key(f"the whole row of {self.labels[relation]}", "row", relation)
        return self.columns.get(relation, {}).get(number)

    def of_entry(self, entry: Dict[str, Any], number: int) -> Optional[Key]:
        """A column of what stands in FROM."""
        if "joinaliasvars" in entry or "groupexprs" in entry:
            columns, casts = entry.get("joinaliasvars") or entry["groupexprs"], list(self.casts)
            keys = [self.visit(columns[number - 1])] if number else self.keys(columns)
            if "joinaliasvars" in entry and self.casts != casts:
                self.misuse(keys[0], "it joins {} by USING with a column of another type")  # type: ignore[arg-type]
        elif "subquery" in entry or "ctename" in entry:
            keys = self.of_query(entry["subquery"]) if "subquery" in entry else self.of_cte(entry)
            keys = keys[number - 1 : number] if number else keys
        elif "functions" in entry:
            key = next(filter(None, self.keys([function["funcexpr"] for function in entry["functions"]])), None)
            return self.of_column(key.relation, number) if key and key.form == "row" else key
        else:
            return self.of_column(int(entry.get("relid", 0)), number)
        key = next((key for key in keys if key), None)
        return Key(f"a row with {key.name}", "row") if key and not number else key

    def of_cte(self, entry: Dict[str, Any]) -> List[Optional[Key]]:
        depth = len(self.queries) - 1 - int(entry["ctelevelsup"])
        queries = self.queries[depth]["cteList"]
        query = next(cte["ctequery"] for cte in queries if cte["ctename"] == entry["ctename"])
        keys = self.within(depth, lambda: self.of_query(query))
        row = next((Key(f"a row with {key.name}", "row") for key in keys if key), None)
        # SEARCH and CYCLE add columns, of which a record or an array of records contains keys.
        return keys + [row if kind in ("2249", "2287") else None for kind in entry["coltypes"][len(keys) + 1 :]]

    def of_param(self, node: Dict[str, Any]) -> Optional[Key]:
        return self.params[-1][int(node["paramid"]) - 1] if node["paramkind"] == "2" and self.params else None

    def of_fieldselect(self, node: Dict[str, Any]) -> Optional[Key]:
        key = self.visit(node["arg"])
        if key is None or key.relation:
            return key and self.of_column(key.relation, int(node["fieldnum"]))
        return self.misuse(key, "it uses a field of {}")

    def of_relabeltype(self, node: Dict[str, Any]) -> Optional[Key]:
        key, arg = self.visit(node["arg"]), node["arg"]
        if key is None or node["relabelformat"] != "2" or key.form not in ("key", "array"):
            return key and self.cast(key, node["resulttype"])
        if arg[""] == "VAR":
            self.casts.append(self.name_of(arg) or key.column)
        elif arg[""] != "PARAM":
            self.casts.append(None)
        return key

    def name_of(self, var: Dict[str, Any]) -> Optional[str]:
        depth, number = len(self.queries) - 1 - int(var["varlevelsup"]), int(var["varattno"]) - 1
        names = self.entry(var, depth)["eref"]["colnames"] if depth >= 0 and number >= 0 else []
        return re.sub(r"\\(.)", r"\1", names[number][1:-1]) if names else None

    def described(self, node: Any) -> str:
        """The other side of a comparison."""
        while isinstance(node, dict) and ("arg" in node or len(nodes(node.get("args"))) == 1):
            node = node["arg"] if "arg" in node else nodes(node["args"])[0]
        name = self.name_of(node) if node[""] == "VAR" else None
        return f"the column {name}" if name else "a constant" if node[""] == "CONST" else "an expression"

    def cast(self, key: Key, kind: str) -> Optional[Key]:
        if key.form in ("key", "text", "shown") and kind in TEXTS:
            return key if key.form == "shown" else key._replace(form="text")
        return self.misuse(key, f"it casts {{}} to {self.label('regtype', kind)}")

    def of_coerceviaio(self, node: Dict[str, Any]) -> Optional[Key]:
        key = self.visit(node["arg"])
        return key and self.cast(key, node["resulttype"])

    def of_func(self, node: Dict[str, Any]) -> Optional[Key]:
        key = next(filter(None, self.keys(node["args"])), None)
        if key and node["funcformat"] in ("1", "2") and len(node["args"]) == 1:  # not to a length, as in varchar(8)
            # Indexes and constraints are not created again by undo, which would lose the cast.
            is_built = self.item and self.item.kind in ("index", "check")
            if is_built and key.form == "key" and node["funcresulttype"] == BIGINT and node["args"][0][""] == "VAR":
                self.casts.append(self.name_of(node["args"][0]) or key.column)
                return key
            return self.cast(key, node["funcresulttype"])
        if key and node["funcid"] in self.shows:
            return self.shown(key, self.keys(node["args"]))
        is_counted = key and key.form != "row" and node["funcid"] in ("438", "440")  # num_nulls, num_nonnulls
        if not key or is_counted:
            return None
        return self.misuse(key, f"it calls {self.label('regprocedure', node['funcid'])} with {{}}")

    def of_op(self, node: Dict[str, Any]) -> Optional[Key]:
        keys = self.keys(node["args"])
        key = next(filter(None, keys), None)
        if key is None:
            return None
        if node["opno"] in self.shows:
            return self.shown(key, keys)
        forms = {other.form for other in keys if other}
        # Rows of OLD and NEW only: the backfill fills the other rows at different times.
        are_rows = forms == {"row"} and not self.queries and {key.relation} == {k and k.relation for k in keys} != {0}
        is_array = node[""] == "SCALARARRAYOPEXPR" and [k and k.form for k in keys] == ["key", "array"]
        is_same = forms <= {"key", "text"} or are_rows or is_array
        if None not in keys and node["opno"] in self.equal and is_same and len({k.root for k in keys if k}) == 1:
            return key if node[""] == "NULLIFEXPR" else None
        name = self.catalog.value(f"SELECT oprname FROM pg_operator WHERE oid = {node['opno']}")
        others = [self.described(arg) for arg, k in zip(nodes(node["args"]), keys) if k is None or k.form == "mixed"]
        what = f"something that does not move: {others[0]}" if others else "another key"
        what += "" if others or node["opno"] in self.equal else ", by order"
        return self.misuse(key, f"it compares {{}} ({name}) with {what}", not others or key.form != "key")

    of_distinct = of_nullif = of_scalararrayop = of_op

    def shown(self, key: Key, keys: List[Optional[Key]]) -> Optional[Key]:
        """A text or JSON that contains keys, as long as it is only returned."""
        row = next((other for other in keys if other and other.form == "row"), None)
        return self.misuse(row, "it uses {}") if row else key._replace(form="shown")

    def of_nulltest(self, node: Dict[str, Any]) -> None:
        key = self.visit(node["arg"])
        if key and key.form == "row":
            self.misuse(key, "it tests {} for NULL")

    def of_coalesce(self, node: Dict[str, Any]) -> Optional[Key]:
        return self.same(node["args"])

    def of_array(self, node: Dict[str, Any]) -> Optional[Key]:
        key = self.same(nodes(node["elements"]))
        return key and key._replace(form="array" if key.form == "key" else "shown")

    def of_case(self, node: Dict[str, Any]) -> Optional[Key]:
        self.visit([node["arg"], [when["expr"] for when in node["args"]]])
        return self.same([when["result"] for when in node["args"]] + nodes(node["defresult"]))

    def of_aggref(self, node: Dict[str, Any]) -> Optional[Key]:
        function, args = node.get("aggfnoid") or node["winfnoid"], nodes(node["args"])
        keys, result = self.keys(args), None
        key = next(filter(None, keys), None)
        by = {clause["tleSortGroupRef"] for name in ("aggorder", "aggdistinct") for clause in nodes(node.get(name))}
        sort = next((k for k, arg in zip(keys, args) if k and arg.get("ressortgroupref") in by), None)
        if key and function in self.shows and not sort:
            result = self.shown(key, keys)
            if result and key.form == "key" and self.label("regproc", function) == "array_agg":
                result = key._replace(form="array")
        elif key and (function not in COUNT or key.form in ("mixed", "shown")):
            self.misuse(
                key, f"it calls {self.label('regprocedure', function)} with {{}}" + (", by its order" if sort else "")
            )
        for name in ("aggdirectargs", "aggfilter"):
            self.visit(nodes(node.get(name)))
        return result

    of_windowfunc = of_aggref

    def of_targetentry(self, node: Dict[str, Any]) -> Optional[Key]:
        return self.visit(node["expr"])

    def of_join(self, node: Dict[str, Any]) -> None:
        self.visit([node["larg"], node["rarg"]])
        casts = list(self.casts)
        self.visit(nodes(node["quals"]))
        self.casts = casts if isinstance(node["usingClause"], list) else self.casts  # USING shows no casts

    # --- Queries -------------------------------------------------------------------------------------------------

    def of_sublink(self, node: Dict[str, Any]) -> Optional[Key]:
        columns = self.of_query(node["subselect"])
        self.params.append(columns)
        self.visit(nodes(node["testexpr"]))
        self.params.pop()
        key = next((key for key in columns if key), None)
        if key is None or node["subLinkType"] in ("0", "1", "2", "3"):  # EXISTS, ALL, ANY, comparison of rows
            return None
        if node["subLinkType"] == "4":
            return columns[0]
        form = "array" if key.form == "key" else "shown"
        return key._replace(form=form) if node["subLinkType"] == "6" else self.misuse(key, "it assigns {}")

    def of_query(self, query: Dict[str, Any]) -> List[Optional[Key]]:
        """The columns that are keys.  A recursive query meets itself, with those of its first part."""
        if "columns" in query:
            query["met"] = True
            return query["columns"]
        query["columns"] = []
        self.queries.append(query)
        numbers, is_all = self.parts(query["setOperations"])
        parts = [query["rtable"][number - 1]["subquery"] for number in numbers]
        for part in parts:
            query["columns"] = query["columns"] or self.of_query(part)
        for entry in nodes(query["rtable"]):
            self.visit_entry(entry)
        for cte in nodes(query["cteList"]):
            self.of_query(cte["ctequery"])
        targets = query["targetList"] if isinstance(query["targetList"], list) else []
        keys = self.keys(targets)
        done = ("", "columns", "met", "rtable", "cteList", "targetList", "setOperations")
        self.visit([node for name, value in query.items() if name not in done for node in nodes(value)])
        for number, first in enumerate(self.of_query(parts[0]) if parts else []):
            values = [part["targetList"][number]["expr"] for part in parts]
            several = [self.of_query(part)[number] for part, value in zip(parts, values) if not is_null(value)]
            key = next((key for key in several if key), None)
            if key and key.form == "key" and not (self.item and self.item.more.get("materialized")):  # shows a name
                self.nulls += values
            if key and any(k is None or k.form in ("mixed", "shown") or k.root != key.root for k in several):
                key = key._replace(form="mixed")
            # A recursive part was read with the column of the first part.
            if key and (key.form == "mixed" and not is_all or "met" in query and (first and first.form) != key.form):
                self.mixed(key, several)
            keys[number] = key
        self.check_order(query, {t["ressortgroupref"]: key for t, key in zip(targets, keys) if key})
        if query["commandType"] == "1":
            query["columns"] = [key for target, key in zip(targets, keys) if target["resjunk"] == "false"]
        self.queries.pop()
        return query["columns"]

    def parts(self, node: Any) -> Tuple[List[int], bool]:
        """The entries of the parts of a UNION and so on, and whether it is UNION ALL."""
        if not isinstance(node, dict):
            return [], True
        if node[""] == "RANGETBLREF":
            return [int(node["rtindex"])], True
        (left, a), (right, b) = self.parts(node["larg"]), self.parts(node["rarg"])
        return left + right, a and b and node["op"] == "1" and node["all"] == "true"

    def visit_entry(self, entry: Dict[str, Any]) -> None:
        relation = int(entry.get("relid", 0))
        if "subquery" in entry:
            self.of_query(entry["subquery"])
        elif relation in self.views and not self.item and self.relation not in self.views:
            self.misuse(Key(f"the view {self.labels[relation]}", "row"), "it uses {}")
        alias, is_table = entry["alias"], relation in self.columns and relation not in self.views
        if isinstance(alias, dict) and ("joinaliasvars" in entry or is_table and isinstance(alias["colnames"], list)):
            key = self.of_entry(entry, 0)
            if key:
                self.misuse(key, "it names all columns of {}, which has others during the move")
        self.keys([function["funcexpr"] for function in nodes(entry.get("functions"))])
        self.visit([node for name in ("tablefunc", "values_lists", "tablesample") for node in nodes(entry.get(name))])

    def check_order(self, query: Dict[str, Any], keys: Dict[str, Key]) -> None:
        """Ids have another order than the keys, so it must not decide what there is.  But rows can be returned in it."""
        by = lambda clause: [node["tleSortGroupRef"] for node in nodes(clause)]
        windows, has_first = nodes(query["windowClause"]), query["hasDistinctOn"] == "true"
        is_limited = isinstance(query["limitCount"], dict) or isinstance(query["limitOffset"], dict)
        first = by(query["distinctClause"]) if has_first and not is_limited else []
        sorts = [keys[ref] for ref in by(query["sortClause"]) if ref in keys and ref not in first]
        is_plain = query["hasAggs"] == query["hasWindowFuncs"] == "false"
        if not is_plain or not isinstance(query["sortClause"], list):  # in the order of views
            relations = [int(entry.get("relid", 0)) for entry in nodes(query["rtable"])]
            read = [self.ordered[relation] for relation in relations if relation and relation in self.ordered]
            sorts, is_plain = sorts + read, is_plain or not read
        if sorts and self.is_view and len(self.queries) == 1 and is_plain and not is_limited and not has_first:
            self.ordered[self.relation], sorts = sorts[0], []
        sorts += [keys[ref] for window in windows for ref in by(window["orderClause"]) if ref in keys]
        clauses = [query["groupClause"], query["distinctClause"]]
        for clause in clauses + [window["partitionClause"] for window in windows]:
            sorts += [keys[ref] for ref in by(clause) if ref in keys and keys[ref].form in ("mixed", "shown")]
        for key in sorts:
            self.misuse(key, "it chooses, numbers, collects or groups rows by {}")
