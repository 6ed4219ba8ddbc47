"""The command that puts a memory in front of coding agents, by their own files."""

from gitmem.faces import render
from gitmem.faces.agents import is_trusting
from gitmem.faces.call import Call, Outcome, usage
from gitmem.faces.pulls import difference


def setup(call: Call) -> Outcome:
    """Wires an agent or takes its wiring away, or says what that would change."""
    from gitmem.operations.wiring import unwire, wire

    name, dry_run, remove = call.values["system"], call.values["dry_run"], call.values["remove"]
    scope, mode = call.values["scope"] or "project", call.values["mode"]
    if remove and mode:
        raise usage("--remove takes everything away, whatever the --mode.", f"gitmem setup {name} --remove")
    if remove:
        result = unwire(call.directory, name, environment=call.environment, scope=scope, dry_run=dry_run)
    else:
        result = wire(
            call.directory,
            name,
            environment=call.environment,
            mode=mode or "relaxed",
            scope=scope,
            trusting=is_trusting(call),
            dry_run=dry_run,
        )
    if dry_run:
        return Outcome(result, 0, lambda view: difference(result) + render.page("\n".join(_said(result))))
    return Outcome(result, 0, lambda view: render.changed(result, _done(result, remove=remove), view))


def _said(result: dict[str, object]) -> list[str]:
    found = result["warnings"]
    return render.warnings(found) if isinstance(found, list) else []


def _done(result: dict[str, object], *, remove: bool) -> str:
    name, where = result["name"], "your own files" if result["scope"] == "user" else "this project"
    return f"took {name} out of {where}" if remove else f"set up {name} in {where}; it takes effect in its next session"
