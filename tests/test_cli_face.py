"""The command as its users meet it: real processes, real folders, real terminals."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gitmem.faces.agents import AGENTS, agent, author
from gitmem.faces.cli import main
from gitmem.faces.commands import COMMANDS

SOURCES = str(Path(__file__).parent.parent)
NOTE = "---\ntitle: Plain files\ntype: decision\ncreated: 2026-11-01T10:00:00Z\ntags: [storage]\n---\n\nWe use plain files.\n"


def environment(**more: str) -> dict[str, str]:
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
    return kept | {"PYTHONPATH": SOURCES, "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": os.devnull} | more


def gitmem(
    folder: Path, *words: str | bytes, given: bytes | None = None, **more: str
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "gitmem", *words]
    stdin = {"input": given} if given is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run(command, cwd=folder, env=environment(**more), capture_output=True, check=False, **stdin)


def on_a_terminal(folder: Path, *words: str, **more: str) -> tuple[int, str]:
    """Returns the exit status and all that a terminal shows of a command."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "gitmem", *words]
    env = environment(TERM="xterm", **more)
    with subprocess.Popen(command, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while piece := _piece(ours):
            shown += piece
    os.close(ours)
    return process.returncode, shown.decode()


def _piece(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux says EIO when the other side is closed
        return b""


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True, env=environment())
    (folder / ".memory" / "decision").mkdir(parents=True)
    (folder / ".memory" / "decision" / "plain-files.md").write_text(NOTE)
    return folder


@pytest.fixture
def project(bare: Path) -> Path:
    subprocess.run(["git", "-C", bare, "config", "gitmem.trusted", "true"], check=True, env=environment())
    return bare


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    return status, *capsys.readouterr()


def document(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    _, out, err = told(capsys, "--json", *words)
    assert err == "" and out.endswith("\n") and out.count("\n") == 1
    return json.loads(out)


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, name, "--help")

    assert (status, err) == (0, "")
    assert f"\n  gitmem {name}" in out or f"| gitmem {name}" in out


def test_help_of_a_command_can_be_asked_for_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "help", "recall") == told(capsys, "recall", "--help")


def test_help_lists_the_commands_in_their_groups(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [told(capsys, *words) for words in ([], ["--help"], ["-h"], ["help"])]

    assert asked == [asked[0]] * 4 and asked[0][0] == 0
    assert [asked[0][1].index(f"\n{group}\n") for group in ("Write", "Read", "Keep in order", "Set up")]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["remeber", "x"], "There is no command 'remeber'.", "Did you mean remember?"),
        (["recall", "--taag", "x"], "gitmem recall has no option --taag.", "Did you mean --tag?"),
        (["--jsno", "recall"], "gitmem has no option --jsno.", "Did you mean --json?"),
        (["show"], "Missing argument 'NAME'.", "gitmem show --help"),
        (["recall", "--limit", "many"], "'many' is not a whole number.", "gitmem recall --help"),
        (["recall", "--include", "all"], "'all' is none of superseded, archived, checkpoint.", "gitmem recall --help"),
        (["tags", "x"], "Got unexpected extra argument (x)", "gitmem tags --help"),
        (["--quiet"], "Missing command.", "gitmem --help"),
        (["remember", "x"], "A note needs a title and a --type.", "gitmem vocabulary"),
        (["remember", "x", "--batch", "-"], "--batch takes its notes from the file alone.", "Leave out title."),
        (["check", "--dry-run"], "--dry-run goes with --fix.", "gitmem check --fix --dry-run"),
        (["list", "--since", "yesterday"], "--since yesterday is no date.", "2026-11-30"),
        (["list", "--where", "ticket"], "--where ticket has no value.", "KEY=VALUE"),
        (["vocabulary", "rename", "a"], "gitmem vocabulary rename lacks words", "rename OLD NEW"),
        (["-C", "/nowhere/at/all", "list"], "/nowhere/at/all is not a folder.", "-C"),
    ],
)
def test_wrong_usage_is_told_with_what_to_type_next(
    words: list[str],
    message: str,
    hint: str,
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(project)

    status, out, err = told(capsys, *words)
    as_json = document(capsys, *words)

    assert (status, out) == (2, "")
    assert err.startswith("gitmem: ") and message in err and hint in err.partition("\nhint: ")[2]
    assert message in as_json["error"]["message"] and hint in as_json["error"]["hint"]


def test_a_near_miss_of_a_type_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = told(capsys, "-C", str(project), "remember", "Use WAL", "--type", "decison")

    assert status == 3 and "hint: Did you mean decision?" in err


def test_a_note_is_written_found_linked_and_shown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))

    made = document(capsys, *at, "remember", "Git dates it", "--type", "principle", "--tag", "Git", "--tag", "a b")
    linked = told(capsys, "link", "plain-files", "because", "git-dates-it", *at, "--note", "see there")
    shown = document(capsys, *at, "show", "plain-files")
    status, text, _ = told(capsys, *at, "show", "plain-files")

    assert made["name"] == "git-dates-it" and made["created"]
    assert linked[0] == 0 and linked[1].startswith("linked plain-files because git-dates-it\n")
    end = {"name": "git-dates-it", "title": "Git dates it", "marks": [], "now": None}
    assert shown["links_out"] == [{"verb": "because", **end, "note": "see there", "weight": 1.0}]
    assert status == 0 and "\n> We use plain files.\n" in text


def test_the_same_title_again_is_returned_not_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("-C", str(project), "remember", "Plain files", "--type", "decision")

    status, out, _ = told(capsys, *words)
    quiet = told(capsys, *words, "--quiet")

    assert status == 1 and "Not written" in out and "plain-files > Plain files" in out
    assert quiet == (1, "", "")


def test_revise_changes_adds_and_empties(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))

    told(capsys, *at, "revise", "plain-files", "--add-tag", "git", "--alias", "files", "--summary", "Short.")
    first = document(capsys, *at, "show", "files")["fields"]
    told(capsys, *at, "revise", "files", "--tag", "", "--summary", "")
    second = document(capsys, *at, "show", "files")["fields"]

    assert first["tags"] == ["storage", "git"] and first["summary"] == "Short."
    assert "tags" not in second and "summary" not in second


def test_revise_with_nothing_new_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("-C", str(project), "revise", "plain-files", "--add-tag", "storage")

    said = told(capsys, *words)
    tried = told(capsys, *words, "--dry-run")
    reply = document(capsys, *words)
    other = document(capsys, *words, "--add-tag", "git")

    assert said == tried == (0, "Nothing to change.\n", "")
    assert reply["changed"] == [] and other["changed"] == [".memory/decision/plain-files.md"]


def test_sensitive_can_be_taken_back(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("-C", str(project), "revise", "plain-files")

    told(capsys, *words, "--sensitive")
    hidden = document(capsys, "-C", str(project), "show", "plain-files")["body"]
    told(capsys, *words, "--no-sensitive")
    both = told(capsys, *words, "--sensitive", "--no-sensitive")

    assert hidden is None and (project / ".memory/decision/plain-files.md").read_text() == NOTE
    assert both[0] == 2 and "contradict each other" in both[2]


def test_a_word_renamed_that_no_note_uses_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "-C", str(project), "vocabulary", "rename", "caution", "gotcha")

    assert status == 0 and out.startswith("renamed caution to gotcha\n") and "Nothing to change" not in out


def test_init_says_what_it_did_to_the_clone(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "-C", str(bare), "init")
    plain = told(capsys, "-C", str(bare), "init", "--no-hooks")[1]

    assert "merges notes by field in this clone" in out and "This clone's notes count as yours" in out
    assert "by field" not in plain and "count as yours" in plain


def test_what_cannot_be_read_is_counted_alike(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".memory" / "decision" / "broken.md").write_text("---\ntitle: [x\n---\n")

    check, status, doctor = (told(capsys, "-C", str(project), word)[1] for word in ("check", "status", "doctor"))

    assert "2 notes checked: 1 error in 1 file" in check
    assert re.search("^unreadable notes +1$", status, re.MULTILINE) and "Unreadable notes: 1 of 2." in doctor


def test_exit_status_says_no(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("-C", str(project))

    found = [told(capsys, *at, *words)[0] for words in (["search", "plain"], ["list"], ["list", "--tag", "storage"])]
    none = [told(capsys, *at, *words)[0] for words in (["search", "zzz"], ["list", "--tag", "zzz"], ["recall"])]
    refused = told(capsys, *at, "show", "zzz")[0]

    assert (found, none, refused) == ([0, 0, 0], [1, 1, 1], 3)


def test_until_holds_the_whole_day(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    totals = [
        document(capsys, "-C", str(project), "list", *words)["total"]
        for words in (["--until", "2026-11-01"], ["--until", "2026-10-31"], ["--since", "2026-11-01T10:00:00Z"])
    ]

    assert totals == [1, 0, 1]


@pytest.mark.parametrize(
    "words",
    [
        ["recall", "plain files"],
        ["recall"],
        ["search", "plain"],
        ["list"],
        ["show", "plain-files"],
        ["show", "plain-files", "--raw"],
        ["walk", "plain-files", "--format", "dot"],
        ["timeline", "plain-files"],
        ["tags"],
        ["check"],
        ["check", "--fix"],
        ["vocabulary"],
        ["status"],
        ["doctor"],
        ["init"],
        ["show", "nothing"],
        ["recall", "--nothing"],
    ],
    ids=" ".join,
)
def test_case_81_json_is_one_document_and_nothing_else(
    words: list[str], bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = document(capsys, "-C", str(bare), *words)
    after = document(capsys, *words, "-C", str(bare), "--quiet")

    assert isinstance(before, dict) and isinstance(after, dict)


def test_quiet_prints_names_alone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = [told(capsys, "-C", str(project), *words, "--quiet")[1] for words in (["list"], ["recall", "plain files"])]
    made = told(capsys, "-C", str(project), "remember", "Use WAL", "--type", "decision", "--quiet")

    assert said == ["plain-files\n", "plain-files\n"]
    assert made == (0, "use-wal\n", "")


def test_a_note_is_named_by_its_path_from_where_one_stands(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "src").mkdir()
    names = []

    for folder, path in (("src", "../.memory/decision/plain-files.md"), (".memory/decision", "plain-files.md")):
        monkeypatch.chdir(project / folder)
        names.append(document(capsys, "show", path)["name"])

    assert names == ["plain-files", "plain-files"]


def test_raw_is_the_file_byte_for_byte(project: Path) -> None:
    path = project / ".memory" / "decision" / "latin.md"
    path.write_bytes(b"\xef\xbb\xbf---\r\ntitle: X\r\ntype: decision\r\n---\r\n\x1b[1m \r\n")

    shown = gitmem(project, "show", "latin", "--raw")

    assert shown.stdout == path.read_bytes()


def test_recall_without_a_memory_knows_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, "-C", str(tmp_path), "recall", "x")
    reply = document(capsys, "-C", str(tmp_path), "recall", "x")
    other = told(capsys, "-C", str(tmp_path), "list")

    assert (status, err) == (1, "") and "none:" in out and "gitmem init" in out
    assert reply["verdict"] == "none" and reply["warnings"][0]["code"] == "no-memory"
    assert other[0] == 3 and "hint: gitmem init" in other[2]


def test_case_93_an_untrusted_clone_is_named_once_and_init_ends_it(
    bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("-C", str(bare))

    first = told(capsys, *at, "list")
    silent = told(capsys, *at, "doctor")
    made = told(capsys, *at, "init")
    second = told(capsys, *at, "list")

    assert first[2].startswith("untrusted clone: ") and first[2].count("\n") == 1 and "gitmem init" in first[2]
    assert silent[2] == "" and made[0] == 0 and second[2] == ""


def test_body_and_batch_come_from_standard_input(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = '{"title": "One", "type": "decision"}\n{"title": "Two", "typ": "decision"}\n'

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Körper\n".encode())))
    body = told(capsys, "-C", str(project), "remember", "With a body", "--type", "decision", "--body", "-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    batch = told(capsys, "-C", str(project), "remember", "--batch", "-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    wrong = told(capsys, "-C", str(project), "remember", "Latin", "--type", "decision", "--body=-")

    assert body[0] == 0 and "Körper" in (project / ".memory/decision/with-a-body.md").read_text(encoding="utf-8")
    assert batch[0] == 1 and batch[1].splitlines()[0] == "1  remembered one" and "'typ'" in batch[1]
    assert wrong[0] == 2 and "not valid UTF-8" in wrong[2]


def test_a_batch_file_that_is_not_there_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = told(capsys, "-C", str(project), "remember", "--batch", "gone.jsonl")

    assert status == 2 and "gone.jsonl cannot be read" in err


def test_an_interrupt_ends_quietly(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Interrupted()))
    status, out, err = told(capsys, "-C", str(project), "remember", "x", "--type", "decision", "--body", "-")

    assert (status, out, err) == (130, "", "")


@pytest.mark.parametrize("words", [["list"], ["--json", "list"], ["recal"], ["--help"]], ids=" ".join)
def test_case_89_a_closed_pipe_ends_quietly(words: list[str], project: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    with open(writing, "wb") as pipe:
        command = [sys.executable, "-m", "gitmem", *words]
        done = subprocess.run(command, cwd=project, env=environment(), stdout=pipe, stderr=pipe, check=False)
    piped = f"'{sys.executable}' -m gitmem {' '.join(words)} 2>&1 >/dev/full | cat"
    full = subprocess.run(["sh", "-c", piped], cwd=project, env=environment(), capture_output=True, check=False)

    assert done.returncode == 141
    assert b"Traceback" not in full.stdout and b"Exception ignored" not in full.stdout


def test_colour_is_for_terminals_and_never_where_it_is_not_wanted(project: Path) -> None:
    coloured = on_a_terminal(project, "list")
    plain = on_a_terminal(project, "list", NO_COLOR="1")
    dumb = on_a_terminal(project, "list", CLICOLOR_FORCE="1", FORCE_COLOR="1", NO_COLOR="1")
    piped = gitmem(project, "list", FORCE_COLOR="1", CLICOLOR_FORCE="1")
    as_json = on_a_terminal(project, "list", "--json")

    assert "\x1b[2m1 note\x1b[0m" in coloured[1]
    assert not any("\x1b" in text for text in (plain[1], dumb[1], piped.stdout.decode(), as_json[1]))


def test_a_person_at_a_terminal_writes_as_a_user_and_an_agent_never(project: Path) -> None:
    def source_of(title: str, **more: str) -> list[str]:
        on_a_terminal(project, "remember", title, "--type", "decision", "--quiet", **more)
        text = (project / ".memory/decision" / f"{title}.md").read_text()
        return [line for line in text.splitlines() if line.startswith(("source:", "agent:"))]

    person, robot = source_of("by-hand", GEMINI_API_KEY="x", CODEX_HOME="/x"), source_of("by-agent", CLAUDECODE="1")

    assert person == ["source: user"]
    assert robot == ["source: agent", "agent: claude-code"]


def test_a_locale_that_is_not_utf_8_breaks_nothing(project: Path) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    made = gitmem(project, "remember", "Über 日本".encode(), "--type", "decision", "--json", **ascii_only)
    listed = gitmem(project, "list", **ascii_only)
    as_json = gitmem(project, "list", "--json", **ascii_only)
    broken = gitmem(project, "remember", b"\xff\xfe", "--type", "decision", **ascii_only)

    assert json.loads(made.stdout.decode("utf-8"))["name"] == "über-日本"
    assert listed.returncode == 0 and rb"> \xdcber \u65e5\u672c" in listed.stdout
    assert "Über 日本" in {note["title"] for note in json.loads(as_json.stdout.decode("utf-8"))["notes"]}
    assert broken.returncode == 2 and b"not valid UTF-8" in broken.stderr


def editor(folder: Path, script: str) -> str:
    path = folder / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_edit_saves_what_reads_well(project: Path, tmp_path: Path) -> None:
    note = project / ".memory/decision/plain-files.md"

    done = on_a_terminal(project, "edit", "plain-files", EDITOR=editor(tmp_path, "sed -i 's/We use/They use/' \"$1\""))
    unchanged = on_a_terminal(project, "edit", "plain-files", VISUAL="true", EDITOR="false")

    assert done[0] == 0 and note.read_text() == NOTE.replace("We use", "They use")
    assert unchanged == (0, "Nothing to change.\r\n")


@pytest.mark.parametrize("script", ["printf '%s\\n' '---' 'title: [broken' > \"$1\"", 'echo mine >> "$1"; exit 3'])
def test_edit_keeps_the_text_it_cannot_save(script: str, project: Path, tmp_path: Path) -> None:
    note = project / ".memory/decision/plain-files.md"

    status, shown = on_a_terminal(project, "edit", "plain-files", EDITOR=editor(tmp_path, script), TMPDIR=str(tmp_path))

    kept = next(word.rstrip(";.") for word in shown.split() if word.startswith(str(tmp_path / "gitmem-")))
    kept_path = Path(kept if kept.endswith(".md") else f"{kept}.md")
    assert status == 3 and note.read_text() == NOTE
    assert "broken" in kept_path.read_text() or "mine" in kept_path.read_text()


def test_an_editor_that_fails_before_anything_is_typed_leaves_nothing_behind(project: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    status, shown = on_a_terminal(project, "edit", "plain-files", EDITOR="no-such-editor", TMPDIR=str(scratch))

    assert status == 3 and "no-such-editor ended with status 127" in shown and "is kept in" not in shown
    assert list(scratch.iterdir()) == []


def test_edit_is_refused_where_nobody_would_see_the_editor(project: Path, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    script = editor(tmp_path, f"touch '{opened}'")

    alone = gitmem(project, "edit", "plain-files", EDITOR=script)
    agent_at_a_terminal = on_a_terminal(project, "edit", "plain-files", EDITOR=script, CLAUDECODE="1")

    assert alone.returncode == 3 and b"hint: gitmem revise plain-files --body - < FILE" in alone.stderr
    assert agent_at_a_terminal[0] == 3 and not opened.exists()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("gitmem rec", ["plain,recall"]),
        ("gitmem show pl", ["plain,plain-files"]),
        ("gitmem recall --include arch", ["plain,archived"]),
        ("gitmem recall --ex", ["plain,--explain"]),
        ("gitmem -C .memory show pl", ["plain,plain-files"]),
        ("gitmem -C / show pl", []),
        ("gitmem show -C / pl", []),
        ("gitmem remember T --type dec", ["plain,decision"]),
        ("gitmem list --tag sto", ["plain,storage"]),
        ("gitmem list --status arch", ["plain,archived"]),
        ("gitmem link plain-files beca", ["plain,because"]),
        ("gitmem walk plain-files --verb beca", ["plain,because"]),
        ("gitmem remember T --link beca", ["plain,because="]),
        ("gitmem remember T --link because=pl", ["plain,because=plain-files"]),
        ("gitmem resolve x --by pl", ["plain,plain-files"]),
        ("gitmem remember T --name pl", []),
        ("gitmem vocabulary add ve", ["plain,verb"]),
        ("gitmem vocabulary add domain ty", []),
        ("gitmem vocabulary rename cau", ["plain,caution"]),
        ("gitmem nothing x", []),
    ],
)
def test_the_shell_completes_commands_options_and_names(line: str, expected: list[str], project: Path) -> None:
    words = line.split()

    done = gitmem(project, _GITMEM_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))

    assert done.stdout.decode().split() == expected and done.stderr == b""


def test_the_shell_script_of_the_completion_is_there(project: Path) -> None:
    done = gitmem(project, _GITMEM_COMPLETE="zsh_source")

    assert b"#compdef gitmem" in done.stdout


def test_case_91_help_and_status_leave_nothing_behind(tmp_path: Path) -> None:
    done = [gitmem(tmp_path, *words).returncode for words in (["--help"], ["status"], ["doctor"], ["recall", "x"])]

    assert done == [0, 3, 1, 1] and list(tmp_path.iterdir()) == []


def test_recall_loads_nothing_that_it_does_not_need(project: Path) -> None:
    script = (
        "import sys\nfrom gitmem.faces.cli import main\nmain(['recall', 'plain files', '--quiet'])\n"
        "print(*sorted(sys.modules))"
    )
    gitmem(project, "recall", "plain files")  # the index stands, nothing changed
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project, env=environment(), capture_output=True, check=True
    )

    loaded = set(done.stdout.decode().split())
    unwanted = {"click", "yaml", "frontmatter", "numpy", "subprocess", "dataclasses", "inspect", "argparse", "logging"}
    unwanted |= {"typing", "shutil", "pathlib"}
    ours = {"gitmem.faces.writing", "gitmem.faces.keeping", "gitmem.faces.agents", "gitmem.operations.write"}
    assert "gitmem.faces.reading" in loaded and loaded & (unwanted | ours) == set()


@pytest.mark.parametrize(("variable", "name"), AGENTS)
def test_an_agents_own_variable_gives_it_away(variable: str, name: str) -> None:
    env = {"HOME": "/home/jane", variable: "1"}

    assert agent(env) == name
    assert author(env, terminal=True, settings={"source": "user"}) == ("agent", name)


@pytest.mark.parametrize(
    "variable",
    ["GEMINI_API_KEY", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "GITHUB_COPILOT_TOKEN", "GOOSE_PROVIDER", "OPENCODE_CONFIG"],
)
def test_what_a_person_exports_makes_nobody_an_agent(variable: str) -> None:
    env = {variable: "x", "CLAUDECODE": ""}

    assert author(env, terminal=True, settings={}) == ("user", None)
    assert author(env, terminal=False, settings={}) == ("agent", None)
    assert author(env, terminal=False, settings={"source": "user"}) == ("user", None)
    assert author(env, terminal=True, settings={"source": "agent"}) == ("agent", None)
    assert author(env, terminal=True, settings={"source": "nonsense"}) == ("user", None)


def test_json_escapes_what_could_steer_a_terminal(project: Path) -> None:
    steering = "a\x9b31mb\x7fc\u202ed\U000e0041e"
    (project / ".memory" / "decision" / "evil.md").write_text(f"---\ntitle: Evil\n---\n\n{steering}\n", "utf-8")

    shown = gitmem(project, "show", "evil", "--json").stdout.decode()

    assert not any(character in shown for character in "\x9b\x7f\u202e\U000e0041")
    assert json.loads(shown)["body"] == steering
