"""What comes first, what stays out, and how sure an answer is."""

import json
from typing import Any

import pytest
from conftest import QUERIES, SETTLED, Project, answers, asked, note_text, uncached

from gitmem.operations import memory as memories
from gitmem.operations.draft import Author, Draft
from gitmem.operations.read import list_notes, timeline
from gitmem.operations.recall import recall
from gitmem.operations.words import vocabulary_add
from gitmem.operations.write import remember
from gitmem.search.query import Wanted

SECRET = "The combination of the safe is written under the quokka."


def hits(project: Project, query: str, wanted: Wanted = Wanted(), **options: Any) -> list[dict[str, Any]]:  # noqa: B008
    found: list[dict[str, Any]] = recall(project.open(), query, wanted, **options)["hits"]
    return found


# Filters


@pytest.fixture
def crowd(project: Project) -> Project:
    """Five hundred notes on one subject, of which one, a poor match, differs from the rest in every field."""
    vocabulary_add(project.open(), "domain", ("zoo",))
    for number in range(499):
        project.note(f"crowd-{number}", "The quokka digs. The quokka digs deep.", title=f"Quokka digging {number}")
    project.note(
        "odd-one",
        "A long story about other things, in which a quokka is named once, in passing, and never again after that.",
        type="caution",
        tags="[rare]",
        domain="zoo",
        source="user",
        agent="keeper",
        status="obsolete",
        created="2026-10-10",
        touches="[src/zoo/pen.py::feed@1234567]",
        mood="calm",
    )
    return project


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(types=("caution",)),
        Wanted(tags=("rare",)),
        Wanted(domains=("zoo",)),
        Wanted(sources=("user",)),
        Wanted(agents=("keeper",)),
        Wanted(statuses=("obsolete",)),
        Wanted(since="2026-10-01T00:00:00Z"),
        Wanted(touches=("src/zoo/",)),
        Wanted(touches=("src/zoo/pen.py",)),
        Wanted(touches=("src/zoo/pen.py::feed",)),
        Wanted(where=("mood=calm",)),
        Wanted(types=("caution", "insight"), tags=("rare",), until="2026-11-01T00:00:00Z"),
    ],
)
def test_a_filter_is_applied_before_the_cut(crowd: Project, wanted: Wanted) -> None:
    assert [hit["name"] for hit in hits(crowd, "quokka", wanted, limit=1)] == ["odd-one"]


def test_a_filter_that_nothing_passes_answers_none(crowd: Project) -> None:
    answer = recall(crowd.open(), "quokka digs", Wanted(types=("caution",), tags=("other",)))

    assert (answer["verdict"], answer["hits"]) == ("none", [])


def test_between_values_any_and_between_filters_all(project: Project) -> None:
    project.note("one", "The quokka digs.", tags="[a]")
    project.note("two", "The quokka digs.", tags="[b]", type="caution")
    project.note("three", "The quokka digs.", tags="[c]")

    either = {hit["name"] for hit in hits(project, "quokka", Wanted(tags=("a", "b")))}
    both = {hit["name"] for hit in hits(project, "quokka", Wanted(tags=("a", "b"), types=("caution",)))}

    assert (either, both) == ({"one", "two"}, {"two"})


def test_a_limit_of_zero_is_none(crowd: Project) -> None:
    assert len(hits(crowd, "quokka", limit=0)) == 499  # all but the odd one, which is noise beside the others
    assert len(hits(crowd, "quokka")) == 8


# Replacement


def test_a_superseded_note_is_out_and_can_be_asked_for(project: Project) -> None:
    project.note("older", "The quokka sleeps by day.")
    project.note("newer", "The quokka sleeps by night.", replaces="[older]")

    by_default = [hit["name"] for hit in hits(project, "quokka sleeps")]
    included = {hit["name"] for hit in hits(project, "quokka sleeps", Wanted(include=("superseded",)))}

    assert (by_default, included) == (["newer"], {"older", "newer"})


def test_a_stamp_without_a_link_is_superseded_too(project: Project) -> None:
    project.note("older", "The quokka sleeps by day.", status="superseded")

    assert hits(project, "quokka sleeps") == []
    assert len(hits(project, "quokka sleeps", Wanted(include=("superseded",)))) == 1


def test_a_chain_leaves_its_head(project: Project) -> None:
    project.note("first", "The quokka sleeps.")
    project.note("second", "The quokka sleeps.", replaces="[first]")
    project.note("third", "The quokka sleeps.", replaces="[second]")

    assert [hit["name"] for hit in hits(project, "quokka")] == ["third"]
    assert timeline(project.open(), "first")["head"] == "third"


def test_a_replacement_that_is_gone_replaces_nothing(project: Project) -> None:
    project.note("older", "The quokka sleeps by day.")
    newer = project.note("newer", "The quokka sleeps by night.", replaces="[older]")
    project.names("quokka")

    newer.unlink()

    assert project.names("quokka") == ["older"]


def test_a_link_by_alias_replaces(project: Project) -> None:
    project.note("older", "The quokka sleeps by day.", aliases="[oldest]")
    project.note("newer", "The quokka sleeps by night.", replaces="[Oldest]")

    assert project.names("quokka") == ["newer"]


def test_a_name_beats_an_alias(project: Project) -> None:
    project.note("aliased", "The quokka sleeps by day.", aliases="[named]")
    project.note("named", "The quokka sleeps at noon.")
    project.note("newer", "The quokka sleeps by night.", replaces="[named]")

    assert set(project.names("quokka")) == {"newer", "aliased"}


def test_a_name_beats_an_alias_also_where_it_is_no_candidate(project: Project) -> None:
    project.note("aliased", "The quokka sleeps by day.", aliases="[named]")
    project.note("named", "Nothing about animals.", type="caution")
    project.note("newer", "The quokka sleeps by night.", replaces="[named]")

    assert {hit["name"] for hit in hits(project, "quokka", Wanted(types=("decision",)))} == {"newer", "aliased"}


def test_of_two_equal_aliases_the_first_by_path_is_meant(project: Project) -> None:
    project.note("a", "The quokka sleeps by day.", aliases="[both]")
    project.note("b", "The quokka sleeps at noon.", aliases="[both]")
    project.note("newer", "The quokka sleeps by night.", replaces="[both]")

    assert set(project.names("quokka")) == {"newer", "b"}
    assert statuses(project) == {"a": "superseded", "b": None, "newer": None}


def test_of_two_equal_names_the_first_by_path_is_meant(project: Project) -> None:
    project.note("same", "The quokka sleeps by day.", type="caution")
    project.note("same", "The quokka sleeps at noon.", type="decision")
    project.note("newer", "The quokka sleeps by night.", replaces="[same]")

    found = [hit["path"] for hit in hits(project, "quokka")]

    assert sorted(found) == [".memory/decision/newer.md", ".memory/decision/same.md"]


def statuses(project: Project) -> dict[str, str | None]:
    return {note["name"]: note["status"] for note in list_notes(project.open(), Wanted())["notes"]}


@pytest.mark.parametrize("extra", ["", "solo"])
def test_a_note_that_replaces_itself_stays_unless_another_replaces_it(project: Project, extra: str) -> None:
    project.note("solo", "The quokka sleeps by day.", replaces="[solo]")
    project.note("other", "The quokka sleeps by night.", replaces=f"[{extra}]")

    expected = {"other"} if extra else {"other", "solo"}
    assert set(project.names("quokka")) == expected


def test_a_ring_of_replacements_ends(project: Project) -> None:
    project.note("one", "The quokka sleeps.", replaces="[two]")
    project.note("two", "The quokka sleeps.", replaces="[three]")
    project.note("three", "The quokka sleeps.", replaces="[one]")

    with_all = {hit["name"] for hit in hits(project, "quokka", Wanted(include=("superseded",)))}

    assert with_all == {"one", "two", "three"}
    assert project.names("quokka") == []
    assert set(statuses(project).values()) == {"superseded"}
    assert len(timeline(project.open(), "one")["notes"]) == 3


# Inertness


@pytest.mark.parametrize("fields", [{"type": "checkpoint"}, {"status": "archived"}])
def test_two_hundred_inert_notes_change_no_answer(project: Project, fields: dict[str, str]) -> None:
    words = ("index", "cache write", "token", "atoms merge", "vouch zebra", "plain files")
    for number in range(40):
        project.note(f"note-{number}", f"The {words[number % 6]} and {words[number % 5]} number {number}.")
    before = recalls(project)

    for number in range(200):
        project.note(f"inert-{number}", f"The {words[number % 6]} index cache token number {number}.", **fields)

    assert recalls(project) == before
    assert answers(project.open()) == answers(uncached(project.open()))


def recalls(project: Project) -> list[str]:
    memory = project.open()
    view = memories.ready(memory).view
    plain = [(query, wanted._replace(include=())) for query, wanted in QUERIES if query]
    return [asked(memory, query, wanted, view) for query, wanted in plain]


@pytest.mark.parametrize(
    ("fields", "word"), [({"type": "checkpoint"}, "checkpoint"), ({"status": "archived"}, "archived")]
)
def test_inert_notes_are_found_where_they_are_asked_for(project: Project, fields: dict[str, str], word: str) -> None:
    project.note("inert", "The quokka digs.", **fields)

    assert hits(project, "quokka") == []
    assert [hit["name"] for hit in hits(project, "quokka", Wanted(include=(word,)))] == ["inert"]


def test_without_a_query_the_checkpoints_come_newest_first(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    for number in (2, 3, 1):
        project.note(f"point-{number}", "Work stood here.", type="checkpoint", created=f"2026-11-0{number}")

    answer = recall(project.open(), None, Wanted(), limit=2)

    assert (answer["query"], answer["verdict"]) == (None, "strong")
    assert [hit["name"] for hit in answer["hits"]] == ["point-3", "point-2"]


# Verdict


@pytest.fixture
def animals(project: Project) -> Project:
    for name, body in (
        ("quokka", "The quokka of Rottnest digs shallow burrows under shrubs."),
        ("wombat", "The wombat digs long tunnels with its strong claws."),
        ("heron", "The heron waits for fish in shallow water."),
        ("owl", "The owl hunts at night and hears a mouse under snow."),
    ):
        project.note(name, body)
    return project


@pytest.mark.parametrize(
    ("query", "verdict", "name"),
    [
        ("quokka burrows", "strong", "quokka"),
        ("heron fish", "strong", "heron"),
        ("kubernetes ingress certificate rotation", "none", None),
        ("zzyzx", "none", None),
    ],
)
def test_the_verdict_says_how_sure_an_answer_is(animals: Project, query: str, verdict: str, name: str | None) -> None:
    answer = recall(animals.open(), query, Wanted())

    assert answer["verdict"] == verdict
    assert [hit["name"] for hit in answer["hits"][:1]] == ([name] if name else [])


@pytest.mark.parametrize("query", ["the", "how do we", "is it"])
def test_a_question_of_stop_words_alone_is_never_surely_answered(animals: Project, query: str) -> None:
    animals.note("the", "The the of the. How do we? Is it?", title="The how do we is it")

    assert recall(animals.open(), query, Wanted())["verdict"] in ("weak", "none")


def test_a_part_of_the_rare_words_is_weak_evidence(animals: Project) -> None:
    answer = recall(animals.open(), "quokka certificate", Wanted())

    assert answer["verdict"] == "weak"


def test_scores_fall_and_explain_themselves(animals: Project) -> None:
    found = hits(animals, "digs burrows", explain=True)

    assert [hit["score"] for hit in found] == sorted((hit["score"] for hit in found), reverse=True)
    assert {"words", "cosine", "fused", "age", "links"} <= found[0]["why"].keys()


# What a hit shows


def test_a_sensitive_note_shows_no_word_of_its_body(project: Project) -> None:
    project.note("safe", SECRET, sensitive="true")
    project.note("uses-safe", "Ask before opening.", about="[safe]")

    shown = [
        json.dumps(recall(project.open(), query, Wanted(), detail=detail, explain=False))
        for query in ("combination safe quokka", "safe")
        for detail in ("compact", "snippet", "full")
    ]

    assert all('"safe"' in text for text in shown)
    assert not [text for text in shown if "combination of" in text or "written under" in text]


@pytest.mark.parametrize("value", ["true", "yes", "perhaps", "[a]"])
def test_a_note_that_may_be_sensitive_is(project: Project, value: str) -> None:
    project.note("safe", SECRET, sensitive=value)

    hit = hits(project, "combination safe", detail="full")[0]

    assert (hit["summary"], hit["snippet"], hit["body"]) == (None, None, None)


@pytest.mark.parametrize("budget", [0, 1, 10, 60, 200, 1000, 100_000])
@pytest.mark.parametrize("detail", ["compact", "snippet", "full"])
def test_a_budget_bounds_all_texts_together(animals: Project, budget: int, detail: str) -> None:
    found = hits(animals, "digs shallow burrows", detail=detail, budget=budget)

    texts = [hit[field] or "" for hit in found for field in ("title", "summary", "snippet", "body") if field in hit]
    assert sum(map(len, texts)) <= budget


def test_links_name_both_ends_conflicts_first(project: Project) -> None:
    project.note(
        "quokka-digs", "The quokka digs.", because="[roots]", replaces="[older]", conflicts_with="[quokka-sleeps]"
    )
    project.note("roots", "Roots lie deep.", type="principle")
    project.note("older", "The quokka scratches.")
    project.note("quokka-sleeps", "The quokka sleeps.")

    links = hits(project, "quokka digs")[0]["links"]

    assert [(link["verb"], link["direction"], link["title"]) for link in links] == [
        ("conflicts-with", "out", "Quokka sleeps"),
        ("replaces", "out", "Older"),
        ("because", "out", "Roots"),
    ]


def test_a_link_to_a_name_is_not_a_link_to_its_alias(project: Project) -> None:
    project.note("aliased", "The quokka sleeps by day.", aliases="[named]")
    project.note("named", "Nothing about animals.")
    project.note("claims", "Nothing else.", because="[named]")

    by_name = {hit["name"]: hit["links"] for hit in hits(project, "quokka sleeps nothing", limit=0)}

    assert by_name["aliased"] == []


def test_a_newer_note_wins_between_equals(project: Project) -> None:
    for name, created in (("aa", "2025-01-01"), ("bb", "2026-11-29")):
        project.write(f"decision/{name}.md", note_text(name, "The quokka digs.", title="Quokka", created=created))

    assert project.names("quokka") == ["bb", "aa"]


def test_every_recall_of_a_large_memory_equals_a_rebuild(project: Project) -> None:
    words = [word for query, _ in QUERIES for word in query.split()]
    for number in range(450):
        body = " ".join(words[(number * step) % len(words)] for step in (1, 3, 7, 11, 13)[: 1 + number % 5])
        project.note(
            f"note-{number % 440}", body, type=("decision", "caution", "insight")[number % 3], title=f"On {number}"
        )
    project.names("index")

    for number in range(0, 440, 9):
        project.note(f"note-{number}", words[number % len(words)], type=("decision", "caution", "insight")[number % 3])

    assert memories.ready(project.open()).view.overlaid
    assert answers(project.open()) == answers(uncached(project.open()))


def test_a_hit_whose_file_has_an_error_says_so(project: Project) -> None:
    project.write("insight/broken.md", "---\ntitle: Broken wheels\ntype: [ ---\n\nWheels broke.\n")
    project.note("sound", "Wheels turn.")

    warnings = recall(project.open(SETTLED), "wheels", Wanted())["warnings"]

    assert [(each["code"], each["name"]) for each in warnings] == [("broken", "broken")]


def test_an_answer_under_a_config_that_cannot_be_read_says_so(project: Project) -> None:
    project.note("sound", "Wheels turn.")
    project.write("config.toml", "[types\n")

    recalled = recall(project.open(SETTLED), "wheels", Wanted())["warnings"]
    written = remember(project.open(), Draft("Axles turn", type="decision", body="x"), Author("agent", None))[
        "warnings"
    ]

    assert {each["code"] for each in recalled} == {each["code"] for each in written} == {"config"}
