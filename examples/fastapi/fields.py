"""What pydantic makes of ids: text, bytes, JSON, keys, strict mode, schemas, errors."""

import json
import re

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from models import OrderId
from pg_gid import Gid


def shows(what, holds):
    print("ok" if holds else "not ok", "-", what, flush=True)


def error(call, *arguments, **named):
    """The message of the one error of the field "id", if validation ends in it."""
    try:
        call(*arguments, **named)
    except ValidationError as e:
        (found,) = e.errors()
        return found["msg"] if found["loc"] == ("id",) else None


class Everything(BaseModel):
    id: OrderId
    any: Gid
    counts: dict[OrderId, int] = {}


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    id: OrderId


first, log = OrderId.new(), Gid.new("log")
full = Everything(id=bytes(first), any=log, counts={str(first): 1})
ids = (full.id, *full.counts)
shows("text and bytes become ids of the class of the field", {type(id) for id in ids} == {OrderId} and set(ids) == {first})
text = full.model_dump_json()
shows("in JSON an id is its text, also as a key", json.loads(text) == {"id": str(first), "any": str(log), "counts": {str(first): 1}})
shows("JSON is read as it was written", Everything.model_validate_json(text) == full)
shows("in Python ids stay ids", full.model_dump()["id"] is full.id)
for value, reason in (
    (log, 'Value error, gid of kind "log" does not match type gid(o)'),
    (7, "Value error, a gid is made from text or bytes, not from int"),
):
    shows(reason, (error(Everything, id=value, any=log) or "").startswith(reason))
shows("strict: an id, and text in JSON", Strict.model_validate_json(f'{{"id": "{first}"}}') == Strict(id=first))
shows("strict: no text, and no other class", all(error(Strict, id=no) for no in (str(first), Gid(first))))
shows("strict: no other kind in JSON", error(Strict.model_validate_json, f'{{"id": "{log}"}}'))
for mode in "validation", "serialization":
    schema = TypeAdapter(OrderId).json_schema(mode=mode)
    accepts = [bool(re.search(schema["pattern"], text)) for text in (str(first), first.compact, "", str(first)[1:])]
    shows(f"a schema for {mode}", (schema["type"], schema["format"]) == ("string", "gid") and accepts == [True, True, False, False])
