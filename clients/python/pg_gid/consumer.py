"""A worker that polls.

Requires psycopg 3.  For a column of type gid(kind), the server must preload gid.  For a column of type uuid, the
database must have the functions of examples/managed/gid.sql.
"""

from __future__ import annotations

import selectors
import signal
import socket
import threading
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Any, Callable, Dict, Iterable, Iterator, Optional
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.rows import dict_row, tuple_row

from . import Gid, Kind

Row = Dict[str, Any]

# All functions, operators and types are qualified: in a schema of search_path, another role can have created one that
# matches better.  A domain over gid, for example, can have operators.

# Whether the column is a uuid, and its kind: its own, or that of its domain, which can be over another domain.
KIND = """
    WITH RECURSIVE types AS (
        SELECT atttypid AS type, atttypmod AS kind FROM pg_catalog.pg_attribute
        WHERE attrelid OPERATOR(pg_catalog.=) %(table)s::pg_catalog.regclass
          AND attname OPERATOR(pg_catalog.=) %(id)s::pg_catalog.name
        UNION ALL
        SELECT typbasetype, greatest(kind, typtypmod) FROM types JOIN pg_catalog.pg_type ON oid OPERATOR(pg_catalog.=) type
        WHERE typtype OPERATOR(pg_catalog.=) 'd')
    SELECT type OPERATOR(pg_catalog.=) 'pg_catalog.uuid'::pg_catalog.regtype, kind FROM types
    WHERE type OPERATOR(pg_catalog.=) ANY (ARRAY[pg_catalog.to_regtype('pg_catalog.gid'), 'pg_catalog.uuid'])
"""
# Why the worker would miss rows.  It asks at the start, and then each minute, because others can change the tables.
UNCOVERED = """
    SELECT * FROM pg_catalog.gid_uncovered(%(table)s::pg_catalog.regclass, %(id)s::pg_catalog.name) LIMIT 1
"""
UNCOVERED_PLAIN_SQL = """
    SELECT *
    FROM gid.gid_uncovered(%(kind)s::pg_catalog.text, %(table)s::pg_catalog.regclass, %(id)s::pg_catalog.name) LIMIT 1
"""
MINUTE = 60
# The shard of a cursor of a consumer that reads all shards.
ALL = -1
# The shards that this consumer has no cursor for, and cursors of another kind.
CURSORS = """
    SELECT s, position FROM pg_catalog.unnest(%(shards)s::int[]) AS s
    LEFT JOIN {cursors} ON consumer OPERATOR(pg_catalog.=) %(consumer)s AND shard OPERATOR(pg_catalog.=) s
    WHERE position IS NULL
       OR pg_catalog.get_byte(pg_catalog.uuid_send(position::pg_catalog.uuid), 0) OPERATOR(pg_catalog.<>) %(kind)s
"""
ADD = """
    INSERT INTO {cursors} (consumer, shard, position) VALUES (%(consumer)s, %(shard)s, %(position)s::{type})
    ON CONFLICT DO NOTHING
"""
# The cursor that is furthest behind, of those that have a row to handle and that no other worker has locked.
TAKE = """
    SELECT shard, position FROM {cursors} AS c
    WHERE consumer OPERATOR(pg_catalog.=) %(consumer)s
      AND shard OPERATOR(pg_catalog.=) ANY (%(shards)s::int[]) AND EXISTS (
        SELECT FROM {table} AS t
        WHERE t.{id} OPERATOR(pg_catalog.>) c.position AND t.{id} OPERATOR(pg_catalog.<) %(horizon)s::{type}
          AND {shard} OPERATOR(pg_catalog.=) c.shard)
    ORDER BY position LIMIT 1 FOR UPDATE SKIP LOCKED
"""
READ = """
    SELECT * FROM {table} AS t
    WHERE t.{id} OPERATOR(pg_catalog.>) %(position)s::{type} AND t.{id} OPERATOR(pg_catalog.<) %(horizon)s::{type}
      AND {shard} OPERATOR(pg_catalog.=) %(shard)s
    ORDER BY t.{id} LIMIT %(batch)s
"""
# A transaction of its own asks, before the one that reads.  If the rows are on another server, that server's snapshot must
# also be newer than the horizon.
ASK = "SELECT pg_catalog.gid_settled(%(kind)s::pg_catalog.text) AS horizon"
ASK_PLAIN_SQL = "CALL gid.gid_settled(%(kind)s::pg_catalog.text, NULL)"
MOVE = """
    UPDATE {cursors} SET position = %(position)s::{type}
    WHERE consumer OPERATOR(pg_catalog.=) %(consumer)s AND shard OPERATOR(pg_catalog.=) %(shard)s
"""


class Consumer:
    """Calls a function for each row of a table, in id order, below the horizon of the server.

    The table of cursors keeps how far each consumer has come:

        CREATE TABLE cursors (consumer text, shard int, position gid NOT NULL, PRIMARY KEY (consumer, shard));

    Each row is handled at least once.  The cursor moves in the transaction in which rows were read and handled.  If the
    worker is killed before that transaction commits, the next worker handles those rows again.  What the callback executes
    on the same connection is part of the transaction, and happens once.

    connection  of psycopg, with autocommit=True, for this consumer alone
    name        of the consumer; each consumer reads one table, and has cursors of its own
    table       may have a schema, as may cursors: "shop.events"
    callback    is called with a row, a dict
    id          the column of type gid(kind) or uuid
    kind        of a column of type uuid
    shard       a column with the number of a row's shard.  Workers share the shards; without, one works, the others wait
    shards      with shard: the numbers of the shards that this worker handles, 0 or more
    channel     NOTIFY on this channel wakes the worker, which looks every `interval` seconds as well
    batch       how many rows a transaction handles at most; the transaction is open all the while
    after       the id after which a new consumer begins; None is before the first row
    covered     True if all writers call gid_new on this server, in the transaction that inserts the row, although
                gid_uncovered() returns a reason why rows can be missed.  The worker misses other rows, and without this
                option it does not start, or ends within about a minute
    """

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        name: str,
        table: str,
        callback: Callable[[Row], object],
        *,
        id: str = "id",
        kind: Optional[Kind] = None,
        shard: Optional[str] = None,
        shards: Optional[Iterable[int]] = None,
        cursors: str = "cursors",
        channel: Optional[str] = None,
        interval: float = 1.0,
        batch: int = 100,
        after: Optional[Gid] = None,
        covered: bool = False,
    ) -> None:
        if not connection.autocommit:
            raise ValueError("a consumer requires a connection with autocommit=True")
        if (shard is None) != (shards is None):
            raise ValueError("shard and shards must be given together")
        numbers = [ALL] if shards is None else list(shards)
        if shards is not None and (not numbers or min(numbers) < 0):
            raise ValueError("shards must be numbers from 0")
        self._connection, self._callback, self._id, self._kind = connection, callback, id, kind
        self._ask, self._uncovered, self._next_check = ASK, UNCOVERED, inf if covered else 0.0
        self._column, self._channel, self._interval, self._after = f"{table}.{id}", channel, interval, after
        self._names: Dict[str, sql.Composable] = {
            "table": _identifier(table),
            "cursors": _identifier(cursors),
            "id": sql.Identifier(id),
            "shard": sql.Identifier("t", shard) if shard else sql.Literal(ALL),
        }
        quoted = self._names["table"].as_string(connection)
        self._arguments: Row = {"consumer": name, "shards": numbers, "batch": batch, "table": quoted, "id": id}
        self._is_stopping = False
        self._reader, self._writer = socket.socketpair()

    def run(self) -> None:
        """Handles rows until stop(), SIGINT or SIGTERM.  The row that is being handled is completed.

        Raises what the callback raises, and psycopg's errors: end the program, and let its supervisor start it again.
        """
        with self._signals(), selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            selector.register(self._reader, selectors.EVENT_READ)
            # FOR UPDATE has to see what another worker has moved.
            self._connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            self._prepare()
            notifications: list[object] = []
            self._connection.add_notify_handler(notifications.append)
            if self._channel is not None:
                self._connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
            while not self._is_stopping:
                notifications.clear()
                while self._handle_some():
                    pass
                # A transaction that delayed the horizon may have been rolled back, or another worker killed.
                # PostgreSQL notifies of neither, so the worker looks each second, too.
                if not notifications and not self._is_stopping:
                    selector.select(self._interval)

    def stop(self) -> None:
        """Lets run() return after the row that is being handled.  For another thread, or a signal handler."""
        self._is_stopping = True
        self._writer.send(b"\0")

    def _prepare(self) -> None:
        """Finds the kind, and adds the cursors that are missing."""
        column = self._column
        found = self._connection.cursor(row_factory=tuple_row).execute(KIND, self._arguments).fetchone()
        is_uuid, kind = found or (False, -1)
        if is_uuid and self._kind is not None:
            kind = Gid.lower_bound(self._kind, 0).prefix
        if kind == -1:
            reason = "of type uuid: give the kind" if is_uuid else "not a column of type gid(kind)"
            raise ValueError(f"{column} is {reason}")
        self._arguments["kind"] = kind
        self._names["type"] = sql.Identifier("pg_catalog", "uuid" if is_uuid else "gid")
        if is_uuid:
            self._ask, self._uncovered = ASK_PLAIN_SQL, UNCOVERED_PLAIN_SQL
        self._check()
        first = Gid.lower_bound(kind, 0) if self._after is None else self._after
        if first.prefix != kind:
            raise ValueError(f"after is not of the kind of {column}")
        start = UUID(bytes=bytes(first)) if is_uuid else first
        for row in self._query(CURSORS).fetchall():
            if row["position"] is not None:
                name = self._arguments["consumer"]
                reason = "give the consumers of different tables different names"
                raise ValueError(f"the cursor of consumer {name!r} is not of the kind of {column}: {reason}")
            self._query(ADD, shard=row["s"], position=start)

    def _check(self) -> None:
        """Raises an error if the worker would miss rows.  It asks each minute."""
        if monotonic() < self._next_check:
            return
        for row in self._query(self._uncovered).fetchall():
            advice = f": execute {row['fix']}, or give covered=True if all writers call gid_new" if row["fix"] else ""
            raise ValueError(f"the worker would miss rows that arrive through {row['object']}: {row['reason']}{advice}")
        self._next_check = monotonic() + MINUTE

    def _handle_some(self) -> bool:
        """Handles rows of one shard in a transaction.  Returns False if there are none."""
        self._check()
        with self._connection.transaction():
            self._arguments.update(self._query(self._ask).fetchone() or {})
        with self._connection.transaction():
            cursor = self._query(TAKE).fetchone()
            if cursor is None:
                return False
            rows = self._query(READ, **cursor).fetchall()
            position = None
            for row in rows:
                if self._is_stopping:
                    break
                position = row[self._id]
                self._callback(row)
            if position is not None:
                self._query(MOVE, shard=cursor["shard"], position=position)
        return len(rows) > 0 and not self._is_stopping

    def _query(self, query: str, **arguments: Any) -> psycopg.Cursor[Row]:
        arguments = {name: str(value) if name == "position" else value for name, value in arguments.items()}
        cursor = self._connection.cursor(row_factory=dict_row)
        return cursor.execute(sql.SQL(query).format(**self._names), {**self._arguments, **arguments})

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """SIGINT and SIGTERM stop the consumer.  Only the main thread can handle signals."""
        numbers = [signal.SIGINT, signal.SIGTERM] if threading.current_thread() is threading.main_thread() else []
        handlers = {number: signal.signal(number, lambda *_: self.stop()) for number in numbers}
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)


def _identifier(name: str) -> sql.Identifier:
    return sql.Identifier(*name.split("."))
