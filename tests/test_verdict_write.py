"""What a write says of the notes beside it: what repeats, what disagrees, what was put away, what is worth a link."""

import json
from typing import Any

import pytest
from conftest import Project, run
from projects import AGENT, kept, refusal, text

from gitmem.knowledge.compare import Comparison
from gitmem.operations.burial import bury
from gitmem.operations.judging import judge
from gitmem.operations.judging import suspects as listed
from gitmem.operations.review import review
from gitmem.operations.sweep import sweep
from gitmem.operations.verdict import disagrees, is_double
from gitmem.operations.write import Draft, remember, remember_batch, revise

TIMEOUT = "The gateway gives a backend 30 s to answer. Longer jobs must be asynchronous."
LONGER = "The gateway gives a backend 60 s to answer. Longer jobs must be asynchronous."
FIRST, SECOND = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


def names(items: list[dict[str, Any]]) -> list[str]:
    return [item["name"] for item in items]


@pytest.fixture
def gateway(project: Project) -> Project:
    """A project that remembers the gateway's timeout."""
    kept(project, "Gateway timeout is 30 s", body=TIMEOUT, created=FIRST)
    return project


# Duplicates


def test_a_note_that_says_the_same_is_returned_instead(gateway: Project) -> None:
    reply = kept(gateway, "Gateway timeout set to 30 s", body=TIMEOUT.replace("Longer", "Slower"))

    assert not reply["created"] and reply["name"] == "gateway-timeout-is-30-s"
    assert names(reply["duplicates"]) == ["gateway-timeout-is-30-s"] and 0.8 < reply["duplicates"][0]["similarity"] <= 1
    assert not (gateway.notes / "decision/gateway-timeout-set-to-30-s.md").exists()


def test_the_command_ends_with_one_for_a_duplicate(gateway: Project) -> None:
    done = run(gateway.root, "remember", "Gateway timeout set to 30 s", "--type", "decision", "--body", TIMEOUT)

    assert done.returncode == 1 and "Not written" in done.stdout


def test_a_duplicate_is_written_where_that_is_wanted(gateway: Project) -> None:
    reply = kept(gateway, "Gateway timeout set to 30 s", body=TIMEOUT, allow=True)

    assert reply["created"] and names(reply["duplicates"]) == ["gateway-timeout-is-30-s"]


def test_a_note_of_another_type_is_no_duplicate(gateway: Project) -> None:
    reply = kept(gateway, "Gateway timeout set to 30 s", "insight", body=TIMEOUT)

    assert reply["created"] and reply["duplicates"] == []


def test_a_title_that_names_something_else_is_no_duplicate(gateway: Project) -> None:
    other = TIMEOUT.replace("gateway", "scheduler")

    reply = kept(gateway, "Scheduler timeout is 30 s", body=other)

    assert reply["created"] and reply["duplicates"] == [] and reply["suspects"] == []


@pytest.mark.parametrize("status", ["superseded", "archived"])
def test_a_note_that_was_put_away_takes_no_part(gateway: Project, status: str) -> None:
    revise(gateway.open(), "gateway-timeout-is-30-s", Draft(status=status))

    reply = kept(gateway, "Gateway timeout set to 60 s", body=LONGER)

    assert reply["created"] and reply["duplicates"] == [] and reply["suspects"] == [] and reply["related"] == []


# Suspects


def test_what_disagrees_is_written_with_a_suspect(gateway: Project) -> None:
    reply = kept(gateway, "Gateway timeout is 60 s", body=LONGER)

    assert reply["created"] and names(reply["suspects"]) == ["gateway-timeout-is-30-s"]
    assert reply["suspects"][0]["reason"] == '"60 s" here, "30 s" in gateway-timeout-is-30-s.'
    assert "suspects:\n  - gateway-timeout-is-30-s\n" in text(gateway, "decision/gateway-timeout-is-60-s.md")


def test_the_same_title_is_written_again_where_its_text_disagrees(project: Project) -> None:
    kept(project, "Gateway timeout", body=TIMEOUT)

    reply = kept(project, "Gateway timeout", body=LONGER)

    assert reply["created"] and reply["duplicates"] == [] and names(reply["suspects"]) == ["gateway-timeout"]


def test_the_older_note_is_never_stamped(gateway: Project) -> None:
    before = text(gateway, "decision/gateway-timeout-is-30-s.md")

    reply = kept(gateway, "Gateway timeout is 60 s", body=LONGER, created="2025-01-01T00:00:00Z")

    assert names(reply["suspects"]) == ["gateway-timeout-is-30-s"]
    assert "suspects" not in text(gateway, "decision/gateway-timeout-is-60-s.md")
    assert text(gateway, "decision/gateway-timeout-is-30-s.md") == before


@pytest.mark.parametrize(
    ("title", "body"),
    [
        (
            "Backends have 30000 ms to answer",
            "The gateway gives a backend 30000 ms to answer; longer jobs are asynchronous.",
        ),
        ("Gateway timeout was once 60 s", "Until March the gateway gave a backend 60 s. It was replaced by 30 s."),
        ("Long answers must be asynchronous", "A backend that needs more than the gateway's 30 s returns 202."),
    ],
)
def test_conversions_history_and_other_words_raise_nothing(gateway: Project, title: str, body: str) -> None:
    reply = kept(gateway, title, "insight", body=body)

    assert reply["created"] and reply["suspects"] == []


def test_a_pair_that_was_judged_distinct_never_returns(gateway: Project) -> None:
    kept(gateway, "Gateway timeout is 60 s", body=LONGER)
    judge(gateway.open(), "gateway-timeout-is-60-s", "gateway-timeout-is-30-s", "distinct")

    again = revise(gateway.open(), "gateway-timeout-is-60-s", Draft(body=LONGER + " Ask first."))
    swept = sweep(gateway.open())

    assert again["suspects"] == [] and swept["pairs"] == []


def test_a_link_says_how_two_notes_stand(gateway: Project) -> None:
    reply = kept(gateway, "Gateway timeout is 60 s", body=LONGER, links=("replaces=gateway-timeout-is-30-s",))

    assert reply["created"] and reply["suspects"] == [] and reply["duplicates"] == []


def test_a_revision_stamps_and_clears_suspects(gateway: Project) -> None:
    kept(gateway, "Gateway timeout of the new cluster", body=TIMEOUT, type="insight")
    name = "gateway-timeout-of-the-new-cluster"

    worse = revise(gateway.open(), name, Draft(title="Gateway timeout is 60 s", body=LONGER))
    stamped = text(gateway, f"insight/{name}.md")
    better = revise(gateway.open(), name, Draft(title="Gateway timeout is 30 s", body=TIMEOUT))

    assert names(worse["suspects"]) == ["gateway-timeout-is-30-s"] and "suspects:" in stamped
    assert better["suspects"] == [] and "suspects" not in text(gateway, f"insight/{name}.md")


def test_a_revision_of_tags_looks_at_nothing(gateway: Project) -> None:
    kept(gateway, "Gateway timeout is 60 s", body=LONGER)

    reply = revise(gateway.open(), "gateway-timeout-is-60-s", Draft(add_tags=("net",)))

    assert reply["suspects"] == [] and "suspects:" in text(gateway, "decision/gateway-timeout-is-60-s.md")


def test_a_dry_run_tells_and_writes_nothing(gateway: Project) -> None:
    reply = remember(
        gateway.open(), Draft(title="Gateway timeout is 60 s", type="decision", body=LONGER), AGENT, dry_run=True
    )

    assert names(reply["suspects"]) == ["gateway-timeout-is-30-s"]
    assert not (gateway.notes / "decision/gateway-timeout-is-60-s.md").exists()


def test_notes_of_one_batch_see_each_other(project: Project) -> None:
    lines = [
        {"title": "Gateway timeout is 30 s", "type": "decision", "body": TIMEOUT},
        {"title": "Gateway timeout is 60 s", "type": "decision", "body": LONGER},
        {"title": "Gateway timeout set to 30 s", "type": "decision", "body": TIMEOUT},
    ]

    first, second, third = remember_batch(project.open(), "\n".join(map(json.dumps, lines)), AGENT)["results"]

    assert first["suspects"] == [] and names(second["suspects"]) == ["gateway-timeout-is-30-s"]
    assert not third["created"] and names(third["duplicates"]) == ["gateway-timeout-is-30-s"]


@pytest.mark.parametrize("policy", ["suspect = 1.0", "suspect = 0.999"])
def test_the_policy_sets_what_is_raised(gateway: Project, policy: str) -> None:
    config = gateway.notes / "config.toml"
    config.write_text((config.read_text() if config.exists() else "") + f"\n[thresholds]\n{policy}\n")

    reply = kept(gateway, "Gateway timeout is 60 s", body=LONGER)

    assert reply["created"] and reply["suspects"] == []


# Warnings, links, tombstones


def test_a_note_near_one_that_was_superseded_is_warned_of(gateway: Project) -> None:
    kept(gateway, "Backend answers are awaited 45 s", body="x", links=("replaces=gateway-timeout-is-30-s",))

    reply = kept(gateway, "Gateway timeout set to 30 s", body=TIMEOUT)

    assert [(each["code"], each["name"]) for each in reply["warnings"]] == [("superseded", "gateway-timeout-is-30-s")]


def test_a_note_near_one_that_is_contested_is_warned_of(gateway: Project) -> None:
    kept(gateway, "Gateway timeout is 60 s", body=LONGER)
    judge(gateway.open(), "gateway-timeout-is-60-s", "gateway-timeout-is-30-s", "conflict")

    reply = kept(gateway, "Gateway timeout at peak hours is 30 s", "insight", body=TIMEOUT)

    assert {each["code"] for each in reply["warnings"]} == {"contested"}


@pytest.mark.parametrize(
    ("old", "new", "verb"),
    [
        ("principle", "decision", "because"), ("problem", "resolution", "answers"), ("anchor", "insight", "about"),
        ("insight", "insight", "builds-on"), ("problem", "intent", "needs"), ("decision", "decision", "builds-on"),
    ],
)  # fmt: skip
def test_related_notes_come_with_the_verb_of_their_types(project: Project, old: str, new: str, verb: str) -> None:
    kept(
        project, "Uploads through the gateway", old, body="Large uploads pass the gateway in chunks of a few megabytes."
    )

    reply = kept(
        project, "Chunked uploads keep the gateway responsive", new, body="Uploads pass the gateway in small chunks."
    )

    assert [(each["name"], each["verb"]) for each in reply["related"]] == [("uploads-through-the-gateway", verb)]


@pytest.mark.parametrize("title", ["SQLite cache", "sqlite-cache", "The old store"])
def test_a_subject_that_was_buried_is_refused(project: Project, title: str) -> None:
    project.note("no-sqlite", "It locked.", type="tombstone", title="The old store", buried="[sqlite-cache]")

    error = refusal(lambda: kept(project, title))

    assert error.code == "tombstoned" and "no-sqlite" in error.message


def test_the_title_of_a_note_that_was_buried_is_refused_too(project: Project) -> None:
    project.note("wal", "Gone.", title="Write-ahead log for notes", status="archived")
    project.note("no-wal", "It doubled every write.", type="tombstone", title="No log", buried="[wal]")

    error = refusal(lambda: kept(project, "Write-ahead log for notes", "insight"))

    assert error.code == "tombstoned"


def test_a_subject_that_was_buried_is_written_where_that_is_wanted(project: Project) -> None:
    project.note("no-sqlite", "It locked.", type="tombstone", title="The old store", buried="[sqlite-cache]")
    line = json.dumps({"title": "SQLite cache", "type": "decision", "allow_tombstoned": True})

    reply = remember_batch(project.open(), line, AGENT)["results"][0]

    assert reply["created"]


def test_a_secret_is_refused_before_anything_is_compared(gateway: Project) -> None:
    error = refusal(lambda: kept(gateway, "Gateway key", body="password = hunter2hunter2hunter2"))

    assert error.code == "secret"


# The sweep, checkpoints, review


def by_hand(project: Project) -> None:
    """Writes two notes that disagree without any verb."""
    project.note("timeout", TIMEOUT, title="Gateway timeout is 30 s", created=FIRST)
    project.note("patience", LONGER, title="Gateway timeout is 60 s", created=SECOND)


def test_a_sweep_lists_pairs_and_writes_nothing(project: Project) -> None:
    by_hand(project)

    found = sweep(project.open())

    assert [(each["newer"], each["older"], each["kind"]) for each in found["pairs"]] == [
        ("patience", "timeout", "value")
    ]
    assert found["changed"] == [] and listed(project.open())["pairs"] == []


def test_a_sweep_that_writes_stamps_the_newer_note_once(project: Project) -> None:
    by_hand(project)

    first, second = sweep(project.open(), write=True), sweep(project.open(), write=True)

    assert first["changed"] == [".memory/decision/patience.md"] and second == {"pairs": [], "changed": []}
    assert [each["newer"] for each in listed(project.open())["pairs"]] == ["patience"]


def test_suspects_sweeps_from_the_command_line(project: Project) -> None:
    by_hand(project)

    done = run(project.root, "suspects", "--sweep", "--write", "--json")

    assert [pair["newer"] for pair in json.loads(done.stdout)["pairs"]] == ["patience"]


def test_a_checkpoint_looks_at_what_was_written_by_hand(project: Project) -> None:
    by_hand(project)

    done = run(project.root, "checkpoint", "Halfway", "--include", "timeout", "--include", "patience", "--json")

    assert [(each["newer"], each["older"]) for each in json.loads(done.stdout)["suspects"]] == [("patience", "timeout")]


def test_a_review_names_what_the_branch_contradicts(project: Project) -> None:
    project.note("timeout", TIMEOUT, title="Gateway timeout is 30 s", created=FIRST, source="user")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "base")
    project.git("switch", "--quiet", "--create", "feature")
    project.note("patience", LONGER, title="Gateway timeout is 60 s", created=SECOND, source="user")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "more")

    risks = review(project.open(), "main")["risks"]

    found = [risk for risk in risks if risk["code"] == "contradiction"]
    assert [(risk["path"], risk["severity"]) for risk in found] == [(".memory/decision/patience.md", "warning")]
    assert '"60 s" here, "30 s" in timeout.' in found[0]["message"]


@pytest.mark.parametrize(
    "title", ["Try SQLite for our index", "Use SQLite for the index", "SQLite for the index again"]
)
def test_what_was_buried_is_told_at_a_write_that_comes_near_it(project: Project, title: str) -> None:
    kept(project, "Try SQLite for the index", "intent", body="Maybe quicker.")
    bury(project.open(), "try-sqlite-for-the-index", "It locks on network drives.", AGENT)

    near = kept(project, title, "intent", body="Why not.")
    far = kept(project, "Log rotation by size", "intent", body="Weekly is too rare.")

    assert [each["code"] for each in near["warnings"]] == ["tombstoned"] and far["warnings"] == []


def test_a_threshold_of_nothing_is_one() -> None:
    faint = Comparison(likeness=0.1, odds=-4.0, kind="value", here="a", there="b", same=0.1)

    assert (disagrees(faint), disagrees(faint, 0.0)) == (False, True)
    assert (is_double(faint, None), is_double(faint, 0.0)) == (False, True)


def test_a_note_of_the_future_is_told(project: Project) -> None:
    reply = kept(project, "Far ahead", created="2931-01-01")
    revised = revise(project.open(), "far-ahead", Draft(summary="Still far."))

    assert [each["code"] for each in reply["warnings"]] == ["future-date"] and revised["warnings"] == []
