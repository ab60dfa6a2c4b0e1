"""Django REST framework: a renderer that writes ids as text.  Serializers require nothing else.

    REST_FRAMEWORK = {"DEFAULT_RENDERER_CLASSES": ["pg_gid.rest_framework.GidJSONRenderer"]}
"""

from __future__ import annotations

from typing import Any

from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

from pg_gid import Gid


class GidJSONRenderer(JSONRenderer):
    """Renders the keys of related objects, and ids in other data, as text."""

    class encoder_class(JSONEncoder):
        def default(self, obj: Any) -> Any:
            return str(obj) if isinstance(obj, Gid) else super().default(obj)
