"""The graph: names, chains of replacements, rings, walks."""

from hypothesis import given
from hypothesis import strategies as st

from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Graph
from gitmem.notes.entry import read
from gitmem.notes.note import Entry

VERBS = ("because", "replaces")


def entry(name: str, *, created: str = "", aliases: str = "", **links: str) -> Entry:
    fields = {"created": created, "aliases": aliases} | links
    head = "".join(f"{key}: {value}\n" for key, value in fields.items() if value)
    return read(f"decision/{name}.md", f"---\ntitle: {name}\n{head}---\n".encode(), verbs=VERBS)


def chain(graph: Graph, name: str) -> list[str]:
    return [each.name for each in graphs.history(graph, graph.names[name], ["replaces"])]


def walked(graph: Graph, name: str, **more: object) -> tuple[list[tuple[str, int]], list[tuple[str, str]]]:
    options = {"depth": 2, "verbs": (), "least": 0.0, "direction": "both", "most": 200} | more
    steps, edges = graphs.walk(graph, graph.names[name], **options)  # type: ignore[arg-type]
    pairs = [(edge.source.name, edge.target.name) for edge in edges if edge.target]
    return [(step.entry.name, step.depth) for step in steps], pairs


def test_a_name_beats_an_alias_and_the_first_path_beats_another() -> None:
    graph = graphs.build(
        [entry("b", aliases="[a, c]"), entry("a"), entry("d", aliases="[c]"), entry("e", because="[c]")]
    )

    assert graphs.resolve(graph, "A") is graph.names["a"]
    assert graphs.resolve(graph, "c") is graph.names["b"]
    assert graphs.resolve(graph, "nobody") is None
    assert [edge.source.name for edge in graph.into["decision/b.md"]] == ["e"]


def test_of_several_replacements_the_newest_holds() -> None:
    graph = graphs.build(
        [entry("a"), entry("b", created="2026-02-01", replaces="[a]"), entry("c", created="2026-01-01", replaces="[a]")]
    )

    replaced = graphs.replacements(graph, ["replaces"])

    assert replaced["decision/a.md"].source.name == "b"
    assert graphs.head(graph.names["a"], replaced).name == "b"


def test_a_chain_is_told_from_its_start_whatever_the_dates_say() -> None:
    graph = graphs.build([entry("z"), entry("m", created="2026-05-05", replaces="[z]"), entry("a", replaces="[m]")])

    assert [chain(graph, name) for name in "zma"] == [["z", "m", "a"]] * 3


def test_a_note_that_replaces_itself_is_not_replaced() -> None:
    graph = graphs.build([entry("a", replaces="[a]")])

    assert graphs.replacements(graph, ["replaces"]) == {}
    assert graphs.cycles(graph, ["replaces"]) == []


def test_a_ring_is_found_though_a_newer_note_replaces_one_of_it() -> None:
    graph = graphs.build(
        [entry("a", replaces="[b]"), entry("b", replaces="[a]"), entry("c", created="2026-09-09", replaces="[a]")]
    )

    assert [[each.name for each in ring] for ring in graphs.cycles(graph, ["replaces"])] == [["a", "b"]]


def test_two_rings_are_two() -> None:
    graph = graphs.build(
        [
            entry("a", replaces="[b]"),
            entry("b", replaces="[a, c]"),
            entry("c", replaces="[d]"),
            entry("d", replaces="[c]"),
            entry("e", replaces="[a]"),
        ]
    )

    assert [[each.name for each in ring] for ring in graphs.cycles(graph, ["replaces"])] == [["a", "b"], ["c", "d"]]


def test_a_ring_has_a_head_and_a_history() -> None:
    graph = graphs.build([entry("a", replaces="[b]"), entry("b", replaces="[a]")])

    assert graphs.head(graph.names["a"], graphs.replacements(graph, ["replaces"])).name == "b"
    assert sorted(chain(graph, "a")) == ["a", "b"]


def test_a_walk_goes_both_ways_nearest_first_and_cuts_cycles() -> None:
    graph = graphs.build(
        [entry("a", because="[b]"), entry("b", because="[c]"), entry("c", because="[a, d]"), entry("d", because="[e]")]
    )

    notes, edges = walked(graph, "a")

    assert notes == [("a", 0), ("b", 1), ("c", 1), ("d", 2)]
    assert edges == [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]


def test_a_walk_tells_the_links_among_its_farthest_notes() -> None:
    graph = graphs.build([entry("a", because="[b, c]"), entry("b", because="[c]"), entry("c")])

    assert walked(graph, "a", depth=1)[1] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_a_walk_keeps_to_its_direction_verbs_weight_and_limit() -> None:
    graph = graphs.build(
        [
            entry("a", because="[{to: b, weight: 0.2}, c]", replaces="[d]"),
            entry("b"),
            entry("c"),
            entry("d"),
            entry("e", because="[a]"),
        ]
    )

    assert [name for name, _ in walked(graph, "a", direction="out")[0]] == ["a", "b", "c", "d"]
    assert [name for name, _ in walked(graph, "a", direction="in")[0]] == ["a", "e"]
    assert [name for name, _ in walked(graph, "a", verbs=("replaces",))[0]] == ["a", "d"]
    assert [name for name, _ in walked(graph, "a", least=0.5)[0]] == ["a", "c", "d", "e"]
    assert len(walked(graph, "a", most=3)[0]) == 3
    assert walked(graph, "a", depth=0) == ([("a", 0)], [])


names = st.sampled_from("abcdef")


@given(st.dictionaries(names, st.lists(names, max_size=3, unique=True), min_size=1))
def test_every_ring_closes_and_no_note_is_in_two(claims: dict[str, list[str]]) -> None:
    graph = graphs.build([entry(name, replaces=f"[{', '.join(claims.get(name, []))}]") for name in "abcdef"])

    rings = graphs.cycles(graph, ["replaces"])

    assert all(
        here.name in [link.to for link in after.note.links]
        for ring in rings
        for here, after in zip(ring, [*ring[1:], ring[0]], strict=True)
    )
    members = [each.name for ring in rings for each in ring]
    assert len(members) == len(set(members))
    assert bool(rings) == _has_ring(claims)


def _has_ring(claims: dict[str, list[str]]) -> bool:
    """Returns whether anything is left when what replaces nothing left is taken out, over and over."""
    left = {name: {to for to in targets if to != name} for name, targets in claims.items()}
    while ended := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in ended:
            del left[name]
    return bool(left)
