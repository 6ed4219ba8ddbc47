"""Setup for coding agents: by their vendors' own pages, beside what is there, once, and gone again byte for byte."""

import base64
import hashlib
import json
import os
import shlex
import subprocess
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, environment, new_project, run, told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from projects import refusal

from gitmem.faces import pull_commands
from gitmem.faces.commands import COMMANDS
from gitmem.operations import guidance, jsonc, parts
from gitmem.operations.harness import AGENTS, HARNESSES, Harness
from gitmem.operations.wiring import unwire, wire

SAMPLES = Path(__file__).parent / "data" / "agents"
DOCUMENTED = json.loads((SAMPLES / "documented.json").read_text())
VENDORS = [each for each in HARNESSES if each.name != "generic"]
# What a project may hold before, by the sample of the vendor's page that it is.
BEFORE = {
    "claude-code": {".claude/settings.json": "settings.json", ".mcp.json": "mcp.json"},
    "codex": {".codex/config.toml": "config.toml", ".codex/hooks.json": "hooks.json"},
    "cursor": {".cursor/hooks.json": "hooks.json", ".cursor/mcp.json": "mcp.json"},
    "gemini-cli": {".gemini/settings.json": "settings.json"},
}
PLANNED = ("bury", "forget", "merge")  # verbs of the design that a skill may name before they are there


@pytest.fixture(autouse=True)
def gitmem(on_path: Path) -> Path:
    return on_path / "gitmem"


def wired(project: Project, agent: str, *, person: bool = True, **options: Any) -> dict[str, Any]:
    return wire(str(project.root), agent, environment=environment(), trusting=person, **options)


def unwired(project: Project, agent: str, **options: Any) -> dict[str, Any]:
    return unwire(str(project.root), agent, environment=environment(), **options)


def files(root: Path) -> dict[str, bytes | None]:
    """Returns every file and folder below a folder, Git's own aside."""
    found = (path for path in root.rglob("*") if ".git" not in path.relative_to(root).parts)
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in found}


def put(root: Path, path: str, data: bytes) -> Path:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return target


def samples(root: Path, agent: str) -> None:
    for path, sample in BEFORE[agent].items():
        put(root, path, (SAMPLES / agent / sample).read_bytes())


def value(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else jsonc.plain(jsonc.parse(text))


# By the vendors' pages


@pytest.mark.parametrize("known", VENDORS, ids=lambda known: known.name)
def test_no_key_event_or_tool_is_written_that_the_vendor_does_not_document(known: Harness) -> None:
    documented = DOCUMENTED[known.name]

    entries = known.entries()
    handlers = [each for entry in entries.values() for each in entry.get("hooks", ())]  # type: ignore[attr-defined]

    assert set(entries) == set(documented["events"])
    assert {key for entry in entries.values() for key in entry} <= set(documented["group"])  # type: ignore[attr-defined]
    assert {key for handler in handlers for key in handler} <= set(documented["handler"])
    assert {word for hook in known.hooks for word in (hook.matcher or "").split("|")} - {""} <= set(
        documented["matchers"]
    )
    assert {key for server in known.server for key in server} <= set(documented["server"])
    assert all(page.startswith("https://") and page.endswith("(2026-11-30)") for page in known.pages)


@pytest.mark.parametrize("known", VENDORS, ids=lambda known: known.name)
def test_the_samples_of_the_vendors_pages_are_merged_with(known: Harness, project: Project) -> None:
    samples(project.root, known.name)
    before = {path: value(project.root / path) for path in BEFORE[known.name]}

    wired(project, known.name)

    for path, old in before.items():
        new = value(project.root / path)
        for key, held in old.items():
            assert _within(held, new[key]), (path, key)
    hooks, servers = known.hooks_in.project or "", known.servers.project or ""
    for event, entry in known.entries().items():
        assert value(project.root / hooks)["hooks"][event].count(entry) == 1
    assert value(project.root / servers)[known.table]["gitmem"] == known.server[0]


def _within(old: Any, new: Any) -> bool:
    """Returns whether all of an old value is in a new one."""
    if isinstance(old, dict):
        return all(key in new and _within(held, new[key]) for key, held in old.items())
    return all(each in new for each in old) if isinstance(old, list) else bool(old == new)


@pytest.mark.parametrize("known", HARNESSES, ids=lambda known: known.name)
def test_what_is_written_into_an_empty_project_is_as_it_was_agreed(known: Harness, project: Project) -> None:
    before = files(project.root)

    wired(project, known.name)

    written = {path: data for path, data in files(project.root).items() if data is not None and path not in before}
    text = "".join(f"--- {path}\n{written[path].decode()}" for path in sorted(written) if "SKILL" not in path)
    assert text == (SAMPLES / known.name / "written.txt").read_text(encoding="utf-8")
    assert sum("SKILL" in path for path in written) == (0 if known.name == "generic" else 3)


# Guidance


@pytest.mark.parametrize("mode", guidance.MODES)
def test_the_capture_skill_is_as_it_was_agreed(mode: str) -> None:
    skill = guidance.skill("gitmem-capture", mode)

    assert skill == (SAMPLES / f"capture-{mode}.md").read_text(encoding="utf-8")
    assert "Capture silently" in skill
    assert "A genuine contradiction with canon is told to the user at once." in skill
    assert "Decisions are written in every mode." in skill


def test_a_mode_changes_the_guidance_and_nothing_else(tmp_path: Path) -> None:
    written = {}
    for mode in guidance.MODES:
        project = new_project(tmp_path / mode)
        wired(project, "claude-code", mode=mode)
        written[mode] = files(project.root)

    differing = {path for path in written["relaxed"] if len({written[mode][path] for mode in guidance.MODES}) > 1}
    assert differing == {"CLAUDE.md", ".claude/skills/gitmem-capture/SKILL.md"}


@pytest.mark.parametrize("name", guidance.SKILLS)
def test_a_skill_is_what_the_open_standard_asks_for(name: str) -> None:
    _, front, body = guidance.skill(name, "relaxed").split("---\n", 2)

    fields = dict(line.split(": ", 1) for line in front.splitlines())
    assert fields["name"] == name and set(fields) == {"name", "description"}
    assert 20 < len(fields["description"]) < 1024 and ": " not in fields["description"]
    assert len(body) < 6_000 and "{mode}" not in body


def test_guidance_names_no_command_or_option_that_is_not_there() -> None:
    texts = [guidance.instructions("relaxed"), *(guidance.skill(name, "relaxed") for name in guidance.SKILLS)]
    known = {command.name: {option.flag for option in command.options} for command in COMMANDS}

    calls = [call.split() for text in texts for call in text.split("`") if call.startswith("gitmem ")]

    for words in calls:
        assert words[1] in known or words[1] in PLANNED, words
        flags = {word for word in words if word.startswith("--")}
        assert words[1] in PLANNED or flags <= known[words[1]], words


def test_skills_say_that_a_project_may_have_words_of_its_own() -> None:
    assert all("`gitmem vocabulary`" in guidance.skill(name, "relaxed") for name in guidance.SKILLS)


def test_the_way_back_of_a_digest_works_as_the_skill_says(project: Project) -> None:
    run(project.root, "init", "--preset", "research")
    (project.root / "a.py").write_text("# TODO: name the thread for its work\n")
    project.git("config", "user.name", "T")
    project.git("config", "user.email", "t@example.org")
    calls = [call for call in guidance.skill("gitmem-digest", "relaxed").split("`") if call.startswith("gitmem ")]
    calls = [call.replace("YYYY-MM-DD", time.strftime("%Y-%m-%d", time.gmtime())) for call in calls]
    agent, given, done = {"CLAUDECODE": "1"}, "", []

    for call in calls:
        done.append(run(project.root, *shlex.split(call)[1:], given=given, extra=agent))
        given = done[-1].stdout if call == "gitmem digest" else given

    written = f"{done[calls.index('gitmem remember --batch -')].stdout}"
    assert "remembered name-the-thread-for-its-work" in written
    assert done[-1].returncode == 0 and "took back" in done[-1].stdout, done[-1]
    assert not list(project.notes.rglob("name-the-thread-for-its-work.md"))


def test_the_option_table_knows_the_agents_and_modes_that_there_are() -> None:
    assert pull_commands.AGENTS == AGENTS
    assert pull_commands.MODES == guidance.MODES


# Beside what is there


@pytest.mark.parametrize("agent", AGENTS)
def test_twice_is_once(agent: str, project: Project) -> None:
    wired(project, agent)
    before = files(project.root)

    again = wired(project, agent)

    assert again["changed"] == [] and again["diff"] == "" and again["warnings"] == []
    assert files(project.root) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_dry_run_prints_a_diff_and_writes_nothing(agent: str, project: Project) -> None:
    before = files(project.root)

    shown = wired(project, agent, dry_run=True)

    assert files(project.root) == before and not (project.root / ".git/gitmem").exists()
    assert "gitmem.trusted" not in project.git("config", "--list")
    patch = subprocess.run(["git", "apply"], cwd=project.root, input=shown["diff"], text=True, check=False)
    assert patch.returncode == 0
    patched = files(project.root)
    wired(project, agent)
    assert files(project.root) == patched


@pytest.mark.parametrize("agent", AGENTS)
def test_remove_leaves_nothing(agent: str, project: Project) -> None:
    before = files(project.root)
    wired(project, agent)

    gone = unwired(project, agent)

    assert gone["changed"] and gone["warnings"] == []
    assert files(project.root) == before and not (project.root / ".git/gitmem/setup").exists()
    assert unwired(project, agent)["changed"] == []


ODD = st.sampled_from(
    [
        b"",
        b"\n",
        b"x",
        b"# Title\n\nText.\n",
        b"no newline at the end",
        b"a\r\nb\r\n",
        "\ufeffbom\n".encode(),
        b"\n\n\n",
    ]
)
JSONS = st.sampled_from(
    [
        b"",
        b"{}",
        b"{ }\n",
        b'{"hooks": {}}',
        b'{\r\n\t"hooks": {"Stop": []},\r\n\t// c\r\n}\r\n',
        b'{"mcpServers": {"gitmem": {"command": "mine"}}, "hooks": {"PostToolUse": [], },}',
        '\ufeff{\n    "ü": [1, 2] /* c */\n}'.encode(),
    ]
)
TOMLS = st.sampled_from(
    [
        b"",
        b'model = "x"',
        b"# only a comment\n",
        b'[mcp_servers.other]\r\ncommand = "x" # c\r\n',
        b'[mcp_servers.gitmem]\ncommand = "mine"\n',
        b'x = """\n# gitmem: no\n"""\n\n',
    ]
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(AGENTS), ODD, JSONS, TOMLS, st.sampled_from(guidance.MODES))
def test_remove_gives_back_every_byte_of_what_was_there(
    tmp_path_factory: pytest.TempPathFactory, agent: str, words: bytes, members: bytes, table: bytes, mode: str
) -> None:
    project = new_project(tmp_path_factory.mktemp("p") / "project")
    for path in ("CLAUDE.md", "AGENTS.md", "GEMINI.md"):
        put(project.root, path, words)
    for path in (
        ".claude/settings.json",
        ".mcp.json",
        ".codex/hooks.json",
        ".cursor/hooks.json",
        ".gemini/settings.json",
    ):
        put(project.root, path, members)
    put(project.root, ".codex/config.toml", table)
    before = files(project.root)

    wired(project, agent, mode=mode)
    wired(project, agent, mode="aggressive")
    unwired(project, agent)

    assert files(project.root) == before


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("ab\n# \r"), max_size=30), st.text(st.sampled_from("xy\n"), max_size=10))
def test_a_block_is_put_once_and_taken_out_of_any_text(text: str, lines: str) -> None:
    part = parts.block(lines + ".")

    once = part.put(text)

    assert part.holds(once) and part.put(once) == once
    assert once.startswith(text)
    assert part.take(once).rstrip("\r\n") == text.rstrip("\r\n")


def test_line_ends_of_the_file_are_kept(project: Project) -> None:
    put(project.root, "AGENTS.md", b"One.\r\nTwo.\r\n")

    wired(project, "generic")

    text = (project.root / "AGENTS.md").read_bytes()
    assert text.startswith(b"One.\r\nTwo.\r\n\r\n<!-- gitmem: begin") and text.count(b"\n") == text.count(b"\r\n")


def test_a_file_that_was_changed_since_loses_only_what_is_ours(project: Project) -> None:
    samples(project.root, "gemini-cli")
    wired(project, "gemini-cli")
    settings_file = project.root / ".gemini/settings.json"
    settings_file.write_text(settings_file.read_text().replace("30000", "40000"))
    page = project.root / "GEMINI.md"
    page.write_text("Mine.\n\n" + page.read_text() + "Also mine.\n")

    gone = unwired(project, "gemini-cli")

    assert [each["code"] for each in gone["warnings"]] == ["changed", "changed"]
    before = (SAMPLES / "gemini-cli" / "settings.json").read_text()
    assert value(settings_file) == jsonc.plain(jsonc.parse(before.replace("30000", "40000")))
    assert settings_file.read_text() == before.replace("30000", "40000")
    assert page.read_text() == "Mine.\n\nAlso mine.\n"
    assert not (project.root / ".gemini/skills").exists()


def test_a_clone_that_did_not_set_up_can_take_it_away(tmp_path: Path) -> None:
    one = new_project(tmp_path / "one")
    put(one.root, "AGENTS.md", b"# Ours\n")
    one.note("a")
    wired(one, "codex")
    one.git("add", "-A")
    one.git("commit", "-qm", "x")
    one.git("clone", "-q", ".", str(tmp_path / "two"))
    two = Project(tmp_path / "two")

    gone = unwired(two, "codex")

    assert gone["changed"] and {each["code"] for each in gone["warnings"]} == {"changed"}
    assert (two.root / "AGENTS.md").read_bytes() == b"# Ours\n"
    assert not any((two.root / path).is_file() for path in (".codex/config.toml", ".codex/hooks.json"))
    assert not list(two.root.glob(".agents/**/SKILL.md"))


def test_what_another_agent_uses_stays_until_it_goes_too(project: Project) -> None:
    wired(project, "codex")
    wired(project, "cursor")

    first = unwired(project, "codex")
    kept = (project.root / "AGENTS.md").exists()
    unwired(project, "cursor")

    assert [each["code"] for each in first["warnings"]] == ["shared"] and kept
    assert not (project.root / "AGENTS.md").exists()


def test_a_link_from_one_file_to_another_makes_them_one(project: Project) -> None:
    put(project.root, "AGENTS.md", b"Shared.\n")
    (project.root / "CLAUDE.md").symlink_to("AGENTS.md")

    wired(project, "codex")
    wired(project, "claude-code")

    text = (project.root / "AGENTS.md").read_text()
    assert (project.root / "CLAUDE.md").is_symlink() and text.count("gitmem: begin") == 1
    unwired(project, "claude-code")
    unwired(project, "codex")
    assert (project.root / "AGENTS.md").read_bytes() == b"Shared.\n"


def test_a_link_out_of_the_project_is_refused(project: Project, tmp_path: Path) -> None:
    put(tmp_path, "elsewhere.md", b"Not ours.\n")
    (project.root / "CLAUDE.md").symlink_to(tmp_path / "elsewhere.md")
    before = files(project.root)

    error = refusal(lambda: wired(project, "claude-code"))

    assert error.code == "symbolic-link" and files(project.root) == before
    assert (tmp_path / "elsewhere.md").read_bytes() == b"Not ours.\n"


@pytest.mark.parametrize(
    ("path", "data"),
    [
        (".claude/settings.json", b'{\n  "a": 1\n  "b": 2\n}'),
        (".claude/settings.json", b"[1]"),
        (".claude/settings.json", b'{"hooks": []}'),
        (".claude/settings.json", b'{"hooks": {"Stop": {}}}'),
        (".mcp.json", b"\xff\xfe{"),
        ("CLAUDE.md", b"<!-- gitmem: begin -->\nno end\n"),
        ("CLAUDE.md", b"\xff"),
        (".mcp.json", b"[" * 5_000 + b"]" * 5_000),
    ],
)
def test_a_file_that_is_not_understood_is_refused_and_nothing_is_written(
    path: str, data: bytes, project: Project
) -> None:
    put(project.root, path, data)
    before = files(project.root)

    error = refusal(lambda: wired(project, "claude-code"))

    assert error.code == "unreadable" and path in error.message
    assert files(project.root) == before and "gitmem.trusted" not in project.git("config", "--list")


def test_a_pipe_in_a_files_place_is_refused_and_stays(project: Project) -> None:
    os.mkfifo(project.root / ".mcp.json")

    error = refusal(lambda: wired(project, "claude-code"))

    assert error.code == "unreadable" and (project.root / ".mcp.json").is_fifo()


def test_broken_toml_is_refused_and_a_table_of_the_user_stays(project: Project) -> None:
    config = put(project.root, ".codex/config.toml", b"x = [1\n")
    error = refusal(lambda: wired(project, "codex"))
    config.write_bytes(b'[mcp_servers.gitmem]\ncommand = "/opt/gitmem"\n')

    kept = wired(project, "codex")

    assert error.code == "unreadable"
    assert [each["name"] for each in kept["warnings"]] == [".codex/config.toml"]
    assert config.read_bytes() == b'[mcp_servers.gitmem]\ncommand = "/opt/gitmem"\n'


def test_a_skill_of_the_user_stays(project: Project) -> None:
    mine = put(project.root, ".claude/skills/gitmem-capture/SKILL.md", b"mine\n")

    first = wired(project, "claude-code")
    digest = project.root / ".claude/skills/gitmem-digest/SKILL.md"
    digest.write_text(digest.read_text() + "More.\n")
    gone = unwired(project, "claude-code")

    assert [each["code"] for each in first["warnings"]] == ["kept"]
    assert mine.read_bytes() == b"mine\n" and digest.read_text().endswith("More.\n")
    assert [each["code"] for each in gone["warnings"]] == ["kept"]


def test_an_older_skill_of_ours_is_renewed(project: Project) -> None:
    wired(project, "claude-code", mode="relaxed")

    again = wired(project, "claude-code", mode="normal")

    assert again["warnings"] == []
    assert again["changed"] == ["CLAUDE.md", ".claude/skills/gitmem-capture/SKILL.md"]


# The user's own files


def test_the_users_own_files_lie_below_the_home_folder(tmp_path: Path) -> None:
    home, around = tmp_path / "home", {}
    home.mkdir()
    put(home, ".claude.json", b'{"numStartups": 3, "projects": {"/x": {"key": "secret-value"}}}')
    around = environment(HOME=str(home))
    before = files(home)

    made = wire(str(tmp_path), "claude-code", environment=around, scope="user", trusting=True)
    state = home / ".local/state/gitmem/setup"
    kept = state.read_text()
    mode = state.stat().st_mode & 0o777
    gone = unwire(str(tmp_path), "claude-code", environment=around, scope="user")

    assert made["trusted"] is None and ".claude.json" in made["changed"] and ".claude/CLAUDE.md" in made["changed"]
    assert "secret-value" not in kept and base64.b64encode(b"secret")[:7].decode() not in kept and mode == 0o600
    assert gone["warnings"] == []
    left = files(home)
    assert {path: left[path] for path in left if not path.startswith(".local")} == before
    assert not state.exists()


def test_variables_say_where_the_users_files_and_the_way_back_lie(tmp_path: Path) -> None:
    home, codex, state = (tmp_path / name for name in ("home", "codex", "state"))
    home.mkdir()
    codex.mkdir()
    around = environment(HOME=str(home), CODEX_HOME=str(codex), XDG_STATE_HOME=str(state))

    wire(str(tmp_path), "codex", environment=around, scope="user", trusting=True)

    assert {path.name for path in codex.iterdir()} == {"AGENTS.md", "config.toml", "hooks.json"}
    assert {path.name for path in home.iterdir()} == {".agents"} and (state / "gitmem/setup").exists()
    unwire(str(tmp_path), "codex", environment=around, scope="user")
    assert not list(codex.iterdir()) and not list(home.iterdir())


def test_a_link_of_the_user_is_written_through(tmp_path: Path) -> None:
    home = tmp_path / "home"
    dotfiles = put(tmp_path, "dotfiles/settings.json", b'{"model": "opus"}\n')
    (home / ".claude").mkdir(parents=True)
    (home / ".claude/settings.json").symlink_to(dotfiles)
    around = environment(HOME=str(home))

    wire(str(tmp_path), "claude-code", environment=around, scope="user", trusting=True)
    written = value(dotfiles)
    unwire(str(tmp_path), "claude-code", environment=around, scope="user")

    assert set(written) == {"model", "hooks"} and (home / ".claude/settings.json").is_symlink()
    assert dotfiles.read_bytes() == b'{"model": "opus"}\n'


def test_what_the_vendor_has_no_file_for_is_said(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()

    made = wire(str(tmp_path), "cursor", environment=environment(HOME=str(home)), scope="user", trusting=True)

    assert [each["code"] for each in made["warnings"]] == ["no-file"]
    assert value(home / ".cursor/mcp.json")["mcpServers"]["gitmem"]["args"] == ["mcp"]


# Trust, and the command


def test_a_person_makes_the_clone_trusted_and_an_agent_does_not(project: Project) -> None:
    by_agent = told(run(project.root, "setup", "claude-code", "--json", extra={"CLAUDECODE": "1"}))
    github = told(run(project.root, "setup", "github", "--json", extra={"CLAUDECODE": "1"}))
    still = "gitmem.trusted" in project.git("config", "--list")
    by_person = told(run(project.root, "setup", "claude-code", "--json"))

    assert by_agent["trusted"] is False and [each["code"] for each in by_agent["warnings"]] == ["untrusted"]
    assert by_agent["changed"] and github["changed"] and not still
    assert by_person["trusted"] is True and "gitmem.trusted=true" in project.git("config", "--list")


def test_a_source_that_says_agent_trusts_nothing(project: Project) -> None:
    project.git("config", "gitmem.source", "agent")

    done = told(run(project.root, "setup", "generic", "--json"))

    assert done["trusted"] is False


def test_setup_needs_a_memory_and_a_repository(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()

    no_repository = told(run(bare, "setup", "codex", "--json"))
    subprocess.run(["git", "init", "-q"], cwd=bare, check=True)
    no_memory = told(run(bare, "setup", "codex", "--json"))

    assert no_repository["error"]["code"] == "no-repository" and no_memory["error"]["code"] == "no-memory"
    assert os.listdir(bare) == [".git"]


def test_the_command_says_what_it_did(project: Project) -> None:
    shown = run(project.root, "setup", "generic", "--dry-run")
    done = run(project.root, "setup", "generic")
    again = run(project.root, "setup", "generic")
    gone = run(project.root, "setup", "generic", "--remove")

    assert shown.stdout.startswith("--- /dev/null\n+++ b/AGENTS.md\n")
    assert (
        done.stdout == "set up generic in this project; it takes effect in its next session\n  changed    AGENTS.md\n"
    )
    assert again.stdout == "Nothing to change.\n"
    assert gone.stdout == "took generic out of this project\n  changed    AGENTS.md\n"


@pytest.mark.parametrize(
    "words",
    [
        ("nobody",),
        ("codex", "--mode", "loud"),
        ("codex", "--remove", "--mode", "normal"),
        ("github", "--mode", "normal"),
    ],
)
def test_wrong_words_are_wrong_usage(words: tuple[str, ...], project: Project) -> None:
    done = run(project.root, "setup", *words)

    assert done.returncode == 2 and done.stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_what_no_command_of_that_name_will_start_is_said(agent: str, project: Project, tmp_path: Path) -> None:
    nowhere = environment(PATH=str(tmp_path))

    found = wire(str(project.root), agent, environment=nowhere, trusting=False)["warnings"]
    there = wire(str(project.root), agent, environment=environment(), trusting=False)["warnings"]
    gone = unwire(str(project.root), agent, environment=nowhere)["warnings"]

    told_of = next(each for each in found if each["code"] == "no-command")
    assert "no gitmem on PATH" in told_of["message"] and "pipx install" in told_of["message"]
    assert "no-command" not in {each["code"] for each in [*there, *gone]}


def test_each_work_tree_has_its_own_way_back(project: Project, tmp_path: Path) -> None:
    project.note("a")
    project.git("add", "-A")
    project.git("commit", "-qm", "x")
    project.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = Project(tmp_path / "tree")
    put(tree.root, "AGENTS.md", b"Of the tree.\n")

    wired(project, "generic")
    wired(tree, "generic")
    unwired(project, "generic")
    unwired(tree, "generic")

    assert not (project.root / "AGENTS.md").exists()
    assert (tree.root / "AGENTS.md").read_bytes() == b"Of the tree.\n"


@pytest.mark.parametrize("target", [".git/config", ".git/hooks/post-checkout", ".memory/decision/x.md"])
def test_a_link_into_git_or_the_memory_is_refused(project: Project, target: str) -> None:
    (project.root / "CLAUDE.md").symlink_to(target)
    before = (files(project.root), (project.root / ".git" / "config").read_bytes())

    put_there = refusal(lambda: wired(project, "claude-code"))
    taken = refusal(lambda: unwired(project, "claude-code"))

    assert put_there.code == taken.code == "symbolic-link"
    assert (files(project.root), (project.root / ".git" / "config").read_bytes()) == before


def test_toml_that_is_nested_too_deep_is_refused(project: Project) -> None:
    path = put(project.root, ".codex/config.toml", b"a = " + b"[" * 2_000 + b"]" * 2_000 + b"\n")
    before = path.read_bytes()

    error = refusal(lambda: wired(project, "codex"))

    assert error.code == "unreadable" and path.read_bytes() == before


@pytest.mark.parametrize(
    "row",
    [
        "[" * 100_000,
        "null",
        '{"users": 5, "after": "", "was": null, "start": 0, "cut": "", "tail": 0, "folders": []}',
        '{"users": [], "after": "AFTER", "was": "q", "start": "a", "cut": "", "tail": 0, "folders": []}',
        '{"users": [], "after": "AFTER", "was": "q", "start": 0, "cut": "!", "tail": -5, "folders": ["../../x"]}',
    ],
)
def test_a_damaged_way_back_takes_out_what_is_ours_and_no_more(project: Project, row: str) -> None:
    path = put(project.root, "AGENTS.md", b"# Mine\n")
    wired(project, "generic")
    row = row.replace("AFTER", hashlib.sha256(path.read_bytes()).hexdigest())
    put(project.root, ".git/gitmem/setup", f'{{"edition": 1, "files": {{"AGENTS.md": {row}}}}}'.encode())

    again = wired(project, "generic")
    put(project.root, ".git/gitmem/setup", f'{{"edition": 1, "files": {{"AGENTS.md": {row}}}}}'.encode())
    unwired(project, "generic")

    assert again["changed"] == [] and path.read_bytes() == b"# Mine\n"


def test_what_is_to_be_known_is_said_where_nothing_changes(project: Project) -> None:
    put(project.root, ".mcp.json", b'{"mcpServers": {"gitmem": {"command": "mine"}}}\n')
    run(project.root, "setup", "claude-code")

    again = run(project.root, "setup", "claude-code")

    assert "Nothing to change." in again.stdout and "warning: .mcp.json holds something of this name" in again.stdout
