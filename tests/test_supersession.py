"""What replaced what and who contests whom, told alike wherever a note is delivered or named."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, new_project
from hypothesis import given, settings
from hypothesis import strategies as st
from projects import kept, problems, text

from gitmem.faces import cli
from gitmem.knowledge import graph as graphs
from gitmem.operations import links
from gitmem.operations.history import show_at
from gitmem.operations.judging import judge
from gitmem.operations.memory import ready
from gitmem.operations.read import list_notes, show, timeline, walk
from gitmem.operations.recall import recall
from gitmem.operations.write import Draft, revise
from gitmem.search.query import Wanted


def codes(reply: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["code"], each["name"]) for each in reply["warnings"]]


def recalled(project: Project, query: str, **filters: Any) -> dict[str, Any]:
    return recall(project.open(), query, Wanted(**filters), limit=0)


# The law

NAMES = [f"note-{number}" for number in range(6)]
CLAIMS = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.sampled_from(["replaces", "conflicts-with", "because"]),
        st.sampled_from([*NAMES, "former-1", "former-2", "nobody"]),
    ),
    max_size=10,
)
STAMPS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["superseded", "archived"]), max_size=2)


@settings(max_examples=20, deadline=None)
@given(claims=CLAIMS, stamps=STAMPS)
def test_recall_delivers_nothing_superseded_and_says_of_all_contested(
    claims: list[tuple[str, str, str]], stamps: dict[str, str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = linked(Path(folder) / "p", claims, stamps)

        replies = [recalled(project, "journal"), recalled(project, "note journal 1"), recalled(project, "")]
        replies.append(recall(project.open(), None, Wanted(), limit=0, changed="HEAD"))
        superseded, rivals = told_by_files(project)
        standings = {note["name"]: note["standing"] for note in list_notes(project.open(), Wanted())["notes"]}

    for reply in replies:
        names = [hit["name"] for hit in reply["hits"]]
        assert superseded.isdisjoint(names)
        contested = {hit["name"] for hit in reply["hits"] if "contested" in hit["marks"]}
        warned = {each["name"]: each["message"] for each in reply["warnings"] if each["code"] == "contested"}
        assert contested == {name for name in names if rivals[name]} == warned.keys()
        assert all("contested by" in message for message in warned.values())
    assert set(NAMES) - superseded - stamps.keys() == {hit["name"] for hit in replies[0]["hits"]}
    assert {name for name, each in standings.items() if each == "superseded"} == superseded


def linked(root: Path, claims: list[tuple[str, str, str]], stamps: dict[str, str]) -> Project:
    """Returns a project whose notes make these claims, all of them on a journal; two have an alias."""
    project = new_project(root)
    project.git("commit", "-q", "--allow-empty", "-m", "Begin")
    for at, name in enumerate(NAMES):
        own = {verb: [to for one, each, to in claims if (one, each) == (name, verb)] for _, verb, _ in claims}
        fields = {verb: json.dumps(targets) for verb, targets in own.items() if targets}
        fields |= {"status": stamps[name]} if name in stamps else {}
        fields |= {"aliases": f"[former-{at}]"} if at in (1, 2) else {}
        project.note(name, f"The journal {at}.", touches="[code.py]", **fields)
    (project.root / "code.py").write_text("changed\n")
    return project


def told_by_files(project: Project) -> tuple[set[str], dict[str, set[str]]]:
    """Returns the names that are superseded, and who contests each note, by the whole graph."""
    graph = graphs.build(ready(project.open()).view.everything())
    superseded = {entry.name for entry in graph.entries if entry.note.status == "superseded"}
    rivals: dict[str, set[str]] = {entry.name: set() for entry in graph.entries}
    for edge in (edge for edges in graph.out.values() for edge in edges):
        if edge.target and edge.target.path != edge.source.path:
            superseded |= {edge.target.name} if edge.link.verb == "replaces" else set()
            if edge.link.verb == "conflicts-with":
                rivals[edge.source.name].add(edge.target.name)
                rivals[edge.target.name].add(edge.source.name)
    return superseded, rivals


# Contested


def test_a_contested_hit_names_the_other_sides(project: Project) -> None:
    project.note("wal", "Journal first.", **{"conflicts-with": "[journal]"})
    project.note("journal", "Journal only.")
    project.note("other", "No journal.", **{"conflicts-with": "[journal]"})

    reply = recalled(project, "journal")

    said = {each["name"]: each["message"] for each in reply["warnings"]}
    assert said["journal"] == "journal is contested by other, wal: weigh both before you rely on one."
    assert said["wal"].startswith("wal is contested by journal:")


def test_hits_that_seem_to_disagree_are_named_until_somebody_judges(project: Project) -> None:
    project.note("port-9090", "The server listens on port 9090.", suspects="[old-port, gone]")
    project.note("port-8080", "The server listens on port 8080.", aliases="[old-port]", suspects="[port-9090]")

    both = recalled(project, "server port")
    one = recall(project.open(), "server port", Wanted(), limit=1)

    (warning,) = both["warnings"]
    assert warning["code"] == "suspect" and warning["message"].endswith("nobody has judged it: weigh both.")
    assert all(name in warning["message"] for name in ("port-9090", "port-8080"))
    assert one["warnings"] == []


def test_only_what_is_delivered_warns(project: Project) -> None:
    project.note("wal", "Journal first.", **{"conflicts-with": "[journal]"})
    project.note("journal", "Journal only.")

    limited = recall(project.open(), "journal only", Wanted(), limit=1)
    cut = recall(project.open(), "journal only", Wanted(), budget=len("Journal"))

    assert [len(reply["hits"]) for reply in (limited, cut)] == [1, 1]
    assert codes(limited) == codes(cut) == [("contested", "journal")]


# Chains


@pytest.fixture
def chain(project: Project) -> Project:
    """A project where `first` was replaced by `second`, that by `third`, and `user` rests on the first."""
    project.note("first", created="2026-05-01")
    project.note("second", created="2026-05-02", replaces="[first]")
    project.note("third", created="2026-05-03", replaces="[second]", **{"conflicts-with": "[user]"})
    project.note("user", because="[first]", needs="[third]")
    project.write("decision/user.md", text(project, "decision/user.md") + "\nSee [[second]].\n")
    return project


def test_show_says_what_holds_now_of_a_note_and_of_each_it_names(chain: Project) -> None:
    user, first = show(chain.open(), "user"), show(chain.open(), "first")

    out = {each["name"]: (each["marks"], each["now"]) for each in (*user["links_out"], *user["mentions"])}
    assert out == {
        "first": (["superseded"], "third"),
        "third": (["contested"], None),
        "second": (["superseded"], "third"),
    }
    assert first["now"] == "third" and user["now"] is None
    into = {each["name"]: (each["marks"], each["now"]) for each in first["links_in"]}
    assert into == {"user": (["contested"], None), "second": (["superseded"], "third")}


def test_walk_and_timeline_say_what_stands_against_a_note(chain: Project) -> None:
    walked = {note["name"]: note["marks"] for note in walk(chain.open(), "user")["notes"]}
    timed = timeline(chain.open(), "second")

    marks = {"first": ["superseded"], "second": ["superseded"], "third": ["contested"]}
    assert walked == {"user": ["contested"], **marks}
    assert {note["name"]: note["marks"] for note in timed["notes"]} == marks and timed["head"] == "third"


def test_what_was_stamped_by_hand_has_no_known_successor(chain: Project) -> None:
    chain.note("lone", status="superseded")
    chain.note("rests", because="[lone, nobody]")

    ends = [(each["name"], each["marks"], each["now"]) for each in show(chain.open(), "rests")["links_out"]]

    assert ends == [("lone", ["superseded"], None), ("nobody", [], None)]
    assert show(chain.open(), "lone")["now"] is None


def test_a_ring_has_no_head_and_is_a_problem(project: Project) -> None:
    project.note("one", replaces="[two]")
    project.note("two", replaces="[one]")

    assert [show(project.open(), name)["now"] for name in ("one", "two")] == [None, None]
    assert recalled(project, "one two")["hits"] == []
    assert problems(project) == {"decision/one.md": ["cycle"]}


def test_the_past_has_the_heads_of_its_time(chain: Project) -> None:
    chain.git("add", ".")
    chain.git("commit", "-qm", "Begin")
    chain.note("fourth", created="2026-05-04", replaces="[third]")

    then = show_at(chain.open(), "first", "HEAD")["now"]

    assert (then, show(chain.open(), "first")["now"]) == ("third", "fourth")


def test_the_text_says_so_beside_each_name(chain: Project, capsys: pytest.CaptureFixture[str]) -> None:
    said = {}
    for verb in ("show", "walk", "timeline"):
        cli.main(["-C", str(chain.root), verb, "first"])
        said[verb] = capsys.readouterr().out.splitlines()

    assert "  now        third" in said["show"]
    assert "  links      replaces ← second (superseded, now third) > Second" in said["show"]
    assert said["walk"][0] == "first · decision · superseded > First"
    assert said["timeline"] == [
        "2026-05-01  first (superseded) > First",
        "  replaced by second",
        "2026-05-02  second (superseded) > Second",
        "  replaced by third",
        "2026-05-03  third (contested) > Third",
    ]


# A replacement that covers less


@pytest.fixture
def rich(project: Project) -> Project:
    """A project with a note `old` that has tags, touches and links, and a bare note `new`."""
    kept(project, "Reason")
    kept(project, "Old", tags=("a", "b"), touches=("src/a.py", "src/b.py::f"), links=("because=reason",))
    kept(project, "New")
    return project


LACKS = "new covers less than old, which it replaces: it lacks the tags a, b; the touches src/a.py, src/b.py::f; the link because reason."


def test_link_says_what_a_replacement_lacks(rich: Project) -> None:
    first = links.link(rich.open(), "new", "replaces", "old")
    again = links.link(rich.open(), "new", "replaces", "old")
    other = links.link(rich.open(), "new", "because", "reason")

    assert first["warnings"] == [{"code": "covers-less", "name": "old", "message": LACKS}]
    assert again["warnings"] == other["warnings"] == []


def test_remember_and_revise_say_it_too(rich: Project) -> None:
    revised = revise(rich.open(), "new", Draft(links=("replaces=old",), tags=("b",)))
    written = kept(rich, "Newest", tags=("x",), links=("replaces=old",), touches=("src/",))

    assert [each["message"] for each in revised["warnings"] if each["code"] == "covers-less"] == [
        LACKS.replace("tags a, b", "tag a")
    ]
    assert [each["message"] for each in written["warnings"] if each["code"] == "covers-less"] == [
        "newest covers less than old, which it replaces: it lacks the tags a, b; the link because reason."
    ]


def test_a_judgement_says_it_too(rich: Project) -> None:
    judged = judge(rich.open(), "new", "old", "replaces")

    assert codes(judged) == [("covers-less", "old")]
    assert judge(rich.open(), "new", "old", "replaces")["warnings"] == []


def test_what_covers_as_much_says_nothing(rich: Project) -> None:
    full = kept(
        rich,
        "Full",
        tags=("b", "a", "c"),
        touches=("src/a.py", "src/b.py"),
        links=("because=reason", "replaces=old"),
    )
    head = kept(rich, "Head", tags=("a", "b", "c"), touches=("src/",), links=("because=reason", "replaces=full"))

    assert [each for each in (*full["warnings"], *head["warnings"]) if each["code"] == "covers-less"] == []
