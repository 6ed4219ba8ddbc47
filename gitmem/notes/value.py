"""The value of a field in front matter."""

from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Union

    Value = Union[str, None, list["Value"], dict[str, "Value"]]  # noqa: UP007 - `|` cannot hold a forward reference
else:
    Value = object
