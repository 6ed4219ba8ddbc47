"""The commands for pull requests: their notes reviewed, and the workflow that has them reviewed."""

from gitmem.errors import GitmemError
from gitmem.faces import render
from gitmem.faces.agents import is_trusting
from gitmem.faces.call import Call, Outcome, usage
from gitmem.values import Any

SUMMARY = "GITHUB_STEP_SUMMARY"


def review(call: Call) -> Outcome:
    """Reviews what HEAD brings; for GitHub the page goes into the job's summary."""
    from gitmem.faces import report
    from gitmem.operations.review import review as reviewed

    base, form = call.values["base"], call.values["format"] or "text"
    if base is None and form in ("text", "json"):
        from gitmem.faces import standing

        return standing.review(call)
    if not base:
        raise usage(
            "Such a review needs the branch that HEAD would be merged into.", "gitmem review --base origin/main"
        )
    memory = call.memory()
    result = reviewed(memory, base)
    path = call.environment.get(SUMMARY) if form == "github" else None
    if path:
        _add(path, report.markdown(result))
    views = {
        "text": report.text,
        "markdown": lambda result, view: report.markdown(result),
        "github": lambda result, view: report.annotations(result),
        "json": report.text,
    }
    return Outcome(result, int(not result["passes"]), lambda view: views[form](result, view), memory.trusted)


def _add(path: str, page: str) -> None:
    """Adds a page to the file that a workflow shows as its summary; others may have written there before."""
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(page)
    except OSError as error:
        message = f"The summary could not be written to {path}: {error.strerror}."
        raise GitmemError("output", message, f"Unset {SUMMARY}, or let it name a file that can be written.") from error


def setup(call: Call) -> Outcome:
    """Writes the workflow or takes it away, or says what that would change."""
    from gitmem.operations.workflow import remove_github, setup_github

    dry_run, remove = call.values["dry_run"], call.values["remove"]
    if call.values["mode"] or call.values["scope"]:
        raise usage("--mode and --scope are for agents.", "gitmem setup github")
    if remove:
        result = remove_github(call.directory, environment=call.environment, dry_run=dry_run)
    else:
        person = is_trusting(call)
        result = setup_github(call.directory, environment=call.environment, dry_run=dry_run, trusting=person)
    if dry_run:
        return Outcome(result, 0, lambda view: difference(result))
    done = "took the workflow away" if remove else "wrote the workflow; commit it to have pull requests reviewed"
    return Outcome(result, 0, lambda view: render.changed(result, done, view))


def difference(result: dict[str, Any]) -> str:
    """Returns what setup would change, as a unified diff."""
    rows = result["diff"].splitlines() or ["Nothing to change."]
    return render.page("\n".join(map(render.safe, rows)))
