"""Approval by pull request: a branch decides, and no file can claim its way past it."""

import os
import shutil
from pathlib import Path

import pytest
from conftest import SETTLED, Project, new_project
from projects import refusal

from gitmem.notes.entry import edit_digest
from gitmem.notes.instant import instant_of, seconds
from gitmem.operations import approval, read, reviewed
from gitmem.operations.draft import Draft
from gitmem.operations.links import link, rename
from gitmem.operations.memory import locate
from gitmem.operations.recall import recall
from gitmem.operations.write import revise
from gitmem.search.query import Wanted

DAY = 86_400
MERGED = "2026-10-01T12:00:00Z"
CONFIG = '[review]\nbranch = "main"\n'


@pytest.fixture
def upstream(tmp_path: Path) -> Project:
    """A project on a server, whose main holds one agent's note."""
    server = new_project(tmp_path / "server")
    server.git("config", "receive.denyCurrentBranch", "updateInstead")
    server.note("plain", "Plain files.", type="insight", source="agent", created="2026-01-01")
    server.write("config.toml", CONFIG)
    committed(server, MERGED)
    return server


@pytest.fixture
def clone(upstream: Project, tmp_path: Path) -> Project:
    """A clone of it, where somebody works on a branch."""
    upstream.git("clone", "-q", ".", str(tmp_path / "clone"))
    made = Project(tmp_path / "clone")
    made.git("config", "user.name", "Jane Doe")
    made.git("config", "user.email", "jane@example.org")
    made.git("switch", "-qc", "feature")
    return made


def committed(project: Project, when: str = MERGED) -> None:
    project.git("add", ".")
    os.environ["GIT_COMMITTER_DATE"] = when
    try:
        project.git("commit", "-qm", "Work")
    finally:
        del os.environ["GIT_COMMITTER_DATE"]


def stands(project: Project, name: str, later: float = SETTLED) -> tuple[float, str]:
    """Returns trust and standing of a note, which show, list and recall tell alike, with a cache and after it is gone."""
    memory = project.open(later)
    shown = read.show(memory, name)
    others = [*read.list_notes(memory, Wanted())["notes"], *recall(memory, name, Wanted())["hits"]]
    assert {(each["trust"], each["standing"]) for each in others if each["name"] == name} <= {
        (shown["trust"], shown["standing"])
    }
    return shown["trust"], shown["standing"]


def edited(project: Project, old: str, new: str, path: str = "insight/plain.md") -> None:
    file = project.notes / path
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def test_what_the_branch_holds_is_approved_since_the_commit_that_changed_it(clone: Project) -> None:
    memory = clone.open()
    elapsed = (memory.now - seconds(MERGED)) / (365 * DAY)

    trust, standing = stands(clone, "plain", 0)

    assert standing == "approved" and trust == pytest.approx(1 - 0.8 * elapsed, abs=2e-4)


@pytest.mark.parametrize(
    "claim",
    [
        "source: user\n",
        "approved: {by: Jane Doe <jane@example.org>, at: 2026-11-01, of: OF}\n",
        "pinned: 1.0\n",
        "confirmed: 2026-11-01\n",
    ],
)
def test_a_note_that_claims_what_it_likes_is_unreviewed(clone: Project, claim: str) -> None:
    clone.note("claimed", source="agent")
    claimed = claim.replace("OF", edit_digest(locate(clone.open(), "claimed").note))
    clone.write("decision/claimed.md", f"---\ntitle: Claimed\ntype: decision\n{claimed}---\n\nNothing to add.\n")
    committed(clone)

    assert stands(clone, "claimed") == (0.5, "unreviewed")


def test_an_edit_voids_it_and_a_merge_approves(clone: Project, upstream: Project) -> None:
    revise(clone.open(), "plain", Draft(body="Plainer files."))
    committed(clone, "2026-11-01T12:00:00Z")
    before = stands(clone, "plain")

    clone.git("push", "-q", "origin", "feature:main")
    after = stands(clone, "plain")

    assert before[1] == "stale" and after[1] == "approved" and after[0] > 0.9


def test_what_counts_as_equal(clone: Project) -> None:
    approval.confirm(clone.open(), ["plain"], by="agent")
    confirmed = stands(clone, "plain")
    edited(clone, "type: insight\n", "type: insight\nreviewed: 2026-11-01\nstatus: superseded\n")
    stamped = read.show(clone.open(), "plain")["marks"]
    edited(clone, "status: superseded\n", "")
    rename(clone.open(), "plain", "plainer")
    renamed = stands(clone, "plainer")
    (clone.notes / "insight/plainer.md").write_bytes(
        (clone.notes / "insight/plainer.md").read_bytes().replace(b"\n", b"\r\n")
    )

    assert confirmed[1] == renamed[1] == stands(clone, "plainer")[1] == "approved"
    assert stamped[0] == "superseded" and "approved" in stamped


@pytest.mark.parametrize(
    "change", ["summary: Other.\n", "tags: [x]\n", "pinned: 1.0\n", "created: 2026-11-30\n", "status: archived\n"]
)
def test_what_counts_as_different(clone: Project, change: str) -> None:
    edited(clone, "type: insight\n", f"type: insight\n{change}")

    assert "approved" not in read.show(clone.open(), "plain")["marks"]


def test_a_confirmation_counts_once_it_is_merged(upstream: Project, clone: Project) -> None:
    year = 400 * DAY
    approval.confirm(clone.open(), ["plain"], by="user")
    committed(clone, "2026-11-01T12:00:00Z")
    before = read.show(clone.open(year), "plain")

    clone.git("push", "-q", "origin", "feature:main")
    after = read.show(clone.open(year), "plain")

    assert (before["trust"], before["marks"]) == (0.2, ["stale", "approved", "written"])
    assert "confirmed" in after["marks"]


def test_the_same_bytes_in_a_folder_of_another_type_are_another_note(upstream: Project, clone: Project) -> None:
    upstream.write("insight/untyped.md", "# Untyped\n\nSaid.\n")
    committed(upstream)
    clone.git("pull", "-q", "origin", "main")
    there = stands(clone, "untyped")

    clone.git("mv", "-k", ".memory/insight/untyped.md", ".memory/untyped.md")
    (clone.notes / "principle").mkdir()
    clone.git("mv", ".memory/untyped.md", ".memory/principle/untyped.md")

    assert there[1] == "approved" and stands(clone, "untyped")[1] == "unreviewed"


def test_a_name_in_another_case_is_the_same_note(clone: Project) -> None:
    (clone.notes / "insight/plain.md").rename(clone.notes / "insight/Plain.md")

    assert stands(clone, "plain")[1] == "approved"


def test_a_link_to_another_note_is_a_difference(clone: Project) -> None:
    clone.note("reason")
    link(clone.open(), "plain", "because", "reason")

    assert "approved" not in read.show(clone.open(), "plain")["marks"]


def test_the_hash_of_a_touch_is_none_but_the_touch_is(upstream: Project, clone: Project) -> None:
    upstream.note("touching", source="agent", touches="[code.py::f@0000000]")
    committed(upstream)
    clone.git("pull", "-q", "origin", "main")

    edited(clone, "@0000000", "@1111111", "decision/touching.md")
    rehashed = read.show(clone.open(), "touching")["marks"]
    edited(clone, "code.py", "other.py", "decision/touching.md")

    assert "approved" in rehashed and "approved" not in read.show(clone.open(), "touching")["marks"]


def test_the_blob_that_git_would_make_counts(upstream: Project, clone: Project) -> None:
    clone.git("config", "filter.upper.clean", "tr A-Z a-z")
    (clone.notes / ".gitattributes").write_text("*.md filter=upper\n")
    upstream.write("insight/small.md", "---\ntitle: small\ntype: insight\n---\n\nall small.\n")
    committed(upstream)
    clone.git("pull", "-q", "origin", "main")

    edited(clone, "all small", "All SMALL", "insight/small.md")

    assert "approved" in read.show(clone.open(), "small")["marks"]


def test_no_other_config_names_the_branch(clone: Project) -> None:
    clone.write("config.toml", '[review]\nbranch = "feature"\n')
    clone.note("own", source="user")
    committed(clone)
    clone.git("push", "-q", "origin", "feature")

    assert reviewed.branch(clone.open()) == reviewed.Branch("main", clone.git("rev-parse", "origin/main").strip())
    assert stands(clone, "own")[1] == "unreviewed"


def test_a_local_branch_of_that_name_is_not_the_branch(clone: Project) -> None:
    clone.git("switch", "-q", "main")
    clone.note("own", source="user")
    committed(clone)

    assert stands(clone, "own")[1] == "unreviewed"


def test_a_clones_own_choice_comes_first(clone: Project) -> None:
    clone.note("own")
    committed(clone)
    clone.git("push", "-q", "origin", "feature")

    found = []
    for choice in ("feature", "origin/feature", "refs/remotes/origin/feature", "gone", "main"):
        clone.git("config", "gitmem.reviewBranch", choice)
        found.append(stands(clone, "own")[1])

    assert found == ["approved", "approved", "approved", "unreviewed", "unreviewed"]


def test_a_local_branch_stands_in_for_no_remote_one(clone: Project) -> None:
    clone.note("own", source="agent")
    committed(clone)
    clone.git("config", "gitmem.reviewBranch", "feature")
    loose = stands(clone, "own")
    clone.git("pack-refs", "--all")

    assert loose[1] == stands(clone, "own")[1] == "unreviewed"


def test_a_local_branch_stands_in_for_none_of_a_remote_of_another_name(clone: Project) -> None:
    clone.git("remote", "rename", "origin", "upstream")
    clone.git("config", "gitmem.reviewBranch", "feature")

    assert stands(clone, "plain")[1] == "stale"


def test_a_default_branch_that_went_approves_nothing(clone: Project) -> None:
    clone.note("claimed", source="user")
    clone.git("update-ref", "-d", "refs/remotes/origin/main")

    found = refusal(lambda: approval.approve(clone.open(), ["plain"]))

    assert stands(clone, "claimed") == (0.5, "unreviewed")
    assert found.code == "review-branch" and "git remote set-head origin --auto" in (found.hint or "")


def test_without_a_remote_a_local_branch_is_meant(project: Project) -> None:
    project.note("own", source="agent")
    committed(project)
    project.git("config", "gitmem.reviewBranch", "main")
    project.git("switch", "-qc", "feature")
    project.note("mine", source="user")

    assert (stands(project, "own")[1], stands(project, "mine")[1]) == ("approved", "unreviewed")


def test_a_project_that_names_no_branch_reviews_by_stamps(tmp_path: Path, upstream: Project, clone: Project) -> None:
    upstream.write("config.toml", "")
    committed(upstream)
    clone.git("fetch", "-q")
    clone.note("own", source="user")

    assert reviewed.branch(clone.open()) is None and stands(clone, "own")[1] == "approved"


def test_approve_is_refused_and_says_what_to_do(clone: Project) -> None:
    refused = refusal(lambda: approval.approve(clone.open(), ["plain"]))
    pinned = approval.pin(clone.open(), "plain")

    assert (refused.code, refused.status) == ("review-branch", 3) and "merge it into main" in str(refused.hint)
    assert pinned["warnings"][0]["code"] == "review-branch" and "pinned" not in pinned["notes"][0]["marks"]


def test_a_pin_counts_once_it_is_merged(upstream: Project, clone: Project) -> None:
    edited(upstream, "type: insight\n", "type: insight\npinned: 0.9\n")
    committed(upstream)
    clone.git("pull", "-q", "origin", "main")

    assert read.show(clone.open(), "plain")["marks"] == ["pinned", "approved", "written"]


def test_a_cache_that_a_repository_brings_along_is_not_believed(clone: Project, tmp_path: Path) -> None:
    clone.note("own")
    committed(clone)
    clone.git("config", "gitmem.reviewBranch", "refs/heads/feature")
    lying = stands(clone, "own")
    other = tmp_path / "other"
    clone.git("clone", "-q", ".", str(other))
    shutil.copytree(clone.cache, other / ".memory/.cache")
    Project(other).git("config", "gitmem.reviewBranch", "refs/remotes/origin/main")

    assert (lying[1], stands(Project(other), "own")[1]) == ("approved", "unreviewed")


def test_the_rows_are_brought_up_as_the_branch_moves(upstream: Project, clone: Project) -> None:
    seen = []
    for number in range(3):
        upstream.note("moving", f"Measured {number} times.", source="agent")
        upstream.note(f"note-{number}", source="agent")
        committed(upstream, instant_of(seconds(MERGED) + number * DAY))
        clone.git("pull", "-q", "origin", "main")
        memory = clone.open(SETTLED)
        held = reviewed.branch(memory)
        assert held
        entries = [locate(memory, name) for name in ("moving", "note-0")]
        dates = reviewed.approvals(memory, held, entries).values()
        seen.append([each.since and (each.since - seconds(MERGED)) // DAY for each in dates])

    assert seen == [[0, 0], [1, 0], [2, 0]]


def test_refs_that_lie_packed_are_found(clone: Project) -> None:
    clone.git("pack-refs", "--all")

    assert stands(clone, "plain")[1] == "approved"


def test_a_repository_that_lost_the_commit_approves_nothing(clone: Project) -> None:
    (clone.root / ".git/refs/remotes/origin/main").write_text("1" * 40 + "\n")
    shutil.rmtree(clone.cache, ignore_errors=True)

    assert "approved" not in read.show(clone.open(), "plain")["marks"]
