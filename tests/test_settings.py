"""The settings of a clone as a long-lived process keeps them: asked of git again where a file that may say so has changed."""

import os
import shutil
import time
from pathlib import Path

import pytest
from conftest import SETTLED, Project

from gitmem.storage import git
from gitmem.storage.settings import Settings


def later() -> float:
    """Returns a moment at which the times of files written so far are believed."""
    return time.time() + SETTLED


class Clone:
    """A repository, a home beside it, and how often git was asked for settings."""

    def __init__(self, project: Project, home: Path) -> None:
        self.project, self.home, self.asked = project, home, home / "asked"
        script = (
            f'#!/bin/sh\ncase " $* " in *" config "*) echo >> {self.asked};; esac\nexec "{shutil.which("git")}" "$@"\n'
        )
        (home / "git").write_text(script)
        (home / "git").chmod(0o755)
        path = f"{home}{os.pathsep}{os.environ['PATH']}"
        self.environment = {"HOME": str(home), "PATH": path, "GIT_CONFIG_NOSYSTEM": "1"}
        self.settings = Settings(self.environment)

    def known(self, now: float | None = None) -> dict[str, str]:
        """Returns the settings that are kept, once they are seen to be those of git itself."""
        repository = git.find(str(self.project.root))
        assert repository is not None
        found = self.settings.of(repository, now=later() if now is None else now)
        assert found == git.settings(repository.top, environment={**self.environment, "PATH": os.environ["PATH"]})
        return found

    def count(self) -> int:
        """Returns how often git was asked since the last time."""
        count = len(self.asked.read_text().split("\n")) - 1 if self.asked.exists() else 0
        self.asked.unlink(missing_ok=True)
        return count


@pytest.fixture
def clone(project: Project, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setenv("PATH", os.environ["PATH"])
    made = Clone(project, tmp_path_factory.mktemp("home"))
    monkeypatch.setenv("PATH", made.environment["PATH"])  # a spawned git is looked for where this process looks
    return made


def test_git_is_asked_once_while_no_file_changes(clone: Clone) -> None:
    clone.project.git("config", "gitmem.trusted", "true")
    assert clone.known() == {"trusted": "true"}
    clone.count()

    repository = git.find(str(clone.project.root))
    assert repository and [clone.settings.of(repository, now=later()) for _ in range(3)] == [{"trusted": "true"}] * 3

    assert clone.count() == 0


def test_a_change_of_the_clones_own_file_is_seen_at_once(clone: Clone) -> None:
    clone.known()

    clone.project.git("config", "gitmem.reviewBranch", "main")

    assert clone.known() == {"reviewbranch": "main"}


@pytest.mark.parametrize("name", [".gitconfig", ".config/git/config"])
def test_a_file_of_the_user_that_comes_and_goes_is_seen(clone: Clone, name: str) -> None:
    clone.known()
    path = clone.home / name
    path.parent.mkdir(parents=True, exist_ok=True)

    path.write_text("[gitmem]\n\tagent = someone\n")
    there = clone.known()
    path.unlink()

    assert (there, clone.known()) == ({"agent": "someone"}, {})


def test_what_a_file_includes_is_asked_for_again_every_time(clone: Clone) -> None:
    other = clone.home / "other"
    other.write_text("[gitmem]\n\tagent = one\n")
    clone.project.git("config", "include.path", str(other))
    assert clone.known() == {"agent": "one"}

    other.write_text("[gitmem]\n\tagent = two\n")

    assert clone.known() == {"agent": "two"}


def test_a_file_that_has_just_changed_is_not_believed(clone: Clone) -> None:
    clone.project.git("config", "gitmem.trusted", "true")
    clone.known(now=time.time())
    clone.count()

    clone.known(now=time.time())

    assert clone.count() > 1  # by the settings, and by what they are compared with


def test_keys_are_in_lower_case_and_the_last_value_counts(clone: Clone) -> None:
    (clone.home / ".gitconfig").write_text("[gitmem]\n\tGuard = one\n")
    with open(clone.project.root / ".git/config", "ab") as file:
        file.write(b"[gitmem]\n\tguard = b\xff\n\tempty\n")

    assert clone.known() == {"guard": "b\ufffd", "empty": ""}


def test_a_git_that_fails_once_is_asked_again(clone: Clone) -> None:
    clone.project.git("config", "gitmem.trusted", "true")
    repository = git.find(str(clone.project.root))
    assert repository
    works = (clone.home / "git").read_text()

    (clone.home / "git").write_text("#!/bin/sh\nexit 1\n")
    failed = clone.settings.of(repository, now=later())
    (clone.home / "git").write_text(works)

    assert (failed, clone.known()) == ({}, {"trusted": "true"})


@pytest.mark.parametrize("key", ["GIT_CONFIG_GLOBAL", "GIT_CONFIG", "GIT_CONFIG_SYSTEM"])
@pytest.mark.parametrize("relative", [True, False])
def test_a_file_that_the_environment_names_is_watched(clone: Clone, key: str, relative: bool) -> None:
    own = clone.project.root / "own"
    clone.environment = {**clone.environment, key: "own" if relative else str(own)}
    clone.environment.pop("GIT_CONFIG_NOSYSTEM")
    clone.settings = Settings(clone.environment)
    own.write_text("")
    clone.known()

    own.write_text("[gitmem]\n\tagent = someone\n")

    assert clone.known() == {"agent": "someone"}
