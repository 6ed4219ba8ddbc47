"""Anchors: what a symbol is in each language, where a touch leads, and what becomes of it as the code goes on."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import SETTLED, Project, run
from hypothesis import given, settings
from hypothesis import strategies as st
from projects import AGENT, kept, text

from gitmem.knowledge import anchors
from gitmem.knowledge.definitions import GRAMMARS, grammar_of
from gitmem.operations.anchors import drift, graded, refreshed
from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.history import diff
from gitmem.operations.read import list_notes, show
from gitmem.operations.recall import recall
from gitmem.operations.review import review
from gitmem.operations.touches import anchored, resolved
from gitmem.operations.write import Draft, revise
from gitmem.search import parsing
from gitmem.search.query import Wanted

SAMPLES = Path(__file__).parent / "data" / "anchors"
EXPECTED: dict[str, dict[str, str]] = json.loads((SAMPLES / "expected.json").read_text())
STORE = """\
class Store:
    # Writes one.
    def save(self, note):
        return True


def load(path):
    return path
"""


def defined(source: str, name: str = "a.py") -> dict[str, str]:
    """Returns the hashes of what a text defines, by name."""
    grammar = grammar_of(name)
    assert grammar
    return {each.local: each.hash for each in anchors.definitions(source, grammar)}


def code(project: Project, path: str, source: str | bytes = STORE) -> Path:
    """Writes a file of the project beside its memory."""
    target = project.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source if isinstance(source, bytes) else source.encode())
    return target


def commit(project: Project, words: str = "Work") -> None:
    project.git("add", "-A")
    project.git("commit", "-qm", words)


def touches(project: Project, *refs: str) -> tuple[str, ...]:
    """Returns touches as they are stored."""
    return anchored(project.open(), Draft(touches=refs))[0].touches or ()


def states(project: Project, later: float = 0) -> dict[str, str | None]:
    """Returns the state of every touch of the one note named `note`."""
    memory = project.open(later)
    return {touch["ref"]: touch["state"] for touch in show(memory, "note")["touches"]}


def noted(project: Project, *refs: str) -> dict[str, Any]:
    """Remembers the note named `note` with some touches."""
    return kept(project, "Note", touches=refs)


# Definitions


@pytest.mark.parametrize("sample", EXPECTED)
def test_a_language_has_the_definitions_that_a_reader_sees(sample: str) -> None:
    source = (SAMPLES / sample).read_text()
    grammar = grammar_of(sample)
    assert grammar

    found = anchors.definitions(source, grammar)

    first = {name: min(int(word.split("-")[0]) for word in strong(rows)) for name, rows in EXPECTED[sample].items()}
    assert {each.local: each.line for each in found} == first
    assert {each.local for each in found if each.weak} == {
        name for name, rows in EXPECTED[sample].items() if rows.endswith("weak")
    }


def strong(rows: str) -> list[str]:
    """Returns the lines of the definitions, of the declarations where there is nothing else."""
    words = rows.split(", ")
    return [word for word in words if "weak" not in word] or [word.removesuffix(" weak") for word in words]


@pytest.mark.parametrize("sample", EXPECTED)
def test_a_hash_is_that_of_the_lines_of_a_definition(sample: str) -> None:
    lines = (SAMPLES / sample).read_text().split("\n")
    found = defined((SAMPLES / sample).read_text(), sample)

    for name, rows in EXPECTED[sample].items():
        spans = [(int(word.split("-")[0]), int(word.split("-")[-1])) for word in strong(rows)]
        texts = ["".join("".join(lines[first - 1 : last]).split()) for first, last in spans]
        # What ends a member belongs to what holds it in some languages.
        variants = product(*[(each, each.rstrip(";,")) for each in texts])
        assert found[name] in {anchors.digest("".join(each).encode()) for each in variants}, name


def test_every_grammar_has_a_sample() -> None:
    parsers = {grammar.parser for sample in EXPECTED if (grammar := grammar_of(sample))}

    assert parsers == {grammar.parser for grammar in GRAMMARS}


@pytest.mark.parametrize("sample", EXPECTED)
@settings(max_examples=10)
@given(depth=st.integers(0, 12), before=st.sampled_from(["", "\n\n", "\n\n\n"]), ends=st.sampled_from(["\n", "\r\n"]))
def test_to_reindent_or_to_move_a_definition_keeps_its_hash(sample: str, depth: int, before: str, ends: str) -> None:
    source = (SAMPLES / sample).read_text()
    head, rest = source.split("\n", 1) if sample.startswith("php") else ("", source)

    moved = head + before + textwrap.indent(rest, " " * (0 if sample.startswith("python") else depth))
    reread = defined(moved.replace("\n", ends), sample)

    assert reread == defined(source, sample)


@settings(max_examples=20)
@given(st.integers(1, 4), st.integers(1, 4))
def test_a_python_definition_may_move_in_its_file_and_into_another_depth(width: int, blank: int) -> None:
    source = "def first():\n    if True:\n        return 1\n\ndef second():\n    return 2\n"
    other = source.replace("    ", " " * width).split("\n\n")

    moved = ("\n" * blank).join(reversed([part.rstrip("\n") + "\n" for part in other]))

    assert defined(moved) == defined(source)


def test_a_change_of_a_definition_changes_its_hash_and_no_other() -> None:
    before = defined(STORE)

    comment = defined(STORE.replace("# Writes one.", "# Writes it."))
    body = defined(STORE.replace("return path", "return path + 1"))

    assert {name for name in before if comment[name] != before[name]} == {"Store", "Store.save"}
    assert {name for name in before if body[name] != before[name]} == {"load"}


def test_only_what_stands_directly_above_belongs_to_a_definition() -> None:
    alone = defined("def f():\n    return 1\n")["f"]

    assert defined("# far\n\ndef f():\n    return 1\n")["f"] == alone
    assert defined("x = 1  # about x\ndef f():\n    return 1\n")["f"] == alone
    assert defined("def e():\n    pass\n    # ends e\ndef f():\n    return 1\n")["f"] == alone
    assert defined("# near\ndef f():\n    return 1\n")["f"] != alone


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        ("Store.save", ["acme.Store.save"]),
        ("acme::Store::save", ["acme.Store.save"]),
        ("Store::save", ["acme.Store.save"]),
        ("Store#save", ["acme.Store.save"]),
        ("save", ["acme.Store.save"]),
        ("twice", ["acme.twice"]),
        ("size", ["acme.Store.size"]),
        ("x", ["acme.Store.Inner.x"]),
        ("sav", []),
    ],
)
def test_a_symbol_is_found_by_its_last_parts_however_they_are_joined(symbol: str, names: list[str]) -> None:
    grammar = grammar_of("cpp.cpp")
    assert grammar
    source = (SAMPLES / "cpp.cpp").read_text().replace("    int x;", "    static int x();")

    found = anchors.named(anchors.definitions(source, grammar), symbol)

    assert [each.name for each in found] == names


def names_in(path: str, source: str) -> list[str]:
    grammar = grammar_of(path)
    assert grammar
    return [each.name for each in anchors.definitions(source, grammar)]


def test_a_line_that_a_machine_made_is_given_up_in_time() -> None:
    statement = "var f{0}=function(){{return {0}}};"
    short, long = ("".join(map(statement.format, range(many))) for many in (100, 40_000))

    began = time.process_time()
    names = names_in("a.js", long)

    assert names == [] and len(names_in("a.js", short)) == 100
    assert time.process_time() - began < 10


def test_a_long_line_of_data_hides_no_definition_beside_it() -> None:
    assert names_in("a.py", f"x = [{'1,' * 200_000}]\n\ndef f():\n    return x\n") == ["x", "f"]


def test_functions_inside_functions_without_end_are_given_up_in_time() -> None:
    began = time.process_time()
    names = names_in("a.js", "function f(){" * 3_000 + "}" * 3_000)

    assert len(names) == anchors.DEEPEST and time.process_time() - began < 5


@settings(max_examples=30)
@given(st.text())
def test_no_text_breaks_a_parser(source: str) -> None:
    for grammar in GRAMMARS:
        anchors.definitions(source, grammar)


@pytest.mark.parametrize("brace", ["{", "{1", "{1..", "{12..30", "x{{"])
def test_a_high_character_behind_a_brace_of_a_script_ends_no_process(brace: str) -> None:
    assert (
        names_in("a.sh", f"f() {{ echo {brace}\U00108712; }}\nx\U00108712={brace}\U0010ffff\ng() {{ :; }}\n")[0] == "f"
    )


# Written


def test_a_touch_is_stored_with_its_hash(project: Project) -> None:
    code(project, "src/store.py")
    code(project, "data.bin", b"\0\1")

    reply = noted(project, "src/store.py::Store.save", "./src/store.py", "src", "load", "data.bin", "src/nosuch.py")

    hashes = defined(STORE)
    assert text(project, "decision/note.md").split("touches:\n")[1].split("---")[0].split() == [
        *("-", f"src/store.py::Store.save@{hashes['Store.save']}"),
        *("-", f"src/store.py@{anchors.digest(STORE.encode())}"),
        *("-", "src/"),
        *("-", f"src/store.py::load@{hashes['load']}"),
        *("-", f"data.bin@{anchors.digest(bytes([0, 1]))}"),
        *("-", "src/nosuch.py"),
    ]
    assert reply["unresolved"] == ["src/nosuch.py"]


def test_a_bare_symbol_of_two_definitions_is_unresolved_and_both_are_named(project: Project) -> None:
    code(project, "src/one.py", "def run():\n    return 1\n")
    code(project, "src/two.go", "package two\n\nfunc run() {}\n")
    code(project, "src/three.py", "# run is only named here\n")

    reply = noted(project, "run")

    assert reply["unresolved"] == ["run"]
    assert [warning["code"] for warning in reply["warnings"]] == ["ambiguous-anchor"]
    assert "src/one.py::run (line 1) and src/two.go::run (line 3)" in reply["warnings"][0]["message"]
    assert states(project) == {"run": "unanchored"}


def test_a_symbol_of_two_definitions_in_its_file_is_unresolved(project: Project) -> None:
    code(project, "a.py", "class A:\n    def run(self): ...\nclass B:\n    def run(self): ...\n")

    reply = noted(project, "a.py::run", "a.py::B.run")

    assert reply["unresolved"] == ["a.py::run"]
    assert "a.py::A.run (line 2) and a.py::B.run (line 4)" in reply["warnings"][0]["message"]


def test_a_declaration_is_no_second_definition(project: Project) -> None:
    code(project, "store.h", "int save(int a);\nint declared(int a);\n")
    code(project, "store.c", "int save(int a) { return a; }\n")

    found = [touch.partition("@")[0] for touch in touches(project, "save", "declared", "store.h::save")]

    assert found == ["store.c::save", "store.h::declared", "store.h::save"]


def test_a_class_and_its_constructor_are_one_symbol(project: Project) -> None:
    code(project, "Store.java", (SAMPLES / "java.java").read_text().replace("class Store", "class Stored"))
    code(project, "Other.java", "class Other {\n    Other() {}\n}\n")

    assert touches(project, "Other")[0].startswith("Other.java::Other@")


@pytest.mark.parametrize(
    "ref",
    [
        "../outside.py",
        "link/secret.py",
        "linked.py::f",
        ".git/config",
        "nosuch",
        "a.py::nosuch",
        "src/../../x",
        "d/::f",
    ],
)
def test_what_is_not_in_the_tree_is_kept_as_written(project: Project, tmp_path: Path, ref: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret.py").write_text("def f(): pass\n")
    (tmp_path / "outside.py").write_text("def f(): pass\n")
    code(project, "a.py")
    code(project, "d/a.py")
    (project.root / "link").symlink_to(tmp_path / "elsewhere")
    (project.root / "linked.py").symlink_to(tmp_path / "outside.py")

    found = resolved(project.open(), [ref])

    assert touches(project, ref) == found.unresolved == (ref,)


def test_what_git_ignores_has_no_anchor(project: Project) -> None:
    code(project, ".gitignore", "build/\n")
    code(project, "build/out.py", "def built(): pass\n")

    found = resolved(project.open(), ["build/out.py", "built"])

    assert found.unresolved == ("build/out.py", "built")
    assert [warning["code"] for warning in found.warnings] == ["ignored-anchor"]


@pytest.mark.parametrize("path", ["src/@types/x.ts", "src/größe des 構建.ts", "a b/c d.ts", "-x.ts", "a@1234567.ts"])
def test_any_path_can_be_touched(project: Project, path: str) -> None:
    code(project, path, "export function f() { return 1 }\n")
    commit(project)

    noted(project, path, f"{path}::f", "f")

    assert set(states(project).items()) == {(path, "valid"), (f"{path}::f", "valid")}


def test_a_hash_that_is_given_is_worked_out_again(project: Project) -> None:
    code(project, "a.py")

    assert touches(project, "a.py::load@0000000") == (f"a.py::load@{defined(STORE)['load']}",)
    assert touches(project, "nosuch.py@0000000") == ("nosuch.py",)


def test_a_large_file_is_anchored_whole_and_a_larger_one_by_its_place(project: Project) -> None:
    code(project, "large.py", "def f(): pass\n" + "#" * (4 << 20))

    found = resolved(project.open(), ["large.py", "large.py::f"])

    assert touches(project, "large.py")[0].startswith("large.py@")
    assert found.unresolved == ("large.py::f",)


def test_revise_and_checkpoint_anchor_too(project: Project) -> None:
    code(project, "a.py")
    commit(project)
    noted(project, "nosuch")

    reply = revise(project.open(), "note", Draft(touches=("a.py::load", "lost")))
    done = checkpoint(project.open(), Said("Half way", touches=("a.py::load", "a.py", "lost")), AGENT)
    again = checkpoint(project.open(1), Said("Half way", touches=("a.py::load", "a.py", "lost")), AGENT)

    assert reply["unresolved"] == done["unresolved"] == ["lost"]
    assert list(states(project).values()) == ["valid", "unanchored"]
    assert recall(project.open(), None, Wanted())["hits"][0]["touches"] == [
        {"ref": "a.py::load", "state": "valid"},
        {"ref": "a.py", "state": "valid"},
        {"ref": "lost", "state": "unanchored"},
    ]
    assert again["name"] == done["name"]
    assert "Memory-Touches: a.py::load\n" in project.git("log", "-1", "--format=%B")


def test_paths_begin_at_the_top_level_and_may_be_meant_from_the_memory(project: Project) -> None:
    inner = Project(project.root / "packages" / "inner")
    inner.notes.mkdir(parents=True)
    code(project, "packages/inner/src/a.py")
    code(project, "top.py")

    found = touches(inner, "src/a.py::load", "packages/inner/src/", "top.py")

    assert [touch.partition("@")[0] for touch in found] == [
        "packages/inner/src/a.py::load",
        "packages/inner/src/",
        "top.py",
    ]


def test_without_a_repository_the_folder_of_the_memory_is_the_tree(tmp_path: Path) -> None:
    project = Project(tmp_path / "bare")
    project.notes.mkdir(parents=True)
    code(project, "src/a.py")

    noted(project, "load", "src/a.py")
    (project.root / "src" / "a.py").rename(project.root / "src" / "b.py")

    assert states(project) == {"src/a.py::load": "moved", "src/a.py": "moved"}


# Graded


def test_a_symbol_that_moves_in_its_file_or_is_reindented_stays_valid(project: Project) -> None:
    file = code(project, "a.py")
    noted(project, "a.py::Store.save", "a.py::load")

    file.write_text("def new():\n  pass\n\n" + STORE.replace("    ", "  ").replace("\n", "\r\n"))

    assert states(project) == {"a.py::Store.save": "valid", "a.py::load": "valid"}


def test_a_symbol_that_changes_is_changed_and_its_note_drifts(project: Project) -> None:
    file = code(project, "a.py")
    noted(project, "a.py::Store.save", "a.py::load", "a.py")

    file.write_text(STORE.replace("return True", "return False"))

    found = {"a.py::Store.save": "changed", "a.py::load": "valid", "a.py": "valid"}
    assert states(project) == found
    assert [note["name"] for note in drift(project.open())["drifted"]] == ["note"]
    assert drift(project.open())["drifted"][0]["touches"] == [{"ref": ref, "state": at} for ref, at in found.items()]
    assert show(project.open(), "note")["standing"] == list_notes(project.open(), Wanted())["notes"][0]["standing"]
    assert "drifted" in recall(project.open(), "note", Wanted())["hits"][0]["marks"]


@pytest.mark.parametrize("how", ["untracked", "staged", "committed", "twice", "edited"])
def test_a_renamed_file_is_moved(project: Project, how: str) -> None:
    code(project, "a.py", STORE + "#\n" * 40)
    noted(project, "a.py", "a.py::load")
    commit(project)

    if how == "untracked":
        (project.root / "a.py").rename(project.root / "b.py")
    else:
        project.git("mv", "a.py", "b.py")
    if how == "edited":
        (project.root / "b.py").write_text(STORE + "#\n" * 40 + "# More.\n")
        project.git("add", "b.py")
    if how in ("committed", "twice", "edited"):
        project.git("commit", "-qm", "Move")
    if how == "twice":
        project.git("mv", "b.py", "c.py")
        project.git("commit", "-qm", "Move again")

    assert states(project, SETTLED) == {"a.py": "moved", "a.py::load": "moved"}
    assert drift(project.open())["drifted"] == []


def test_a_symbol_that_goes_to_another_file_is_moved(project: Project) -> None:
    file = code(project, "a.py")
    noted(project, "a.py::load", "a.py::Store.save")
    commit(project)

    file.write_text("x = 1\n")
    code(project, "lib/b.py", "class Other:\n" + textwrap.indent("def load(path):\n    return path\n", "    "))

    assert states(project) == {"a.py::load": "moved", "a.py::Store.save": "gone"}


def test_a_renamed_file_whose_symbol_changed_is_changed(project: Project) -> None:
    code(project, "a.py", STORE + "#\n" * 40)
    noted(project, "a.py::load")
    commit(project)

    project.git("mv", "a.py", "b.py")
    (project.root / "b.py").write_text(STORE.replace("return path", "return str(path)") + "#\n" * 40)
    project.git("commit", "-qam", "Move and change")

    assert states(project) == {"a.py::load": "changed"}


def test_what_went_is_gone_and_comes_back(project: Project) -> None:
    file = code(project, "src/a.py")
    noted(project, "src/a.py", "src/a.py::load", "src/")
    commit(project)

    shutil.rmtree(project.root / "src")
    gone = states(project, SETTLED)
    again = states(project, SETTLED)
    code(project, "src/a.py", file.name and STORE)

    assert gone == again == {"src/a.py": "gone", "src/a.py::load": "gone", "src/": "gone"}
    assert set(states(project).values()) == {"valid"}


@pytest.mark.parametrize("instead", ["folder", "link"])
def test_what_stands_in_place_of_a_file_is_not_that_file(project: Project, tmp_path: Path, instead: str) -> None:
    file = code(project, "src/a.py")
    noted(project, "src/a.py", "src/a.py::load")
    commit(project)

    file.rename(tmp_path / "a.py")
    file.mkdir() if instead == "folder" else file.symlink_to(tmp_path / "a.py")

    assert states(project)["src/a.py::load"] == "gone"
    assert states(project)["src/a.py"] == ("gone" if instead == "folder" else "valid")


STRANGE = ("a\\0b.py", "a\\ud800b.py", "x" * 200_000, "d/" * 50_000 + "x", "../" * 5_000 + "x", "y" * 9)


@pytest.mark.parametrize("place", STRANGE, ids=lambda place: place[:9])
def test_no_touch_that_a_file_claims_stops_a_reader(project: Project, place: str) -> None:
    code(project, "a.py")
    project.git("add", ".")
    project.git("commit", "-qm", "Code")
    base = project.git("rev-parse", "HEAD").strip()
    project.note("strange", touches=f'["{place}@1234567"]')
    commit(project)

    began = time.process_time()
    shown = show(project.open(), "strange")
    found = drift(project.open())["drifted"]
    review(project.open(), base)

    gone = [each["state"] for each in shown["touches"]]
    assert gone == ["gone"] * (not shown["problems"]) and len(found) == len(gone)
    assert time.process_time() - began < 5


def test_more_touches_that_went_than_a_command_line_holds_are_gone(project: Project) -> None:
    places = [f"some/long/path/that/is/not/there/any/more/{'x' * 100}/{number}.py" for number in range(15_000)]
    project.note("many", touches="[" + ", ".join(f"{place}@1234567" for place in places) + "]")
    commit(project)

    found = show(project.open(), "many")["touches"]

    assert {each["state"] for each in found} == {"gone"} and len(found) == len(places)


def test_an_empty_file_that_went_is_not_found_in_every_other_one(project: Project) -> None:
    code(project, "a/__init__.py", "")
    code(project, "b/__init__.py", "")
    noted(project, "a/__init__.py")
    commit(project)

    (project.root / "a" / "__init__.py").unlink()

    assert states(project) == {"a/__init__.py": "gone"}


def test_what_a_sparse_checkout_leaves_out_is_there(project: Project) -> None:
    code(project, "deep/a.py")
    code(project, "near/b.py", "x = 1\n")
    noted(project, "deep/a.py", "deep/a.py::load")
    commit(project)

    project.git("sparse-checkout", "set", "--cone", "near", ".memory")

    assert not (project.root / "deep" / "a.py").exists()
    assert states(project) == {"deep/a.py": "valid", "deep/a.py::load": "valid"}


def test_without_git_what_is_where_it_was_is_graded_and_the_rest_unknown(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code(project, "a.py")
    noted(project, "a.py::load", "a.py")
    project.note("other", touches="[lost.py@1234567]")
    memory, entries = project.open(), _entries(project)

    monkeypatch.setenv("PATH", str(tmp_path))

    assert [touch["state"] for each in graded(memory, entries).values() for touch in each] == ["valid", "valid", None]


def _entries(project: Project) -> list[Any]:
    from gitmem.operations.memory import ready

    return sorted(ready(project.open()).view.everything(), key=lambda entry: entry.name)


def test_a_superseded_note_does_not_drift(project: Project) -> None:
    file = code(project, "a.py")
    noted(project, "a.py::load")
    kept(project, "Newer", links=("replaces=note",))

    file.write_text("x = 1\n")

    assert drift(project.open())["drifted"] == []


def test_refreshed_touches_follow_the_code(project: Project) -> None:
    code(project, "a.py")
    other, later = "def other():\n    return 1\n", "x = 1\n"
    code(project, "b.py", other)
    noted(project, "a.py::load", "a.py::Store.save", "b.py", "later.py", "a.py::Store")
    commit(project)
    note = _entries(project)[0].note

    code(project, "a.py", STORE.split("\n\n\n")[0].replace("True", "False"))
    code(project, "c.py", STORE.split("\n\n\n")[1])
    (project.root / "b.py").unlink()
    code(project, "later.py", later)

    now = defined((project.root / "a.py").read_text())
    assert refreshed(project.open(), note)[0] == (
        f"c.py::load@{defined(STORE)['load']}",
        f"a.py::Store.save@{now['Store.save']}",
        f"b.py@{anchors.digest(other.encode())}",
        f"later.py@{anchors.digest(later.encode())}",
        f"a.py::Store@{now['Store']}",
    )


# Remembered


def test_what_was_found_is_found_again_without_a_parser(project: Project) -> None:
    code(project, "a.py")
    noted(project, "a.py::load")
    states(project, SETTLED)

    script = (
        "import sys\nfrom gitmem.faces.cli import main\nmain(['recall', 'note', '--json'])\n"
        "print('ast_grep_py' in sys.modules, 'hashlib' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project.root, capture_output=True, text=True, check=True, timeout=60
    )

    assert '"state": "valid"' in done.stdout
    assert done.stdout.split()[-2] == "False"


def test_a_cache_that_a_repository_brings_along_is_not_believed(project: Project, tmp_path: Path) -> None:
    file = code(project, "a.py")
    noted(project, "a.py::load")
    states(project, SETTLED)
    file.write_text(STORE.replace("return path", "return 0"))

    lie = (project.cache / "anchors").read_bytes()
    shutil.rmtree(project.cache)
    project.cache.mkdir()
    (project.cache / "anchors").write_bytes(lie)

    assert states(project, SETTLED) == {"a.py::load": "changed"}


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\xff" * 500])
def test_a_damaged_cache_is_made_again(project: Project, damage: bytes) -> None:
    code(project, "a.py")
    noted(project, "a.py::load")
    states(project, SETTLED)

    (project.cache / "anchors").write_bytes(damage)

    assert states(project, SETTLED) == states(project, SETTLED) == {"a.py::load": "valid"}


def test_a_file_changed_in_the_same_moment_is_seen(project: Project) -> None:
    file = code(project, "a.py", "def f():\n    return 1\n")
    noted(project, "a.py::f")
    assert states(project) == {"a.py::f": "valid"}

    seen = file.stat()
    file.write_text("def f():\n    return 2\n")
    os.utime(file, ns=(seen.st_atime_ns, seen.st_mtime_ns))

    assert states(project) == {"a.py::f": "changed"}


# Changed files


def test_recall_changed_finds_the_notes_about_what_differs(project: Project) -> None:
    code(project, "src/a.py")
    code(project, "src/b.py")
    code(project, "lib/c.py")
    for name, refs in {"one": ("src/a.py::load",), "two": ("src/b.py",), "three": ("lib/",), "four": ("src/",)}.items():
        kept(project, name, touches=refs)
    commit(project)
    code(project, "src/a.py", "x = 1\n")
    commit(project)

    def names(query: str | None, revision: str) -> set[str]:
        return {hit["name"] for hit in recall(project.open(), query, Wanted(), changed=revision)["hits"]}

    assert names(None, "") == set()
    assert names(None, "HEAD~1") == {"one", "four"}
    code(project, "lib/new.py")
    assert names(None, "") == {"three"}
    assert names(None, "HEAD~1") == {"one", "four", "three"}
    assert names("one", "HEAD~1") == {"one"}


def test_recall_changed_on_the_command_line(project: Project) -> None:
    code(project, "src/a.py")
    kept(project, "One", touches=("src/a.py::load",))
    commit(project)
    before = run(project.root / "src", "recall", "--changed", "--quiet")

    code(project, "src/a.py", "x = 1\n")

    after = run(project.root / "src", "recall", "--changed", "--quiet")
    unknown = run(project.root, "recall", "--changed", "nosuch")
    drifted = run(project.root / "src", "drift", "--json")
    assert (before.returncode, before.stdout) == (1, "")
    assert (after.returncode, after.stdout) == (0, "one\n")
    assert unknown.returncode == 3
    assert json.loads(drifted.stdout) == {
        "drifted": [{"name": "one", "title": "One", "touches": [{"ref": "src/a.py::load", "state": "gone"}]}],
        "warnings": [],
    }


# Between two commits


def test_diff_names_the_notes_whose_code_changed_while_they_did_not(project: Project) -> None:
    code(project, "src/a.py")
    code(project, "old/b.py", "x = 1\n")
    code(project, "old/c.py", "y = 1\n")
    for name, refs in {
        "changed": ("src/a.py::load", "src/a.py::Store"),
        "gone": ("old/b.py", "old/", "src/a.py::Store"),
        "moved": ("old/c.py",),
        "whole": ("src/a.py",),
        "revised": ("src/a.py::load",),
        "newer": ("src/a.py::load",),
    }.items():
        kept(project, name, touches=refs)
    commit(project)

    code(project, "src/a.py", STORE.replace("return path", "return str(path)"))
    shutil.move(project.root / "old" / "c.py", project.root / "src" / "d.py")
    shutil.rmtree(project.root / "old")
    revise(project.open(), "revised", Draft(body="It returns a text now."))
    revise(project.open(), "newer", Draft(touches=("src/a.py::load",)))
    commit(project)

    stale = {note["name"]: note["touches"] for note in diff(project.open(), "HEAD~1..HEAD")["stale"]}
    assert stale == {
        "changed": [{"ref": "src/a.py::load", "state": "changed"}],
        "gone": [{"ref": "old/b.py", "state": "gone"}, {"ref": "old/", "state": "gone"}],
    }
    assert diff(project.open(), "HEAD..HEAD")["stale"] == []


def test_review_names_what_a_branch_leaves_outdated(project: Project) -> None:
    code(project, "src/a.py")
    kept(project, "About load", touches=("src/a.py::load",))
    kept(project, "About save", touches=("src/a.py::Store.save",))
    commit(project)
    project.git("switch", "-qc", "branch")
    code(project, "src/a.py", STORE.split("\n\n\n")[0].replace("True", "False"))
    commit(project)

    reply = review(project.open(), "main")

    assert {note["name"]: note["touches"] for note in reply["stale"]} == {
        "about-load": [{"ref": "src/a.py::load", "state": "gone"}],
        "about-save": [{"ref": "src/a.py::Store.save", "state": "changed"}],
    }
    assert [(risk["code"], risk["path"]) for risk in reply["risks"] if risk["code"] == "gone-anchor"] == [
        ("gone-anchor", ".memory/decision/about-load.md")
    ]


def test_review_knows_what_no_parser_comes_to_the_end_of(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = '(F&{*/<!--/[[)x"0f"f'
    monkeypatch.setattr(parsing, "LEAST", 0.2)
    code(project, "src/a.tsx", endless)
    project.note("view", "The view is drawn once.", touches="[src/a.tsx::View@0123456]")
    commit(project)
    project.git("switch", "-qc", "branch")
    code(project, "src/a.tsx", f"{endless} ")
    commit(project)
    assert review(project.open(), "main")["stale"] == []

    monkeypatch.setattr(parsing, "Parser", None)  # whoever asks again fails

    assert review(project.open(10), "main")["stale"] == []


def test_one_more_place_leaves_the_others_tied(project: Project) -> None:
    code(project, "src/a.py")
    kept(project, "About load", touches=("src/a.py::load", "src/nope.py"))
    before = _entries(project)[0].note.touches

    revise(project.open(), "about-load", Draft(remove_touches=("src/nope.py",), add_touches=("src/a.py::Store",)))
    after = _entries(project)[0].note.touches
    code(project, "src/a.py", STORE.replace("True", "False"))
    revise(project.open(), "about-load", Draft(add_touches=("src/a.py::Store",)))

    assert after[0] == before[0] and after[1].startswith("src/a.py::Store@") and len(after) == 2
    assert len(_entries(project)[0].note.touches) == 2


def test_a_path_is_meant_from_the_folder_where_it_is_typed(project: Project) -> None:
    code(project, "sub/deep/c.py", "def f():\n    pass\n")
    code(project, "top.py", "def g():\n    pass\n")

    for title, ref in (("Below", "c.py::f"), ("Above", "top.py::g"), ("Bare", "f")):
        run(project.root / "sub" / "deep", "remember", title, "--type", "insight", "--touches", ref)

    found = {entry.name: entry.note.touches[0].partition("@")[0] for entry in _entries(project)}
    assert found == {"below": "sub/deep/c.py::f", "above": "top.py::g", "bare": "sub/deep/c.py::f"}
