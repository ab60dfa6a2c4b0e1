"""Random statements with ids and times, for check/plans.py."""

from collections import namedtuple
from datetime import datetime, timedelta, timezone

import base58

# The prefix of each kind that is used, and domains of one kind.
KINDS = {"o": 0xEF, "p": 0xF0, "segment": 0xC0, "200": 200}
DOMAINS = {"order_id": "o", "big_order_id": "o", "recent_id": "o", "page_id": "p"}

CITIES = ("Rome", "Oslo", "Lima", "Bonn", "Kyiv", "Cairo")
FIRST_DAY = datetime(2026, 1, 1, tzinfo=timezone.utc)
FIRST_MS = int(FIRST_DAY.timestamp()) * 1000
QUARTERS = 40  # of ten days; one has SIX_HOURS milliseconds
SIX_HOURS = 6 * 3600000

# Before and after all ids, and at the first and the last millisecond of an id.
FAR_TIMES = (
    "infinity", "-infinity", "1960-01-01 00:00:00+00", "294276-01-01 00:00:00+00", "1970-01-01 00:00:00+00",
    "1970-01-01 00:00:00.000001+00", "10889-08-02 05:31:50.655+00", "10889-08-02 05:31:50.655001+00")

SETTINGS = [f"enable_{feature} = off" for feature in (
    "hashjoin", "mergejoin", "nestloop", "seqscan", "hashagg", "sort", "partition_pruning")] + [
    "enable_partitionwise_join = on", "enable_partitionwise_aggregate = on", "constraint_exclusion = on",
    "from_collapse_limit = 1; SET LOCAL join_collapse_limit = 1",
    "min_parallel_table_scan_size = 0; SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0"]

# An expression.  Its sort is int, text, time, id, bool or other.  "kind" is the declared kind of an
# id, if any; "holds" is the kind of the ids, or "mixed", or "unchecked" if they can be of another kind than their
# type modifier.  A unique column has no value twice.
Value = namedtuple("Value", "text sort kind holds unique", defaults=("id", None, None, False))

# What FROM can name.  "base" is the table with its rows, "uses" are the statements that can change
# it, and "foreign" is whether it contains a foreign table.
Relation = namedtuple("Relation", "text columns feature base uses foreign", defaults=(None, (), False))


class Scope(namedtuple("Scope", "near far depth", defaults=((), (), 0))):
    """What an expression can name: "near" are the values of its query (in a grouped query, those
    that it is grouped by), and "far" those of the queries around it."""

    def inside(self):
        return Scope((), (*self.near, *self.far), self.depth + 1)


def of(values, *sorts):
    return [value for value in values if value.sort in sorts]


def named(columns, alias):
    return [column._replace(text=f"{alias}.{column.text}") for column in columns]


def select_list(outputs):
    return ", ".join(f"{output.text} AS c{n}" for n, output in enumerate(outputs, 1))


def where(*conditions, word="WHERE"):
    conditions = [f"({condition})" for condition in conditions if condition]
    return f" {word} " + " AND ".join(conditions) if conditions else ""


def id_text(prefix, milliseconds, rest):
    """The canonical text of the id with these nine last bytes."""
    data = bytes([prefix]) + milliseconds.to_bytes(6, "big") + rest
    halves = (base58.b58encode_int(int.from_bytes(half, "big")).decode() for half in (data[:7], data[7:]))
    return "-".join(half.rjust(width, "1") for half, width in zip(halves, (10, 13)))


class Choices:
    """Random choices."""

    offered = set()  # all features of pick(), whether a statement has them or not

    def __init__(self, rnd):
        self.rnd = rnd

    def below(self, count, weights=None):
        return self.rnd.choices(range(count), weights)[0] if weights else self.rnd.randrange(count)

    def choose(self, values):
        return values[self.below(len(values))]

    def chance(self, share):
        return self.below(2, (1 - share, share)) == 1

    def pick(self, weights, note=None):
        """One of these names.  With a note, it becomes a feature of the statement."""
        names = [name for name, weight in weights.items() if weight]
        name = names[self.below(len(names), [weights[name] for name in names])]
        if note is not None:
            self.note(note + name)
            self.offered.update(note + name for name in weights)
        return name

    def sample(self, values, count):
        values = list(values)
        return [values.pop(self.below(len(values))) for _ in range(min(count, len(values)))]

    def one_of(self, note, ways):
        """Calls one of these functions.  Each has a weight."""
        return ways[self.pick({name: weight for name, (weight, _) in ways.items()}, note)][1]()

    def milliseconds(self):
        """Mostly of the ten days, and often at the start of a quarter, so that times meet ids."""
        at = FIRST_MS + self.below(QUARTERS) * SIX_HOURS + (0 if self.chance(0.5) else self.below(SIX_HOURS))
        return self.choose((0, 1, 2**48 - 1)) if self.chance(0.05) else at

    def random_time(self):
        """The text of a time, often at the edge of a millisecond."""
        microseconds = self.choose((0, 0, 0, -1, 1, 999, 1000, 1001))
        at = str(FIRST_DAY + timedelta(hours=6 * self.below(QUARTERS), microseconds=microseconds))
        return self.choose(FAR_TIMES) if self.chance(0.06) else at


class Statement(Choices):
    """One random statement, with a method for each construct of SQL."""

    def __init__(self, relations, version, rnd):
        super().__init__(rnd)
        self.version, self.has_foreign = version, self.chance(0.6)
        self.relations = [relation for relation in relations if self.has_foreign or not relation.foreign]
        self.may_fail = self.casts_declared = self.prepared = self.fallible = False  # fallible: a cast can fail
        self.declared = self.conflicts = 0  # comparisons of declared kinds with times, and of ids of two kinds
        self.features, self.types, self.arguments, self.aliases = set(), [], [], 0
        self.setup, self.sql, self.changed = "", None, None  # "changed" is a table

    def note(self, feature):
        self.features.add(feature)

    def generate(self):
        """Sets the statement, and what is executed before it."""
        mode = self.pick({"as it is": 6, "as a custom plan": 2, "as a generic plan": 2}, "run ")
        self.prepared, self.may_fail, self.casts_declared = mode != "as it is", self.chance(0.4), self.chance(0.1)
        self.setup += "".join(f"; SET LOCAL {setting}"
                              for setting in self.sample(SETTINGS, self.choose((0, 0, 0, 0, 1, 1, 2, 4))))
        if self.chance(0.15):
            self.note("run under a role with policies")
            self.setup += "; SET LOCAL ROLE plans_reader"
            self.relations = [relation for relation in self.relations if relation.feature != "foreign"]
            self.relations += [one for one in self.relations if one.feature == "row-level security"] * 4
        self.sql = self.statement()
        if self.prepared:
            types, values = (f"({', '.join(words)})" if words else "" for words in (self.types, self.arguments))
            self.setup += f"; SET LOCAL plan_cache_mode = force_{mode.split()[2]}_plan; PREPARE p {types} AS {self.sql}"
            self.sql = f"EXECUTE p {values}"
        return self

    # Times and ids

    def time(self, scope):
        columns, outer, at = of(scope.near, "time"), of(scope.far, "time"), self.random_time()
        return self.one_of("time: ", {
            "constant": (6, lambda: f"timestamptz '{at}'"),
            "now()": (3 * ("inf" not in at), lambda: f"(now() - (now() - timestamptz '{at}'))"),
            "parameter": (8 * self.prepared, lambda: self.parameter("timestamptz", at)),
            "column": (columns and 3, lambda: self.choose(columns).text),
            "column from outside": (outer and 4, lambda: self.choose(outer).text),
            "sub-select": (scope.depth < 2, lambda: self.scalar("time", scope)),
            "null": (0.2, lambda: "NULL::timestamptz")})

    def parameter(self, type_name, text):
        self.types.append(type_name)
        self.arguments.append(f"'{text}'")
        return f"${len(self.types)}"

    def castable(self, values, kind=None):
        """Ids that can be cast to a kind here, mostly without a declared kind."""
        return [value for value in of(values, "id") if value.holds != "unchecked" and (
            self.may_fail and (value.kind is None or self.casts_declared)
            or value.kind is None and value.holds in KINDS and kind in (None, value.holds))]

    def cast(self, value, kind=None, assigned=False):
        wrong = value.holds not in KINDS or self.may_fail and self.chance(0.5)
        kind = kind or ({"o": "p"}.get(value.holds, "o") if wrong else value.holds)
        self.note("assignment that casts" if assigned else "cast")
        if value.holds != kind:
            self.fallible, self.may_fail = True, False  # a second cast that fails could hide the first
            self.note("cast that may fail")
        text = value.text if assigned else f"CAST({value.text} AS gid({kind}))"
        domains = [name for name in DOMAINS if DOMAINS[name] == kind and name != "recent_id"]
        if not assigned and domains and self.chance(0.25):
            # postgres_fdw does not send the cast that a domain implies, nor that of a domain of varchar(n).
            text = f"CAST({text if self.has_foreign else value.text} AS {self.choose(domains)})"
        return Value(text, "id", kind, kind)

    def literal(self, kind):
        prefix = KINDS.get(kind, KINDS["o"])
        return f"'{id_text(prefix, self.milliseconds(), bytes([prefix]) + bytes(8))}'"

    def identifier(self, scope):
        """An id, to be compared."""
        ids, outer = of(scope.near, "id"), of(scope.far, "id")
        declared, castable = [value for value in ids if value.kind], self.castable(ids)
        one = self.choose(declared or ids or [Value(f"gid(o) {self.literal('o')}", "id", "o", "o")])
        other = self.choose([value for value in declared if value.kind == one.kind] or [one]).text
        domains = [name for name in DOMAINS if DOMAINS[name] == one.kind] or [f"gid({one.kind})"]
        kind = self.choose(list(KINDS))  # a constant argument declares the kind of what is minted
        minted = Value(f"gid_random('{kind}', timestamptz '{FIRST_DAY + timedelta(self.below(9))}')", "id", None, kind)
        return self.one_of("id: ", {
            "column": (10 if declared else 1, lambda: one),
            "from outside": (outer and 1.5, lambda: self.choose(outer)),
            "cast": (castable and 4, lambda: self.cast(self.choose(castable))),
            "minted": (ids and 0.5, lambda: self.cast(minted) if self.chance(0.5) else minted._replace(kind=kind)),
            "label": (ids and 1, lambda: one._replace(text=f"CAST({one.text} AS gid)", kind=None)),
            "to a domain": (declared and 1, lambda: one._replace(text=f"CAST({one.text} AS {self.choose(domains)})")),
            "case": (declared and 1, lambda: one._replace(
                text=f"CASE WHEN {self.condition(scope, 'CASE')} THEN {one.text} ELSE {other} END")),
            "null": (0.2, lambda: Value("NULL::recent_id", "id", "o", "o")),
            "parameter": (self.prepared, lambda: Value(
                self.parameter("order_id", self.literal("o")[1:-1]), "id", "o", "o")),
            "sub-select": ((scope.depth < 2) * 0.5, lambda: Value(self.scalar("id", scope)))})

    def scalar(self, sort, scope):
        """A sub-select of one value."""
        source, inner = self.source(scope.inside())
        values = of(inner.near, sort) or [Value({"id": "NULL::gid", "time": "NULL::timestamptz"}[sort])]
        return f"(SELECT {self.choose(('min', 'max'))}({self.choose(values).text}){source})"

    # Conditions

    def comparison(self, scope):
        """A comparison of an id with a time."""
        one, at, operator = self.identifier(scope), self.time(scope), self.choose(("<", "<=", ">=", ">"))
        self.declared += one.kind is not None
        start = f"{one.text} {operator}"
        some, inner = f"{start} {self.choose(('ANY', 'ALL'))}", scope._replace(depth=2)
        return self.one_of("comparison: ", {
            f"id {operator} time": (6, lambda: f"{start} {at}"),
            f"time {operator} id": (4, lambda: f"{at} {operator} {one.text}"),
            "BETWEEN": (2, lambda: f"({one.text} BETWEEN {self.choose(('', 'SYMMETRIC '))}{at} AND {self.time(scope)})"),
            "within": (4, lambda: f"gid_within({one.text}, {self.range(at, self.time(scope))})"),
            "NOT": (1, lambda: f"NOT ({start} {at})"),
            "IS": (1, lambda: f"({start} {at}) IS {self.choose(('NOT TRUE', 'UNKNOWN', 'FALSE'))}"),
            "ANY": (0.3, lambda: f"{some} (ARRAY[{at}, {self.time(inner)}])"),
            "sub-select": ((scope.depth < 2) * 0.7,
                           lambda: f"{some} (SELECT {at}::timestamptz{self.source(scope.inside())[0]})")})

    def range(self, a, b):
        """A range of times; least() and greatest() ignore NULL."""
        query = self.choose(("(SELECT {} OFFSET 0)", "(SELECT {} LIMIT 1)", "{}", "{}", "{}", "{}"))
        return query.format(self.choose((
            f"tstzrange(least({a}, {b}), greatest({a}, {b}), '{self.choose(('[]', '[)', '(]', '()'))}')",
            f"tstzrange({a}, NULL, '{self.choose(('[)', '()'))}')", f"tstzrange(NULL, {a}, '{self.choose(('[)', '(]'))}')",
            f"(tstzrange(NULL, {a}) * tstzrange({b}, NULL))")))

    def condition(self, scope, place="WHERE"):
        castable, ids, level = self.castable(scope.near), of(scope.near, "id"), min(scope.depth, 2)
        null = f"{self.choose(scope.near).text} IS {self.choose(('', 'NOT '))}NULL"
        return self.one_of("condition: ", {
            "null": (1.5, lambda: null),
            "comparison": (8, lambda: self.comparison(scope)),
            "bound": (ids and 1, lambda: self.bound_comparison(self.choose(ids))),
            "of two ids": (ids and 1, lambda: self.compared(
                self.choose(ids), self.choose(("<", ">=", "<>", "=")), self.identifier(scope))),
            "cast": (castable and 2.5, lambda: f"{self.cast(self.choose(castable)).text} IS NOT NULL"),
            "and": (1, lambda: f"({self.condition(scope, place)} AND {self.condition(scope, place)})"),
            "or": (1.5, lambda: f"({self.condition(scope, 'OR')} OR {self.condition(scope, 'OR')})"),
            "case": (0.8, lambda: f"CASE WHEN {self.condition(scope, 'CASE')} THEN {self.condition(scope, 'CASE')} "
                                  f"ELSE {null} END"),
            "exists": ((6, 4, 0)[level], lambda: self.exists(scope, place)),
            "in": ((1.5, 0.7, 0)[level], lambda: self.in_sub_select(scope, place))})

    def compared(self, one, operator, other):
        """A comparison, which is counted if it may be of ids of different kinds."""
        if one.sort == "id" and one.holds != other.holds and "mixed" not in (one.holds, other.holds):
            self.conflicts += 1
        return f"{one.text} {operator} {other.text}"

    def bound_comparison(self, value):
        """A comparison of an id with a bound, mostly of its kind."""
        self.note("comparison with a bound")
        kind = value.holds if value.holds in KINDS and self.chance(0.6) else self.choose(list(KINDS))
        operator, which, at = self.choose(("<", ">=", "=", "<>")), self.choose(("lower", "upper")), self.random_time()
        text = f"gid_{which}_bound({str(self.choose((kind, KINDS[kind])))!r}, timestamptz '{at}')"
        text = self.choose((text, text, f"(SELECT {text})", f"greatest((SELECT {text}), {text})"))
        bound = Value(text, holds=kind if operator in ("<", ">=") else value.holds)  # "=" and "<>" are not checked
        return self.compared(*((value, operator, bound) if self.chance(0.7) else (bound, operator, value)))

    def equality(self, left, right):
        """An equality of two columns, mostly not of ids; None if there are none."""
        pairs = {(one, other): {"int": 4, "text": 2, "time": 0.4, "id": 0.4}[one.sort]
                 for one in of(left, "int", "text", "id", "time") for other in of(right, one.sort)}
        one, other = self.pick(pairs) if pairs else (None, None)
        return one and self.compared(one, "=", other)

    def exists(self, scope, place):
        self.features |= {f"EXISTS in {place}", f"EXISTS at depth {scope.depth + 1}"}
        return self.choose(("", "", "", "NOT ")) + "EXISTS " + self.one_of("EXISTS: ", {
            "linked": (3, lambda: f"(SELECT{self.source(scope.inside(), link_to=(*scope.near, *scope.far))[0]})"),
            "query": (1, lambda: f"({self.select(scope.inside())[0]})"),
            "hashable": (7, lambda: f"(SELECT{self.hashable(scope)})")})

    def hashable(self, scope):
        """A sub-select whose only link with the outer query is an equality.  The planner can convert
        EXISTS with it to another query and hash the result."""
        source, inner = self.source(Scope(depth=scope.depth + 1), 0, scope.near)
        castable = self.castable(inner.near)
        if not castable or self.chance(0.4):
            return f"{source} AND {self.comparison(Scope(inner.near, (), 2))}"
        self.note("cast in EXISTS that can be hashed")
        value = self.choose([value for value in castable if value.holds != "o"] or castable)
        return f"{source} AND {self.cast(value, 'o' if self.may_fail else None).text} IS NOT NULL"

    def in_sub_select(self, scope, place):
        self.note(f"IN in {place}")
        source, inner = self.source(scope.inside() if self.chance(0.4) else Scope(depth=scope.depth + 1))
        is_table = scope.depth == 0 and not self.changed
        end = self.pick({"": 2, " LIMIT 100000": 1, " LIMIT 100000 FOR UPDATE SKIP LOCKED": is_table * 2}, "IN:")
        if "LOCKED" in end:
            text, near = self.relation([one for one in self.relations if one.feature == "table"])
            inner = Scope(near, (), scope.depth + 1)
            source = f" FROM {text}{where(self.condition(inner))}"
        # the test has the kind that the sub-select declares, also for ids that were not checked
        outputs = [value._replace(holds="declared") if value.holds == "unchecked" else value for value in inner.near]
        left, _, right = (self.equality(scope.near, outputs) or "1 = 2").partition(" = ")
        return f"{left} {self.choose(('', '', 'NOT '))}IN (SELECT {right}{source}{end})"

    # Queries.  The scope of a method that makes a FROM clause contains outer values only.

    def source(self, scope, conditions=1, link_to=None):
        """FROM and WHERE, with a space before them, and the scope with the values.  The last condition
        is an equality with one of the values in "link_to"."""
        text, near = self.from_item(scope.depth)
        scope = scope._replace(near=near)
        for _ in range(self.pick({0: 5, 1: 4 if scope.depth < 2 else 2, 2: 2 * (scope.depth == 0)})):
            way = self.pick({"JOIN": 5, "LEFT JOIN": 2, "RIGHT JOIN": 1, "FULL JOIN": 1,
                             "LATERAL": 1.5 * (scope.depth < 2)}, "FROM: ")
            if way == "LATERAL":
                item, new = self.derived(Scope((), (*scope.near, *scope.far), 2), 0.15)
                way, item, on = "LEFT JOIN", f"LATERAL {item}", ["true"]
            else:
                item, new = self.from_item(scope.depth)
                on = [self.equality(scope.near, new) or "true"]
            scope = scope._replace(near=[*scope.near, *new])
            if way != "FULL JOIN" and self.chance(0.4):
                on.append(self.condition(scope, "ON"))
            text += f" {way} {item}{where(*on, word='ON')}"
        wheres = [self.condition(scope) for _ in range(conditions)]
        wheres.append((self.equality(scope.near, link_to) or "true") if link_to else None)
        return f" FROM {text}{where(*wheres)}", scope

    def from_item(self, depth):
        """The text of one item, and its values."""
        return self.one_of("FROM: ", {
            "relation": (7 if depth < 2 else 9, self.relation),
            "anonymous rows": (0.7, lambda: self.anonymous_rows(depth == 0)),
            "derived table": (3 if depth < 2 else 1, lambda: self.derived(Scope(depth=max(depth, 1) + 1), 0.7))})

    def anonymous_rows(self, any_kind):
        """The ids have the type modifier of those in the first branch.  EXISTS trusts it, so in a sub-select all
        have that kind."""
        branches, kind = [], None
        for is_first in (True, False):
            item, near = self.relation()
            ids = [value for value in of(near, "id") if (
                value.kind in KINDS if is_first else any_kind or value.holds == kind)]
            one = self.choose(ids or [Value(f"gid {self.literal(kind or 'o')}", "id", kind or "o", kind or "o")])
            kind = kind or one.kind
            number = self.choose(of(near, "int") or [Value("7", "int")])
            name = f"gid({one.kind})" if is_first else "gid"
            branches.append(f"SELECT ROW(CAST({one.text} AS {name}), CAST({number.text} AS int)) AS r FROM {item}")
        fence = self.choose(("", " OFFSET 0"))
        return self.item(f"(SELECT (r).f1 AS c1, (r).f2 AS c2 FROM ({' UNION ALL '.join(branches)}) r{fence})",
                         [Value("c1", "id", None, "unchecked" if any_kind else kind), Value("c2", "int")])

    def derived(self, scope, fence):
        text, columns = self.select(scope, fence)
        return self.item(f"({text})", columns)

    def item(self, text, columns):
        self.aliases += 1
        return f"{text} t{self.aliases}", named(columns, f"t{self.aliases}")

    def relation(self, relations=None):
        relation = self.choose(relations or self.relations)
        self.note(f"FROM {relation.feature}")
        text = relation.text.replace("(time)", f"(timestamptz '{self.random_time()}')")  # of a function
        return self.item(text, relation.columns)

    def select(self, scope, fence=0.15):
        """A query, and its columns, c1 to cn."""
        text, columns = self.one_of("query: ", {
            "plain": (5, lambda: self.plain(scope)),
            "grouped": (5 if scope.depth < 2 else 1.5, lambda: self.grouped(scope)),
            "set operation": (1.5, lambda: self.set_operation(scope))})
        return f"{text}{' OFFSET 0' if self.chance(fence) else ''}", [
            column._replace(text=f"c{n}", unique=False) for n, column in enumerate(columns, 1)]

    def output(self, scope, place):
        """One column of a select list."""
        columns, ids = of(scope.near, "int", "text", "time", "id", "bool"), of(scope.near, "id")
        castable, deeper = self.castable(ids), scope.depth < 2
        return self.one_of("output: ", {
            "column": (columns and 4, lambda: self.choose(columns)),
            "id": (ids and (5 if deeper else 8), lambda: self.choose(
                [value for value in ids if value.kind == "o" and self.chance(0.7)] or ids)),
            "time": (0.5, lambda: Value(f"{self.time(scope)}::timestamptz", "time")),
            "cast": (castable and 2, lambda: self.cast(self.choose(castable))),
            "condition": (1.5, lambda: Value(f"({self.condition(scope, place)})", "bool")),
            "exists": (deeper * 2, lambda: Value(self.exists(scope, place), "bool")),
            "in": (deeper * 0.5, lambda: Value(self.in_sub_select(scope, place), "bool")),
            "scalar": (deeper * 0.4, lambda: Value(f"({self.scalar('id', scope)})::text", "text"))})

    def plain(self, scope):
        first = scope.depth == 0
        source, scope = self.source(scope, self.pick({0: 3, 1: 3, 2: first}))
        width = self.pick({1: 2, 2: 3, 3: 3, 5: 2, 8: 1.5} if first else {2: 3, 4: 3, 6: 2, 12: 1})
        outputs = [self.output(scope, "the select list") for _ in range(width)]
        if first and self.chance(0.7):  # the result for each row is seen
            outputs.append(Value(f"({self.comparison(scope)})", "bool"))
        links = of(scope.near, "int", "text")
        if not first and links and self.chance(0.8):  # a column to join the query by
            outputs.insert(self.below(width + 1), self.choose(links))
        way = self.pick({"": 6, "DISTINCT": 1, "ORDER BY": first}, "plain: ")
        order = f" ORDER BY {self.condition(scope, 'ORDER BY')}" if way == "ORDER BY" else ""
        return f"SELECT {'DISTINCT ' if way == 'DISTINCT' else ''}{select_list(outputs)}{source}{order}", outputs

    def grouped(self, scope):
        """A query that is grouped by columns, and sometimes by a condition."""
        source, scope = self.source(scope, self.choose((0, 1)))
        way = self.pick({"GROUP BY": 8, "GROUPING SETS": 1.5, "ROLLUP": 1, "CUBE": 1}, "grouped: ")
        usable = of(scope.near, "int", "text", "time", "id") or [Value("'none'::text", "text")]
        if way != "GROUP BY" and self.version < 18:
            # PostgreSQL takes columns that WHERE or ON equates for equal even where a grouping set
            # made one of them NULL.
            owner = self.choose(usable).text.split(".")[0]
            usable = [value for value in usable if value.text.split(".")[0] == owner]
        keys = self.sample(usable, self.pick({1: 4, 2: 4, 3: 2, 5: way == "GROUP BY"}))
        links = of(usable, "int", "text")
        if links and self.chance(0.8):  # a column to join EXISTS by
            keys = list(dict.fromkeys([self.choose(links), *keys]))
        outputs, names, inner = list(keys), ", ".join(key.text for key in keys), scope._replace(near=keys)
        if way == "GROUP BY" and self.chance(0.2):
            outputs.append(Value(f"({self.condition(scope, 'GROUP BY')})", "bool"))
            names += f", {len(outputs)}"
        elif way == "GROUPING SETS":
            names = f"({names}), ({self.choose(names.split(', '))}), ()"
        own, place, ids = scope._replace(far=()), "the select list of a grouped query", of(scope.near, "id")
        outputs += [self.one_of("grouped output: ", {
            # the arguments of aggregates are not outer values: such an aggregate belongs to the outer query
            "count": (1, lambda: Value("count(*)::int", "int")),
            "bool_or": (1, lambda: Value(f"bool_or({self.condition(own, 'an aggregate')})", "bool")),
            "filter": (1, lambda: Value(f"(count(*) FILTER (WHERE {self.condition(own, 'FILTER')}))::int", "int")),
            "min": (ids and 0.5, lambda: Value(f"{self.choose(('min', 'max'))}({ids[0].text})", holds=ids[0].holds)),
            "output": (2, lambda: self.output(inner, place)),
            "exists": (5 * (scope.depth < 2), lambda: Value(self.exists(inner, place), "bool")),
        }) for _ in range(self.pick({1: 3, 2: 3, 3: 2}))]
        having = self.condition(inner, "HAVING") if self.chance(0.25) else None
        return (f"SELECT {select_list(outputs)}{source} GROUP BY {names if way == 'GROUP BY' else f'{way} ({names})'}"
                f"{where(having, word='HAVING')}"), outputs

    def set_operation(self, scope):
        """A query, and some of the rows of another one whose columns have the same sorts."""
        way = self.pick({"UNION ALL": 2, "UNION": 1, "INTERSECT": 1, "INTERSECT ALL": 1, "EXCEPT": 1, "EXCEPT ALL": 1}, "")
        text, outputs = self.plain(scope._replace(depth=max(scope.depth, 1)))
        source, scope = self.source(scope._replace(depth=2))
        others = [self.choose(of(scope.near, output.sort) or [Value("NULL", output.sort)]) for output in outputs]
        return f"({text}) {way} (SELECT {select_list(others)}{source})", [one._replace(
            kind=one.kind if one.kind == other.kind else None,
            holds=one.holds if one.holds == other.holds else "mixed") for one, other in zip(outputs, others)]

    # Statements

    def statement(self):
        ctes = ""
        if self.chance(0.15):
            text, columns = self.select(Scope(depth=1))
            self.relations = self.relations + [Relation("cte", columns, "WITH")] * 8
            ctes = f"WITH cte AS {self.choose(('', 'MATERIALIZED ', 'NOT MATERIALIZED '))}({text}) "
        ways = {"SELECT": 70, "INSERT": 8, "UPDATE": 7, "DELETE": 6, "MERGE": 8}
        return ctes + self.one_of("", {way: (weight, lambda way=way: self.change(way)) for way, weight in ways.items()})

    def assigned(self, column, near):
        """A value for a column."""
        scope = Scope(near, (), 1)
        if column.sort == "time":
            return self.time(scope)
        if column.sort != "id":
            values = "70 ELSE 71" if column.sort == "int" else "'Nome' ELSE 'Faro'"
            return f"CASE WHEN {self.condition(scope, 'SET')} THEN {values} END"
        fitting = [value.text for value in of(near, "id") if (
            value.kind == column.kind if column.kind else column.holds in ("mixed", value.holds))]
        castable = column.kind and self.castable(near, column.kind)
        if castable and (not fitting or self.chance(0.5)):
            return self.cast(self.choose(castable), column.kind, assigned=self.chance(0.6)).text
        return self.choose([*fitting, self.literal(column.holds)])

    def change(self, way):
        """A query, or a statement that changes a table.  Its rows are linked with the rows of another
        relation by unique columns."""
        if way == "SELECT":
            return self.select(Scope())[0]
        target = self.choose([relation for relation in self.relations if way in relation.uses])
        self.changed, own = target.base, named(target.columns, "target")
        source, values = self.relation([one for one in self.relations if any(value.unique for value in one.columns)])
        unique, key = ([value.text for value in side if value.unique][0] for side in (own, values))
        link, both, start = f"{unique} = {key}", own + values, f"{target.text} AS target"
        columns = [column for column in of(target.columns, "id", "time", "int", "text") if not column.unique]

        def condition(near, place="WHERE"):
            return self.condition(Scope(near, (), place != "WHERE"), place)

        def sets(near):
            return "SET " + ", ".join(f"{column.text} = {self.assigned(column, near)}"
                                      for column in self.sample(columns, 1 + self.below(3)))

        if way in ("INSERT", "MERGE"):
            row = {column.text: self.assigned(column, values) for column in columns if self.chance(0.8)}
            row[unique.split(".")[1]] = f"{key} + {20 if way == 'INSERT' and 'conflict' in target.uses else 10000}"
            names, row = ", ".join(row), ", ".join(row.values())
        if way == "INSERT":
            text = f"INSERT INTO {start} ({names}) SELECT {row} FROM {source} WHERE {condition(values)}"
            if "conflict" in target.uses:
                new = own + named(target.columns, "excluded")
                text += (f" ON CONFLICT ({unique.split('.')[1]}) DO "
                         f"UPDATE {sets(new)} WHERE {condition(new, 'ON CONFLICT')}")
        elif way == "MERGE":
            text = (f"MERGE INTO {start} USING {source} ON {link}"
                    f" WHEN MATCHED AND {condition(both, 'MERGE WHEN')} THEN DELETE"
                    f" WHEN MATCHED AND {condition(both, 'MERGE WHEN')} THEN UPDATE {sets(both)}"
                    f" WHEN NOT MATCHED AND {condition(values, 'MERGE WHEN')} THEN INSERT ({names}) VALUES ({row})")
            if self.version >= 17:
                text += f" WHEN NOT MATCHED BY SOURCE AND {condition(own, 'MERGE WHEN')} THEN UPDATE {sets(own)}"
        else:
            text = f"UPDATE {start} {sets(both)} FROM" if way == "UPDATE" else f"DELETE FROM {start} USING"
            text += f" {source}{where(link, condition(both))}"
        if self.chance(0.5) or way == "MERGE" and self.version < 17:
            return text
        self.note("RETURNING")
        scope = Scope(both if way in ("UPDATE", "DELETE") else own, (), 1)
        return f"{text} RETURNING {select_list([self.output(scope, 'RETURNING') for _ in range(1 + self.below(3))])}"
