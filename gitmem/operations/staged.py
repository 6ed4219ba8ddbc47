"""Staged: what the next commit changes in the memory, or what a revision holds of it, judged from Git's own bytes."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.errors import Problem
from gitmem.knowledge import check as checks
from gitmem.knowledge.check import Text
from gitmem.notes import config as configuration
from gitmem.notes import secrets
from gitmem.notes.config import Config
from gitmem.notes.entry import TOO_LARGE, read
from gitmem.notes.name import fold, is_note_path
from gitmem.notes.prose import mentions
from gitmem.notes.source import decode
from gitmem.notes.store import FOLDER, stem
from gitmem.storage import checkout, git, history
from gitmem.storage import staged as stage
from gitmem.storage.git import talk
from gitmem.storage.plumbing import batches
from gitmem.storage.staged import Change
from gitmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gitmem.operations.memory import Memory

Reply = dict[str, Any]  # Any: the JSON of design section 14

LINK = "120000"
CONFIG = os.path.basename(configuration.PATH)
# What stops a commit; the codes of a note that cannot be parsed are all errors of the note itself.
STOPPING = ("secret", "too-large", "duplicate-name", "unparsable")


class Tree(NamedTuple):
    """One memory as Git holds it: its folder below the top level, and the object of each file in that folder."""

    top: str
    folder: str
    objects: Mapping[str, str]
    environment: Mapping[str, str]


class Files(NamedTuple):
    """Files of a tree: the notes, read; other files by path; and what is too large to be either, with its size."""

    texts: list[Text]
    others: dict[str, bytes]
    large: dict[str, int]


def check_staged(directory: str, *, environment: Mapping[str, str]) -> Reply:
    """Returns the problems of the notes that the next commit changes, in every memory of the repository.

    What must not be committed is an error: a note that cannot be parsed, a conflict marker, a secret, a file over
    1 MiB, a name that the commit makes double. All else is a warning. Nothing is read but the index that
    `environment` means, and nothing written. Raises GitmemError where there is no repository.
    """
    repository = git.find(directory)
    hooked = isinstance(environment, git.HookEnvironment)
    if repository is None and not (hooked and "GIT_DIR" in environment):
        from gitmem.storage.status import no_repository

        raise no_repository(directory)
    top = repository.top if repository else directory
    found: list[Problem] = []
    checked = 0
    for folder, changes in _by_memory(stage.changes(top, environment=environment)).items():
        tree = Tree(top, folder, _below(folder, stage.indexed(top, folder, environment=environment)), environment)
        problems, count = _judged(tree, changes)
        found += [problem._replace(path=f"{folder}/{problem.path}") for problem in problems]
        checked += count
    found.sort(key=lambda problem: (problem.path, problem.line or 0, problem.code))
    return {"problems": [_mended(problem)._asdict() for problem in found], "checked": checked}


def check_revision(memory: "Memory", revision: str) -> Reply:
    """Returns every problem of the memory as a commit holds it, as `check` does of the files.

    Raises GitmemError("unknown-revision").
    """
    from gitmem.operations.memory import shown_path
    from gitmem.operations.past import repository_of

    repository = repository_of(memory)
    top, folder = repository.top, shown_path(memory, "").rstrip("/")
    commit = history.resolve(repository, revision, environment=memory.environment)
    held = _here(folder, stage.held(top, commit, folder, environment=memory.environment))
    regular = {change.path: change.object for change in held if change.mode in stage.REGULAR}
    tree = Tree(top, folder, regular, memory.environment)
    config = _config(tree)
    files = _files(tree, [path for path in regular if is_note_path(path)], config)
    found = [*config.problems, *_large(files), *checks.check(files.texts, list(_strays(held)), config)]
    shown = [problem._replace(path=f"{folder}/{problem.path}") for problem in found]
    return {"problems": [problem._asdict() for problem in shown], "checked": len(files.texts)}


def _by_memory(changes: Iterable[Change]) -> dict[str, list[Change]]:
    """Returns what is there after the commit, by the folder of the memory it lies in, paths relative to that."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        above, folder, path = f"/{change.path}".partition(f"/{FOLDER}/")
        if folder and change.letter not in "DU":
            found.setdefault(f"{above}/{FOLDER}"[1:], []).append(change._replace(path=path))
    return found


def _here(folder: str, changes: Iterable[Change]) -> list[Change]:
    return [change._replace(path=change.path[len(folder) + 1 :]) for change in changes]


def _below(folder: str, objects: Mapping[str, str]) -> dict[str, str]:
    return {path[len(folder) + 1 :]: name for path, name in objects.items()}


def _judged(tree: Tree, changes: Sequence[Change]) -> tuple[list[Problem], int]:
    """Returns the problems of the changed files of one memory, and how many of these are notes."""
    config = _config(tree)
    paths = [change.path for change in changes if change.mode in stage.REGULAR]
    files = _files(tree, paths, config)
    around = _files(tree, _around(tree, files.texts, set(paths)), config).texts
    found = [*_large(files), *checks.check([*files.texts, *around], list(_strays(changes)), config)]
    found += config.problems if CONFIG in paths else ()
    found += [each for path, data in files.others.items() for each in secrets.problems(path, decode(data, path)[0])]
    changed = {change.path for change in changes}
    new = {fold(stem(change.path)) for change in changes if change.letter in "AT"}
    return [_weighed(problem, files, new) for problem in found if problem.path in changed], len(files.texts)


def _weighed(problem: Problem, files: Files, new: set[str]) -> Problem:
    """Returns a problem as an error where it must stop the commit, else as a warning."""
    own = any(problem in text.entry.problems for text in files.texts)
    if problem.severity == "error" and not own:
        doubled = problem.code == "duplicate-name" and fold(stem(problem.path)) not in new
        if problem.code not in STOPPING or doubled:
            return problem._replace(severity="warning")
    return problem


def _config(tree: Tree) -> Config:
    """Returns the configuration as Git holds it, its problems with paths below the folder."""
    data = _bytes(tree, [CONFIG]).get(CONFIG)
    config = configuration.parse(data)
    return config._replace(problems=tuple(problem._replace(path=CONFIG) for problem in config.problems))


def _files(tree: Tree, paths: Sequence[str], config: Config) -> Files:
    files = Files([], {}, {})
    verbs = tuple(config.vocabulary.verbs)
    for path, content in _contents(tree, paths):
        if content.size > TOO_LARGE:
            files.large[path] = content.size
        elif content.data is None:
            continue
        elif is_note_path(path):
            files.texts.append(Text(read(path, content.data, verbs=verbs), decode(content.data, path)[0]))
        else:
            files.others[path] = content.data
    return files


def _bytes(tree: Tree, paths: Sequence[str]) -> dict[str, bytes]:
    return {path: content.data for path, content in _contents(tree, paths) if content.data is not None}


def _contents(tree: Tree, paths: Sequence[str]) -> Iterator[tuple[str, stage.Content]]:
    prefix = tree.folder + "/"
    objects = {prefix + path: tree.objects[path] for path in paths if path in tree.objects}
    found = checkout.contents(tree.top, objects, most=TOO_LARGE, environment=tree.environment)
    return ((path.removeprefix(prefix), content) for path, content in found)


def _around(tree: Tree, texts: Sequence[Text], known: set[str]) -> list[str]:
    """Returns the other notes that have a say about these: of the same names, or linked to."""
    by_name: dict[str, list[str]] = {}
    for path in tree.objects:
        if is_note_path(path):
            by_name.setdefault(fold(stem(path)), []).append(path)
    linked = {fold(word) for text in texts for word in _links(text)}
    meant = linked | {fold(text.entry.name) for text in texts}
    paths = {path for name in meant for path in by_name.get(name, ())}
    paths |= _by_alias(tree, sorted(linked - by_name.keys()))
    return sorted(paths - known)


def _links(text: Text) -> Iterator[str]:
    yield from (link.to for link in text.entry.note.links)
    yield from mentions(text.entry.note.body)


def _by_alias(tree: Tree, words: Sequence[str]) -> set[str]:
    """Returns the notes that may have one of these words as an alias: whatever the index holds with the word in it."""
    paths: set[str] = set()
    for batch in batches(words):
        sought = [part for word in batch for part in ("-e", word)]
        arguments = ["grep", "--cached", "-l", "-z", "-i", "-F", "--full-name", *sought, "--", tree.folder]
        done = talk(tree.top, arguments, environment=tree.environment)
        if done.status > 1:  # 1 says that none is
            raise git.said(done, "git cannot search its index")
        paths |= set(git.items(done.out))
    return {path for path in _below(tree.folder, dict.fromkeys(paths, "")) if is_note_path(path)}


def _large(files: Files) -> Iterator[Problem]:
    for path, size in files.large.items():
        message = f"The file has {size:,} bytes; a file of the memory has at most {TOO_LARGE:,}."
        yield Problem(path, None, "too-large", "error", message, "Split the note.")


def _strays(changes: Iterable[Change]) -> Iterator[tuple[str, str]]:
    """Yields what is no note, by kind, as a scan of the folder would."""
    for path, mode in ((change.path, change.mode) for change in changes):
        hidden = any(part.startswith(".") for part in path.split("/"))
        if hidden or fold(os.path.basename(path)) == "readme.md":
            continue
        if mode not in stage.REGULAR:
            yield path, "link" if mode == LINK else "other"
        elif path.endswith(".md") and not (path.isprintable() and "\\" not in path):
            yield path, "name"
        elif not is_note_path(path):
            yield path, "other"


def _mended(problem: Problem) -> Problem:
    """Returns a problem whose hint ends with the command that goes on from there."""
    from shlex import quote

    path = quote(problem.path)
    if problem.code == "too-large":
        return problem._replace(hint=f"Split it, or keep it out of the commit: git rm --cached {path}")
    if problem.code == "duplicate-name":
        return problem._replace(hint=f"Rename one of the files: git mv {path} {os.path.dirname(path)}/NEW-NAME.md")
    if problem.severity == "error":
        return problem._replace(hint=f"{problem.hint or 'Mend the file.'} Then: git add {path}")
    return problem
