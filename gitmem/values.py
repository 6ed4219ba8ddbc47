"""What the modules take from `typing` at a fraction of its start: values that are tuples, and the names of types."""

__all__ = ["TYPE_CHECKING", "Any", "NamedTuple", "Self", "cast"]

TYPE_CHECKING = False  # a checker takes it for true; to import `typing` costs 2.7 ms, and each of its NamedTuples .1 ms

if TYPE_CHECKING:
    from typing import Any, NamedTuple, Self, cast
else:
    from operator import itemgetter

    Any = Self = object
    _new = tuple.__new__

    # Most values are this short: theirs is one of these with its parameters renamed (.6 us; compiling one takes 40).
    _SHORT = (
        lambda _kind: _new(_kind, ()),
        lambda _kind, a: _new(_kind, (a,)),
        lambda _kind, a, b: _new(_kind, (a, b)),
        lambda _kind, a, b, c: _new(_kind, (a, b, c)),
        lambda _kind, a, b, c, d: _new(_kind, (a, b, c, d)),
        lambda _kind, a, b, c, d, e: _new(_kind, (a, b, c, d, e)),
        lambda _kind, a, b, c, d, e, f: _new(_kind, (a, b, c, d, e, f)),
        lambda _kind, a, b, c, d, e, f, g: _new(_kind, (a, b, c, d, e, f, g)),
        lambda _kind, a, b, c, d, e, f, g, h: _new(_kind, (a, b, c, d, e, f, g, h)),
    )
    _Function = type(_SHORT[0])

    def cast(kind, value):
        return value

    def _replace(self, **named):
        return type(self)(**{**self._asdict(), **named})

    def _asdict(self):
        return dict(zip(self._fields, self, strict=True))

    def _repr(self):
        return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in self._asdict().items())})"

    _SHARED = {
        "__slots__": (),
        "__repr__": _repr,
        "__getnewargs__": lambda self: tuple(self),
        "_replace": _replace,
        "_asdict": _asdict,
    }

    def _annotated(body):
        """Returns the names that a class body annotates; since Python 3.14 a function gives them, for the format 1."""
        return body["__annotations__"] if "__annotations__" in body else body["__annotate_func__"](1)

    def _builder(name, fields, defaults):
        """Returns `__new__` of a value, which takes its fields by place or by name."""
        if len(fields) < len(_SHORT):
            code = _SHORT[len(fields)].__code__
        else:
            code = eval(f"lambda _kind, {', '.join(fields)}: _new(_kind, ({', '.join(fields)}))", {}).__code__
        code = code.replace(co_varnames=("_kind", *fields), co_name="__new__", co_qualname=f"{name}.__new__")
        return _Function(code, globals(), "__new__", tuple(defaults.values()))

    class _Kind(type):
        """Builds, of a class body, a class of tuples with a reader for every annotated name."""

        def __new__(cls, name, bases, body):
            fields = tuple(_annotated(body))
            defaults = {field: body.pop(field) for field in fields if field in body}
            readers = {field: property(itemgetter(place)) for place, field in enumerate(fields)}
            named = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            named["__new__"] = _builder(name, fields, defaults)
            return type(name, (tuple,), {**_SHARED, **named, **readers, **body})

    NamedTuple = type.__new__(_Kind, "NamedTuple", (), {})
