"""Django: a field for columns of gid(kind), whose values are Gid, and for times beside them."""

from __future__ import annotations

from datetime import date
from typing import Any, List, Optional, Tuple, Union

from django.core.exceptions import ValidationError
from django.db.models import NOT_PROVIDED, Field, Func, Value
from django.db.models.query_utils import DeferredAttribute

from pg_gid import Gid

__all__ = ["GidField"]


class GidAttribute(DeferredAttribute):
    """Text that is an id becomes one, as what INSERT returned does not do by itself before Django 4."""

    def __set__(self, instance: Any, value: Any) -> None:
        try:
            value = self.field.to_python(value)
        except ValidationError:
            pass  # for whoever validates the model
        instance.__dict__[self.field.attname] = value


class GidField(Field):
    """GidField("o") is a column of gid(o), and GidField() takes ids of any kind.

    A primary key that has no value gets one of the server with the INSERT.
    """

    description = "Id of kind %(kind)s"
    empty_strings_allowed = False
    db_returning = True
    descriptor_class = GidAttribute

    def __init__(self, kind: Union[str, int, None] = None, *args: Any, **kwargs: Any) -> None:
        self.kind = kind
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Tuple[str, str, List[Any], Any]:
        name, path, args, kwargs = super().deconstruct()
        return name, path, [self.kind, *args], kwargs

    def db_type(self, connection: Any) -> str:
        return f"gid({self.kind})" if self.kind else "gid"

    def rel_db_type(self, connection: Any) -> str:
        return self.db_type(connection)

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

    def validate(self, value: Any, model_instance: Any) -> None:
        if value is not None or not self._is_made_by_server():
            super().validate(value, model_instance)

    def formfield(self, **kwargs: Any) -> Any:
        return None if self._is_made_by_server() else super().formfield(**kwargs)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Optional[Gid]:
        return None if value is None else Gid(value)

    def to_python(self, value: Any) -> Optional[Gid]:
        try:
            return None if value is None else Gid(value)
        except (TypeError, ValueError) as error:
            raise ValidationError(str(error), code="invalid") from error

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        if value is None or isinstance(value, date):
            return value  # a time is for the server to compare with
        return str(self.to_python(value))
