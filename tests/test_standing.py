"""How notes stand in a memory: in show, list, recall, status and review, and in the order of what recall finds."""

from typing import Any

import pytest
from conftest import Project
from projects import bytes_of, refusal

from gitmem.notes.instant import instant_of
from gitmem.operations import judging, read
from gitmem.operations.health import status
from gitmem.operations.memory import ready
from gitmem.operations.recall import recall
from gitmem.operations.waiting import waiting
from gitmem.search.query import Wanted

DAY = 86_400
STANDS = ("trust", "standing", "marks")


def stands(project: Project, name: str, later: float = 0) -> tuple[float, str, list[str]]:
    """Returns trust, standing and marks of a note, which show, list and recall tell alike."""
    memory = project.open(later)
    shown = {key: read.show(memory, name)[key] for key in STANDS}
    everywhere = Wanted(include=("superseded", "archived"))
    others = [*read.list_notes(memory, Wanted())["notes"], *recall(memory, name, everywhere)["hits"]]
    assert all({key: each[key] for key in STANDS} == shown for each in others if each["name"] == name)
    return shown["trust"], shown["standing"], shown["marks"]


def ago(project: Project, days: float) -> str:
    return instant_of(int(project.open().now - days * DAY))


def test_a_note_nobody_reviewed_is_unreviewed_and_a_persons_is_approved(project: Project) -> None:
    project.note("by-agent", source="agent")
    project.note("by-hand")
    project.note("by-person", source="user")

    found = [stands(project, name) for name in ("by-agent", "by-hand", "by-person")]

    assert found[0] == found[1] == (0.5, "unreviewed", ["unreviewed", "written"])
    assert found[2] == (1.0, "approved", ["approved", "written"])


@pytest.mark.parametrize(
    ("fields", "trust", "standing"),
    [
        ({"created": "2026-05-01"}, 0.5, "unreviewed"),
        ({"created": "2026-05-01T10:00:00"}, 0.5, "unreviewed"),
        ({"created": "2999-01-01"}, 0.5, "unreviewed"),
        ({"created": "no date"}, 0.5, "unreviewed"),
        ({"confirmed": "2999-01-01"}, 0.6, "confirmed"),
        ({"confirmed": "2026-05-01T10:00:00Z", "confirmed_by": "agent"}, 0.5, "unreviewed"),
        ({"confirmed": "2026-11-30", "confirmed_by": "Agent "}, 0.5, "unreviewed"),
        ({"confirmed": "2026-11-30", "confirmed_by": "claude-code"}, 0.5, "unreviewed"),
        ({"confirmed": "2999-01-01", "confirmed_by": "User"}, 0.6, "confirmed"),
        ({"approved": "{by: Jane, at: 2026-05-01}"}, 0.5, "unreviewed"),
        ({"approved": "{by: Jane, at: 2026-05-01, of: 1a2b3c4}"}, 0.5, "unreviewed"),
        ({"pinned": "0.9"}, 0.9, "unreviewed"),
        ({"status": "archived"}, 0.5, "archived"),
        ({"status": "superseded"}, 0.5, "superseded"),
    ],
    ids=str,
)
def test_what_a_file_says_of_its_trust(project: Project, fields: dict[str, str], trust: float, standing: str) -> None:
    project.write("decision/said.md", note_with(fields))

    assert stands(project, "said")[:2] == (trust, standing)


def note_with(fields: dict[str, str]) -> str:
    head = "".join(f"{key}: {value}\n" for key, value in ({"title": "Said", "type": "decision"} | fields).items())
    return f"---\n{head}---\n\nText.\n"


def test_durability_is_the_types_unless_the_note_says_otherwise(project: Project) -> None:
    project.note("fact", type="insight", created=ago(project, 61))
    project.note("whim", type="insight", created=ago(project, 15), durability="volatile")
    project.note("creed", type="insight", created=ago(project, 400), durability="stable")
    project.note("task", type="intent", created=ago(project, 400))
    project.note("done", type="intent", created=ago(project, 400), status="resolved")

    trusts = {name: stands(project, name)[0] for name in ("fact", "whim", "creed", "task", "done")}

    assert trusts == pytest.approx(
        {"fact": 0.5 - 0.49 / 3, "whim": 0.5 - 0.49 / 2, "creed": 0.5, "task": 0.5, "done": 0.01}, abs=2e-4
    )


def test_both_sides_of_a_contradiction_are_contested_and_the_older_one_fades(project: Project) -> None:
    project.note("old", created=ago(project, 300))
    project.note("new", created=ago(project, 61), **{"conflicts-with": "[former]"})
    project.write(
        "decision/old.md", (project.notes / "decision/old.md").read_text().replace("type:", "aliases: [former]\ntype:")
    )

    old, new = stands(project, "old"), stands(project, "new")

    assert old[0] == pytest.approx(0.5 - 0.49 / 3, abs=2e-4) and new[0] == 0.5
    assert old[1] == new[1] == "contested"


def test_a_dangling_contradiction_and_one_with_itself_contest_nothing(project: Project) -> None:
    project.note("alone", **{"conflicts-with": "[nobody, alone]"})

    assert stands(project, "alone")[2] == ["unreviewed", "written"]


def test_a_replacement_counts_without_its_stamp(project: Project) -> None:
    project.note("old")
    project.note("new", replaces="[old]")

    assert stands(project, "old")[1] == "superseded" and stands(project, "new")[1] == "unreviewed"


def test_a_tombstone_is_the_worst_of_all(project: Project) -> None:
    project.note("gone", type="tombstone", source="user", status="archived")

    assert stands(project, "gone")[1:] == ("tombstone", ["tombstone", "archived", "approved", "written"])


def test_code_that_changed_makes_a_note_drifted_and_moves_no_trust(project: Project) -> None:
    (project.root / "code.py").write_text("def f():\n    return 1\n")
    project.note("touching", source="user", touches="[code.py::f@0000000]")

    assert stands(project, "touching") == (1.0, "drifted", ["drifted", "approved", "written"])


def test_the_filter_by_standing_comes_before_the_cut(project: Project) -> None:
    for number in range(30):
        project.note(f"atoms-{number}", "Atoms merge. " * 20)
    project.note("molecules", "Atoms are mentioned once among molecules, quarks, and many other words.", source="user")

    found = project.names("atoms", Wanted(standings=("approved",)), limit=3)
    none = project.names("atoms", Wanted(standings=("stale",)))
    listed = [note["name"] for note in read.list_notes(project.open(), Wanted(standings=("Approved",)))["notes"]]

    assert (found, none, listed) == (["molecules"], [], ["molecules"])
    assert refusal(lambda: project.names("atoms", Wanted(standings=("aproved",)))).hint == "Did you mean approved?"


def test_what_is_stale_or_the_older_side_ranks_a_little_lower(project: Project) -> None:
    text = "The lease of a heartbeat outlives its run."
    project.note("a-stale", text, type="insight", created=ago(project, 100))
    project.note("b-sound", text, type="insight", created=ago(project, 100), source="user")
    project.note("c-older", text, created=ago(project, 100))
    project.note("d-newer", "Unlike.", created=ago(project, 50), **{"conflicts-with": "[c-older]"})

    hits = recall(project.open(), "lease of a heartbeat", Wanted(types=("insight",)), explain=True)["hits"]
    older = recall(project.open(), "lease of a heartbeat", Wanted(types=("decision",)), explain=True)["hits"][0]

    assert [hit["name"] for hit in hits] == ["b-sound", "a-stale"]
    assert [hit["why"]["standing"] for hit in (*hits, older)] == [0.0, -0.03, -0.03]


def test_the_older_of_an_unjudged_pair_ranks_below_the_newer(project: Project) -> None:
    older, newer = "Retry a failed lease three times.", "A failed lease: retry it as its quota says, three times."
    project.note("retry-thrice", older, created="2026-09-01")
    project.note("quota", newer, created="2026-10-01")

    before = project.names("retry a failed lease three times")
    project.note("quota", newer, created="2026-10-01", suspects="[retry-thrice]")
    after = recall(project.open(), "retry a failed lease three times", Wanted())["hits"]

    assert before == ["retry-thrice", "quota"] and [hit["name"] for hit in after] == ["quota", "retry-thrice"]
    assert after[0]["score"] >= after[1]["score"]


def test_notes_that_suspect_one_another_in_a_ring_are_all_found(project: Project) -> None:
    for name, other in (("lease-a", "lease-b"), ("lease-b", "lease-c"), ("lease-c", "lease-a")):
        project.note(name, "A lease.", suspects=f"[{other}, nobody]")

    assert sorted(project.names("lease")) == ["lease-a", "lease-b", "lease-c"]


def test_retrieval_moves_no_trust(project: Project) -> None:
    project.note("fading", "A lease.", type="insight", created=ago(project, 50))
    project.note("contested", "A lease, too.", **{"conflicts-with": "[fading]"})
    memory = project.open()
    view, before, files = ready(memory).view, read.list_notes(memory, Wanted()), bytes_of(project)

    for _ in range(1000):
        recall(memory, "lease", Wanted(), held=view)

    assert read.list_notes(memory, Wanted()) == before and bytes_of(project) == files


def test_review_lists_what_waits_weakest_first_and_status_counts_it(project: Project) -> None:
    (project.root / "code.py").write_text("def f():\n    return 1\n")
    project.note("sound", source="user")
    project.note("drifted", source="user", touches="[code.py::f@0000000]")
    project.note("fresh")
    project.note("faded", type="insight", created=ago(project, 150))
    project.note("fading", type="insight", created=ago(project, 90))
    project.note("put-away", status="archived")
    project.note("replaced")
    project.note("newer", replaces="[replaced]", suspects="[fresh]", source="user", **{"conflicts-with": "[sound]"})
    project.note("where-we-stood", type="checkpoint", source="agent")

    found, counted = waiting(project.open()), status(project.open())

    assert names(found["unreviewed"]) == ["faded", "fading", "fresh"]
    assert names(found["stale"]) == ["faded", "fading"] and names(found["drifted"]) == ["drifted"]
    assert [(pair["newer"], pair["older"], pair["kind"]) for pair in (*found["conflicts"], *found["suspects"])] == [
        ("newer", "sound", "conflict"),
        ("newer", "fresh", "suspect"),
    ]
    assert {key: counted[key] for key in found if key != "retired"} == {
        "unreviewed": 3,
        "stale": 2,
        "drifted": 1,
        "conflicts": 1,
        "suspects": 1,
    }


def names(notes: list[dict[str, Any]]) -> list[str]:
    return [note["name"] for note in notes]


def test_pairs_are_told_once_newer_first(project: Project) -> None:
    project.note("first", created="2026-01-01", **{"conflicts-with": "[{to: second, note: measured again}]"})
    project.note("second", created="2026-02-01", suspects="[first, gone]", **{"conflicts-with": "[first]"})
    project.note("port-8080", "The server listens on port 8080.", created="2026-01-01")
    project.note("port-9090", "The server listens on port 9090.", created="2026-02-01", suspects="[port-8080]")

    conflicts, suspects = judging.conflicts(project.open()), judging.suspects(project.open())

    pair = {"newer": "second", "older": "first", "newer_title": "Second", "older_title": "First"}
    assert conflicts == {"pairs": [pair | {"reason": "measured again", "kind": "conflict"}]}
    assert suspects["pairs"][1] == pair | {"reason": None, "kind": "suspect"}
    assert suspects["pairs"][0]["reason"] == '"9090" here, "8080" in port-8080.'
