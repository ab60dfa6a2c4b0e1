"""Django: a field for columns of gid(kind), and what forms, URLs and JSON require for it."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from importlib import import_module
from typing import Any, Callable, Optional, Type, Union

from django import forms
from django.core.exceptions import EmptyResultSet, ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models import NOT_PROVIDED, Field, Func, Value
from django.db.models.lookups import Exact
from django.db.models.query_utils import DeferredAttribute
from django.db.models.signals import post_migrate

from pg_gid import Gid, Kind, class_and_kind, parameter_of, result_of

AnyKind = Union[Type[Gid], Kind, None]


def _validated(call: Callable[..., Any], value: Any, kind: Optional[Kind]) -> Any:
    try:
        return call(value, kind)
    except (TypeError, ValueError) as error:
        raise ValidationError(str(error), code="invalid") from error


class GidFormField(forms.CharField):
    """A form field for the text of an id.  Its value is a Gid, or None if it is empty."""

    def __init__(self, *, kind: AnyKind = None, **kwargs: Any) -> None:
        self.gid_class, self.kind = class_and_kind(kind)
        super().__init__(**kwargs)

    def to_python(self, value: Any) -> Optional[Gid]:
        value = super().to_python(value)
        return None if value in self.empty_values else _validated(self.gid_class, value, self.kind)


class GidAttribute(DeferredAttribute):
    """Makes valid text an id.  Before version 4, Django does not convert what INSERT returned."""

    def __set__(self, instance: Any, value: Any) -> None:
        with suppress(ValidationError):  # full_clean() reports it
            value = self.field.to_python(value)
        instance.__dict__[self.field.attname] = value


class GidField(Field):
    """The field of a column: GidField(OrderId) and GidField("o") are gid(o), GidField() is gid, which accepts any kind.

    The values of the first are OrderId, which is class OrderId(Gid, kind="o").  Those of the others are Gid.  A primary
    key of one kind without a default is minted by the server, in the INSERT.
    """

    description = "Id of kind %(kind)s"
    empty_strings_allowed = False
    db_returning = True
    descriptor_class = GidAttribute

    def __init__(self, kind: AnyKind = None, *args: Any, **kwargs: Any) -> None:
        self.gid_class, self.kind = class_and_kind(kind)
        super().__init__(*args, **kwargs)
        if self._is_made_by_server():
            self.editable = False  # forms leave the key out, and formsets identify their rows by it

    def deconstruct(self) -> tuple[str, str, list[Any], Any]:
        name, path, args, kwargs = super().deconstruct()
        return name, path, [self.kind, *args], kwargs  # a migration does not need the class

    def db_type(self, connection: Any) -> str:
        return f"gid({self.kind})" if self.kind else "gid"

    def db_type_suffix(self, connection: Any) -> Optional[str]:
        return f"DEFAULT gid_new('{self.kind}')" if self._is_made_by_server() else None

    def _is_made_by_server(self) -> bool:
        has_default = self.has_default() or getattr(self, "db_default", NOT_PROVIDED) is not NOT_PROVIDED
        return bool(self.primary_key and self.kind and not has_default)

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        if add and value is None and self._is_made_by_server():
            return Func(Value(str(self.kind)), function="gid_new", output_field=self)
        return value

    def formfield(self, **kwargs: Any) -> Any:
        kind = self.kind if self.gid_class is Gid else self.gid_class
        return super().formfield(**{"form_class": GidFormField, "kind": kind, **kwargs})

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Optional[Gid]:
        return None if value is None else result_of(value, self.gid_class)

    def to_python(self, value: Any) -> Optional[Gid]:
        return None if value is None else _validated(self.gid_class, value, self.kind)

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        # The server compares ids with times.
        return value if value is None or isinstance(value, date) else _validated(parameter_of, value, self.kind)


@GidField.register_lookup
class GidExact(Exact):
    """Text that is not an id of the kind matches no row, so that get_object_or_404() raises Http404.

    A Gid of another kind is an error of the program, and raises ValidationError.
    """

    is_invalid = False

    def get_prep_lookup(self) -> Any:
        try:
            return super().get_prep_lookup()
        except ValidationError:
            if isinstance(self.rhs, Gid):
                raise
            self.is_invalid = True
            return self.rhs

    def as_sql(self, *args: Any, **kwargs: Any) -> Any:
        if self.is_invalid:
            raise EmptyResultSet
        return super().as_sql(*args, **kwargs)


def gid_converter(kind: AnyKind = None) -> Type[Any]:
    """The class of a path converter: register_converter(gid_converter(OrderId), "order_id").

    A path with an invalid id or an id of another kind does not match, which is a 404.
    """
    gid_class, name = class_and_kind(kind)

    class GidConverter:
        regex = "[1-9A-Za-z-]{22,24}"

        def to_python(self, value: str) -> Gid:
            return gid_class(value, name)

        def to_url(self, value: Any) -> str:
            return str(gid_class(value, name))

    return GidConverter


class GidJSONEncoder(DjangoJSONEncoder):
    """Writes ids as text, for JsonResponse(..., encoder=GidJSONEncoder) and JSONField(encoder=GidJSONEncoder)."""

    def default(self, o: Any) -> Any:
        return str(o) if isinstance(o, Gid) else super().default(o)


_SchemaEditor: Any = object  # a mixin of the class that the connection has


class GidSchemaEditor(_SchemaEditor):
    """Changes the default of a key that the server mints, together with its type."""

    def _alter_field(self, model: Any, old_field: Any, new_field: Any, *args: Any, **kwargs: Any) -> None:
        fields = old_field, new_field
        old, new = (f.db_type_suffix(self.connection) if isinstance(f, GidField) else None for f in fields)
        table, *columns = map(self.quote_name, (model._meta.db_table, old_field.column, new_field.column))
        # A default is not converted together with its column.
        if old and old != new:
            self.execute(f"ALTER TABLE {table} ALTER COLUMN {columns[0]} DROP DEFAULT")
        super()._alter_field(model, old_field, new_field, *args, **kwargs)
        if new and old != new:
            self.execute(f"ALTER TABLE {table} ALTER COLUMN {columns[1]} SET {new}")


def _register(connection: Any, **_: Any) -> None:
    """Prepares a connection to PostgreSQL.  Drivers cannot read gid[] otherwise."""
    if connection.vendor != "postgresql":
        return
    if not issubclass(connection.SchemaEditorClass, GidSchemaEditor):
        bases = (GidSchemaEditor, connection.SchemaEditorClass)
        connection.SchemaEditorClass = type("DatabaseSchemaEditor", bases, {})
    with suppress(LookupError):  # a migration can create the extension
        import_module(f"pg_gid.{connection.Database.__name__}").register_gid(connection.connection)


def _register_again(using: str, **_: Any) -> None:
    """After migrations that created the extension on this connection."""
    if connections[using].connection is not None:
        _register(connections[using])


connection_created.connect(_register)
post_migrate.connect(_register_again)
