"""Health: what the memory holds, and whether everything around it works."""

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, rotten, run, told
from projects import UNREADABLE, kept

from gitmem.faces.mcp_service import Service
from gitmem.operations.health import doctor, status
from gitmem.operations.recall import recall
from gitmem.operations.running import AGENTS
from gitmem.operations.setup import init
from gitmem.operations.wiring import wire
from gitmem.search.query import Wanted
from gitmem.storage import failures
from gitmem.storage.probe import asked

HOOKS = ("hooks", "merge")
AGENT_VARIABLES = {variable for variable, _ in AGENTS}
DAY = 86_400


@pytest.fixture(autouse=True)
def gitmem(on_path: Path) -> Path:
    return on_path / "gitmem"


def without_gitmem() -> str:
    """Returns PATH without any folder that has a gitmem."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if not os.path.exists(os.path.join(folder, "gitmem")))


def checks(directory: Path) -> dict[str, str]:
    """Returns the state of each check but those of hooks, which have tests of their own."""
    found = [
        line for line in doctor(str(directory), environment=os.environ, now=0)["checks"] if line["name"] not in HOOKS
    ]
    assert all(set(line) == {"name", "state", "message", "hint"} for line in found)
    assert all(line["message"].endswith(".") and (line["hint"] or line["state"] == "ok") for line in found)
    return {line["name"]: line["state"] for line in found}


def made(project: Project) -> None:
    init(str(project.root), preset=None, environment=os.environ, hooks=False)


def test_status_has_the_documented_shape(project: Project) -> None:
    made(project)
    kept(project, "One")
    kept(project, "Two", links=("conflicts-with=one",))
    kept(project, "Broken", "problem")
    project.note("stop", type="checkpoint", created="2026-05-05")
    project.write("decision/unread.md", UNREADABLE.decode())
    project.git("add", ".")
    project.git("commit", "-qm", "memory")
    kept(project, "Three")
    memory = project.open()
    recall(memory, "zebra quagga", Wanted())

    result = status(memory)

    assert result == {
        "root": str(project.root),
        "branch": "main",
        "head": project.git("rev-parse", "HEAD").strip(),
        "trusted": True,
        "notes": {"decision": 4, "checkpoint": 1, "problem": 1},
        "unreviewed": 5,
        "stale": 0,
        "drifted": 0,
        "conflicts": 1,
        "suspects": 0,
        "problems": 1,
        "index": {"fresh": result["index"]["fresh"], "notes": 6, "bytes": result["index"]["bytes"]},
        "memory": {
            "checkpoint_count": 1,
            "recall_count": 1,
            "recall_zero_hits": result["memory"]["recall_zero_hits"],
            "last_recall_at": result["memory"]["last_recall_at"],
            "last_checkpoint_at": "2026-05-05T00:00:00Z",
        },
        "pending": [".memory/decision/three.md"],
    }
    assert result["index"]["bytes"] > 0
    assert result["memory"]["last_recall_at"].endswith("Z")


def test_status_of_an_unborn_untrusted_repository(project: Project) -> None:
    result = status(project.open())

    assert (result["branch"], result["head"], result["trusted"]) == ("main", None, False)
    assert (result["notes"], result["pending"]) == ({}, [])
    assert result["memory"]["last_recall_at"] is None


def test_status_on_a_detached_head(project: Project) -> None:
    project.note("one")
    project.git("add", ".")
    project.git("commit", "-qm", "one")
    project.git("checkout", "-q", "--detach")

    assert status(project.open())["branch"] is None
    assert status(project.open())["head"]


def test_case_70_pending_files_are_named_from_the_git_top_level(project: Project) -> None:
    inner = Project(project.root / "pkg/a")
    inner.note("one")
    (project.root / "code.py").write_text("one\n")

    assert status(inner.open())["pending"] == ["pkg/a/.memory/decision/one.md"]


def test_case_79_status_without_git_or_a_repository(project: Project, tmp_path: Path) -> None:
    project.note("one")
    lone = Project(tmp_path / "lone")
    lone.note("one")

    without_git = told(run(project.root, "status", "--json", extra={"PATH": str(tmp_path)}))
    without_repository = status(lone.open())

    assert (without_git["notes"], without_git["branch"], without_git["pending"]) == ({"decision": 1}, "main", [])
    assert (without_repository["notes"], without_repository["trusted"]) == ({"decision": 1}, True)


def test_doctor_finds_a_new_memory_sound(project: Project) -> None:
    made(project)
    kept(project, "One")

    assert checks(project.root) == dict.fromkeys(
        ("git", "memory", "repository", "trust", "config", "files", "cache", "model", "notes", "agents"), "ok"
    )


def test_doctor_names_what_is_missing(project: Project) -> None:
    project.write("config.toml", "[policy]\nnonsense = 1\n")
    project.write("decision/unread.md", UNREADABLE.decode())
    (project.root / ".gitignore").write_text(".memory/\n")

    found = checks(project.root)

    assert {name for name, state in found.items() if state == "warning"} == {
        "repository",
        "trust",
        "config",
        "files",
        "notes",
    }


@pytest.mark.parametrize("rule", [".memory", ".memory/", "*.md", ".memory/*"])
def test_doctor_names_the_rule_by_which_git_ignores_the_notes(project: Project, rule: str) -> None:
    (project.root / ".gitignore").write_text(f"# ours\n{rule}\n")

    lines = doctor(str(project.root), environment=os.environ, now=0)["checks"]

    assert (
        next(line["message"] for line in lines if line["name"] == "repository")
        .split(" rule ")[1]
        .startswith(f".gitignore:2:{rule}")
    )


def test_doctor_without_a_memory_reports_a_fault(tmp_path: Path) -> None:
    found = checks(tmp_path)

    assert found["memory"] == "fault"


def test_case_79_doctor_without_git_still_looks_at_the_rest(project: Project, tmp_path: Path) -> None:
    made(project)

    done = run(project.root, "doctor", "--json", extra={"PATH": str(tmp_path)})

    found = {line["name"]: line["state"] for line in told(done)["checks"]}
    assert (done.returncode, found["git"], found["notes"]) == (0, "warning", "ok")


def test_doctor_names_a_model_that_cannot_be_read(project: Project) -> None:
    made(project)
    project.git("config", "gitmem.model", "nowhere")

    assert checks(project.root)["model"] == "fault"


def test_doctor_tells_of_the_branch_that_alone_approves(project: Project) -> None:
    made(project)
    without = checks(project.root).get("review")
    project.write("config.toml", '[review]\nbranch = "main"\n')
    unknown = checks(project.root)["review"]
    project.git("config", "gitmem.reviewBranch", "gone")
    lost = checks(project.root)["review"]
    project.git("config", "gitmem.reviewBranch", "main")
    project.git("commit", "-q", "--allow-empty", "-m", "Born")

    assert (without, unknown, lost, checks(project.root)["review"]) == (None, "warning", "warning", "ok")


def test_doctor_advises_what_works_without_a_remote(project: Project) -> None:
    made(project)
    project.git("commit", "-q", "--allow-empty", "-m", "Born")
    project.write("config.toml", '[review]\nbranch = "main"\n')
    unknown = lines(project)["review"]
    project.git("config", "gitmem.reviewBranch", "gone")
    lost = lines(project)["review"]
    project.git("remote", "add", "origin", str(project.root))
    advised = lines(project)["review"]
    project.git("config", "--unset", "gitmem.reviewBranch")

    assert unknown["hint"].startswith("git config gitmem.reviewBranch main")
    assert "origin" not in lost["hint"] and "git config gitmem.reviewBranch NAME" in lost["hint"]
    assert "git fetch origin gone" in advised["hint"]
    assert "git remote set-head origin --auto" in lines(project)["review"]["hint"]


def test_doctor_names_the_config_once(project: Project) -> None:
    made(project)
    project.write("config.toml", "types = [\n")

    said = lines(project)["config"]["message"]

    assert said.startswith(".memory/config.toml: It cannot be read") and said.count("config.toml") == 1


def test_doctor_names_a_cache_that_cannot_be_kept(project: Project) -> None:
    made(project)
    (project.notes / ".cache").write_text("in the way")

    assert checks(project.root)["cache"] == "warning"


def test_doctor_throws_a_damaged_index_away(project: Project) -> None:
    project.note("quokka", "The quokka digs.")
    project.names("quokka")
    rotten(project.cache)

    first, second = (checks(project.root)["cache"] for _ in range(2))

    assert (first, second) == ("warning", "ok")
    assert project.names("quokka") == ["quokka"]


def test_case_91_looking_at_a_folder_without_a_memory_leaves_nothing_behind(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    commands: list[list[str]] = [
        ["--help"],
        ["status", "--json"],
        ["doctor", "--json"],
        ["list", "--json"],
        ["show", "x"],
    ]

    done: list[Any] = [run(nothing, *words) for words in commands]

    assert [each.returncode for each in done] == [0, 3, 1, 3, 3]
    assert told(done[1])["error"]["code"] == "no-memory"
    assert os.listdir(nothing) == []


def test_case_91_looking_leaves_no_trace_but_the_cache(project: Project) -> None:
    project.note("one")
    project.git("add", ".")
    project.git("commit", "-qm", "one")
    index = (project.root / ".git/index").read_bytes()

    status(project.open())
    checks(project.root)

    assert sorted(os.listdir(project.notes)) == [".cache", "decision"]
    assert project.git("status", "--porcelain") == ""
    assert (project.root / ".git/index").read_bytes() == index


def test_case_79_a_clone_of_another_owner_is_told_the_same_everywhere(project: Project) -> None:
    made(project)
    kept(project, "Plain files")
    project.git("add", ".memory")
    project.git("commit", "--quiet", "--message=notes")
    foreign = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}

    said = told(run(project.root, "doctor", "--json", extra=foreign))
    refused = [
        told(run(project.root, *words, "--json", extra=foreign))["error"]
        for words in (["log"], ["history", "plain-files"], ["undo", "HEAD"], ["init"])
    ]

    line = next(each for each in said["checks"] if each["name"] == "repository")
    assert line["state"] == "fault" and "safe.directory" in line["hint"]
    assert {each["code"] for each in refused} == {"foreign-owner"}
    assert all("safe.directory" in each["hint"] for each in refused)


def lines(project: Project, now: float = 0, **more: str) -> dict[str, dict[str, Any]]:
    """Returns what doctor says by name, asked `now` seconds from the present."""
    environment = {key: value for key, value in os.environ.items() if key not in AGENT_VARIABLES} | more
    found = doctor(str(project.root), environment=environment, now=int(time.time() + now))["checks"]
    return {line["name"]: line for line in found}


def wired(project: Project, *agents: str) -> None:
    made(project)
    for agent in agents:
        wire(str(project.root), agent, environment=os.environ, trusting=True)


def test_an_agent_that_captured_nothing_is_a_warning_with_what_to_do(project: Project) -> None:
    wired(project, "claude-code", "generic")
    project.note("old", source="agent", agent="claude-code", created="2020-01-01")

    new, found = lines(project), lines(project, now=15 * DAY)

    assert new["claude-code"]["state"] == new["generic"]["state"] == "ok"
    assert new["generic"]["message"].startswith("Set up lately; last brief never")
    assert found["claude-code"]["state"] == found["generic"]["state"] == "warning"
    assert "nothing was captured in 14 days" in found["claude-code"]["message"]
    assert found["claude-code"]["hint"].startswith("gitmem setup claude-code --mode normal")
    assert found["generic"]["message"].endswith("last brief never, recall never, note never.")
    assert "agents" not in found


def test_each_agent_is_told_of_by_what_it_did_itself(project: Project) -> None:
    wired(project, "claude-code", "codex")
    claude, codex = {"CLAUDECODE": "1"}, {"CODEX_THREAD_ID": "x"}
    run(project.root, "remember", "One", "--type", "decision", extra=claude)
    run(project.root, "brief", extra=claude)
    run(project.root, "recall", "one", extra=codex)
    run(project.root, "recall", "one")

    today, later = lines(project), lines(project, now=3 * DAY)

    assert today["claude-code"]["message"] == "Set up; last brief today, recall never, note today."
    assert later["claude-code"]["message"] == "Set up; last brief 3 days ago, recall never, note 3 days ago."
    assert today["codex"]["message"].endswith("last brief never, recall today, note never.")
    assert status(project.open())["memory"]["recall_count"] == 2


def test_what_is_captured_over_mcp_counts_for_the_agent_that_its_client_names(project: Project) -> None:
    wired(project, "gemini-cli")
    service = Service(str(project.root), str(project.root), os.environ)

    service.answer("remember", {"title": "One", "type": "decision"}, "gemini-cli-mcp-client")
    service.answer("recall", {"query": "one"}, "gemini-cli-mcp-client")
    service.answer("brief", {}, "gemini-cli-mcp-client")

    assert lines(project)["gemini-cli"]["message"] == "Set up; last brief today, recall today, note today."


def test_an_agent_whose_hooks_came_with_the_clone_is_wired(project: Project, tmp_path: Path) -> None:
    wired(project, "cursor")
    project.note("one")
    project.git("add", ".")
    project.git("commit", "-qm", "one")
    project.git("clone", "-q", str(project.root), str(tmp_path / "clone"))

    assert "cursor" in lines(Project(tmp_path / "clone"))


def test_the_mcp_server_is_started_once_an_agent_starts_it(project: Project) -> None:
    made(project)
    before = lines(project)
    wired(project, "claude-code")

    after = lines(project)

    assert "mcp" not in before
    assert (after["mcp"]["state"], after["mcp"]["hint"]) == ("ok", None)


def test_an_mcp_server_that_does_not_start_is_a_fault_with_its_reason(project: Project, gitmem: Path) -> None:
    wired(project, "claude-code")
    gitmem.write_text("#!/bin/sh\necho half of it is gone >&2\nexit 1\n")

    done = run(project.root, "doctor", "--json")

    line = next(each for each in told(done)["checks"] if each["name"] == "mcp")
    assert (done.returncode, line["state"]) == (1, "fault")
    assert line["message"] == "The MCP server does not start: half of it is gone."
    assert "pip install" in line["hint"]


def test_a_gitmem_that_agents_cannot_start_is_a_warning_with_what_to_do(project: Project) -> None:
    wired(project, "claude-code", "generic")
    run(project.root, "remember", "One", "--type", "decision", extra={"CLAUDECODE": "1"})

    found = lines(project, PATH=without_gitmem())

    assert {found[name]["state"] for name in ("claude-code", "generic", "mcp")} == {"warning"}
    assert found["claude-code"]["message"] == "Set up, but it cannot start gitmem. There is no gitmem on PATH."
    assert all("pipx install" in found[name]["hint"] for name in ("claude-code", "generic", "mcp"))
    assert "was not tried" in found["mcp"]["message"]


@pytest.mark.parametrize(
    ("agent", "path", "text"),
    [
        ("claude-code", ".mcp.json", '{"mcpServers": {"gitmem": {"command": "COMMAND", "args": ["mcp"]}}}'),
        ("cursor", ".cursor/mcp.json", '// mine\n{"mcpServers": {"gitmem": {"command": "COMMAND",}}}'),
        ("codex", ".codex/config.toml", '[mcp_servers.gitmem]\ncommand = "COMMAND"\n'),
    ],
)
def test_a_server_that_setup_did_not_write_is_looked_for_and_never_run(
    agent: str, path: str, text: str, project: Project, tmp_path: Path
) -> None:
    wired(project, agent)
    own, ran = tmp_path / "own" / "server", tmp_path / "ran"
    (project.root / path).write_text(text.replace("COMMAND", str(own)))

    gone = lines(project)
    own.parent.mkdir()
    own.write_text(f"#!/bin/sh\ntouch {ran}\n")
    own.chmod(0o755)
    there = lines(project)

    assert gone[agent]["state"] == "warning" and f"{own}, which is not there" in gone[agent]["message"]
    assert "is not there" not in there[agent]["message"]
    assert "was not tried" in there["mcp"]["message"] and not ran.exists()


def test_the_server_of_the_users_own_files_is_found_where_the_vendor_keeps_it(project: Project, tmp_path: Path) -> None:
    made(project)
    around = {"HOME": str(tmp_path), "CODEX_HOME": str(tmp_path / "moved"), "XDG_STATE_HOME": str(tmp_path / "state")}
    wire(str(project.root), "codex", environment=os.environ | around, scope="user", trusting=True)

    found = lines(project, **around)

    assert (tmp_path / "moved" / "config.toml").exists()
    assert found["mcp"]["state"] == "ok" and "mcp" not in lines(project, **around | {"CODEX_HOME": ""})


@pytest.mark.parametrize(
    "text", ["[" * 5_000, "", '{"mcpServers": ["gitmem"]}', '{"mcpServers": {"gitmem": {"command": 5}}}']
)
def test_a_server_that_cannot_be_read_is_none(text: str, project: Project) -> None:
    wired(project, "claude-code")
    (project.root / ".mcp.json").write_text(text)

    assert "mcp" not in lines(project, HOME="")


def test_a_pipe_in_the_place_of_a_configuration_keeps_nobody_waiting(project: Project) -> None:
    wired(project, "claude-code")
    for path in (".mcp.json", ".claude/settings.json"):
        (project.root / path).unlink()
        os.mkfifo(project.root / path)

    found = lines(project, HOME="")

    assert "mcp" not in found and found["claude-code"]["message"].startswith("Set up lately")


def test_an_mcp_server_whose_packages_are_not_there_is_a_warning(
    project: Project, gitmem: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wired(project, "claude-code")
    gitmem.write_text("#!/bin/sh\nexit 3\n")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    found = lines(project)["mcp"]

    assert (found["state"], found["hint"]) == ("warning", "pip install 'gitmem-notes[mcp]'")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("print(input())", b'{"a": 1}'),
        ("import time; print('x', end='', flush=True); time.sleep(60)", b""),
        ("raise SystemExit('no such thing')", b""),
        ("import os; os.close(0); print('y')", b"y"),
        ("print('z' * 3_000_000)", b""),
    ],
)
def test_a_program_that_is_probed_keeps_nobody_waiting(script: str, said: bytes) -> None:
    started = time.monotonic()

    heard = asked([sys.executable, "-c", script], b'{"a": 1}\n', environment=os.environ, patience=1.0)

    assert heard.line == said
    assert time.monotonic() - started < 10
    assert heard.complaint == (b"no such thing" if "no such" in script else heard.complaint)


def test_a_program_that_is_not_there_is_probed_in_vain(tmp_path: Path) -> None:
    heard = asked([str(tmp_path / "none")], b"\n", environment=os.environ, patience=1.0)

    assert (heard.line, heard.complaint) == (b"", b"No such file or directory")


def test_failures_of_hooks_are_told_also_where_no_hook_is_installed(project: Project) -> None:
    made(project)
    failures.log(project.open().repository or pytest.fail(), "2026-11-30T10:00:00Z agent-hook session-start broke")

    found = lines(project)["hooks"]

    assert found["state"] == "warning"
    assert "session-start broke" in found["message"] and "gitmem hooks install" in found["hint"]


def test_notes_with_problems_are_counted(project: Project) -> None:
    made(project)
    project.note("one", confidence="twelve")

    assert lines(project)["notes"]["message"] == "Notes with problems: 1 of 1."


def test_counters_that_were_torn_or_written_by_others_are_read_as_far_as_they_go(project: Project) -> None:
    wired(project, "claude-code")
    folder = project.root / ".git" / "gitmem"
    folder.mkdir(exist_ok=True)
    now = int(time.time())
    rows = f"{now} 3 claude-code\n\xff\n9{'9' * 5000} 1\n٣ 1\n{now} x\n{now} 0\n{now} 4 claude-co"
    (folder / "recalls").write_text(rows)
    (folder / "briefs").symlink_to(folder / "recalls")

    found = lines(project)["claude-code"]["message"]

    assert "last brief never, recall today" in found
    assert status(project.open())["memory"]["recall_count"] == 2
