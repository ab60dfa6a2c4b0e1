"""An API of orders, with FastAPI, pydantic 2 and psycopg 3."""

from typing import Annotated, Any, List, Optional

import psycopg
from fastapi import Depends, FastAPI, HTTPException
from psycopg.rows import dict_row
from pydantic import BaseModel

from pg_gid import Gid
from pg_gid.psycopg import register_gid


class CustomerId(Gid, kind="c"):
    """The id of a customer."""


class OrderId(Gid, kind="o"):
    """The id of an order."""


class NewOrder(BaseModel):
    customer_id: CustomerId
    item: str
    replaces: Optional[OrderId] = None


class Order(NewOrder):
    id: OrderId


app = FastAPI()


def connect():
    with psycopg.connect(row_factory=dict_row) as connection:
        register_gid(connection)
        yield connection


Connection = Annotated[Any, Depends(connect)]


@app.post("/orders", status_code=201)
def create(order: NewOrder, connection: Connection) -> Order:
    row = connection.execute(
        "INSERT INTO orders (customer_id, item, replaces) VALUES (%s, %s, %s) RETURNING *",
        [order.customer_id, order.item, order.replaces],
    ).fetchone()
    return Order(**row)


@app.get("/orders/{id}")
def read(id: OrderId, connection: Connection) -> Order:
    row = connection.execute("SELECT * FROM orders WHERE id = %s", [id]).fetchone()
    if row is None:
        raise HTTPException(404)
    return Order(**row)


@app.get("/orders")
def read_page(connection: Connection, after: Optional[OrderId] = None, limit: int = 10) -> List[Order]:
    rows = connection.execute(
        "SELECT * FROM orders WHERE id > %s ORDER BY id LIMIT %s", [after or OrderId.lower_bound(time=0), limit]
    )
    return [Order(**row) for row in rows]
