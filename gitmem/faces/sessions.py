"""The commands of a session: what it reads first, whether it may go on, and the pages that it leaves."""

import os
from collections.abc import Callable

from gitmem.faces.call import Call, Outcome, usage


def _brief(call: Call) -> Outcome:
    from gitmem.operations.brief import BUDGET, brief

    held = call.served.held if call.served else None
    result = brief(call.memory(), call.values["query"], budget=call.values["budget"] or BUDGET, held=held)
    return Outcome(result, 0, lambda view: str(result["text"]))


def _guard(call: Call) -> Outcome:
    from gitmem.operations.guard import check

    valid, reason = check(call.memory(), call.values["handle"])
    said = "The handle holds." if valid else reason
    return Outcome({"valid": valid, "reason": reason}, int(not valid), lambda view: f"{said}\n")


def _views(call: Call) -> Outcome:
    from gitmem.faces.render import label, page
    from gitmem.operations.views import views

    if not call.values["out"]:
        raise usage("views needs a folder to write to.", "gitmem views --out DIR")
    memory = call.memory()
    result = views(memory, os.path.join(call.directory, call.values["out"]))
    lines = result["files"]
    return Outcome(
        result, 0, lambda view: page("\n".join(label("wrote", path, view) for path in lines)), memory.trusted
    )


VERBS: dict[str, Callable[[Call], Outcome]] = {"brief": _brief, "guard": _guard, "views": _views}
