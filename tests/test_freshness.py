"""What is found is what lies on disk now, from wherever and however often it is asked."""

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import (
    QUERIES,
    SETTLED,
    SOURCE,
    Project,
    answers,
    changed_in_place,
    environment,
    note_text,
    rotten,
    run,
    spawned,
    told,
    uncached,
)

from gitmem.errors import GitmemError
from gitmem.notes.preset import preset_text
from gitmem.operations import memory as memories
from gitmem.operations.memory import Memory, open_memory
from gitmem.operations.read import list_notes, show, walk
from gitmem.operations.recall import recall
from gitmem.operations.write import Author, Draft, remember, revise
from gitmem.search import cache as side
from gitmem.search.query import Wanted
from gitmem.search.refresh import OVERLAID

AGENT = Author("agent", None)


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def same_as_rebuilt(memory: Memory) -> bool:
    return answers(memory) == answers(uncached(memory))


# Section 3: index and freshness


def test_case_27_a_deleted_note_is_not_found_again(project: Project) -> None:
    path = project.note("quokka-colony", "The quokka lives on Rottnest.")
    assert project.names("quokka") == ["quokka-colony"]

    path.unlink()

    assert project.names("quokka") == []


def test_case_27_a_pull_that_deletes_takes_the_note_out(project: Project, tmp_path: Path) -> None:
    project.note("quokka-colony", "The quokka lives on Rottnest.")
    project.note("tent", "Rain fell on the tent.")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "both")
    clone = Project(tmp_path / "clone")
    project.git("clone", "--quiet", ".", str(clone.root))
    assert clone.names("quokka") == ["quokka-colony"]
    project.git("rm", "--quiet", ".memory/decision/quokka-colony.md")
    project.git("commit", "--quiet", "--message", "one")

    clone.git("pull", "--quiet")

    assert clone.names("quokka") == []
    assert clone.names("rain tent") == ["tent"]


@pytest.mark.parametrize("later", [0, SETTLED])
def test_case_28_an_edit_is_found_without_a_commit(project: Project, later: int) -> None:
    path = project.note("animals", "The quokka lives on Rottnest.")
    recall(project.open(later), "quokka", Wanted())

    path.write_text(note_text("animals", "The wombat digs."))

    found = recall(project.open(later), "wombat", Wanted())
    assert [hit["name"] for hit in found["hits"]] == ["animals"]
    assert recall(project.open(later), "quokka", Wanted())["hits"] == []


@pytest.mark.parametrize("by_rename", [True, False])
@pytest.mark.parametrize("later", [0, SETTLED])
def test_case_28_an_edit_that_keeps_size_and_time_is_found(project: Project, later: int, by_rename: bool) -> None:
    path = project.note("animals", "The quokka digs.")
    recall(project.open(later), "quokka", Wanted())
    before, text = path.stat(), path.read_bytes().replace(b"quokka", b"wombat")
    aside = path.with_name(".aside")

    aside.write_bytes(text)
    if by_rename:
        aside.rename(path)
    else:
        changed_in_place(path, text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert path.stat().st_size == before.st_size
    assert [hit["name"] for hit in recall(project.open(later), "wombat", Wanted())["hits"]] == ["animals"]


def test_case_29_there_and_back_between_branches_finds_what_is_out(project: Project) -> None:
    project.note("quokka-colony", "The quokka lives on Rottnest.")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "main")
    project.git("checkout", "--quiet", "-b", "other")
    project.note("quokka-colony", "The wombat digs.")
    project.git("commit", "--quiet", "--all", "--message", "other")

    on_other = project.names("wombat")
    project.git("checkout", "--quiet", "-")
    on_main = project.names("wombat"), project.names("quokka")
    project.git("checkout", "--quiet", "-")

    assert on_other == project.names("wombat") == ["quokka-colony"]
    assert on_main == ([], ["quokka-colony"])


def test_case_34_a_leftover_lock_file_is_nobody(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    project.names("quokka")
    for folder in project.cache.glob("index-*/index"):
        (folder / ".tantivy-writer.lock").touch()
        (folder / ".tantivy-meta.lock").touch()

    for number in range(OVERLAID + 1):
        project.note(f"wombat-{number}", "The wombat digs.")

    assert len(project.names("wombat", limit=0)) >= OVERLAID + 1
    assert memories.ready(project.open()).view.overlaid == 0


@pytest.mark.parametrize("name", ["meta.json", ".managed.json", "rows", "vectors", "current", "seen", "config"])
@pytest.mark.parametrize("data", [b"", b"{", b"\xff" * 3000])
def test_case_34_a_damaged_cache_file_changes_no_answer(project: Project, name: str, data: bytes) -> None:
    project.write("config.toml", "[policy]\nkeep_checkpoints = 9\n")
    project.note("animals", "The quokka digs.")
    before = answers(project.open(later=5))

    damaged = [path for path in project.cache.rglob(name) if path.is_file()]
    for path in damaged:
        path.unlink()
        path.write_bytes(data)

    assert damaged
    assert answers(project.open()) == before


def test_case_34_an_index_that_rots_is_told_and_thrown_away(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    project.names("quokka")
    rotten(project.cache)

    first, second = (run(project.root, "recall", "quokka", "--json") for _ in range(2))

    assert first.returncode == 3 and told(first)["error"]["code"] == "damaged-cache", first.stderr
    assert second.returncode == 0 and told(second)["hits"][0]["name"] == "animals"


def test_case_34_an_index_of_another_version_is_built_anew(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    project.names("quokka")
    folder = next(project.cache.glob("index-*"))
    meta = json.loads((folder / "index" / "meta.json").read_text())
    (folder / "index" / "meta.json").write_text(json.dumps(meta | {"index_settings": {}, "schema": []}))

    assert project.names("quokka") == ["animals"]
    assert same_as_rebuilt(project.open())


def test_case_34_an_unchanged_memory_is_answered_from_the_cache(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    project.names("quokka")
    before = (project.cache / "current").stat().st_mtime_ns

    project.names("quokka")

    assert (project.cache / "current").stat().st_mtime_ns == before


def test_case_35_many_first_readers_at_once_all_find(project: Project) -> None:
    for number in range(20):
        project.note(f"quokka-{number}", "The quokka digs.")
    script = """
import os, sys, time
from gitmem.operations.memory import open_memory
from gitmem.operations.recall import recall
from gitmem.search.query import Wanted
print(len(recall(open_memory(sys.argv[1], environment=os.environ, now=int(time.time())), "quokka", Wanted(), limit=0)["hits"]))
"""

    readers = [spawned(script, str(project.root)) for _ in range(8)]
    found = [reader.communicate(timeout=120)[0].strip() for reader in readers]

    assert found == ["20"] * 8
    assert same_as_rebuilt(project.open())


def test_case_37_every_folder_of_the_project_has_the_same_memory(project: Project, tmp_path: Path) -> None:
    project.note("animals", "The quokka digs.")
    deep = project.root / "src" / "deep"
    deep.mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    project.git("init", "--quiet", str(elsewhere))

    from_deep = run(deep, "recall", "quokka", "--json")
    with_variable = run(deep, "recall", "quokka", "--json", extra={"GIT_DIR": str(elsewhere / ".git")})

    assert [hit["path"] for hit in told(from_deep)["hits"]] == [".memory/decision/animals.md"]
    assert from_deep.stdout == with_variable.stdout
    assert not (deep / ".memory").exists()


def test_case_37_a_linked_worktree_has_its_own_notes_and_cache(project: Project, tmp_path: Path) -> None:
    project.note("animals", "The quokka digs.")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "begin")
    tree = Project(tmp_path / "tree")
    project.git("worktree", "add", "--quiet", "-b", "side", str(tree.root))

    tree.note("burrow", "The wombat digs.")

    assert told(run(tree.root, "recall", "wombat", "--json"))["hits"][0]["name"] == "burrow"
    assert project.names("wombat") == []
    assert tree.cache.is_dir()


def test_case_38_another_model_builds_the_vectors_anew(project: Project, tmp_path: Path) -> None:
    for number in range(6):
        project.note(f"note-{number}", f"The quokka number {number} digs for roots.")
    shipped = answers(project.open())
    model = tmp_path / "model"
    shutil.copytree(Path(SOURCE) / "gitmem" / "model", model, ignore=shutil.ignore_patterns("pack.bin"))

    project.git("config", "gitmem.model", str(model))
    own = project.open()
    is_law_kept = answers(own, QUERIES[:1]) == answers(uncached(own), QUERIES[:1])
    fingerprints = memories.ready(own).maker.fingerprint
    project.git("config", "--unset", "gitmem.model")

    assert is_law_kept
    assert fingerprints != memories.ready(project.open()).maker.fingerprint
    assert answers(project.open()) == shipped


def test_case_38_a_view_that_is_held_yields_to_another_vocabulary(project: Project) -> None:
    project.note("newer", "The quokka digs.", supplants="[older]")
    project.note("older", "The quokka sleeps.")
    held = memories.ready(project.open()).view
    words = '[verbs.supplants]\nrole = "supersession"\n[verbs.conflicts-with]\nrole = "contradiction"\n'

    project.write("config.toml", words)
    memory = project.open()

    assert memories.ready(memory, held).view is not held


def test_case_40_the_cache_shrinks_with_the_notes(project: Project) -> None:
    many = 6 * OVERLAID
    paths = [project.note(f"wombat-{number}", f"The wombat {number} digs. " * 20) for number in range(many)]
    project.note("animals", "The quokka digs.")
    project.names("wombat")
    full = size(project.cache)

    for start in range(0, many, OVERLAID + 10):
        for path in paths[start : start + OVERLAID + 10]:
            path.unlink()
        project.names("wombat")
    project.names("quokka")

    assert size(project.cache) < full / 3
    assert same_as_rebuilt(project.open())


def test_case_40_many_rounds_leave_a_bounded_cache(project: Project) -> None:
    sizes = []

    for turn in range(8):
        for number in range(OVERLAID + 1):
            project.note(f"wombat-{number}", f"The wombat digs in round {turn}.")
        assert len(project.names("wombat", limit=0)) == OVERLAID + 1
        sizes.append(size(project.cache))

    assert max(sizes[4:]) < 3 * max(sizes[:4])
    assert len(list(project.cache.glob("index-*"))) <= 2


@pytest.mark.full
def test_case_40_fifty_thousand_notes_are_indexed(project: Project) -> None:
    for number in range(50_000):
        project.note(f"note-{number}", f"Number {number} of the quokka census.")

    found = project.names("number 4711")

    assert found[0] == "note-4711"


def test_case_41_a_cache_purged_between_two_runs_changes_nothing(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    before = run(project.root, "recall", "which animal digs", "--json", "--explain")

    shutil.rmtree(project.cache)
    after = run(project.root, "recall", "which animal digs", "--json", "--explain")

    assert told(before)["hits"]
    assert after.stdout == before.stdout


# Held views, of processes that live long


def test_a_held_view_is_kept_while_nothing_changes(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    held = memories.ready(project.open()).view

    again = memories.ready(project.open(SETTLED), held).view

    assert again is held


def test_a_held_view_is_left_when_a_note_changes(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    held = memories.ready(project.open()).view

    project.note("burrow", "The wombat digs.")

    assert memories.ready(project.open(), held).view.paths() == ["decision/animals.md", "decision/burrow.md"]


# Section 2: names and paths


@pytest.mark.parametrize("pair", [("构建流程", "发版流程"), ("сборка", "выпуск"), ("ขั้นตอน", "ที่นี่")])
def test_case_15_titles_in_any_script_are_two_readable_notes(project: Project, pair: tuple[str, str]) -> None:
    names = [remember(project.open(), Draft(title=title, type="insight"), AGENT)["name"] for title in pair]

    shown = [show(project.open(), name)["title"] for name in names]

    assert shown == list(pair)
    assert len(list((project.notes / "insight").iterdir())) == 2
    assert project.names(pair[0])[0] == names[0]


def test_case_16_emoji_titles_do_not_overwrite_and_blank_ones_are_refused(project: Project) -> None:
    names = {remember(project.open(), Draft(title=title, type="insight"), AGENT)["name"] for title in ("🚀", "🎯")}

    refused = []
    for title in ("", "   "):
        with pytest.raises(GitmemError) as caught:
            remember(project.open(), Draft(title=title, type="insight"), AGENT)
        refused.append(caught.value.code)

    assert len(names) == 2
    assert refused == ["empty-title", "empty-title"]


def test_case_17_titles_that_begin_alike_are_two_notes(project: Project) -> None:
    start = "the quick brown fox jumps over the lazy dog and then it runs"

    names = {
        remember(project.open(), Draft(title=f"{start} {end}", type="insight"), AGENT)["name"]
        for end in ("far", "home")
    }

    assert len(names) == 2
    assert all(show(project.open(), name)["title"].startswith(start) for name in names)


def test_case_19_two_branches_name_their_notes_without_talking(project: Project) -> None:
    project.git("commit", "--quiet", "--allow-empty", "--message", "begin")
    project.git("checkout", "--quiet", "-b", "side")
    remember(project.open(), Draft(title="Keep the quokka", type="decision"), AGENT)
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "side")
    project.git("checkout", "--quiet", "main")
    remember(project.open(), Draft(title="Keep the wombat", type="decision"), AGENT)
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "main")

    project.git("merge", "--quiet", "side")

    assert {note["name"] for note in list_notes(project.open(), Wanted())["notes"]} == {
        "keep-the-quokka",
        "keep-the-wombat",
    }


def test_case_19_two_files_of_one_name_are_read_and_not_written_by_name(project: Project) -> None:
    project.note("Quokka", "The quokka digs.")
    project.note("quokka", "The quokka sleeps.", type="caution")

    with pytest.raises(GitmemError) as caught:
        revise(project.open(), "quokka", Draft(summary="Which one?"))
    by_path = revise(project.open(), "caution/quokka.md", Draft(summary="This one."))

    assert caught.value.code == "duplicate-name"
    assert sorted(project.names("quokka")) == ["Quokka", "quokka"]
    assert by_path["path"] == ".memory/caution/quokka.md"


@pytest.mark.parametrize(
    "word",
    [
        "/etc/x",
        "../x",
        "a/../../x",
        "C:\\x",
        "a\\..\\x",
        "%2e%2e",
        "%2e%2e/x",
        "x\0y",
        "../../etc/passwd.md",
        ".cache/x",
        "..",
    ],
)
def test_case_21_no_word_reads_or_writes_outside(project: Project, tmp_path: Path, word: str) -> None:
    (tmp_path / "x.md").write_text("---\ntitle: Outside\n---\n")
    project.note("animals", "The quokka digs.")
    memory = project.open()

    refused = [code for act in (show, walk) if (code := refusal(act, memory, word))]
    written = refusal(lambda memory, name: revise(memory, name, Draft(summary="x")), memory, word)
    new = refusal(
        lambda memory, name: remember(memory, Draft(title="t", type="insight", name=name), AGENT), memory, word
    )

    assert len(refused) == 2
    assert written and new
    assert (tmp_path / "x.md").read_text() == "---\ntitle: Outside\n---\n"


def refusal(act: object, *arguments: object) -> str | None:
    """Returns the code with which an act was refused, None where it was not."""
    try:
        act(*arguments)  # type: ignore[operator]
    except GitmemError as error:
        return error.code
    return None


def test_case_23_links_pull_nothing_from_outside(project: Project, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("The quokka password.")
    project.note("animals", "The wombat digs.")
    (project.notes / "linked.md").symlink_to(outside / "secret.md")
    (project.notes / "folder").symlink_to(outside)
    (project.notes / "decision" / "loop").symlink_to(project.notes)

    found = project.names("quokka password")
    listed = [note["path"] for note in list_notes(project.open(), Wanted())["notes"]]

    assert found == []
    assert listed == [".memory/decision/animals.md"]
    assert refusal(show, project.open(), "folder/secret.md") == "symbolic-link"
    assert refusal(show, project.open(), "linked") == "unknown-name"


def test_case_23_a_memory_that_is_a_link_is_refused(project: Project, tmp_path: Path) -> None:
    shutil.move(project.notes, tmp_path / "elsewhere")
    project.notes.symlink_to(tmp_path / "elsewhere")

    assert refusal(lambda: project.open()) == "symbolic-link"


def test_case_23_a_cache_that_a_repository_brings_along_writes_nothing_outside(
    project: Project, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    project.note("animals", "The quokka digs.")
    project.cache.mkdir()
    for name in ("seen", "current", "config"):
        (project.cache / f"{name}.{os.getpid()}").symlink_to(victim)
        (project.cache / name).symlink_to(victim)
    (project.cache / "index-0").symlink_to(tmp_path)

    found = [project.names("quokka") for _ in range(2)]

    assert found == [["animals"]] * 2
    assert victim.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project", "victim"]


@pytest.mark.parametrize("folder", [b"\xff", b"index-0\0", b"", b".."])
def test_a_current_index_that_names_what_cannot_be_a_folder_changes_no_answer(project: Project, folder: bytes) -> None:
    project.note("animals", "The quokka digs.")
    project.names("quokka")
    kept = project.cache / "current"
    fingerprint, _, stamps, sums = side.unseal(kept.read_bytes(), 4) or ()
    kept.write_bytes(side.seal(fingerprint, folder, stamps, sums))

    assert project.names("quokka") == ["animals"]


@pytest.mark.parametrize("mark", [b"", b"none", b"0.0.0"])
def test_a_parsed_configuration_that_a_repository_brings_along_is_not_believed(
    project: Project, tmp_path: Path, mark: bytes
) -> None:
    project.write("config.toml", preset_text("engram"))
    project.open()
    kept = project.cache / "config"
    forged = [part.replace(b'"caution"', b'"calumny"') for part in side.unseal(kept.read_bytes(), 2) or ()]
    kept.write_bytes(side.seal(*forged))
    (project.cache / ".gitignore").unlink()
    (project.cache / side.MARK).write_bytes(mark)
    project.git("add", "--force", ".memory")
    project.git("commit", "--quiet", "--message=Bring a cache along")
    project.git("clone", "--quiet", str(project.root), str(tmp_path / "clone"))

    types = Project(tmp_path / "clone").open().config.vocabulary.types

    assert "caution" in types and "calumny" not in types


def test_case_24_a_linked_folder_inside_the_memory_is_not_followed(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    (project.notes / "again").symlink_to(project.notes / "decision")

    paths = [note["path"] for note in list_notes(project.open(), Wanted())["notes"]]

    assert paths == [".memory/decision/animals.md"]


def test_case_26_names_beyond_ascii_come_back_as_they_are(project: Project) -> None:
    project.git("config", "core.quotePath", "true")
    project.note("é", "The quokka digs.")

    found = told(run(project.root, "recall", "quokka", "--json"))["hits"]
    status = told(run(project.root, "status", "--json"))

    assert [(hit["name"], hit["path"]) for hit in found] == [("é", ".memory/decision/é.md")]
    assert status["pending"] == [".memory/decision/é.md"]


# Section 6: processes


def test_case_90_the_first_recall_calls_nobody(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    script = """
import sys
def watch(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError(f"{event} {arguments}")
sys.addaudithook(watch)
from gitmem.faces.cli import main
sys.exit(main(["-C", sys.argv[1], "recall", "which animal digs", "--json"]))
"""

    process = spawned(script, str(project.root))
    out, err = process.communicate(timeout=60)

    assert process.returncode == 0, err
    assert json.loads(out)["hits"][0]["name"] == "animals"


@pytest.mark.parametrize("words", [["--help"], ["recall", "--help"], ["status"], ["recall", "x"], ["list"], ["doctor"]])
def test_case_91_looking_leaves_nothing_behind(tmp_path: Path, words: list[str]) -> None:
    home = tmp_path / "home"
    empty = tmp_path / "empty"
    home.mkdir()
    empty.mkdir(mode=0o555)

    run(empty, *words, extra={"HOME": str(home)})

    assert list(empty.iterdir()) == list(home.iterdir()) == []


def test_reading_works_without_a_repository(tmp_path: Path) -> None:
    bare = Project(tmp_path / "bare")
    bare.note("animals", "The quokka digs.")

    found = run(bare.root, "recall", "quokka", "--json")
    written = run(bare.root, "remember", "Wombats dig", "--type", "insight", "--json")

    assert [hit["path"] for hit in told(found)["hits"]] == [".memory/decision/animals.md"]
    assert told(written)["path"] == ".memory/insight/wombats-dig.md"


def test_reading_works_without_a_git_command(project: Project, tmp_path: Path) -> None:
    project.note("animals", "The quokka digs.")

    memory = open_memory(str(project.root), environment=environment(PATH=str(tmp_path)), now=0)

    assert [hit["name"] for hit in recall(memory, "quokka", Wanted())["hits"]] == ["animals"]


def test_an_unchanged_memory_with_odd_link_targets_is_answered_from_the_cache(project: Project) -> None:
    project.note("animals", "The quokka digs.", replaces='["a\\n\\nb", " "]', aliases='["x\\n\\ny"]')
    project.names("quokka")
    before = (project.cache / "current").stat().st_mtime_ns

    assert project.names("quokka") == ["animals"]
    assert (project.cache / "current").stat().st_mtime_ns == before
