"""Random statements, each executed in two forms that must return the same.

The written form compares ids with times, and casts to gid(kind).  The other
form hides both from the planner: it compares gid_timestamp(id) with the time,
and calls a function in PL/pgSQL instead of the cast.  The rows, as multisets,
the SQLSTATE, and the contents of a table that a statement changes are
compared.  Each statement is rolled back.

PostgreSQL can evaluate a cast that fails, or skip it; both are right.  So the
function returns NULL if the cast fails.  If the written statement succeeds, no
failing cast affected the result, and neither does the NULL.  If the planner
lost a check, the results differ.

Comparisons of ids that are certainly of different kinds are errors.  The error
must not be raised unless the statement compares ids of two kinds.  If it is
raised, the statement is executed again without the check, and compared.

A statement is text with marks, which render() replaces for each form:

    @at(id)                 id, or gid_timestamp(id)
    @cast(id @as gid(o))    the cast, or a function
    @put(id @to o)          id, if its assignment is a cast, or a function
    t_@form                 t_written or t_defeated: a view, a policy's role
"""

import argparse
import random
import re
import sys
import time
from collections import Counter, namedtuple
from datetime import datetime, timedelta, timezone

from psycopg import pq

# --- Values ------------------------------------------------------------------

# The prefix of each kind that is used.
KINDS = {"o": 0xEF, "p": 0xF0, "segment": 0xC0, "200": 200}

# Domains of one kind.
DOMAINS = {"order_id": "o", "big_order_id": "o", "recent_id": "o", "page_id": "p"}

CITIES = ("Rome", "Oslo", "Lima", "Bonn", "Kyiv", "Cairo")

FIRST_DAY = datetime(2026, 1, 1, tzinfo=timezone.utc)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAYS = 10

# Beyond all ids, and at the first and the last millisecond that an id has.
FAR_TIMES = (
    "infinity", "-infinity", "1960-01-01 00:00:00+00", "294276-01-01 00:00:00+00",
    "1970-01-01 00:00:00+00", "1970-01-01 00:00:00.000001+00",
    "10889-08-02 05:31:50.655+00", "10889-08-02 05:31:50.655001+00",
)


def id_text(prefix, milliseconds, rest):
    """The canonical text of the id with these nine last bytes."""

    def digits(data, count):
        number, text = int.from_bytes(data, "big"), ""
        for _ in range(count):
            number, digit = divmod(number, 58)
            text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit] + text
        return text

    data = bytes([prefix]) + milliseconds.to_bytes(6, "big") + rest
    return digits(data[:7], 10) + "-" + digits(data[7:], 13)


def random_milliseconds(rnd):
    """Of the ten days, mostly; whole hours often, so that times meet ids."""
    if rnd.random() < 0.05:
        return rnd.choice((0, 1, 2**48 - 1))
    start = int((FIRST_DAY - EPOCH).total_seconds()) * 1000
    if rnd.random() < 0.3:
        return start + rnd.randrange(DAYS * 24) * 3600000
    return start + rnd.randrange(DAYS * 86400000)


def random_time(rnd):
    """The text of a time: often the edge of a millisecond."""
    if rnd.random() < 0.06:
        return rnd.choice(FAR_TIMES)
    at = FIRST_DAY + timedelta(hours=rnd.randrange(DAYS * 24))
    return str(at + timedelta(microseconds=rnd.choice((0, 0, 0, -1, 1, 999, 1000, 1001))))


# What an expression gives.  Its sort is int, text, time, id, bool or other.  An
# id has the kind that is declared, if one is, and holds ids of one kind or
# "mixed" ones.  In unique columns no value comes twice.
Value = namedtuple("Value", "text sort kind holds unique", defaults=(None, None, False))

# What stands in a FROM clause.  The base is the table that its rows are in, the
# uses are what else can be done with it, and abroad is whether a foreign table
# is in it.
Relation = namedtuple("Relation", "text columns feature base uses abroad", defaults=(None, (), False))


# --- Statements --------------------------------------------------------------


def render(sql, form):
    """The text in one of three forms: written, defeated, and raising, which is
    defeated but fails where a cast does."""
    if form == "written":
        sql = sql.replace("@at(", "(").replace("@cast(", "CAST(").replace(" @as ", " AS ")
        sql = re.sub(r" @to \w+\)", ")", sql.replace("@put(", "("))
        return sql.replace("@form", "written")

    check = "kind_or_null(" if form == "defeated" else "kind_or_error("
    sql = sql.replace("@at(", "gid_timestamp(").replace("@cast(", check).replace("@put(", check)
    sql = re.sub(r" @as gid\((\w+)\)\)", r", '\1')", sql)
    sql = re.sub(r" @as (\w+)\)", lambda match: f", '{DOMAINS[match[1]]}')", sql)
    sql = re.sub(r" @to (\w+)\)", r", '\1')", sql)
    return sql.replace("@form", "defeated")


class Statement:
    """One random statement: a method for each construct of SQL.

    Those that give an expression take the values that it may use: near ones, of
    the query that it is in, and far ones, of the queries around that.  In a
    grouped query these are what it is grouped by.
    """

    def __init__(self, rnd, relations, version, may_fail=False, prepared=False):
        self.rnd = rnd
        self.abroad = rnd.random() < 0.6  # whether there may be foreign tables
        self.relations = [relation for relation in relations if self.abroad or not relation.abroad]
        self.version = version
        self.may_fail = may_fail  # whether casts may that fail
        self.prepared = prepared
        self.types = []  # of the parameters
        self.arguments = []
        self.features = set()
        self.fallible = False  # whether there is such a cast
        self.declared = 0  # comparisons of ids whose kind is declared
        self.conflicts = 0  # comparisons of ids of two kinds, which may be declared
        self.cast_kind = None  # of the last cast
        self.aliases = 0
        self.state = None  # the table that it changes

    # Chance

    def chance(self, share):
        return self.rnd.random() < share

    def pick(self, weights):
        return self.rnd.choices(list(weights), list(weights.values()))[0]

    def choose(self, values):
        return self.rnd.choice(values)

    def note(self, feature):
        self.features.add(feature)

    def alias(self):
        self.aliases += 1
        return f"t{self.aliases}"

    @staticmethod
    def of(values, *sorts):
        return [value for value in values if value.sort in sorts]

    @staticmethod
    def doubtful(values):
        """Ids whose cast to gid(o) may fail."""
        return [value for value in values if value.sort == "id" and not value.kind and value.holds != "o"]

    # Times

    def time(self, near, far=(), depth=2):
        columns = self.of(near, "time")
        outer = self.of(far, "time")
        ids = self.of(near, "id")
        literal = random_time(self.rnd)
        way = self.pick({
            "constant": 6, "now()": 3, "parameter": 8 if self.prepared else 0,
            "column": 3 if columns else 0, "column from outside": 4 if outer else 0,
            "sub-select": 1 if depth < 2 else 0, "of an id": 0.5 if ids else 0, "null": 0.2,
        })
        self.note(f"time: {way}")
        if way == "now()":
            while "inf" in literal:
                literal = random_time(self.rnd)
            return f"(now() - (now() - timestamptz '{literal}'))"
        if way == "parameter":
            return self.parameter("timestamptz", literal)
        if way == "column":
            return self.choose(columns).text
        if way == "column from outside":
            return self.choose(outer).text
        if way == "sub-select":
            return self.scalar("time", near, far, depth)
        if way == "of an id":
            return f"gid_timestamp({self.choose(ids).text})"
        if way == "null":
            return "NULL::timestamptz"
        if self.chance(0.1) and "inf" not in literal and literal.startswith("2026"):
            return f"timestamp '{literal[:19]}'" if self.chance(0.5) else f"date '{literal[:10]}'"
        return f"timestamptz '{literal}'"

    def parameter(self, type_name, text):
        self.types.append(type_name)
        self.arguments.append(f"'{text}'")
        return f"${len(self.types)}"

    # Ids

    def cast(self, value, mark="cast", kind=None):
        """Of ids whose kind is not declared, to a kind.  One cast in a statement
        may fail: two would hide each other."""
        if kind is None:
            kind = value.holds if value.holds in KINDS else "o"
            if self.can_fail() and self.chance(0.5):
                kind = "p" if value.holds == "o" else "o"
        self.cast_kind = kind
        if value.holds != kind:
            self.fallible = True
            self.note("cast that may fail")
        self.note("cast" if mark == "cast" else "assignment that casts")
        if mark == "put":
            return f"@put({value.text} @to {kind})"
        cast = f"@cast({value.text} @as gid({kind}))"
        domains = [name for name in DOMAINS if DOMAINS[name] == kind and name != "recent_id"]
        if domains and self.chance(0.25):
            # The cast that a domain implies is one that postgres_fdw takes for
            # none, that of varchar(n) too.
            text = cast if self.abroad else value.text
            return f"@cast({text} @as {self.choose(domains)})"
        return cast

    def minted(self):
        """An id for a time: its kind is that of the function's argument."""
        kind = self.choose(list(KINDS))
        at = FIRST_DAY + timedelta(hours=self.rnd.randrange(DAYS * 24))
        return Value(f"gid_new('{kind}', timestamptz '{at}')", "id", None, kind)

    def can_fail(self):
        return self.may_fail and not self.fallible

    def castable(self, values, kind=None):
        """Those whose cast to a kind says something, and that may be cast."""
        return [value for value in self.of(values, "id") if value.kind is None
                and (self.can_fail() or (value.holds in KINDS and kind in (None, value.holds)))]

    def identifier(self, near, far=(), depth=2):
        """An id, and whether its kind is declared."""
        ids = self.of(near, "id")
        declared = [value for value in ids if value.kind]
        castable = self.castable(ids)
        way = self.pick({
            "column": 10 if declared else 1, "cast": 4 if castable else 0,
            "undeclared column": 0.5, "label": 1, "to a domain": 1 if declared else 0,
            "coalesce": 0.7 if declared else 0, "case": 0.7 if declared else 0,
            "array": 0.4 if declared else 0, "sub-select": 0.5 if depth < 2 else 0,
            "from outside": 1.5 if self.of(far, "id") else 0,
            "parameter": 0.5 if self.prepared else 0, "minted": 0.5,
        } if ids else {"parameter": 1 if self.prepared else 0, "from outside": 2 if self.of(far, "id") else 0,
                       "sub-select": 0.3 if depth < 2 else 0, "constant": 0.2})
        if way != "column":
            self.note(f"id: {way}")
        if way == "cast":
            return self.cast(self.choose(castable)), True
        if way == "minted":
            minted = self.minted()
            return self.cast(minted) if self.chance(0.5) else minted.text, True
        if way == "column" and declared:
            return self.choose(declared).text, True
        if way in ("column", "undeclared column"):
            value = self.choose(ids)
            return value.text, value.kind is not None
        if way == "from outside":
            value = self.choose(self.of(far, "id"))
            return value.text, value.kind is not None
        if way == "label":
            return f"CAST({self.choose(ids).text} AS gid)", False
        if way == "to a domain":
            value = self.choose(declared)
            domains = [name for name in DOMAINS if DOMAINS[name] == value.kind]
            return f"CAST({value.text} AS {self.choose(domains) if domains else f'gid({value.kind})'})", True
        if way in ("coalesce", "case", "array"):
            value = self.choose(declared)
            other = self.choose([other for other in declared if other.kind == value.kind])
            if way == "coalesce":
                return f"coalesce({value.text}, {other.text})", True
            if way == "array":
                return f"(ARRAY[{value.text}, {other.text}])[{self.choose((1, 2, 3))}]", False
            condition = self.condition(near, far, depth + 1, "CASE")
            return f"CASE WHEN {condition} THEN {value.text} ELSE {other.text} END", True
        if way == "sub-select":
            return self.scalar("id", near, far, depth), False
        literal = id_text(KINDS["o"], random_milliseconds(self.rnd), bytes([0xEF]) + bytes(8))
        if way == "parameter":
            return self.parameter("order_id", literal), True
        return f"gid(o) '{literal}'", True

    def scalar(self, sort, near, far, depth):
        """A sub-select that gives one value."""
        source, inner, conditions = self.from_clause((*near, *far), depth + 1)
        values, ids = self.of(inner, sort), self.of(inner, "id")
        extreme = self.choose(("min", "max"))
        if values:
            result = f"{extreme}({self.choose(values).text})"
        elif sort == "time" and ids:
            result = f"gid_timestamp({extreme}({self.choose(ids).text}))"
        else:
            return {"id": "NULL::gid", "time": "NULL::timestamptz"}[sort]
        conditions.append(self.condition(inner, (*near, *far), depth + 1, "WHERE"))
        return f"(SELECT {result} FROM {source}{self.where(conditions)})"

    # Conditions

    def comparison(self, near, far, depth):
        """Of an id with a time."""
        identifier, declared = self.identifier(near, far, depth)
        self.declared += declared
        at = self.time(near, far, depth)
        operator = self.choose(("<", "<=", ">=", ">"))
        way = self.pick({"id first": 6, "time first": 4, "BETWEEN": 2, "NOT": 1, "IS NOT TRUE": 1,
                         "ANY": 0.3, "sub-select": 0.7 if depth < 2 else 0})
        self.note({"id first": f"comparison: id {operator} time",
                   "time first": f"comparison: time {operator} id"}.get(way, f"comparison: {way}"))
        comparison = f"@at({identifier}) {operator}"
        if way == "id first":
            return f"{comparison} {at}"
        if way == "time first":
            return f"{at} {operator} @at({identifier})"
        if way == "BETWEEN":
            symmetric = self.choose(("", "SYMMETRIC "))
            return f"(@at({identifier}) BETWEEN {symmetric}{at} AND {self.time(near, far, depth)})"
        if way == "NOT":
            return f"NOT ({comparison} {at})"
        if way == "IS NOT TRUE":
            return f"({comparison} {at}) {self.choose(('IS NOT TRUE', 'IS UNKNOWN', 'IS FALSE'))}"
        comparison += self.choose((" ANY", " ALL"))
        if way == "ANY":
            return f"{comparison} (ARRAY[{at}, timestamptz '{random_time(self.rnd)}'])"
        source, inner, conditions = self.from_clause((*near, *far), depth + 1)
        conditions.append(self.condition(inner, (*near, *far), depth + 1, "WHERE"))
        return f"{comparison} (SELECT {self.time(inner)}::timestamptz FROM {source}{self.where(conditions)})"

    def simple(self, near):
        """Something that has nothing to do with ids and times."""
        value = self.choose(near)
        if value.sort == "int":
            return f"{value.text} {self.choose(('<', '>', '<>'))} {self.rnd.randrange(60)}"
        if value.sort == "text":
            return f"{value.text} {self.choose(('=', '<>', '>'))} '{self.choose(CITIES)}'"
        if value.sort == "bool":
            return value.text
        if value.sort == "time":
            return f"{value.text} {self.choose(('<', '>='))} timestamptz '{random_time(self.rnd)}'"
        return f"{value.text} IS {self.choose(('', 'NOT '))}NULL"

    def condition(self, near, far=(), depth=0, place="WHERE"):
        castable = self.castable(near)
        deeper = depth < 2
        way = self.pick({
            "comparison": 8, "simple": 2,
            "exists": (4, 2, 0)[min(depth, 2)], "in": (1.5, 0.7, 0)[min(depth, 2)],
            "or": 1.5, "and": 1, "not": 0.4, "case": 0.8, "cast": 2.5 if castable else 0,
            "bound": 1 if self.of(near, "id") else 0,
        })
        if way == "bound":
            return self.bound_comparison(self.choose(self.of(near, "id")))
        if way == "comparison":
            return self.comparison(near, far, depth)
        if way == "simple":
            return self.simple(near)
        if way == "exists":
            return self.exists(near, far, depth, place)
        if way == "in":
            return self.in_sub_select(near, far, depth, place)
        if way == "cast":
            value = self.choose(castable)
            self.note(f"cast in {place}")
            cast = Value(self.cast(value), "id", None, self.cast_kind)
            others = [other for other in self.of(near, "id") if other is not value]
            if others and self.chance(0.3):
                return self.compared(cast, self.choose(("=", "<", ">=")), self.choose(others))
            return f"{cast.text} IS NOT NULL"
        if way in ("or", "and"):
            if way == "or":
                place = "OR"
            one, other = (self.condition(near, far, depth, place) for _ in range(2))
            return f"({one} {way.upper()} {other})"
        if way == "not":
            return f"NOT ({self.condition(near, far, depth, place)})"
        branches = [self.condition(near, far, depth + 1, "CASE") for _ in range(2)]
        if deeper and self.chance(0.5):
            branches[0] = self.exists(near, far, depth, "CASE")
        return f"CASE WHEN {branches[0]} THEN {branches[1]} ELSE {self.simple(near)} END"

    def compared(self, one, operator, other):
        """Two values; of ids, whether the kinds differ."""
        self.conflict(one.sort == "id" and {one.holds, other.holds} <= KINDS.keys() and one.holds != other.holds)
        return f"{one.text} {operator} {other.text}"

    def conflict(self, is_one):
        if is_one:
            self.conflicts += 1
            self.note("ids of different kinds")

    def bound_comparison(self, value):
        """Of an id with a bound, mostly of its kind."""
        kind = value.holds if value.holds in KINDS and self.chance(0.6) else self.choose(list(KINDS))
        operator, which = self.choose(("<", ">=", "=", "<>")), self.choose(("lower", "upper"))
        at, prefix, is_first = random_time(self.rnd), KINDS[kind], False
        if at in FAR_TIMES:
            # the bound below or above the kind, which may be the next kind's
            self.note("bound that encloses a kind")
            if self.chance(0.7):
                at = self.choose(("-infinity", "1960-01-01 00:00:00+00"))
                is_first = True
            else:
                at = self.choose(("infinity", "294276-01-01 00:00:00+00"))
                prefix, is_first = prefix + 1, True
            time = f"timestamptz '{at}'"
        elif self.chance(0.5):
            time = f"now() - (now() - timestamptz '{at}')"
        else:
            time = f"timestamptz '{at}'"
        self.note("comparison with a bound")
        if value.holds in KINDS:
            own = KINDS[value.holds]
            self.conflict(operator != "=" and prefix != own and not (is_first and prefix == own + 1))
        bound = f"gid_{which}_bound({self.choose((repr(kind), KINDS[kind]))}, {time})"
        one, other = (value.text, bound) if self.chance(0.7) else (bound, value.text)
        return f"{one} {operator} {other}"

    def equality(self, left, right):
        """Of two columns, if there are any to be compared; of what is not an id, mostly."""
        pairs = {}
        for one in self.of(left, "int", "text", "id", "time"):
            for other in self.of(right, one.sort):
                pairs[one, other] = {"int": 4, "text": 2, "time": 0.4, "id": 0.2}[one.sort]
        if not pairs:
            return None
        one, other = self.pick(pairs)
        return self.compared(one, "=", other)

    def exists(self, near, far, depth, place):
        self.note(f"EXISTS in {place}")
        self.note(f"EXISTS at depth {depth + 1}")
        if self.chance(0.65):
            items = [self.from_item(depth + 1) for _ in range(self.pick({1: 4, 2: 4, 3: 2}))]
            exists = self.hashable_exists(items, near)
            if exists:
                return exists
        if self.chance(0.2):
            sub_select, _ = self.select((*near, *far), depth + 1)
            return self.negated(f"EXISTS ({sub_select})")
        outside = (*near, *far)
        source, inner, conditions = self.from_clause(outside, depth + 1)
        if self.chance(0.7):
            conditions.append(self.equality(inner, outside))
        conditions.append(self.condition(inner, outside, depth + 1, "WHERE"))
        return self.negated(f"EXISTS (SELECT FROM {source}{self.where(conditions)})")

    def hashable_exists(self, items, near):
        """Its one link with the outside is an equality.  Then the planner may
        make another query of it, whose result it hashes."""
        link = self.equality([value for _, values in items for value in values], near)
        if not link:
            return None
        self.note("EXISTS that can be hashed")
        conditions = [link]
        for (_, one), (_, other) in zip(items, items[1:]):
            conditions.append(self.equality(one, other))
        castable = [self.castable(values) for _, values in items]
        castable = self.choose([values for values in castable if values] or [()])
        if castable and self.chance(0.6):
            self.note("cast in EXISTS that can be hashed")
            value = self.choose(self.doubtful(castable) or castable)
            conditions.append(f"{self.cast(value, kind='o' if self.can_fail() else None)} IS NOT NULL")
        else:
            conditions.append(self.comparison(self.choose(items)[1], (), 2))
        source = ", ".join(text for text, _ in items)
        return self.negated(f"EXISTS (SELECT FROM {source}{self.where(conditions)})")

    def negated(self, exists):
        return f"NOT {exists}" if self.chance(0.2) else exists

    def in_sub_select(self, near, far, depth, place):
        self.note(f"IN in {place}")
        outside = (*near, *far)
        source, inner, conditions = self.from_clause(outside if self.chance(0.4) else (), depth + 1)
        links = [(one, other) for one in self.of(near, "int", "text", "id")
                 for other in self.of(inner, one.sort)]
        if not links:
            return self.comparison(near, far, 2)
        conditions.append(self.condition(inner, outside if self.chance(0.3) else (), depth + 1, "WHERE"))
        chosen = [self.choose(links) for _ in range(self.pick({1: 5, 2: 1}))]
        for one, other in chosen:
            self.compared(one, "=", other)
        left = ", ".join(one.text for one, _ in chosen)
        right = ", ".join(other.text for _, other in chosen)
        no = self.choose(("", "", "NOT "))
        return f"({left}) {no}IN (SELECT {right} FROM {source}{self.where(conditions)})"

    @staticmethod
    def where(conditions, word="WHERE"):
        conditions = [f"({condition})" for condition in conditions if condition]
        return f" {word} " + " AND ".join(conditions) if conditions else ""

    # FROM

    def from_item(self, depth, far=()):
        """The text of one item, and its values."""
        if not self.chance(0.3 if depth < 2 else 0.1):
            return self.relation_item(self.relations)
        self.note("derived table")
        text, columns = self.select(far, max(depth, 1) + 1, fence=0.7)
        alias = self.alias()
        return f"({text}) {alias}", self.named(columns, alias)

    def relation_item(self, relations):
        relation, alias = self.choose(relations), self.alias()
        self.note(f"FROM {relation.feature}")
        return f"{self.called(relation.text)} {alias}", self.named(relation.columns, alias)

    @staticmethod
    def named(columns, alias):
        return [column._replace(text=f"{alias}.{column.text}") for column in columns]

    def called(self, text):
        """With a time, where it is a function."""
        return text.replace("(time)", f"(timestamptz '{random_time(self.rnd)}')")

    def from_clause(self, far, depth):
        """The text, the values, and conditions that WHERE has to have."""
        text, near = self.from_item(depth)
        near = list(near)
        conditions = []
        listed = self.chance(0.3)
        for _ in range(self.pick({0: 5, 1: 4 if depth < 2 else 2, 2: 2 if depth == 0 else 0})):
            way = "list" if listed else self.pick({
                "JOIN": 3, "LEFT JOIN": 3, "RIGHT JOIN": 1, "FULL JOIN": 1, "LATERAL": 2 if depth < 2 else 0})
            self.note(f"FROM: {way}")
            if way == "LATERAL":
                lateral, columns = self.select((*near, *far), 2)
                alias = self.alias()
                new = self.named(columns, alias)
                if self.chance(0.5):
                    on = self.condition([*near, *new], far, depth + 1, "ON")
                    text += f" LEFT JOIN LATERAL ({lateral}) {alias} ON {on}"
                else:
                    text += f" CROSS JOIN LATERAL ({lateral}) {alias}"
                near += new
                continue
            item, new = self.from_item(depth)
            link = self.equality(near, new)
            if way == "list":
                text += f", {item}"
                conditions.append(link)
            elif way == "FULL JOIN":
                text += f" FULL JOIN {item} ON {link or 'true'}"
            else:
                on = [link]
                if self.chance(0.4) or not link:
                    on.append(self.condition([*near, *new], far, depth + 1, "ON"))
                if depth < 2 and self.chance(0.1):
                    on.append(self.exists([*near, *new], far, depth, "ON"))
                text += f" {way} {item}{self.where(on, 'ON')}"
            near += new
        return text, near, conditions

    # SELECT

    def select(self, far=(), depth=0, fence=0.15):
        """A query, and its columns, c1 to cn."""
        way = self.pick({"plain": 5, "grouped": 5 if depth < 2 else 1.5, "set operation": 1.5})
        if way == "plain":
            text, columns = self.plain(far, depth)
        elif way == "grouped":
            text, columns = self.grouped(far, depth)
        else:
            text, columns = self.set_operation(far, depth)
        if self.chance(fence):
            text += " OFFSET 0"
        return text, [column._replace(text=f"c{n}", unique=False) for n, column in enumerate(columns, 1)]

    def output(self, near, far, depth, place):
        """One column of a select list."""
        ids = self.of(near, "id")
        castable = self.castable(near)
        deeper = depth < 2
        way = self.pick({
            "id": (5 if depth < 2 else 8) if ids else 0, "column": 4, "condition": 1.5,
            "exists": 2 if deeper else 0,
            "in": 0.5 if deeper else 0, "cast": 2 if castable else 0, "time": 0.5,
            "scalar": 0.4 if deeper else 0, "case": 0.3,
        })
        if way == "id":
            return self.choose([value for value in ids if value.kind == "o" and self.chance(0.7)] or ids)
        if way == "column":
            usable = self.of(near, "int", "text", "time", "id", "bool")
            return self.choose(usable)
        if way == "cast":
            value = self.choose(castable)
            self.note(f"cast in {place}")
            cast = self.cast(value)
            return Value(cast, "id", None, self.cast_kind)
        if way == "exists":
            return Value(self.exists(near, far, depth, place), "bool")
        if way == "in":
            return Value(self.in_sub_select(near, far, depth, place), "bool")
        if way == "time":
            return Value(f"{self.time(near, far, depth)}::timestamptz", "time")
        if way == "scalar":
            return Value(f"({self.scalar('id', near, far, depth)})::text", "text")
        if way == "case":
            condition = self.condition(near, far, depth, "CASE")
            return Value(f"CASE WHEN {condition} THEN 1 ELSE 2 END", "int")
        return Value(f"({self.condition(near, far, depth, place)})", "bool")

    def plain(self, far, depth):
        source, near, conditions = self.from_clause(far, depth)
        width = self.pick({1: 2, 2: 3, 3: 3, 5: 2, 8: 1.5} if depth == 0 else {2: 3, 4: 3, 6: 2, 12: 1})
        outputs = [self.output(near, far, depth, "the select list") for _ in range(width)]
        links = self.of(near, "int", "text")
        if depth > 0 and links and self.chance(0.8):  # something to join it by
            outputs.insert(self.rnd.randrange(len(outputs) + 1), self.choose(links))
        for _ in range(self.pick({0: 2, 1: 4, 2: 2} if depth == 0 else {0: 4, 1: 3})):
            conditions.append(self.condition(near, far, depth, "WHERE"))
        order = distinct = ""
        if self.chance(0.15):
            distinct = "DISTINCT "
            self.note("DISTINCT")
        elif depth == 0 and self.chance(0.15):
            if self.chance(0.5):
                order = f" ORDER BY {self.exists(near, far, depth, 'ORDER BY')}"
            else:
                order = f" ORDER BY {self.condition(near, far, depth, 'ORDER BY')}"
        elif self.chance(0.07):
            self.note("window")
            partition = self.condition(near, far, 2, "a window")
            outputs.append(Value(f"count(*) OVER (PARTITION BY {partition})::int", "int"))
        return (f"SELECT {distinct}{self.select_list(outputs)} FROM {source}"
                f"{self.where(conditions)}{order}"), outputs

    @staticmethod
    def select_list(outputs):
        return ", ".join(f"{output.text} AS c{n}" for n, output in enumerate(outputs, 1))

    def grouped(self, far, depth):
        """Grouped by columns, and then also by what a condition or EXISTS says."""
        source, near, conditions = self.from_clause(far, depth)
        if self.chance(0.4):
            conditions.append(self.condition(near, far, depth, "WHERE"))
        way = self.pick({"GROUP BY": 8, "GROUPING SETS": 1.5, "ROLLUP": 1, "CUBE": 1})
        usable = self.of(near, "int", "text", "time", "id")
        if way != "GROUP BY" and self.version < 18 and usable:
            # PostgreSQL takes columns that WHERE or ON equates for equal even
            # where a grouping set made one of them NULL.
            owner = self.choose(usable).text.split(".")[0]
            usable = [value for value in usable if value.text.split(".")[0] == owner]
        if not usable:
            return f"SELECT count(*)::int AS c1 FROM {source}{self.where(conditions)}", [Value("", "int")]
        keys = self.rnd.sample(usable, min(len(usable), self.pick({1: 4, 2: 4, 3: 2, 5: 1})))
        links = self.of(usable, "int", "text")
        if links and self.chance(0.8):  # something to join EXISTS by
            link = self.choose(links)
            keys = [link, *(key for key in keys if key != link)]
        outputs = list(keys)
        names = [key.text for key in keys]
        self.note(way)
        if way == "GROUP BY":
            if self.chance(0.2):
                if depth < 2 and self.chance(0.6):
                    outputs.append(Value(self.exists(near, far, depth, "GROUP BY"), "bool"))
                else:
                    outputs.append(Value(f"({self.condition(near, far, depth, 'GROUP BY')})", "bool"))
                names.append(str(len(outputs)))
            grouping = ", ".join(names)
        elif way == "GROUPING SETS":
            sets = [names, *(self.rnd.sample(names, self.rnd.randrange(len(names) + 1)) for _ in range(2))]
            grouping = "GROUPING SETS (" + ", ".join(f"({', '.join(names)})" for names in sets) + ")"
        else:
            grouping = f"{way} ({', '.join(names[:3])}){''.join(', ' + name for name in names[3:])}"
        place = "the select list of a grouped query"
        for _ in range(self.pick({1: 3, 2: 3, 3: 2})):
            if depth < 2 and self.chance(0.5):
                outputs.append(Value(self.exists(keys, far, depth, place), "bool"))
            elif self.chance(0.4):
                outputs.append(self.output(keys, far, depth, place))
            else:
                outputs.append(self.aggregate(near, far, depth))
        having = []
        if self.chance(0.25):
            if depth < 2 and self.chance(0.5):
                having.append(self.exists(keys, far, depth, "HAVING"))
            else:
                having.append(self.condition(keys, far, depth, "HAVING"))
        return (f"SELECT {self.select_list(outputs)} FROM {source}{self.where(conditions)} "
                f"GROUP BY {grouping}{self.where(having, 'HAVING')}"), outputs

    def aggregate(self, near, far, depth):
        ids = self.of(near, "id")
        far = ()  # an aggregate of these would be another query's
        way = self.pick({"count": 3, "filter": 3, "bool": 3, "min": 2 if ids else 0})
        if way == "filter":
            self.note("FILTER")
            condition = self.condition(near, far, depth, "FILTER")
            return Value(f"(count(*) FILTER (WHERE {condition}))::int", "int")
        if way == "bool":
            condition = self.condition(near, far, depth, "an aggregate")
            return Value(f"{self.choose(('bool_or', 'bool_and'))}({condition})", "bool")
        if way == "min":
            value = self.choose(ids)
            return Value(f"{self.choose(('min', 'max'))}({value.text})", "id", None, value.holds)
        return Value("count(*)::int", "int")

    def set_operation(self, far, depth):
        """Two arms whose columns are of the same sorts."""
        way = self.choose(("UNION ALL", "UNION ALL", "UNION",
                           "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"))
        self.note(way)
        sorts = self.rnd.choices(("id", "int", "text", "time"), (6, 2, 2, 1), k=self.pick({1: 2, 2: 3, 4: 2}))
        arms, texts = [], []
        for _ in range(2):
            source, near, conditions = self.from_clause(far, depth + 1)
            conditions.append(self.condition(near, far, depth + 1, "WHERE"))
            arm = [self.of_sort(sort, near) for sort in sorts]
            texts.append(f"SELECT {self.select_list(arm)} FROM {source}{self.where(conditions)}")
            arms.append(arm)
        columns = [one._replace(kind=one.kind if one.kind == other.kind else None,
                                holds=one.holds if one.holds == other.holds else "mixed")
                   for one, other in zip(*arms)]
        return f"({texts[0]}) {way} ({texts[1]})", columns

    def of_sort(self, sort, near):
        """A column of this sort, or a constant."""
        values = self.of(near, sort)
        if sort == "id" and values:
            castable = self.castable(values)
            if castable and self.chance(0.2):
                value = self.choose(castable)
                self.note("cast in a set operation")
                return Value(self.cast(value), "id", None, self.cast_kind)
        if values:
            return self.choose(values)
        return Value({"id": "NULL::gid", "int": "1", "text": f"'{self.choose(CITIES)}'::text",
                      "time": f"timestamptz '{random_time(self.rnd)}'"}[sort], sort, None, "mixed")

    def correlated(self):
        """A short query with EXISTS that can be hashed, over a derived table or
        grouped.  There the planner simplifies the sub-select while it plans the
        query around it, and the same numbers are other columns in the two."""
        self.may_fail = self.chance(0.7)
        doubtful = [relation for relation in self.relations if self.doubtful(relation.columns)]
        declared = [relation for relation in self.relations
                    if any(value.kind == "o" for value in relation.columns)]
        items = []
        for _ in range(self.pick({1: 4, 2: 4, 3: 1})):
            prefer = self.may_fail and self.chance(0.7)
            items.append(self.relation_item(prefer and doubtful or self.relations))
        text, near = self.relation_item(declared or self.relations)
        near = self.of(near, "int", "text", "time", "id")
        if self.chance(0.7):
            self.note("correlated, over a derived table")
            weights = [3 if value.kind == "o" else 1 for value in near]
            outputs = self.rnd.choices(near, weights, k=self.choose((2, 4, 8, 12)))
            outputs[self.rnd.randrange(len(outputs))] = self.choose(self.of(near, "int", "text") or near)
            rows = f"{self.select_list(outputs)} FROM {text}"
            rows = self.choose((f"SELECT {rows} OFFSET 0", f"SELECT {rows} OFFSET 0",
                                f"SELECT DISTINCT {rows}", f"SELECT {rows} UNION ALL SELECT {rows}"))
            alias = self.alias()
            text = f"({rows}) {alias}"
            near = [value._replace(text=f"{alias}.c{n}") for n, value in enumerate(outputs, 1)]
        keys = [self.choose(self.of(near, "int", "text") or near), self.choose(near)]
        exists = self.hashable_exists(items, keys)
        if not exists:
            return self.plain((), 0)[0]
        if self.chance(0.5):
            self.note("EXISTS in the select list of a grouped query")
            names = ", ".join(key.text for key in keys)
            return f"SELECT {names}, {exists} FROM {text} GROUP BY {names}"
        names = ", ".join(value.text for value in near)
        return self.choose((
            f"SELECT {names}, {exists} FROM {text}",
            f"SELECT {names} FROM {text} WHERE {self.simple(near)} OR {exists}",
            f"SELECT {names}, CASE WHEN {exists} THEN 1 END FROM {text}",
            f"SELECT count(*) FILTER (WHERE {exists}) FROM {text}"))

    # Statements that change something

    def statement(self):
        ctes = self.common_table_expressions() if self.chance(0.15) else ""
        way = self.pick({"SELECT": 70, "INSERT": 8, "UPDATE": 7, "DELETE": 6, "MERGE": 8})
        self.note(way)
        if way == "SELECT":
            if self.chance(0.4):
                return ctes + self.correlated()
            return ctes + self.select()[0]
        target = self.choose([relation for relation in self.relations if way in relation.uses])
        self.note(f"{way} of {target.feature}")
        self.state = target.base
        return ctes + getattr(self, way.lower())(target)

    def common_table_expressions(self):
        """Relations that are there for this statement."""
        texts = []
        self.relations = list(self.relations)
        for n in range(self.pick({1: 3, 2: 1})):
            materialized = self.choose(("", "MATERIALIZED ", "NOT MATERIALIZED "))
            text, columns = self.select((), 1)
            texts.append(f"with{n} AS {materialized}({text})")
            self.relations += [Relation(f"with{n}", columns, "WITH")] * 8
        return f"WITH {', '.join(texts)} "

    def source(self):
        """A relation with a column that has no value twice, and that column."""
        text, values = self.relation_item([relation for relation in self.relations
                                           if any(column.unique for column in relation.columns)])
        return text, values, [value for value in values if value.unique][0].text

    def assigned(self, column, near, depth=1):
        """A value for a column, if there is one."""
        if column.sort == "id" and column.kind:
            fitting = [value.text for value in self.of(near, "id") if value.kind == column.kind]
            castable = self.castable(near, column.kind)
            if castable and (not fitting or self.chance(0.5)):
                return self.cast(self.choose(castable), "put" if self.chance(0.6) else "cast", column.kind)
            prefix = KINDS[column.kind]
            fitting.append(f"'{id_text(prefix, random_milliseconds(self.rnd), bytes([prefix]) + bytes(8))}'")
            return self.choose(fitting)
        if column.sort == "time":
            return self.time(near, (), depth)
        if column.sort == "text":
            return f"CASE WHEN {self.condition(near, (), depth, 'SET')} THEN 'Nome' ELSE 'Faro' END"
        if column.sort == "int":
            return f"CASE WHEN {self.condition(near, (), depth, 'SET')} THEN 70 ELSE 71 END"
        fitting = [value.text for value in self.of(near, "id") if column.holds in ("mixed", value.holds)]
        return self.choose(fitting) if fitting else "NULL"

    @staticmethod
    def assignable(target):
        return [column for column in target.columns
                if not column.unique and column.sort not in ("bool", "other")]

    def assignments(self, target, near):
        columns = self.assignable(target)
        if not columns:
            return None
        columns = self.rnd.sample(columns, self.rnd.randint(1, min(3, len(columns))))
        return ", ".join(f"{column.text} = {self.assigned(column, near)}" for column in columns)

    def returning(self, near, share=0.5):
        if not self.chance(share):
            return ""
        self.note("RETURNING")
        outputs = [self.output(near, (), 1, "RETURNING") for _ in range(self.choose((1, 2, 3)))]
        return f" RETURNING {self.select_list(outputs)}"

    def insert(self, target):
        source, near, key = self.source()
        columns = [column for column in self.assignable(target) if self.chance(0.8)]
        names = [column.text for column in columns]
        values = [self.assigned(column, near) for column in columns]
        unique = [column.text for column in target.columns if column.unique]
        conflict = ""
        if unique:
            names.append(unique[0])
            if "conflict" in target.uses:
                self.note("ON CONFLICT")
                values.append(f"{key} + 20")
                conflict = f" ON CONFLICT ({unique[0]}) DO NOTHING"
                current = self.named(target.columns, "target")
                new = self.named(target.columns, "excluded")
                assignments = self.assignments(target, current + new)
                if assignments and self.chance(0.8):
                    self.note("ON CONFLICT DO UPDATE")
                    where = self.where([self.condition(current + new, (), 1, "ON CONFLICT")])
                    conflict = f" ON CONFLICT ({unique[0]}) DO UPDATE SET {assignments}{where}"
            else:
                values.append(f"{key} + 10000")
        if not names:
            return f"INSERT INTO {target.text} AS target DEFAULT VALUES"
        where = self.where([self.condition(near, (), 0, "WHERE")])
        return (f"INSERT INTO {target.text} AS target ({', '.join(names)}) SELECT {', '.join(values)} "
                f"FROM {source}{where}{conflict}{self.returning(self.named(target.columns, 'target'))}")

    def update(self, target):
        near = self.named(target.columns, "target")
        unique = [value.text for value in near if value.unique]
        source, conditions, all_values = "", [], near
        if unique and self.chance(0.5):
            self.note("UPDATE FROM")
            text, values, key = self.source()
            source = f" FROM {text}"
            all_values = near + values
            conditions.append(f"{unique[0]} = {key}")
        assignments = self.assignments(target, all_values)
        if not assignments:
            return self.delete(target)
        conditions.append(self.condition(all_values, (), 0, "WHERE"))
        return (f"UPDATE {target.text} target SET {assignments}{source}{self.where(conditions)}"
                f"{self.returning(all_values)}")

    def delete(self, target):
        near = self.named(target.columns, "target")
        using, conditions, all_values = "", [], near
        if self.chance(0.4):
            self.note("DELETE USING")
            text, values = self.from_item(1)
            using = f" USING {text}"
            all_values = [*near, *values]
            conditions.append(self.equality(near, values))
        conditions.append(self.condition(all_values, (), 0, "WHERE"))
        return f"DELETE FROM {target.text} target{using}{self.where(conditions)}{self.returning(near)}"

    def merge(self, target):
        near = self.named(target.columns, "target")
        unique = [value.text for value in near if value.unique]
        source, values, key = self.source()
        both = near + values
        on = [f"{unique[0]} = {key}"]
        if self.chance(0.3):
            on.append(self.condition(both, (), 1, "MERGE ON"))
        clauses = [self.when_matched("MATCHED", target, both), self.when_matched("MATCHED", target, both)]
        if self.version >= 17 and self.chance(0.4):
            self.note("MERGE NOT MATCHED BY SOURCE")
            clauses.append(self.when_matched("NOT MATCHED BY SOURCE", target, near))
        if self.chance(0.7):
            columns = self.assignable(target)
            names = ", ".join([unique[0].split(".")[1], *(column.text for column in columns)])
            news = ", ".join([f"{key} + 10000", *(self.assigned(column, values) for column in columns)])
            condition = self.condition(values, (), 1, "MERGE WHEN")
            clauses.append(f" WHEN NOT MATCHED AND {condition} THEN INSERT ({names}) VALUES ({news})")
        returning = self.returning(near) if self.version >= 17 else ""
        return (f"MERGE INTO {target.text} target USING {source}{self.where(on, 'ON')}"
                f"{''.join(clauses)}{returning}")

    def when_matched(self, matched, target, near):
        assignments = self.assignments(target, near)
        action = self.choose(("UPDATE", "UPDATE", "DELETE", "DO NOTHING") if assignments else ("DELETE",))
        if action == "UPDATE":
            action = f"UPDATE SET {assignments}"
        return f" WHEN {matched} AND {self.condition(near, (), 1, 'MERGE WHEN')} THEN {action}"


# --- The tables --------------------------------------------------------------


class World:
    """The tables and what is over them, made anew now and then in schema plans."""

    FILLERS = {
        "text": "filler", "bigint": "9000000000", "numeric": "1.5", "boolean": "t", "real": "0.5",
        "uuid": "00000000-0000-0000-0000-000000000001", "bytea": "\\\\x00ff", "jsonb": '{"a": 1}',
        "text[]": "{a,b}", '"char"': "c", "point": "(1,2)", "interval": "1 day", "smallint": "7",
        "name": "name", "inet": "10.0.0.1", "int4range": "[1,5)",
    }

    def __init__(self, session, seed):
        self.session = session
        self.rnd = random.Random(seed)
        self.relations = []
        self.definitions = {}  # of each relation, to be shown with what fails
        self.pools = {}
        for kind, prefix in KINDS.items():
            self.pools[kind] = [id_text(prefix, random_milliseconds(self.rnd), self.choose((
                bytes([prefix]) + self.rnd.randbytes(8), self.rnd.randbytes(9), bytes(9), b"\xff" * 9)))
                for _ in range(40)]
        self.build()

    def choose(self, values):
        return self.rnd.choice(values)

    def chance(self, share):
        return self.rnd.random() < share

    def make(self, name, sql):
        self.definitions.setdefault(name, []).append(sql)
        self.session.execute(sql)

    def build(self):
        self.session.execute("DROP SCHEMA IF EXISTS plans CASCADE; CREATE SCHEMA plans;"
                             "GRANT USAGE ON SCHEMA plans TO PUBLIC;"
                             "ALTER DEFAULT PRIVILEGES IN SCHEMA plans GRANT ALL ON TABLES TO PUBLIC;"
                             "CREATE DOMAIN order_id AS gid(o); CREATE DOMAIN big_order_id AS order_id;"
                             "CREATE DOMAIN recent_id AS gid(o) CHECK (VALUE > timestamptz '1969-01-01');"
                             "CREATE DOMAIN page_id AS gid(p); CREATE DOMAIN any_id AS gid;")
        for n in range(14):
            self.plain_table(f"plain{n}", "table")
        for n in range(3):
            self.partitioned_table(f"ranged{n}", "RANGE")
        for n in range(2):
            self.partitioned_table(f"hashed{n}", "HASH")
        for n in range(3):
            self.inherited_table(f"parent{n}")
        for n in range(3):
            self.foreign_table(f"far{n}")
        tables = list(self.relations)
        for n in range(3):
            self.secured_table(f"secured{n}", tables)
        for n in range(2):
            self.function(f"since{n}", tables)
        for n in range(2):
            self.updatable_view(f"window{n}", tables)
        for n in range(7):
            self.view(f"view{n}", tables)
        self.session.execute("ANALYZE")

    def columns(self, width):
        """Definitions and values of so many columns, ids at any place."""
        count = 1 if width < 3 else self.choose((1, 1, 2, 3))
        columns = [self.id_column(f"id{n}") for n in range(count)]
        common = [("n int", Value("n", "int", unique=True)), ("city text", Value("city", "text")),
                  ("at timestamptz", Value("at", "time")), ("m int", Value("m", "int"))]
        columns += self.rnd.sample(common, min(4, width - count))
        while len(columns) < width:
            columns.append(self.filler(f"f{len(columns)}"))
        self.rnd.shuffle(columns)
        if self.chance(0.5):  # ids are often first
            columns.sort(key=lambda column: column[1].sort != "id")
        return columns

    def filler(self, name):
        return f"{name} {self.choose(list(self.FILLERS))}", Value(name, "other")

    def id_column(self, name):
        if self.chance(0.4):
            holds = self.rnd.choices(("o", "p", "mixed"), (4, 3, 3))[0]
            return f"{name} {self.choose(('gid', 'gid', 'any_id'))}", Value(name, "id", None, holds)
        kind = self.rnd.choices(list(KINDS), (7, 2, 1, 1))[0]
        types = [f"gid({kind})"] * 3 + [domain for domain in DOMAINS if DOMAINS[domain] == kind]
        return f"{name} {self.choose(types)}", Value(name, "id", kind, kind)

    def width(self):
        return self.rnd.choices((1, 2, 3, 4, 6, 8, 10, 12, 16, 20), (1, 3, 3, 4, 3, 3, 3, 3, 3, 2))[0]

    def create(self, name, columns, rest=""):
        """A table; sometimes a column of it was dropped."""
        definitions = [definition for definition, _ in columns]
        dropped = self.chance(0.15)
        if dropped:
            definitions.insert(self.rnd.randrange(len(definitions) + 1), "gone text")
        self.make(name, f"CREATE TABLE {name} ({', '.join(definitions)}){rest}")
        if dropped:
            self.make(name, f"ALTER TABLE {name} DROP gone")

    def fill(self, name, columns, first=0):
        rows = self.rnd.choices((0, 10, 30, 60, 120), (1, 3, 8, 5, 1))[0]
        lines = []
        for n in range(first, first + rows):
            lines.append("\t".join(self.field(definition, value, n) for definition, value in columns))
        names = ", ".join(value.text for _, value in columns)
        self.session.copy(f"COPY {name} ({names}) FROM STDIN", "".join(line + "\n" for line in lines))

    def field(self, definition, value, n):
        if value.unique:
            return str(n)
        if self.chance(0.04):
            return "\\N"
        if value.sort == "id":
            return self.choose(self.pools[value.holds if value.holds in KINDS else self.choose(list(KINDS))])
        if value.sort == "int":
            return str(self.rnd.randrange(8))
        if value.sort == "text":
            return self.choose(CITIES)
        if value.sort == "time":
            return random_time(self.rnd)
        return self.FILLERS[definition.split(" ", 1)[1]]

    def index(self, name, columns):
        """Some indexes; says whether the column without repetitions is a key."""
        for definition, value in columns:
            if value.sort == "id" and self.chance(0.6):
                way = self.choose(("btree", "btree", "hash", "brin" if " gid" in definition else "btree"))
                where = ""
                if value.kind and way == "btree" and self.chance(0.3):
                    where = f" WHERE {value.text} >= timestamptz '{random_time(self.rnd)}'"
                self.make(name, f"CREATE INDEX ON {name} USING {way} ({value.text}){where}")
        for _, value in columns:
            if value.unique and self.chance(0.6):
                self.make(name, f"ALTER TABLE {name} ADD PRIMARY KEY ({value.text})")
                return True
        return False

    def generated_column(self, name, columns):
        """Whether an id is as late as a time, in either form."""
        declared = [value for _, value in columns if value.kind]
        if not declared or not self.chance(0.25):
            return []
        condition = f"@at({self.choose(declared).text}) >= timestamptz '{random_time(self.rnd)}'"
        for form in ("written", "defeated"):
            self.make(name, f"ALTER TABLE {name} ADD late_{form} boolean "
                            f"GENERATED ALWAYS AS ({render(condition, form)}) STORED")
        return [Value("late_@form", "bool")]

    def check(self, name, columns):
        """A constraint that holds, for the planner to exclude tables by."""
        declared = [value.text for _, value in columns if value.kind]
        if declared and self.chance(0.4):
            at = self.choose(("1969-01-01", "1970-01-01"))
            self.make(name, f"ALTER TABLE {name} ADD CHECK ({self.choose(declared)} >= timestamptz '{at}')")

    def plain_table(self, name, feature):
        columns = self.columns(self.width())
        self.create(name, columns)
        more = self.generated_column(name, columns)
        self.fill(name, columns)
        uses = ["INSERT", "UPDATE", "DELETE"]
        if any(value.unique for _, value in columns):
            uses.append("MERGE")
        if self.index(name, columns):
            uses.append("conflict")
        self.check(name, columns)
        self.relations.append(Relation(name, [value for _, value in columns] + more, feature, name, uses))

    def partitioned_table(self, name, way):
        columns = self.columns(max(self.width(), 3))
        key = self.choose([value for _, value in columns if value.sort == "id"])
        self.create(name, columns, f" PARTITION BY {way} ({key.text})")
        bounds = []
        if way == "HASH":
            bounds = [f"FOR VALUES WITH (MODULUS 3, REMAINDER {n})" for n in range(3)]
        else:
            start = int((FIRST_DAY - EPOCH).total_seconds()) * 1000
            prefix = KINDS[key.kind or "o"]
            edges = [id_text(prefix, start + day * 86400000, bytes(9)) for day in (2, 4, 6, 8)]
            edges = ["MINVALUE", *(f"'{edge}'" for edge in edges)]
            bounds = [f"FOR VALUES FROM ({one}) TO ({other})" for one, other in zip(edges, edges[1:])]
            bounds.append("DEFAULT")
        for n, bound in enumerate(bounds):
            if self.chance(0.5):
                self.make(name, f"CREATE TABLE {name}_{n} PARTITION OF {name} {bound}")
            else:
                self.create(f"{name}_{n}", self.rnd.sample(columns, len(columns)))
                self.make(name, f"ALTER TABLE {name} ATTACH PARTITION {name}_{n} {bound}")
        self.fill(name, columns)
        for _, value in columns:
            if value.sort == "id" and self.chance(0.6):
                self.make(name, f"CREATE INDEX ON {name} ({value.text})")
        uses = ["INSERT", "UPDATE", "DELETE"]
        if any(value.unique for _, value in columns):
            uses.append("MERGE")
        self.relations.append(Relation(name, [value for _, value in columns],
                                       f"partitioned by {way.lower()}", name, uses))

    def inherited_table(self, name):
        columns = self.columns(self.width())
        self.create(name, columns)
        self.fill(name, columns)
        for n in (1, 2):
            more = [self.filler(f"g{i}") for i in range(self.rnd.randrange(4))]
            own = self.rnd.sample(columns + more, len(columns + more))
            self.create(f"{name}_{n}", own)
            self.make(name, f"ALTER TABLE {name}_{n} INHERIT {name}")
            self.fill(f"{name}_{n}", own, first=1000 * n)
            self.index(f"{name}_{n}", own)
            self.check(f"{name}_{n}", own)
        self.relations.append(Relation(name, [value for _, value in columns], "inherited", name,
                                       ["UPDATE", "DELETE"]))

    def foreign_table(self, name):
        columns = self.columns(max(self.width(), 2))
        self.create(f"{name}_base", columns)
        self.fill(f"{name}_base", columns)
        self.index(f"{name}_base", columns)
        definitions = ", ".join(definition for definition, _ in columns)
        estimate = self.choose(("true", "false"))
        self.make(name, f"CREATE FOREIGN TABLE {name} ({definitions}) SERVER loopback OPTIONS "
                        f"(schema_name 'plans', table_name '{name}_base', use_remote_estimate '{estimate}')")
        self.relations.append(Relation(name, [value for _, value in columns], "foreign", name,
                                       ["UPDATE", "DELETE", "INSERT"], True))

    def usable(self, tables, part):
        """A part of a statement, with neither ids of different kinds nor bounds, and the statement."""
        while True:
            statement = Statement(self.rnd, tables, self.session.version)
            made = part(statement)
            if not statement.conflicts and "comparison with a bound" not in statement.features:
                return made, statement

    def secured_table(self, name, tables):
        """What a policy says, it says to either role in its form."""
        self.plain_table(name, "row-level security")
        tables = [table for table in tables if not table.abroad]
        near = Statement.named(self.relations[-1].columns, name)
        condition, _ = self.usable(tables, lambda statement: self.choose((
            statement.comparison(near, (), 2), statement.exists(near, (), 1, "a policy"),
            statement.condition(near, (), 1, "a policy"))))
        self.make(name, f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
        for form in ("written", "defeated"):
            self.make(name, f"CREATE POLICY {form} ON {name} TO plans_{form} "
                            f"USING ({render(condition, form)})")

    def function(self, name, tables):
        """A function in SQL, which the planner puts in its place."""
        table = self.choose([table for table in tables if not table.abroad
                          and not any("@" in value.text for value in table.columns)])
        value = self.choose([value for value in table.columns if value.sort == "id"])
        query = f"SELECT * FROM {table.text} WHERE @at({value.text}) >= $1"
        for form in ("written", "defeated"):
            self.make(name, f"CREATE FUNCTION {name}_{form}(timestamptz) RETURNS SETOF {table.text} "
                            f"LANGUAGE sql STABLE AS $${render(query, form)}$$")
        self.relations.append(Relation(f"{name}_@form(time)", table.columns, "function"))

    def updatable_view(self, name, tables):
        table = self.choose([table for table in tables if table.feature == "table" and "MERGE" in table.uses
                          and not any("@" in value.text for value in table.columns)])
        value = self.choose([value for value in table.columns if value.sort == "id"])
        query = f"SELECT * FROM {table.text} WHERE @at({value.text}) >= timestamptz '{random_time(self.rnd)}'"
        option = self.choose(("", " WITH CHECK OPTION"))
        for form in ("written", "defeated"):
            self.make(name, f"CREATE VIEW {name}_{form} AS {render(query, form)}{option}")
        uses = ["INSERT", "UPDATE", "DELETE"] + (["MERGE"] if self.session.version >= 17 else [])
        self.relations.append(Relation(f"{name}_@form", table.columns, "updatable view", table.base, uses))

    def view(self, name, tables):
        (query, columns), statement = self.usable(tables, lambda statement: statement.select((), 1))
        barrier = " WITH (security_barrier)" if self.chance(0.3) else ""
        for form in ("written", "defeated"):
            self.make(name, f"CREATE VIEW {name}_{form}{barrier} AS {render(query, form)}")
        self.relations.append(Relation(f"{name}_@form", columns, "view", abroad=statement.abroad))

    def definitions_for(self, text):
        """Those of what a statement names."""
        return [sql for name, definitions in self.definitions.items()
                if re.search(rf"\b{name}(_|\b)", text) for sql in definitions]


# --- Running -----------------------------------------------------------------


class Lost(Exception):
    """The backend is gone."""


class Failure(Exception):
    """What must not be."""


Outcome = namedtuple("Outcome", "state message rows", defaults=(None, None, ()))

TOO_LONG = "57014"  # the SQLSTATE of statement_timeout
DIFFERENT_KINDS = "42804"
MOST_ROWS = 20000

# PostgreSQL's own faults: MERGE puts a row into a partition that was pruned when
# the plan started.  What it would do with rows that match has a sub-select, or
# the partition has its columns in another order.
NOT_OURS = {"SubPlan found with no parent plan", "table row type and query-specified row type do not match"}


class Session:
    """A connection, by libpq as it is: values are compared as the server writes them."""

    def __init__(self):
        self.connect()
        self.version = self.connection.server_version // 10000

    def connect(self):
        self.connection = pq.PGconn.connect(b"")
        if self.connection.status != pq.ConnStatus.OK:
            raise Lost(self.connection.error_message.decode().strip())
        self.execute("SET search_path = plans, public; SET timezone = 'UTC'; SET statement_timeout = '4s';"
                     "SET client_min_messages = error; SET jit = off")

    def connect_again(self):
        """After a crash the server takes a moment."""
        for _ in range(300):
            time.sleep(0.2)
            try:
                return self.connect()
            except Lost:
                pass
        raise Failure("the server did not come back")

    def send(self, sql):
        result = self.connection.exec_(sql.encode())
        if self.connection.status != pq.ConnStatus.OK:
            raise Lost(result.error_message.decode().strip())
        return result

    def execute(self, sql):
        result = self.send(sql)
        if result.status == pq.ExecStatus.FATAL_ERROR:
            raise Failure(f"{result.error_message.decode().strip()}\n{sql}")
        return result

    def copy(self, sql, data):
        self.execute(sql)
        self.connection.put_copy_data(data.encode())
        self.connection.put_copy_end()
        while (result := self.connection.get_result()) is not None:
            if result.status == pq.ExecStatus.FATAL_ERROR:
                raise Failure(f"{result.error_message.decode().strip()}\n{sql}")

    def roll_back(self):
        """What was begun and prepared; again if the timeout hits this, too."""
        while (self.send("ROLLBACK; DEALLOCATE ALL").status != pq.ExecStatus.COMMAND_OK
               or self.connection.transaction_status != pq.TransactionStatus.IDLE):
            pass

    def outcome(self, steps):
        """Of statements that are run in turn and rolled back; rows of all but the first."""
        rows = []
        for number, step in enumerate(steps):
            result = self.send(step)
            if result.status == pq.ExecStatus.FATAL_ERROR:
                self.roll_back()
                return Outcome(result.error_field(pq.DiagnosticField.SQLSTATE).decode(),
                               result.error_field(pq.DiagnosticField.MESSAGE_PRIMARY).decode())
            if result.ntuples > MOST_ROWS:
                self.roll_back()
                return Outcome(TOO_LONG)
            if number > 0:
                rows.append((number, result.command_tuples))
                rows += [(number, *(result.get_value(row, column) for column in range(result.nfields)))
                         for row in range(result.ntuples)]
        self.roll_back()
        return Outcome(None, None, rows)


SETTINGS = (
    "enable_hashjoin = off", "enable_mergejoin = off", "enable_nestloop = off", "enable_seqscan = off",
    "enable_hashagg = off", "enable_sort = off", "enable_indexscan = off", "enable_memoize = off",
    "enable_material = off", "enable_partitionwise_join = on", "enable_partitionwise_aggregate = on",
    "constraint_exclusion = on", "from_collapse_limit = 1", "join_collapse_limit = 1", "geqo_threshold = 2",
    "work_mem = '64kB'", "enable_partition_pruning = off", "cpu_operator_cost = 0.1",
    "min_parallel_table_scan_size = 0; SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0",
)


class Run:
    """How one statement is run: its text with marks, and what goes before it."""

    def __init__(self, sql, setup="BEGIN", state=None, fallible=False, conflicts=0):
        self.sql = sql
        self.setup = setup
        self.state = state
        self.fallible = fallible
        self.conflicts = conflicts
        self.rejected = False  # whether ids were of different kinds

    def steps(self, form, explain=False, checked=False):
        check = "SET gid.check_comparisons = " + ("on; " if checked else "off; ")
        steps = [check + render(self.setup, form), render(self.sql, form)]
        if explain:
            steps[1] = f"EXPLAIN (VERBOSE, COSTS OFF) {steps[1]}"
        elif self.state:
            steps.append(f"RESET ROLE; SELECT t FROM {self.state} t")
        return steps


def random_run(rnd, world, version):
    """A statement, and how it is run."""
    mode = rnd.choices(("as it is", "a custom plan", "a generic plan"), (6, 2, 2))[0]
    under_role = rnd.random() < 0.15
    relations = world.relations
    if under_role:
        relations = [relation for relation in relations if relation.feature != "foreign"]
        relations += [relation for relation in relations if relation.feature == "row-level security"] * 4
    statement = Statement(rnd, relations, version, rnd.random() < 0.35, mode != "as it is")
    statement.note(f"run as {mode}" if mode != "as it is" else "run as it is")
    sql = statement.statement()
    setup = "BEGIN"
    if rnd.random() < 0.4:
        for setting in rnd.sample(SETTINGS, rnd.choice((1, 1, 2, 4))):
            setup += f"; SET LOCAL {setting}"
    if under_role:
        statement.note("run under a role with policies")
        setup += "; SET LOCAL ROLE plans_@form"
    if mode != "as it is":
        kind = "custom" if mode == "a custom plan" else "generic"
        types = f" ({', '.join(statement.types)})" if statement.types else ""
        arguments = f" ({', '.join(statement.arguments)})" if statement.arguments else ""
        setup += f"; SET LOCAL plan_cache_mode = force_{kind}_plan; PREPARE random{types} AS {sql}"
        sql = f"EXECUTE random{arguments}"
    return statement, Run(sql, setup, statement.state, statement.fallible, statement.conflicts)


def difference(session, run):
    """What is wrong, if anything, and the outcomes in the two forms."""
    written = session.outcome(run.steps("written", checked=True))
    if written.state == DIFFERENT_KINDS:
        run.rejected = True
        if not run.conflicts:
            return f"{shown(written)}, but no ids of different kinds are compared", written, written
        written = session.outcome(run.steps("written"))
    defeated = session.outcome(run.steps("defeated"))
    if TOO_LONG in (written.state, defeated.state):
        return None, written, defeated
    if written.state == "22023" and run.fallible:
        return None, written, defeated
    if "MERGE" in run.setup + run.sql and NOT_OURS & {written.message, defeated.message}:
        return None, written, defeated
    if written.state != defeated.state or (written.state or "").startswith("XX"):
        return f"{shown(written)} as written, {shown(defeated)} in the other form", written, defeated
    more, less = Counter(written.rows), Counter(defeated.rows)
    if more != less:
        return f"too many: {shown(more - less)}, too few: {shown(less - more)}", written, defeated
    return None, written, defeated


def shown(what):
    """An outcome, or the first of some rows; the first value of a row is the
    number of the step that it is from."""
    if isinstance(what, Counter):
        return f"{what.total()} rows " + " ".join(str(row) for row in list(what.elements())[:3])
    return f"SQLSTATE {what.state} ({what.message})" if what.state else f"{len(what.rows)} rows"


# --- The fuzzer --------------------------------------------------------------

# What a kind that is declared makes of a comparison, in an EXPLAIN.
BOUND = re.compile(r"gid_(lower|upper)_bound\(")
REWRITTEN = re.compile(BOUND.pattern + r"|[<>]=? '[1-9A-Za-z]{10}-[1-9A-Za-z]{13}'::(public\.)?gid")

PER_WORLD = 250  # statements

# How many of a thousand statements that were compared have to have each: an
# eighth of how many do, so that chance alone does not miss it.
LEAST = {
    "EXISTS in the select list of a grouped query": 35, "EXISTS that can be hashed": 80,
    "cast in EXISTS that can be hashed": 33, "cast that may fail": 20, "correlated, over a derived table": 20,
    "EXISTS in the select list": 15, "EXISTS in WHERE": 20, "EXISTS in OR": 8, "EXISTS in CASE": 10,
    "EXISTS in HAVING": 5, "EXISTS in ON": 4, "EXISTS in ORDER BY": 2, "EXISTS in GROUP BY": 3,
    "EXISTS in RETURNING": 4, "EXISTS in SET": 7, "EXISTS at depth 2": 40,
    "IN in WHERE": 8, "IN in the select list": 5, "IN in OR": 4,
    "cast": 80, "assignment that casts": 2,
    "comparison with a bound": 20, "bound that encloses a kind": 2, "ids of different kinds": 5,
    "id: label": 36, "id: to a domain": 22, "id: minted": 20, "id: parameter": 11,
    "GROUP BY": 34, "GROUPING SETS": 8, "ROLLUP": 5, "CUBE": 5, "DISTINCT": 16, "window": 6, "FILTER": 12,
    "UNION ALL": 9, "UNION": 5, "INTERSECT": 5, "INTERSECT ALL": 5, "EXCEPT": 5, "EXCEPT ALL": 5,
    "FROM: list": 30, "FROM: LEFT JOIN": 25, "FROM: RIGHT JOIN": 10, "FROM: FULL JOIN": 10,
    "FROM: LATERAL": 10,
    "FROM table": 100, "FROM partitioned by range": 40, "FROM partitioned by hash": 28, "FROM inherited": 40,
    "FROM foreign": 20, "FROM view": 50, "FROM updatable view": 30, "FROM function": 28,
    "FROM row-level security": 45, "FROM WITH": 10,
    "INSERT": 11, "ON CONFLICT DO UPDATE": 3, "UPDATE": 10, "UPDATE FROM": 3, "DELETE": 8, "DELETE USING": 3,
    "MERGE": 10, "RETURNING": 15,
    "run as a custom plan": 25, "run as a generic plan": 25, "run under a role with policies": 19,
    "time: constant": 90, "time: now()": 70, "time: parameter": 36, "time: column": 50,
    "time: column from outside": 13, "time: sub-select": 13, "comparison: BETWEEN": 50,
    **{f"comparison: id {operator} time": 40 for operator in ("<", "<=", ">=", ">")},
    **{f"comparison: time {operator} id": 30 for operator in ("<", "<=", ">=", ">")},
}
FEWEST = 200  # statements that were compared


class Fuzzer:
    def __init__(self, seed, most_failures):
        self.seed = seed
        self.most_failures = most_failures
        self.session = Session()
        self.world = None
        self.counts = Counter()  # by outcome
        self.features = Counter()  # of statements that were compared
        self.errors = Counter()  # by SQLSTATE
        self.failures = 0
        self.missed = 0
        self.results = 0
        self.began = time.monotonic()

    def result(self, what, holds):
        print(f"{'ok' if holds else 'not ok'} - {what}", flush=True)
        self.results += 1

    def check(self, what, holds):
        self.result(what, holds)
        self.missed += not holds

    def prepare(self):
        """What all worlds share."""
        host = self.session.send("SHOW unix_socket_directories").get_value(0, 0).decode().split(",")[0]
        port = self.session.send("SHOW port").get_value(0, 0).decode()
        database = self.session.connection.db.decode()
        self.session.execute(f"""
            CREATE EXTENSION IF NOT EXISTS gid; CREATE EXTENSION IF NOT EXISTS postgres_fdw;
            DROP SERVER IF EXISTS loopback CASCADE;
            CREATE SERVER loopback FOREIGN DATA WRAPPER postgres_fdw
                OPTIONS (host '{host}', port '{port}', dbname '{database}', extensions 'gid',
                         options '-c gid.check_comparisons=off');
            CREATE USER MAPPING FOR CURRENT_USER SERVER loopback;
            DO $$ BEGIN
                CREATE ROLE plans_written; CREATE ROLE plans_defeated;
            EXCEPTION WHEN duplicate_object THEN NULL; END $$;
            -- postgres_fdw calls functions with nothing in search_path
            CREATE OR REPLACE FUNCTION public.kind_or_null(id gid, kind text) RETURNS gid
                LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1 AS $$
                BEGIN RETURN CASE WHEN public.gid_kind(id) = kind THEN id END; END $$;
            CREATE OR REPLACE FUNCTION public.kind_or_error(id gid, kind text) RETURNS gid
                LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1 AS $$
                BEGIN
                    IF public.gid_kind(id) <> kind THEN
                        RAISE EXCEPTION 'another kind' USING ERRCODE = '22023';
                    END IF;
                    RETURN id;
                END $$;""")

    def canaries(self):
        """What must be found, is."""
        for what, run in (
            ("a row too many", Run("SELECT 1 WHERE '@form' = 'written'")),
            ("another value", Run("SELECT '@form'")),
            ("a cast that was lost", Run("SELECT gid_kind(@put(gid_new('p') @to o))", fallible=True)),
            ("an error", Run("SELECT 1 / CASE '@form' WHEN 'written' THEN 0 ELSE 1 END", fallible=True)),
            ("a cast that fails and should not", Run("SELECT @cast(gid_new('p') @as gid(o)) IS NULL")),
            ("an error about kinds that do not differ", Run(
                "SELECT @cast(gid_new('o') @as gid(o)) <> @cast(gid_new('p') @as gid(p))")),
            ("another row in the table", Run("INSERT INTO canary VALUES ('@form')", state="canary")),
        ):
            self.session.execute("DROP TABLE IF EXISTS public.canary; CREATE TABLE public.canary (a text)")
            wrong, _, _ = difference(self.session, run)
            self.check(f"{what} would be found", wrong is not None)
        try:
            difference(self.session, Run("SELECT pg_terminate_backend(pg_backend_pid())"))
            self.check("a dead backend would be found", False)
        except Lost:
            self.check("a dead backend would be found", True)
            self.session.connect_again()

    def run(self, seconds, statements, only):
        number = 0
        if only:
            world, number = (int(part) for part in only.split("."))
            number += world * PER_WORLD
            statements = number + 1
        while self.failures < self.most_failures:
            if time.monotonic() - self.began >= seconds and not only:
                break
            if statements is not None and number >= statements:
                break
            if number % PER_WORLD == 0 or self.world is None:
                try:
                    self.world = World(self.session, f"{self.seed}.{number // PER_WORLD}")
                except (Lost, Failure) as failure:
                    self.failures += 1
                    self.result(f"tables {number // PER_WORLD} of seed {self.seed}: {failure}", False)
                    break
            self.one(number, bool(only))
            number += 1

    def one(self, number, verbose):
        place = f"{number // PER_WORLD}.{number % PER_WORLD}"
        rnd = random.Random(f"{self.seed}.{place}")
        statement, run = random_run(rnd, self.world, self.session.version)
        self.counts["statements"] += 1
        try:
            wrong, written, defeated = difference(self.session, run)
            if not wrong and not written.state and number % 4 == 0 or verbose:
                self.explain(statement, run, verbose)
            if written.state == "22023" and run.fallible:
                raising = self.session.outcome(run.steps("raising"))
                self.counts["a cast failed"] += 1
                self.counts["a cast failed, and the function in its place"] += raising.state == "22023"
                return
        except Lost as lost:
            return self.failed(place, run, f"the backend is gone ({lost}); {self.other_form_alone(run)}")
        if wrong:
            return self.failed(place, run, wrong)
        self.counts["ids of different kinds"] += run.conflicts > 0
        self.counts["ids of different kinds, rejected"] += run.rejected
        if TOO_LONG in (written.state, defeated.state):
            self.counts["took too long, or gave too much"] += 1
        elif written.state or defeated.state:
            failed = written if written.state else defeated
            self.counts["failed"] += 1
            self.errors[f"error {failed.state} {failed.message}"] += 1
        else:
            self.counts["compared"] += 1
            self.counts["compared, with rows"] += any(row[1] for row in written.rows)
            self.features.update(statement.features)

    def other_form_alone(self, run):
        """Whether it is PostgreSQL that crashes, and not gid."""
        self.session.connect_again()
        try:
            return f"{shown(self.session.outcome(run.steps('defeated')))} in the other form"
        except Lost:
            self.session.connect_again()
            return "in the other form, too"

    def explain(self, statement, run, verbose):
        plans = {}
        for form in ("written", "defeated"):
            outcome = self.session.outcome(run.steps(form, explain=True))
            plans[form] = "\n".join(row[1].decode() for row in outcome.rows if isinstance(row[1], bytes))
            if verbose:
                print(f"{form}: {'; '.join(run.steps(form))}\n{plans[form] or outcome}")
        self.counts["hashed sub-select in a plan"] += "hashed SubPlan" in plans["written"]
        if statement.declared and "comparison with a bound" not in statement.features:
            self.counts["explained"] += 1
            self.counts["rewritten"] += bool(REWRITTEN.search(plans["written"]))
            self.counts["rewritten, though defeated"] += bool(BOUND.search(plans["defeated"]))

    def failed(self, place, run, wrong):
        self.failures += 1
        self.result(f"statement {place} of seed {self.seed}, after {self.counts['statements']} statements "
                    f"and {time.monotonic() - self.began:.1f} s: {wrong}", False)
        lines = [f"\t{sql};" for sql in self.world.definitions_for(run.setup + run.sql)]
        for form in ("written", "defeated"):
            lines.append(f"{form}:\n\t" + ";\n\t".join(run.steps(form)) + ";")
        lines.append(f"Again: check/plans.pl --seed {self.seed} --only {place}")
        print("# " + "\n".join(lines).replace("\n", "\n# "), file=sys.stderr, flush=True)

    def report(self, enough):
        """What was done; and whether it was enough to say anything."""
        counts, features = self.counts, self.features
        for what, count in [*counts.items(), *self.errors.most_common(10), *sorted(features.items())]:
            print(f"  {count:6} {what}")
        if not self.failures:
            self.check(f"the two forms of {counts['compared']} statements gave the same", True)
        elif self.failures >= self.most_failures:
            print(f"Stopped after {self.failures} failures.")
        if enough:
            self.enough()
        print(f"1..{self.results}")
        return not (self.failures or self.missed)

    def enough(self):
        counts, features = self.counts, self.features
        statements, compared = counts["statements"], counts["compared"]
        with_rows, cast_failed = counts["compared, with rows"], counts["a cast failed"]
        failed, too_long = counts["failed"], counts["took too long, or gave too much"]
        explained, rewritten = counts["explained"], counts["rewritten"]
        self.check(f"{FEWEST} statements at least were compared", compared >= FEWEST)
        self.check("two thirds of all statements were compared", compared * 3 >= statements * 2)
        self.check("half of those that were compared gave rows", with_rows * 2 >= compared)
        self.check("at most one in 20 failed, other than by a cast that may", failed * 20 <= statements)
        self.check("at most one in 20 took too long, or gave too much", too_long * 20 <= statements)
        self.check("a cast failed in one of 100 at least", cast_failed * 100 >= statements)
        self.check("the function in its place failed, too, in nine of ten of these",
                   counts["a cast failed, and the function in its place"] * 10 >= cast_failed * 9)
        self.check("three in four were rewritten, as their plans show", rewritten * 4 >= explained * 3 > 0)
        self.check("no comparison was rewritten in the other form", counts["rewritten, though defeated"] == 0)
        self.check("of the statements that compare ids of different kinds, one in three was rejected",
                   counts["ids of different kinds, rejected"] * 3 >= counts["ids of different kinds"] > 0)
        self.check("sub-selects were hashed", counts["hashed sub-select in a plan"] * 40 >= explained)
        few = [f"{feature} ({features[feature]})" for feature, least in LEAST.items()
               if features[feature] < least * compared // 1000]
        if few:
            print(f"Too few statements with: {', '.join(few)}")
        self.check("each construct was in enough of the statements that were compared", not few)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--statements", type=int, help="so many, whether it is enough or not")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many")
    parser.add_argument("--only", metavar="N.N", help="this statement alone, with its plans")
    options = parser.parse_args()

    fuzzer = Fuzzer(options.seed, options.failures)
    print(f"seed {options.seed}, PostgreSQL {fuzzer.session.version}", flush=True)
    fuzzer.prepare()
    if not options.only:
        fuzzer.canaries()
    fuzzer.began = time.monotonic()
    seconds = options.seconds if options.statements is None else float("inf")
    fuzzer.run(seconds, options.statements, options.only)
    enough = options.statements is None and not options.only and fuzzer.failures < options.failures
    sys.exit(0 if fuzzer.report(enough) else 1)


if __name__ == "__main__":
    main()
