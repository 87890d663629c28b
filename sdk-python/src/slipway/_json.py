"""Converts JSON values to the types of the contract and back.

The decoder is lenient, so that a newer API does not break an older client: it ignores further fields, accepts further
values of literals, and reads a missing field as ``None``.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Decoder = Callable[[Any], Any]


def decode(annotation: Any, value: Any) -> Any:
    """Returns a JSON value as the annotated type. Raises ``ValueError`` if it has another structure."""
    return _decoder_of(annotation)(value)


def encode(value: Any) -> Any:
    """Returns the JSON value of a body. Optional fields without a value are omitted."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names: Mapping[str, str] = getattr(value, "_json_names", {})
        fields = [(field, getattr(value, field.name)) for field in dataclasses.fields(value)]
        return {
            names.get(field.name, field.name): encode(one)
            for field, one in fields
            if one is not None or field.default is dataclasses.MISSING
        }
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {name: encode(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(one) for one in value]
    return value


@cache
def _decoder_of(annotation: Any) -> Decoder:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return _decoder_of_union(arguments)
    if origin is list:
        return _decoder_of_list(arguments[0])
    if origin is dict:
        return _decoder_of_dict(arguments[1])
    if annotation is datetime:
        return _decode_time
    if dataclasses.is_dataclass(annotation):
        return _decoder_of_object(annotation)
    return _unchanged


def _unchanged(value: Any) -> Any:
    return value


def _decode_time(value: Any) -> Any:
    # Before version 3.11, Python does not read the Z of RFC 3339.
    return datetime.fromisoformat(_checked(value, str).replace("Z", "+00:00"))


def _checked(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"The response has {type(value).__name__} in place of {kind.__name__}.")
    return value


def _decoder_of_list(item: Any) -> Decoder:
    def decode_list(value: Any) -> Any:
        return [decode(item, one) for one in _checked(value, list)]

    return decode_list


def _decoder_of_dict(item: Any) -> Decoder:
    def decode_dict(value: Any) -> Any:
        return {name: decode(item, one) for name, one in _checked(value, dict).items()}

    return decode_dict


def _decoder_of_union(alternatives: tuple[Any, ...]) -> Decoder:
    some = [one for one in alternatives if one is not type(None)]

    def decode_union(value: Any) -> Any:
        if value is None:
            return None
        wanted = next((one for one in some if _fits(one, value)), None)
        return value if wanted is None else decode(wanted, value)

    return decode_union


def _fits(annotation: Any, value: Any) -> bool:
    """Returns whether a value has the constants of an object, such as the type of an event."""
    if not dataclasses.is_dataclass(annotation):
        return True
    if not isinstance(value, dict):
        return False
    names: Mapping[str, str] = getattr(annotation, "_json_names", {})
    kind: Any = annotation
    constants = {name: get_args(hint) for name, hint in _hints_of(kind).items() if get_origin(hint) is Literal}
    return all(value.get(names.get(name, name)) in values for name, values in constants.items() if len(values) == 1)


@cache
def _hints_of(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _decoder_of_object(kind: Any) -> Decoder:
    names: Mapping[str, str] = getattr(kind, "_json_names", {})
    hints = _hints_of(kind)

    def decode_object(value: Any) -> Any:
        given = _checked(value, dict)
        values = {}
        for name, hint in hints.items():
            one = given.get(names.get(name, name))
            values[name] = None if one is None else decode(hint, one)
        return kind(**values)

    return decode_object
