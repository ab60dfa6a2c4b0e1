"""gid from pydantic 2 and FastAPI: models, their schemas, paths, queries and rows."""

import json
import re
from typing import Dict, List, Optional

import psycopg
from fastapi.testclient import TestClient
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from app import CustomerId, NewOrder, Order, OrderId, app
from pg_gid import Gid


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)


def errors(call, *arguments, **named):
    """The errors that validation ends in, if any."""
    try:
        call(*arguments, **named)
    except ValidationError as e:
        return e.errors()
    return []


with psycopg.connect() as connection:
    connection.execute("CREATE EXTENSION gid")
    connection.execute(
        """
        CREATE TABLE orders (
            id          gid(o) PRIMARY KEY DEFAULT gid_new('o'),
            customer_id gid(c) NOT NULL,
            item        text NOT NULL,
            replaces    gid(o)
        )
        """
    )

# Models.

ada, first, log = CustomerId.new(), OrderId.new(), Gid.new("log")


class Everything(BaseModel):
    id: OrderId
    any: Gid
    maybe: Optional[OrderId] = None
    many: List[OrderId] = []
    counts: Dict[OrderId, int] = {}


full = Everything(id=str(first), any=ada, maybe=first.compact, many=[bytes(first)], counts={str(first): 1})
shows(
    "text, bytes and ids become ids of the class of the field",
    {type(id) for id in (full.id, full.maybe, *full.many, *full.counts)} == {OrderId} and full.any == ada,
)
text = full.model_dump_json()
shows(
    "in JSON they are text, also as keys",
    json.loads(text)
    == {
        "id": str(first),
        "any": str(ada),
        "maybe": str(first),
        "many": [str(first)],
        "counts": {str(first): 1},
    },
)
shows("JSON is read as it was written", Everything.model_validate_json(text) == full)
shows(
    "in Python they stay ids", full.model_dump()["id"] is full.id and full.model_dump(mode="json")["id"] == str(first)
)
shows("None", "maybe=None" in repr(Everything(id=first, any=log)))
for value, reason in (
    ("x", "Value error, invalid input syntax for type gid: 'x'. A gid is 24 bytes of text"),
    (log, 'Value error, gid of kind "log" does not match type gid(o)'),
    (7, "Value error, a gid is made from text or bytes, not from int"),
    (None, "Value error, a gid is made from text or bytes, not from NoneType"),
):
    (error,) = errors(Everything, id=value, any=log)
    shows(error["msg"], error["loc"] == ("id",) and error["msg"].startswith(reason))


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    id: OrderId


shows("strict: an id from Python", Strict(id=first).id is first)
shows("strict: text from JSON", Strict.model_validate_json(f'{{"id": "{first}"}}').id == first)
shows("strict: no text from Python, and no other class", all(errors(Strict, id=no) for no in (str(first), Gid(first))))
shows("strict: no other kind from JSON", errors(Strict.model_validate_json, f'{{"id": "{log}"}}') != [])

for mode in "validation", "serialization":
    schema = TypeAdapter(OrderId).json_schema(mode=mode)
    shows(
        f"a JSON schema for {mode}",
        (schema["type"], schema["format"]) == ("string", "gid")
        and all(re.search(schema["pattern"], text) for text in (str(first), first.compact))
        and not any(re.search(schema["pattern"], text) for text in ("", str(first)[1:], str(first).replace("-", "0"))),
    )

# FastAPI.

client = TestClient(app)
answer = client.post("/orders", json={"customer_id": str(ada), "item": "tea"})
tea = Order(**answer.json())
shows("a new order", answer.status_code == 201 and tea.id > first and tea.customer_id == ada)
answer = client.post("/orders", json=NewOrder(customer_id=ada, item="milk", replaces=tea.id).model_dump(mode="json"))
milk = Order(**answer.json())
shows("an order can refer to another order", milk.replaces == tea.id)
answer = client.get(f"/orders/{tea.id}")
shows("a path", answer.json() == {"id": str(tea.id), "customer_id": str(ada), "item": "tea", "replaces": None})
shows("a page", [row["item"] for row in client.get("/orders", params={"limit": 1}).json()] == ["tea"])
shows("the next page", [row["item"] for row in client.get("/orders", params={"after": tea.id}).json()] == ["milk"])
shows("an order that does not exist: 404", client.get(f"/orders/{first}").status_code == 404)
for id in "garbage", str(ada):
    answer = client.get(f"/orders/{id}")
    (error,) = answer.json()["detail"]
    shows(f"422: {error['msg']}", answer.status_code == 422 and error["loc"] == ["path", "id"])
answer = client.post("/orders", json={"customer_id": str(tea.id), "item": "tea"})
(error,) = answer.json()["detail"]
shows(f"422: {error['msg']}", answer.status_code == 422 and error["loc"] == ["body", "customer_id"])
(parameter,) = client.get("/openapi.json").json()["paths"]["/orders/{id}"]["get"]["parameters"]
shows("the API's description", (parameter["schema"]["type"], parameter["schema"]["format"]) == ("string", "gid"))
