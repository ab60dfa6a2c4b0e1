"""Random tables, views, policies and functions, for check/plans.py."""

import re

from plans_statement import (
    CITIES, DOMAINS, FIRST_MS, KINDS, Choices, Relation, Scope, Statement, Value, id_text, named, of)

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
        self.definitions = []  # with the relation that each belongs to, to be shown with failures
        self.pools = {kind: [id_text(prefix, self.milliseconds(), self.choose((
            bytes([prefix]) + rnd.randbytes(8), bytes(9), bytes(9), b"\xff" * 9)))
            for _ in range(40)] for kind, prefix in KINDS.items()}
        self.make("", SCHEMA)
        for count, name, create in (
                (14, "plain", self.plain), (4, "parts", self.partitioned), (3, "parent", self.inherited),
                (3, "far", self.foreign), (3, "secured", self.secured),
                (2, "late", self.late_rows), (7, "view", self.view)):
            for n in range(count):
                create(f"{name}{n}")
        self.make("", "ANALYZE")

    def make(self, name, sql):
        self.definitions.append((name, sql))
        for session in self.sessions:
            session.execute(sql)

    def statement(self, rnd):
        return Statement(self.relations, self.version, rnd).generate()

    def definitions_for(self, text):
        """The definitions of the relations that a statement names."""
        return [sql for name, sql in self.definitions
                if name and re.search(rf"\b{name}(_|\b)", text) and not sql.startswith("INSERT")]

    def add(self, name, columns, feature, uses="INSERT UPDATE DELETE", foreign=False):
        self.relations.append(Relation(name, [value for _, value in columns], feature, name, uses.split(), foreign))

    def columns(self):
        """Definitions and values of columns, with ids at any place.  One column is unique."""
        columns = [self.id_column(f"id{n}") for n in range(self.choose((1, 1, 2, 3)))]
        columns += [("n int", Value("n", "int", unique=True)), *self.sample([
            ("city text", Value("city", "text")), ("at timestamptz", Value("at", "time")),
            ("m int", Value("m", "int"))], self.choose((0, 1, 2, 3, 3, 3)))]
        return self.sample(columns + self.fillers("f", self.choose((0, 0, 2, 4, 12))), 99)

    def fillers(self, prefix, count):
        """Columns that nothing refers to."""
        return [(f"{prefix}{n} text", Value(f"{prefix}{n}", "other")) for n in range(count)]

    def id_column(self, name):
        if self.chance(0.4):
            holds = self.pick({"o": 4, "p": 3, "mixed": 3})
            return f"{name} {self.choose(('gid', 'gid', 'any_id'))}", Value(name, "id", None, holds)
        kind = self.pick(dict(zip(KINDS, (7, 2, 1, 1))))
        types = [f"gid({kind})"] * 3 + [domain for domain in DOMAINS if DOMAINS[domain] == kind]
        return f"{name} {self.choose(types)}", Value(name, "id", kind, kind)

    def create(self, name, columns, rest=""):
        """Creates a table, sometimes with a dropped column."""
        definitions, dropped = [definition for definition, _ in columns], self.chance(0.15)
        definitions[:self.below(len(columns) + 1)] += ["gone text"] * dropped
        self.make(name, f"CREATE TABLE {name} ({', '.join(definitions)}){rest}"
                        + f"; ALTER TABLE {name} DROP gone" * dropped)

    def fill(self, name, columns, first=0):
        values = [value for _, value in columns if value.sort != "other"]
        rows = ", ".join(f"({', '.join(self.field(value, n) for value in values)})"
                         for n in range(first, first + self.choose((1, 10, 10, 30, 30, 30, 60, 120))))
        self.make(name, f"INSERT INTO {name} ({', '.join(value.text for value in values)}) VALUES {rows}")

    def field(self, value, n):
        if value.unique or self.chance(0.04):
            return str(n) if value.unique else "NULL"
        return "'{}'".format({
            "id": lambda: self.choose(self.pools.get(value.holds) or self.pools[self.choose(list(KINDS))]),
            "int": lambda: self.below(8), "text": lambda: self.choose(CITIES), "time": self.random_time}[value.sort]())

    def table(self, name, columns, first=0):
        """Creates a table with rows, a primary key, indexes, and CHECK constraints that are true."""
        self.create(name, columns)
        self.fill(name, columns, first)
        for _, value in columns:
            predicate = f" WHERE {value.text} >= timestamptz '{self.random_time()}'" * (
                value.kind is not None and self.chance(0.2))
            if value.sort == "id" and self.chance(0.6):
                self.make(name, f"CREATE INDEX ON {name} ({value.text}){predicate}")
            if value.kind and self.chance(0.2):
                self.make(name, f"ALTER TABLE {name} ADD CHECK ({value.text} >= timestamptz '1970-01-01') NO INHERIT")
            if value.unique:
                self.make(name, f"ALTER TABLE {name} ADD PRIMARY KEY ({value.text})")

    def plain(self, name, feature="table"):
        columns = self.columns()
        self.table(name, columns)
        self.add(name, columns, feature, "INSERT UPDATE DELETE MERGE conflict")

    def partitioned(self, name):
        columns = self.columns()
        key = self.choose([value for _, value in columns if value.sort == "id"])
        edges = [f"'{id_text(KINDS[key.kind or 'o'], FIRST_MS + day * 86400000, bytes(9))}'" for day in (2, 4, 6, 8)]
        bounds = [f"FOR VALUES FROM ({one}) TO ({other})" for one, other in zip(["MINVALUE", *edges], edges)]
        self.create(name, columns, f" PARTITION BY RANGE ({key.text})")
        for n, bound in enumerate([*bounds, "DEFAULT"]):
            self.create(f"{name}_{n}", self.sample(columns, 99))
            self.make(name, f"ALTER TABLE {name} ATTACH PARTITION {name}_{n} {bound}")
        self.fill(name, columns)
        self.make(name, f"CREATE INDEX ON {name} ({key.text})")
        self.add(name, columns, "partitioned", "INSERT UPDATE DELETE MERGE")

    def inherited(self, name):
        columns = self.columns()
        self.table(name, columns)
        for n in (1, 2):
            own = self.sample(columns + self.fillers("g", self.below(4)), 99)
            self.table(f"{name}_{n}", own, 1000 * n)
            self.make(name, f"ALTER TABLE {name}_{n} INHERIT {name}")
        self.add(name, columns, "inherited", "UPDATE DELETE")

    def foreign(self, name):
        columns = self.columns()
        self.table(f"{name}_base", columns)
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
        condition, _ = self.part(lambda statement: statement.condition(scope, "a policy"),
                                 [relation for relation in self.relations if not relation.foreign])
        self.make(name, f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY; "
                        f"CREATE POLICY reader ON {name} TO plans_reader USING ({condition})")

    def late_rows(self, name):
        """A function in SQL, which the planner can inline, and an updatable view.  Both return the rows of a
        table whose id is as late as a time."""
        table = self.choose([one for one in self.relations if one.feature == "table"])
        query = f"SELECT * FROM {table.text} WHERE {self.choose(of(table.columns, 'id')).text} >="
        self.make(name, f"CREATE FUNCTION {name}(timestamptz) RETURNS SETOF {table.text} "
                        f"LANGUAGE sql STABLE AS $${query} $1$$")
        self.make(name, f"CREATE VIEW {name} AS {query} timestamptz '{self.random_time()}'"
                        f"{self.choose(('', ' WITH CHECK OPTION'))}")
        uses = ["INSERT", "UPDATE", "DELETE"] + ["MERGE"] * (self.version >= 17)
        self.relations += [Relation(f"{name}(time)", table.columns, "function"),
                           Relation(name, table.columns, "updatable view", table.base, uses)]

    def view(self, name):
        (query, columns), statement = self.part(lambda statement: statement.select(Scope(depth=1)))
        self.make(name, f"CREATE VIEW {name}{self.choose(('', ' WITH (security_barrier)'))} AS {query}")
        self.relations.append(Relation(name, columns, "view", foreign=statement.has_foreign))
