"""Who is at work: a person, or an agent that its own environment variable gives away."""

from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.faces.call import Call
from gitmem.operations.draft import Author
from gitmem.operations.running import AGENTS, agent
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.operations.memory import Memory

__all__ = ["AGENTS", "agent", "author", "check_person", "is_trusting", "writer"]


def author(environment: Mapping[str, str], *, terminal: bool, settings: Mapping[str, str]) -> Author:
    """Returns who writes: an agent's variable outweighs `git config gitmem.source`, and that outweighs the terminal."""
    named = agent(environment)
    if named:
        return Author("agent", named)
    source = _source(settings)
    if source in ("user", "agent"):
        return Author(source, None)
    return Author("user" if terminal else "agent", None)


def writer(call: Call, memory: "Memory") -> Author:
    """Returns who makes a call."""
    if call.served:
        return call.served.author
    return author(call.environment, terminal=call.attended, settings=memory.settings)


def _source(settings: Mapping[str, str]) -> str:
    """Returns what `git config gitmem.source` says, however it is written, as a note's own `source` is read."""
    return settings.get("source", "").strip().lower()


def _is_person(call: Call, memory: "Memory") -> bool:
    """Returns whether no agent runs a command, as far as its variables and `git config gitmem.source` tell."""
    return call.served is None and not agent(call.environment) and _source(memory.settings) != "agent"


def is_trusting(call: Call) -> bool:
    """Returns whether no agent runs a command, also where there is no memory yet: an agent makes no clone trusted."""
    from gitmem.storage import git

    repository = git.find(call.directory)
    settings = git.settings(repository.top, environment=call.environment) if repository else {}
    return call.served is None and not agent(call.environment) and _source(settings) != "agent"


def check_person(call: Call, memory: "Memory", act: str) -> None:
    """Refuses an act of a person to an agent; at a terminal a person may say that one is there."""
    if _is_person(call, memory):
        return
    variable = next((name for name, _ in AGENTS if call.environment.get(name)), None)
    sign = f"{variable} says that an agent runs this" if variable else "an agent works here"
    if call.served is None and call.ask and call.attended:
        said = call.ask(f"{sign[0].upper()}{sign[1:]}. If you are a person and mean to {act}, type yes: ")
        if said.strip().lower() == "yes":
            return
    hint = f"Tell the person whose project this is what you would {act} and why; at a terminal they type gitmem {act}."
    raise GitmemError("person-only", f"{act} is an act of a person, and {sign}.", hint)
