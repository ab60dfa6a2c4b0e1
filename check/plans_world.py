"""Random tables, views, policies and functions, for check/plans.py."""

import re

from plans_statement import (
    CITIES, DOMAINS, FIRST_MS, KINDS, Choices, Relation, Scope, Statement, Value, id_text, named, of)

# Types of columns that nothing refers to, each with a value.
FILLERS = {
    "text": "filler", "bigint": "9000000000", "numeric": "1.5", "boolean": "t", "real": "0.5", "smallint": "7",
    "uuid": "00000000-0000-0000-0000-000000000001", "bytea": "\\x00ff", "jsonb": '{"a": 1}', "text[]": "{a,b}",
    '"char"': "c", "point": "(1,2)", "interval": "1 day", "name": "name", "inet": "10.0.0.1", "int4range": "[1,5)"}

SCHEMA = """DROP SCHEMA IF EXISTS plans CASCADE; CREATE SCHEMA plans; GRANT USAGE ON SCHEMA plans TO PUBLIC;
    ALTER DEFAULT PRIVILEGES IN SCHEMA plans GRANT ALL ON TABLES TO PUBLIC;
    CREATE DOMAIN order_id AS gid(o); CREATE DOMAIN big_order_id AS order_id;
    CREATE DOMAIN recent_id AS gid(o) CHECK (VALUE > timestamptz '1969-01-01');
    CREATE DOMAIN page_id AS gid(p); CREATE DOMAIN any_id AS gid"""


class World(Choices):
    """The relations of a schema, which is created in each of the sessions."""

    def __init__(self, sessions, rnd):
        super().__init__(rnd)
        self.sessions, self.version, self.relations = sessions, sessions[0].version, []
        self.definitions = {}  # of each relation, to be shown with failures
        self.pools = {kind: [id_text(prefix, self.milliseconds(), self.choose((
            bytes([prefix]) + rnd.randbytes(8), bytes(9), bytes(9), b"\xff" * 9)))
            for _ in range(40)] for kind, prefix in KINDS.items()}
        self.make("", SCHEMA)
        for count, name, create in (
                (14, "plain", self.plain), (3, "ranged", self.partitioned), (2, "hashed", self.partitioned),
                (3, "parent", self.inherited), (3, "far", self.foreign), (3, "secured", self.secured),
                (2, "since", self.function), (2, "window", self.updatable_view), (7, "view", self.view)):
            for n in range(count):
                create(f"{name}{n}")
        self.make("", "ANALYZE")

    def make(self, name, sql):
        self.definitions.setdefault(name, []).append(sql)
        for session in self.sessions:
            session.execute(sql)

    def statement(self, rnd, replay=None):
        return Statement(self.relations, self.version, rnd, replay).generate()

    def definitions_for(self, text):
        """The definitions of the relations that a statement names."""
        return [sql for name, definitions in self.definitions.items() if name and re.search(rf"\b{name}(_|\b)", text)
                for sql in definitions if not sql.startswith("INSERT")]

    def add(self, name, columns, feature, uses="INSERT UPDATE DELETE", foreign=False):
        """Adds a relation.  Statements can change it if it has a unique column and others."""
        values = [value for _, value in columns]
        if not any(value.unique for value in values) or len(of(values, "id", "time", "int", "text")) < 2:
            uses = ""
        self.relations.append(Relation(name, values, feature, name, uses.split(), foreign))

    # Tables

    def columns(self, least=1):
        """Definitions and values of columns, with ids at any place."""
        width = max(least, self.pick({1: 1, 2: 3, 3: 3, 4: 4, 6: 3, 8: 3, 10: 3, 12: 3, 16: 3, 20: 2}))
        columns = [self.id_column(f"id{n}") for n in range(1 if width < 3 else self.choose((1, 1, 2, 3)))]
        columns += self.sample([
            ("n int", Value("n", "int", unique=True)), ("city text", Value("city", "text")),
            ("at timestamptz", Value("at", "time")), ("m int", Value("m", "int"))], width - len(columns))
        columns += [self.filler(f"f{n}") for n in range(width - len(columns))]
        columns = self.sample(columns, width)
        return sorted(columns, key=lambda column: column[1].sort != "id") if self.chance(0.5) else columns

    def filler(self, name):
        return f"{name} {self.choose(list(FILLERS))}", Value(name, "other")

    def id_column(self, name):
        if self.chance(0.4):
            holds = self.pick({"o": 4, "p": 3, "mixed": 3})
            return f"{name} {self.choose(('gid', 'gid', 'any_id'))}", Value(name, "id", None, holds)
        kind = self.pick(dict(zip(KINDS, (7, 2, 1, 1))))
        types = [f"gid({kind})"] * 3 + [domain for domain in DOMAINS if DOMAINS[domain] == kind]
        return f"{name} {self.choose(types)}", Value(name, "id", kind, kind)

    def create(self, name, columns, rest="", first=0, is_filled=True):
        """Creates a table, sometimes with a dropped column, and inserts rows."""
        definitions, dropped = [definition for definition, _ in columns], self.chance(0.15)
        if dropped:
            definitions.insert(self.below(len(columns) + 1), "gone text")
        drop = f"; ALTER TABLE {name} DROP gone" if dropped else ""
        self.make(name, f"CREATE TABLE {name} ({', '.join(definitions)}){rest}{drop}")
        if is_filled:
            self.fill(name, columns, first)

    def fill(self, name, columns, first=0):
        rows = ", ".join(f"({', '.join(self.field(definition, value, n) for definition, value in columns)})"
                         for n in range(first, first + self.choose((0, 10, 10, 30, 30, 30, 60, 120))))
        if rows:
            self.make(name, f"INSERT INTO {name} ({', '.join(value.text for _, value in columns)}) VALUES {rows}")

    def field(self, definition, value, n):
        if value.unique or self.chance(0.04):
            return str(n) if value.unique else "NULL"
        return "'{}'".format({
            "id": lambda: self.choose(self.pools.get(value.holds) or self.pools[self.choose(list(KINDS))]),
            "int": lambda: self.below(8), "text": lambda: self.choose(CITIES), "time": self.random_time,
            "other": lambda: FILLERS[definition.split(" ", 1)[1]]}[value.sort]())

    def index(self, name, columns):
        """Creates indexes and CHECK constraints that are true.  Returns whether the unique column is a key."""
        for definition, value in columns:
            way = self.choose(("btree", "btree", "hash", "brin" if " gid" in definition else "btree"))
            predicate = f" WHERE {value.text} >= timestamptz '{self.random_time()}'" * (
                value.kind is not None and way == "btree" and self.chance(0.3))
            if value.sort == "id" and self.chance(0.6):
                self.make(name, f"CREATE INDEX ON {name} USING {way} ({value.text}){predicate}")
            if value.kind and self.chance(0.2):
                self.make(name, f"ALTER TABLE {name} ADD CHECK ({value.text} >= timestamptz '1970-01-01')")
            if value.unique and (is_key := self.chance(0.6)):
                self.make(name, f"ALTER TABLE {name} ADD PRIMARY KEY ({value.text})")
        return any(value.unique for _, value in columns) and is_key

    def plain(self, name, feature="table"):
        columns, more = self.columns(), []
        self.create(name, columns)
        declared = [value.text for _, value in columns if value.kind]
        if declared and self.chance(0.25):
            self.make(name, f"ALTER TABLE {name} ADD late boolean GENERATED ALWAYS AS "
                            f"({self.choose(declared)} >= timestamptz '{self.random_time()}') STORED")
            more = [(None, Value("late", "bool"))]
        uses = "INSERT UPDATE DELETE MERGE" + " conflict" * self.index(name, columns)
        self.add(name, columns + more, feature, uses)

    def partitioned(self, name):
        columns, way = self.columns(3), "HASH" if name.startswith("hashed") else "RANGE"
        key = self.choose([value for _, value in columns if value.sort == "id"])
        edges = [id_text(KINDS[key.kind or "o"], FIRST_MS + day * 86400000, bytes(9)) for day in (2, 4, 6, 8)]
        edges = ["MINVALUE", *(f"'{edge}'" for edge in edges)]
        bounds = {"HASH": [f"FOR VALUES WITH (MODULUS 3, REMAINDER {n})" for n in range(3)],
                  "RANGE": [f"FOR VALUES FROM ({one}) TO ({other})" for one, other in zip(edges, edges[1:])] + ["DEFAULT"]}
        self.create(name, columns, f" PARTITION BY {way} ({key.text})", is_filled=False)
        for n, bound in enumerate(bounds[way]):
            self.create(f"{name}_{n}", self.sample(columns, len(columns)), is_filled=False)
            self.make(name, f"ALTER TABLE {name} ATTACH PARTITION {name}_{n} {bound}")
        self.fill(name, columns)
        self.make(name, f"CREATE INDEX ON {name} ({key.text})")
        self.add(name, columns, f"partitioned by {way.lower()}", "INSERT UPDATE DELETE MERGE")

    def inherited(self, name):
        columns = self.columns()
        self.create(name, columns)
        for n in (1, 2):
            own = columns + [self.filler(f"g{i}") for i in range(self.below(4))]
            own = self.sample(own, len(own))
            self.create(f"{name}_{n}", own, first=1000 * n)
            self.make(name, f"ALTER TABLE {name}_{n} INHERIT {name}")
            self.index(f"{name}_{n}", own)
        self.add(name, columns, "inherited", "UPDATE DELETE")

    def foreign(self, name):
        columns = self.columns(2)
        self.create(f"{name}_base", columns)
        self.index(f"{name}_base", columns)
        self.make(name, f"CREATE FOREIGN TABLE {name} ({', '.join(definition for definition, _ in columns)}) SERVER "
                        f"loopback OPTIONS (schema_name 'plans', table_name '{name}_base', "
                        f"use_remote_estimate '{self.choose(('true', 'false'))}')")
        self.add(name, columns, "foreign", foreign=True)

    # Policies, functions and views

    def part(self, generate, relations=None):
        """A part of a statement, without bounds and ids of different kinds, and the statement."""
        while True:
            statement = Statement(relations or self.relations, self.version, self.rnd)
            part = generate(statement)
            if not statement.conflicts and "comparison with a bound" not in statement.features:
                return part, statement

    def secured(self, name):
        self.plain(name, "row-level security")
        scope = Scope(named(self.relations[-1].columns, name), (), 1)
        condition, _ = self.part(lambda statement: statement.either(scope, "a policy"),
                                 [relation for relation in self.relations if not relation.foreign])
        self.make(name, f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY; "
                        f"CREATE POLICY reader ON {name} TO plans_reader USING ({condition})")

    def late_rows(self, tables, at):
        """One of these tables, and a query of its rows whose id is as late as a time."""
        table = self.choose(tables)
        return table, f"SELECT * FROM {table.text} WHERE {self.choose(of(table.columns, 'id')).text} >= {at}"

    def function(self, name):
        """A function in SQL, which the planner can inline."""
        table, query = self.late_rows([relation for relation in self.relations if not relation.foreign], "$1")
        self.make(name, f"CREATE FUNCTION {name}(timestamptz) RETURNS SETOF {table.text} "
                        f"LANGUAGE sql STABLE AS $${query}$$")
        self.relations.append(Relation(f"{name}(time)", table.columns, "function"))

    def updatable_view(self, name):
        tables = [relation for relation in self.relations if relation.feature == "table" and relation.uses]
        table, query = self.late_rows(tables, f"timestamptz '{self.random_time()}'")
        self.make(name, f"CREATE VIEW {name} AS {query}{self.choose(('', ' WITH CHECK OPTION'))}")
        uses = ["INSERT", "UPDATE", "DELETE"] + ["MERGE"] * (self.version >= 17)
        self.relations.append(Relation(name, table.columns, "updatable view", table.base, uses))

    def view(self, name):
        (query, columns), statement = self.part(lambda statement: statement.select(Scope(depth=1)))
        self.make(name, f"CREATE VIEW {name}{self.choose(('', ' WITH (security_barrier)'))} AS {query}")
        self.relations.append(Relation(name, columns, "view", foreign=statement.has_foreign))
