"""Git's hooks as Git runs them: put into what was there, silent where there is nothing to say, and gone without a trace."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, environment, new_project, note_text, run, told
from hooked import around, committed, gitted, install, script, state, uninstall

from gitmem.errors import GitmemError
from gitmem.faces.hooks import _noting
from gitmem.operations import hooks
from gitmem.operations.memory import ready
from gitmem.storage import failures, git
from gitmem.storage import hooks as kept

SHELLS = [shell for shell in ("dash", "bash") if shutil.which(shell)]
NAMES = kept.NAMES
HUSKY_9 = '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n'
HUSKY_9_H = """#!/usr/bin/env sh
n=$(basename "$0")
s=$(dirname "$(dirname "$0")")/$n
[ ! -f "$s" ] && exit 0
sh -e "$s" "$@"
c=$?
[ $c != 0 ] && echo "husky - $n script failed (code $c)"
exit $c
"""
HUSKY_8 = '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\necho commands >> ran\n'
HUSKY_8_SH = """#!/usr/bin/env sh
if [ -z "$husky_skip_init" ]; then
  readonly husky_skip_init=1
  export husky_skip_init
  sh -e "$0" "$@"
  exit $?
fi
"""


def installed(reply: dict[str, Any]) -> list[tuple[bool, bool]]:
    return [(hook["installed"], hook["chained"]) for hook in reply["hooks"]]


def test_hooks_are_installed_where_there_were_none_and_leave_no_trace(project: Project) -> None:
    before = state(project.root / ".git" / "hooks")

    reply = install(project.root)
    again = install(project.root)
    status = hooks.status(str(project.root), environment=environment())
    gone = uninstall(project.root)

    assert reply["changed"] == list(NAMES) and again["changed"] == []
    assert installed(reply) == installed(again) == installed(status) == [(True, False)] * 4
    assert status["merge_driver"] and not gone["merge_driver"]
    assert gone["changed"] == list(NAMES) and installed(gone) == [(False, False)] * 4
    assert state(project.root / ".git" / "hooks") == before


def test_install_makes_the_clone_trusted_and_a_hook_folder_that_was_missing_goes_again(project: Project) -> None:
    shutil.rmtree(project.root / ".git" / "hooks")

    install(project.root)
    trusted = project.open().trusted
    uninstall(project.root)

    assert trusted and project.open().trusted
    assert not (project.root / ".git" / "hooks").exists()


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("#!/bin/sh\necho mine\n", 0o755),
        ("#!/bin/sh\necho no newline at the end", 0o700),
        ("#!/usr/bin/env -S bash -eu\nexit 0\n", 0o755),
        ("#! /usr/bin/env sh\n\r\n\xff\n", 0o775),
        ("#!/bin/sh\n", 0o755),
        ("#!/bin/sh", 0o755),
        ("#!/bin/sh\r\necho windows\r\n", 0o755),
        ("#!/usr/bin/env python3\nprint(1)\n", 0o755),
        ("echo no interpreter is named\n", 0o755),
        ("#!/bin/sh\necho never ran\n", 0o644),
        ("", 0o755),
    ],
)
def test_what_was_there_comes_back_byte_for_byte(text: str, mode: int, project: Project) -> None:
    for name in NAMES:
        script(project.root / ".git" / "hooks" / name, "", mode).write_bytes(text.encode("latin-1"))
    before = state(project.root / ".git" / "hooks")

    install(project.root)
    between = state(project.root / ".git" / "hooks")
    install(project.root)
    twice = state(project.root / ".git" / "hooks")
    uninstall(project.root)

    assert between != before and twice == between
    assert state(project.root / ".git" / "hooks") == before


def test_a_link_comes_back_as_a_link_and_its_target_is_never_written(project: Project) -> None:
    target = script(project.root / "scripts" / "check", "#!/bin/sh\necho linked >> ran\n")
    link = project.root / ".git" / "hooks" / "pre-commit"
    link.symlink_to("../../scripts/check")

    install(project.root)
    during = target.read_text()
    gitted(project.root, "commit", "--allow-empty", "-qm", "x")
    uninstall(project.root)

    assert during == "#!/bin/sh\necho linked >> ran\n"
    assert (project.root / "ran").read_text() == "linked\n"
    assert os.readlink(link) == "../../scripts/check" and not list(link.parent.glob("*before-gitmem"))


def test_what_the_user_changed_since_is_kept_by_uninstall(project: Project) -> None:
    hook = script(project.root / ".git" / "hooks" / "pre-commit", "#!/bin/sh\necho one\n")
    install(project.root)

    hook.write_text(hook.read_text() + "echo two\n")
    uninstall(project.root)

    assert hook.read_text() == "#!/bin/sh\necho one\necho two\n"


def test_lines_of_another_version_are_replaced(project: Project) -> None:
    hook = script(project.root / ".git" / "hooks" / "post-merge", "#!/bin/sh\necho mine\n")
    install(project.root)
    hook.write_text(hook.read_text().replace("gitmem hook post-merge", "gitmem of-old post-merge"))

    changed = install(project.root)["changed"]

    assert changed == ["post-merge"]
    assert "of-old" not in hook.read_text() and hook.read_text().endswith("echo mine\n")


def test_a_file_in_the_way_is_not_overwritten(project: Project) -> None:
    script(project.root / ".git" / "hooks" / "pre-commit", "#!/usr/bin/env python3\n")
    other = script(project.root / ".git" / "hooks" / "pre-commit.before-gitmem", "mine")

    with pytest.raises(GitmemError, match=r"pre-commit\.before-gitmem") as refusal:
        install(project.root)

    assert refusal.value.code == "hook-in-the-way" and other.read_text() == "mine"


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", NAMES)
def test_what_was_there_runs_first_as_itself_and_its_status_stands(
    shell: str, name: str, project: Project, bin: Path
) -> None:
    mine = f'#!/usr/bin/env {shell}\nset -u\necho "$0|$*|$(cat)" >> ran\n[ ! -e fail ] || exit 7\nexec true\n'
    hook = script(project.root / ".git" / "hooks" / name, mine)
    install(project.root)
    command = [f".git/hooks/{name}", "one", "two words"]

    done = subprocess.run(
        command, cwd=project.root, env=around(bin), input="given", text=True, capture_output=True, check=False
    )
    (project.root / "fail").touch()
    failed = subprocess.run(
        command, cwd=project.root, env=around(bin), input="given", text=True, capture_output=True, check=False
    )

    assert (done.returncode, failed.returncode) == (0, 7), done.stderr + failed.stderr
    assert (project.root / "ran").read_text() == f".git/hooks/{name}|one two words|given\n" * 2
    assert hook.read_text().startswith(f"#!/usr/bin/env {shell}\n# gitmem: begin")


@pytest.mark.parametrize("text", ["#!/usr/bin/env python3\nimport sys; sys.exit(7)\n", "exit 7\n"])
def test_a_hook_that_is_no_shell_script_runs_first_too(text: str, project: Project, bin: Path) -> None:
    script(project.root / ".git" / "hooks" / "pre-commit", text)
    reply = install(project.root)

    done = gitted(project.root, "commit", "--allow-empty", "-qm", "x", bin=bin, check=False)

    assert installed(reply)[0] == (True, True)
    assert done.returncode == 1 and not list((project.root / ".git" / "refs" / "heads").iterdir())


def test_a_hook_that_git_did_not_run_is_not_run_by_ours(project: Project, bin: Path) -> None:
    script(project.root / ".git" / "hooks" / "pre-commit", "#!/bin/sh\nexit 1\n", 0o644)

    reply = install(project.root)

    assert installed(reply)[0] == (True, False)
    assert gitted(project.root, "commit", "--allow-empty", "-qm", "x", bin=bin).returncode == 0


def test_case_65_husky_8_in_a_tracked_folder(project: Project, bin: Path) -> None:
    script(project.root / ".husky" / "pre-commit", HUSKY_8)
    script(project.root / ".husky" / "_" / "husky.sh", HUSKY_8_SH, 0o644)
    gitted(project.root, "add", ".husky")
    project.git("config", "core.hooksPath", ".husky")
    before = state(project.root / ".husky")

    reply = install(project.root)
    project.note("bad", "<<<<<<< a\n")
    gitted(project.root, "add", ".memory")
    done = gitted(project.root, "commit", "-qm", "x", bin=bin, check=False)
    uninstall(project.root)

    assert [warning["code"] for warning in reply["warnings"] if warning["code"] != "not-on-path"] == ["hooks-tracked"]
    assert done.returncode == 1 and "conflict-markers" in done.stderr
    assert (project.root / "ran").read_text() == "commands\n"
    assert state(project.root / ".husky") == before
    assert not (project.root / ".git" / "hooks" / "pre-commit").exists()


def test_case_65_husky_9_finds_its_scripts_by_the_name_of_the_hook(project: Project, bin: Path) -> None:
    for name in NAMES:
        script(project.root / ".husky" / "_" / name, HUSKY_9)
    script(project.root / ".husky" / "_" / "h", HUSKY_9_H)
    script(project.root / ".husky" / "_" / ".gitignore", "*\n", 0o644)
    script(project.root / ".husky" / "pre-commit", "echo mine >> ran\n", 0o644)
    project.git("config", "core.hooksPath", ".husky/_")
    before = state(project.root / ".husky")

    reply = install(project.root)
    project.note("good")
    gitted(project.root, "add", ".memory")
    gitted(project.root, "commit", "-qm", "x", bin=bin)
    uninstall(project.root)

    assert installed(reply) == [(True, True)] * 4 and "hooks-tracked" not in str(reply["warnings"])
    assert (project.root / "ran").read_text() == "mine\n"
    assert state(project.root / ".husky") == before


def test_case_65_a_folder_of_the_home_serves_every_repository(tmp_path: Path, project: Project, bin: Path) -> None:
    home = tmp_path / "home"
    (home / "x").mkdir(parents=True)
    around_home = environment(HOME=str(home), GIT_CONFIG_GLOBAL=str(home / ".gitconfig"))
    (home / ".gitconfig").write_text("[core]\n\thooksPath = ~/x\n")

    reply = hooks.install(str(project.root), environment=around_home)
    project.note("bad", "<<<<<<< a\n")
    gitted(project.root, "add", ".memory")
    done = gitted(
        project.root, "commit", "-qm", "x", bin=bin, check=False, HOME=str(home), GIT_CONFIG_GLOBAL=f"{home}/.gitconfig"
    )

    assert reply["folder"] == str(home / "x") and sorted(path.name for path in (home / "x").iterdir()) == sorted(NAMES)
    assert "hooks-shared" in [warning["code"] for warning in reply["warnings"]]
    assert done.returncode == 1


def test_hooks_that_are_turned_off_are_refused_but_do_not_stop_init(project: Project) -> None:
    project.git("config", "core.hooksPath", os.devnull)

    done = run(project.root, "hooks", "install", "--json")
    begun = run(project.root, "init", "--json")

    assert done.returncode == 3 and told(done)["error"]["code"] == "hooks-off"
    assert begun.returncode == 0 and [warning["code"] for warning in told(begun)["warnings"]] == ["hooks-off"]


def test_an_empty_hooks_path_puts_nothing_into_the_work_tree(project: Project) -> None:
    project.git("config", "core.hooksPath", "")
    before, found = state(project.root), git.find(str(project.root))

    done = run(project.root, "hooks", "install", "--json")
    begun = run(project.root, "init", "--json")

    assert done.returncode == 3 and told(done)["error"]["code"] == "hooks-off"
    assert "core.hooksPath" in told(done)["error"]["hint"]
    assert begun.returncode == 0 and [warning["code"] for warning in told(begun)["warnings"]] == ["hooks-off"]
    assert not {path for path in state(project.root).keys() - before.keys() if path.split("/")[0] != ".memory"}
    assert found and kept.looked_in(found, environment=environment()) == os.sep


def test_a_hooks_path_from_where_git_is_installed_is_gits_to_expand(project: Project, tmp_path: Path) -> None:
    prefix = project.git("-c", "gitmem.place=%(prefix)/", "config", "--type=path", "gitmem.place").strip()
    project.git("config", "core.hooksPath", f"%(prefix)/{os.path.relpath(tmp_path / 'hooks', prefix)}")

    reply = install(project.root)

    assert sorted(path.name for path in (tmp_path / "hooks").iterdir()) == sorted(NAMES)
    assert reply["folder"] == str(tmp_path / "hooks")


def test_init_installs_hooks_and_driver_unless_told_not_to(tmp_path: Path) -> None:
    roots = [new_project(tmp_path / name).root for name in ("with", "without")]

    replies = [told(run(root, "init", "--json", *more)) for root, more in zip(roots, ([], ["--no-hooks"]), strict=True)]
    states = [told(run(root, "hooks", "status", "--json")) for root in roots]

    assert [reply["hooks"] for reply in replies] == [list(NAMES), []]
    assert [installed(each) for each in states] == [[(True, False)] * 4, [(False, False)] * 4]
    assert [each["merge_driver"] for each in states] == [True, False]


@pytest.mark.parametrize("action", ["install", "uninstall", "status"])
def test_outside_a_repository_hooks_are_refused(action: str, tmp_path: Path) -> None:
    done = run(tmp_path, "hooks", action, "--json", extra={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})

    assert done.returncode == 3 and told(done)["error"]["code"] == "no-repository"


def test_without_a_memory_hooks_are_not_installed(project: Project) -> None:
    shutil.rmtree(project.notes)

    done = run(project.root, "hooks", "install", "--json")

    assert done.returncode == 3 and told(done)["error"]["code"] == "no-memory"
    assert not (project.root / ".git" / "hooks" / "pre-commit").exists()


def test_case_65_and_67_a_linked_worktree_uses_the_hooks_and_the_primary_stays_clean(
    project: Project, tmp_path: Path, bin: Path
) -> None:
    committed(project, "first")
    install(project.root)
    linked = tmp_path / "linked"
    gitted(project.root, "worktree", "add", "-q", str(linked), "-b", "other", bin=bin)
    before = state(project.notes)

    (linked / ".memory" / "decision" / "bad.md").write_text(note_text("bad", "<<<<<<< a\n"))
    gitted(linked, "add", ".")
    refused = gitted(linked, "commit", "-qm", "x", bin=bin, check=False)
    (linked / ".memory" / "decision" / "bad.md").write_text(note_text("bad"))
    gitted(linked, "add", ".")
    gitted(linked, "commit", "-qm", "x", bin=bin)
    reply = hooks.status(str(linked), environment=environment())

    assert refused.returncode == 1 and ".memory/decision/bad.md:7" in refused.stderr
    assert reply["folder"] == str(project.root / ".git" / "hooks") and installed(reply) == [(True, False)] * 4
    assert state(project.notes) == before and project.git("status", "--porcelain") == ""


def test_in_a_submodule_the_superproject_does_not_change(tmp_path: Path, bin: Path) -> None:
    inner, outer = new_project(tmp_path / "inner"), new_project(tmp_path / "outer")
    committed(inner, "first")
    committed(outer, "second")
    gitted(outer.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    gitted(outer.root, "commit", "-qm", "sub")
    before = state(outer.root / ".git" / "hooks"), (outer.root / ".git" / "config").read_bytes()

    install(outer.root / "sub")
    (outer.root / "sub" / ".memory" / "decision" / "bad.md").write_text(note_text("bad", "<<<<<<< a\n"))
    gitted(outer.root / "sub", "add", ".")
    done = gitted(outer.root / "sub", "commit", "-qm", "x", bin=bin, check=False)

    assert (state(outer.root / ".git" / "hooks"), (outer.root / ".git" / "config").read_bytes()) == before
    assert done.returncode == 1 and (outer.root / ".git" / "modules" / "sub" / "hooks" / "pre-commit").exists()


@pytest.mark.parametrize("with_gitmem", [True, False])
def test_case_62_a_rebase_with_a_conflict_goes_through(with_gitmem: bool, project: Project, bin: Path) -> None:
    found = bin if with_gitmem else None
    committed(project, "first")
    install(project.root)
    gitted(project.root, "checkout", "-qb", "topic", bin=found)
    (project.root / "code").write_text("topic\n")
    committed(project, "on-topic")
    gitted(project.root, "checkout", "-q", "main", bin=found)
    (project.root / "code").write_text("main\n")
    committed(project, "on-main")
    shutil.rmtree(project.cache, ignore_errors=True)

    gitted(project.root, "checkout", "-q", "topic", bin=found)
    stopped = gitted(project.root, "rebase", "main", bin=found, check=False)
    (project.root / "code").write_text("both\n")
    gitted(project.root, "add", "code")
    gitted(project.root, "rebase", "--continue", bin=found, GIT_EDITOR=":")

    assert stopped.returncode == 1 and "CONFLICT" in stopped.stdout
    assert gitted(project.root, "log", "--format=%s").stdout.split() == ["notes"] * 3
    assert project.git("status", "--porcelain") == "" and failures.read(repository(project)) == []


def repository(project: Project) -> git.Repository:
    found = git.find(str(project.root))
    assert found
    return found


def test_case_63_after_pull_by_rebase_a_recall_is_fresh(project: Project, tmp_path: Path, bin: Path) -> None:
    committed(project, "first")
    gitted(tmp_path, "clone", "-q", str(project.root), "clone")
    clone = tmp_path / "clone"
    install(clone)
    recalled = run(clone, "recall", "zebra crossing", "--json")
    (clone / "mine").touch()
    gitted(clone, "add", ".")
    gitted(clone, "commit", "-qm", "mine", bin=bin)
    committed(project, "zebra-crossing")

    gitted(clone, "pull", "-q", "--rebase", bin=bin)
    fresh = run(clone, "recall", "zebra crossing", "--json")

    assert [hit["name"] for hit in told(recalled)["hits"]] != ["zebra-crossing"]
    assert told(fresh)["hits"][0]["name"] == "zebra-crossing"
    assert failures.read(git.find(str(clone)) or repository(project)) == []


def test_without_gitmem_on_path_a_commit_of_notes_says_so_in_one_line(project: Project) -> None:
    install(project.root)
    (project.root / "code").touch()
    gitted(project.root, "add", "code")
    plain = gitted(project.root, "commit", "-qm", "code")
    project.note("first")
    gitted(project.root, "add", ".")

    noted = gitted(project.root, "commit", "-qm", "note")

    assert plain.stderr == ""
    assert noted.stderr == "gitmem: the notes in this commit were not checked: there is no gitmem on PATH.\n"


def test_a_gitmem_that_fails_stops_no_commit(project: Project, bin: Path) -> None:
    script(bin / "gitmem", "#!/bin/sh\nexit 1\n")
    install(project.root)
    project.note("bad", "<<<<<<< a\n")
    gitted(project.root, "add", ".")

    done = gitted(project.root, "commit", "-qm", "note", bin=bin)

    assert done.stderr == "gitmem: the notes in this commit were not checked; gitmem doctor may say why.\n"


def calls(bin: Path) -> Path:
    """Returns the file in which a gitmem that does nothing writes how it was called."""
    log = bin / "calls"
    script(bin / "gitmem", f'#!/bin/sh\necho "$@" >> "{log}"\n')
    log.touch()
    return log


def test_python_starts_only_where_notes_came_or_went(project: Project, bin: Path) -> None:
    log = calls(bin)
    (project.root / "code").write_text("1\n")
    committed(project, "first")
    install(project.root)
    gitted(project.root, "checkout", "-qb", "notes")
    committed(project, "second")
    gitted(project.root, "checkout", "-qb", "code", "main")
    (project.root / "code").write_text("2\n")
    gitted(project.root, "commit", "-qam", "code")

    gitted(project.root, "checkout", "-q", "main", bin=bin)  # code alone differs
    gitted(project.root, "checkout", "-q", "-b", "new", bin=bin)  # nothing differs
    gitted(project.root, "checkout", "-q", "notes", "--", ".memory", bin=bin)  # files alone
    gitted(project.root, "reset", "-q", "--hard", bin=bin)
    gitted(project.root, "merge", "-q", "code", "-m", "merged", bin=bin)  # code alone came
    gitted(project.root, "commit", "-q", "--amend", "--allow-empty", "-m", "amended", bin=bin)
    quiet = log.read_text()
    gitted(project.root, "merge", "-q", "notes", "-m", "merged", bin=bin)
    gitted(project.root, "checkout", "-q", "main", bin=bin)
    gitted(project.root, "merge", "--squash", "notes", bin=bin)

    assert quiet == ""
    said = [line.split() for line in log.read_text().splitlines()]
    assert [words[:2] + words[2:3] for words in said[:1]] == [["hook", "post-merge", "ORIG_HEAD"]]
    assert [words[1] for words in said] == ["post-merge", "post-checkout", "post-merge"] and said[2][2:] == ["HEAD"]


def test_a_checkout_refreshes_each_memory_that_changed(project: Project) -> None:
    committed(project, "first")
    gitted(project.root, "checkout", "-qb", "many")
    committed(project, *(f"note-{number}" for number in range(70)))
    inner = project.root / "pkg" / "a" / ".memory" / "decision" / "inner.md"
    inner.parent.mkdir(parents=True)
    inner.write_text(note_text("inner"))
    committed(project)
    ready(project.open())

    hooks.catch_up(str(project.root), ["main", "many"], environment=environment(), now=0)

    assert ready(project.open()).view.overlaid == 0
    assert (project.root / "pkg" / "a" / ".memory" / ".cache").is_dir()


def test_a_hook_that_cannot_refresh_says_nothing_and_doctor_tells(project: Project, bin: Path) -> None:
    committed(project, "first")
    install(project.root)
    gitted(project.root, "checkout", "-qb", "other")
    committed(project, "second")
    gitted(project.root, "checkout", "-q", "main")
    script(project.root / ".git" / "hooks" / "post-checkout", moved_away(project), 0o755)

    done = gitted(project.root, "checkout", "-q", "other", bin=bin)
    (project.root / ".memory").unlink()
    (project.root / "elsewhere").rename(project.notes)
    report = told(run(project.root, "doctor", "--json"))
    install(project.root)

    line = next(check for check in report["checks"] if check["name"] == "hooks")
    assert (done.returncode, done.stderr) == (0, "")
    assert line["state"] == "warning" and "post-checkout" in line["message"] and "symbolic link" in line["message"]
    assert failures.read(repository(project)) == []


def moved_away(project: Project) -> str:
    """Returns the hook with something before it that puts a link in the place of the memory."""
    hook = (project.root / ".git" / "hooks" / "post-checkout").read_text()
    return hook + "mv .memory elsewhere && ln -s elsewhere .memory\n"


def test_a_bug_in_a_hook_is_written_down_and_old_lines_go(project: Project) -> None:
    note = _noting(repository(project), "2026-11-30T00:00:00Z post-merge")

    try:
        raise KeyError("two\nlines")
    except KeyError as error:
        for _ in range(failures.KEPT + 5):
            note(KeyError, error, error.__traceback__)

    lines = failures.read(repository(project))
    assert len(lines) == failures.KEPT
    assert lines[0].startswith("2026-11-30T00:00:00Z post-merge KeyError: ") and "test_hooks.py:" in lines[0]


def test_case_73_doctor_warns_of_a_clone_without_the_driver(project: Project, tmp_path: Path) -> None:
    committed(project, "first")
    gitted(tmp_path, "clone", "-q", str(project.root), "clone")

    before = told(run(tmp_path / "clone", "doctor", "--json"))
    install(tmp_path / "clone")
    after = told(run(tmp_path / "clone", "doctor", "--json"))

    states = [{check["name"]: check["state"] for check in report["checks"]} for report in (before, after)]
    assert [(each["hooks"], each["merge"]) for each in states] == [("warning", "warning"), ("ok", "ok")]


def test_doctor_names_a_merge_driver_of_another_version(project: Project) -> None:
    install(project.root)
    project.git("config", "merge.gitmem.driver", "gitmem merge-driver %O %A %B")

    before = told(run(project.root, "doctor", "--json"))
    install(project.root)
    after = told(run(project.root, "doctor", "--json"))

    (old,), (new,) = ([row for row in report["checks"] if row["name"] == "merge"] for report in (before, after))
    assert (old["state"], old["hint"]) == ("warning", "gitmem hooks install") and "merge driver" in old["message"]
    assert new["state"] == "ok"


DRIVERS: Sequence[tuple[str, int, str]] = (
    ('printf "merged\\n" > "$4"; exit 0', 0, "merged\n"),
    ('printf "conflict\\n" > "$4"; exit 10', 1, "conflict\n"),
    ("exit 1", 1, "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n"),
    ("exit 3", 1, "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n"),
    ("kill -9 $$", 1, "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n"),
    ("exit 127", 1, "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n"),
    ("", 1, "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n"),
)


@pytest.mark.parametrize(("driver", "status", "text"), DRIVERS)
def test_the_merge_driver_stands_or_gives_way_to_git(
    driver: str, status: int, text: str, project: Project, bin: Path
) -> None:
    (bin / "gitmem").unlink()
    if driver:
        script(bin / "gitmem", f'#!/bin/sh\n[ "$1" = merge-driver ] || exit 0\necho "$6|$7" > "{bin}/said"\n{driver}\n')
    path = project.write("decision/it's one.md", "base\n")
    project.write(".gitattributes", "*.md merge=gitmem\n")
    install(project.root)
    committed(project)
    gitted(project.root, "checkout", "-qb", "theirs")
    path.write_text("theirs\n")
    committed(project)
    gitted(project.root, "checkout", "-q", "main")
    path.write_text("ours\n")
    committed(project)

    done = gitted(project.root, "merge", "-q", "theirs", "-m", "merged", bin=bin, check=False)

    assert (done.returncode, path.read_text()) == (status, text)
    assert not driver or (bin / "said").read_text() == "7|.memory/decision/it's one.md\n"


@pytest.mark.parametrize("words", ["hooks install", "init", "init --no-hooks", "setup generic"])
def test_case_93_an_agent_makes_no_clone_trusted_whatever_it_installs(project: Project, words: str) -> None:
    project.note("from-elsewhere")
    by_agent = run(project.root, *words.split(), extra={"CLAUDECODE": "1"})
    still = "gitmem.trusted" in project.git("config", "--list")
    by_person = run(project.root, *words.split())

    assert by_agent.returncode == by_person.returncode == 0 and not still
    assert "gitmem.trusted=true" in project.git("config", "--list")


def test_case_93_a_memory_that_an_agent_begins_is_trusted_in_its_clone(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)

    reply = told(run(tmp_path, "init", "--json", extra={"CLAUDECODE": "1"}))
    status = told(run(tmp_path, "status", "--json"))

    assert reply["trusted"] is True and status["trusted"] is True


def test_a_link_that_a_repository_brings_along_is_not_written_through(project: Project, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (project.root / ".githooks").mkdir()
    for name in (".gitmem.tmp", "pre-commit.gitmem.tmp"):
        (project.root / ".githooks" / name).symlink_to(victim)
    project.git("config", "core.hooksPath", ".githooks")

    install(project.root)

    assert victim.read_text() == "precious" and not (project.root / ".githooks" / "pre-commit").is_symlink()


def test_what_git_refuses_to_take_out_leaves_the_hooks_as_they_are(project: Project) -> None:
    install(project.root)
    (project.root / ".git" / "config.lock").touch()

    with pytest.raises(GitmemError, match="could not be taken out"):
        uninstall(project.root)

    assert all(each for each, _ in installed(hooks.status(str(project.root), environment=environment())))
