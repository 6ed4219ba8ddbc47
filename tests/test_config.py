"""config.toml: defaults, what is named as a problem, and edits that leave every other byte alone."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import GitmemError, Problem
from gitmem.notes.amendment import add, rename
from gitmem.notes.config import SIZE_LIMIT, Config, Policy, from_json, parse, to_json
from gitmem.notes.preset import PRESETS, preset, preset_text
from gitmem.notes.vocabulary import Type, Verb

DEFAULTS = Config(preset("engram"), Policy(), ())


def read(text: str) -> Config:
    return parse(text.encode())


def only_problem(text: str) -> Problem:
    problems = read(text).problems
    assert len(problems) == 1
    return problems[0]


@pytest.mark.parametrize("data", [None, b"", b"# nothing\n", b"\xef\xbb\xbf[policy]\n", b"[types]\n[verbs]\r\n"])
def test_a_file_that_says_nothing_is_the_defaults(data: bytes | None) -> None:
    assert parse(data) == DEFAULTS


def test_the_defaults_import_nothing() -> None:
    code = (
        "import sys; from gitmem.notes.config import parse, to_json, from_json; from_json(to_json(parse(None)));"
        "print([name for name in ('tomllib', 'msgspec', 'json', 'difflib', 'hashlib', 'dataclasses', 'inspect',"
        "'pathlib', 'logging') if name in sys.modules])"
    )

    ran = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"


def test_the_policy_is_read() -> None:
    config = read(
        '[policy]\nbody_limit = 100\nkeep_checkpoints = 3\ndocuments = ["docs/**"]\nreview = "warning"\n'
        '[guard]\nidle = "1h30m"\nrequired = true\n[review]\nbranch = "release/1.x"\n[thresholds]\nduplicate = 1\n'
    )

    assert config.problems == ()
    assert config.policy == Policy(100, 3, ("docs/**",), "warning", 5400, True, "release/1.x", duplicate=1.0)


@pytest.mark.parametrize(
    ("idle", "seconds"), [("90", 90), ('"2h"', 7200), ('"45m"', 2700), ('"1d"', 86400), ('"90"', 90)]
)
def test_a_span_is_a_text_or_seconds(idle: str, seconds: int) -> None:
    assert read(f"[guard]\nidle = {idle}\n").policy.guard_idle == seconds


@pytest.mark.parametrize(
    "line",
    [
        *["policy.body_limit = 0", "policy.body_limit = true", 'policy.body_limit = "1"', "policy.body_limit = 1.5"],
        *["policy.keep_checkpoints = -1", 'policy.review = "loud"', "policy.documents = 1", "policy.documents = [1]"],
        *["guard.idle = 0", 'guard.idle = "soon"', "guard.idle = nan", 'guard.required = "yes"', "guard.idle = inf"],
        *['review.branch = "-x"', 'review.branch = "a..b"', "thresholds.duplicate = 2", "thresholds.weak = nan"],
        *[
            "policy = 3",
            "types = 3",
            "types.claim = 3",
            'types.claim.holds = "two\\nlines"',
            "policy.body_limit = 1979-01-01",
        ],
    ],
)
def test_a_bad_value_is_named_with_its_line_and_the_default_holds(line: str) -> None:
    config = read(f"# first\n\n{line}\n")

    assert [(each.code, each.line, each.path) for each in config.problems] == [("bad-value", 3, ".memory/config.toml")]
    assert config.policy == Policy()


@pytest.mark.parametrize(
    "pattern", ["/etc/passwd", "../x", "a/../../x", "~/x", "C:/x", "a\\\\b", ":(top)x", ".git/config", ""]
)
def test_case_95_documents_stay_inside_the_repository(pattern: str) -> None:
    problem = only_problem(f'[policy]\ndocuments = ["README.md", "{pattern}"]\n')

    assert (problem.code, problem.line) == ("bad-value", 2)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[hooks]\nrun = "rm -rf /"\n', 1),
        ('[policy]\nbody_limit = 5\nmodel = "/srv/model"\n', 3),
        ('[policy]\n\n[guard]\ncommand = "sh"\n', 4),
        ('[types.claim]\nholds = "x"\ncolour = "red"\n', 3),
        ('extends = "https://example.org/config.toml"\n', 1),
    ],
)
def test_case_95_a_key_that_is_not_ours_is_named_and_ignored(text: str, line: int) -> None:
    problem = only_problem(text)

    assert (problem.code, problem.severity, problem.line) == ("unknown-key", "warning", line)


def test_a_misspelt_key_names_the_near_miss() -> None:
    assert "did you mean body_limit?" in only_problem("[policy]\nbody_limt = 5\n").message


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"[policy]\nbody_limit = \n", 2),
        (b"a = 1\n<<<<<<< ours\n", 2),
        (b"a = 1\n\xff\xfe\n", 2),
        (b"\xff\xfea\x00", 1),
        (b"[a]\n[a]\n", 2),
        (b"a = " + b"[" * 30_000, None),
        (b"#" * (SIZE_LIMIT + 1), None),
    ],
)
def test_an_unparsable_file_is_one_problem_and_the_defaults_hold(data: bytes, line: int | None) -> None:
    config = parse(data)

    assert (config.vocabulary, config.policy) == (DEFAULTS.vocabulary, DEFAULTS.policy)
    assert [(each.code, each.severity) for each in config.problems] == [("unparsable", "error")]
    assert line is None or config.problems[0].line == line


@given(st.binary(max_size=60) | st.text("[]types.verbs=\"'policy\n 1#", max_size=60).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    assert parse(data).vocabulary.types


def test_declared_types_replace_the_shipped_ones_and_checkpoint_is_built_in() -> None:
    config = read('[types.claim]\nholds = "x"\n[domains]\nsearch = "finding"\n[domains.disk]\nholds = "bytes"\n')

    assert list(config.vocabulary.types) == ["claim", "checkpoint"]
    assert config.vocabulary.types["claim"] == Type("claim", "x")
    assert config.vocabulary.verbs == DEFAULTS.vocabulary.verbs
    assert config.vocabulary.domains == {"search": "finding", "disk": "bytes"}


def test_the_checkpoint_may_have_another_name() -> None:
    config = read('[types.stand]\nrole = "checkpoint"\n')

    assert list(config.vocabulary.types) == ["stand"]
    assert config.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        '[verbs.beats]\nreads = "x"\n',
        '[verbs.a]\nrole = "supersession"\n[verbs.b]\nrole = "supersession"\n[verbs.c]\nrole = "contradiction"\n',
        "[verbs.title]\n",
        '[types.a]\nrole = "checkpoint"\n[types.b]\nrole = "checkpoint"\n',
        "[types.A]\n[types.a]\n",
    ],
)
def test_a_vocabulary_without_its_roles_is_named_and_the_shipped_words_hold(text: str) -> None:
    config = read(text)

    assert config.vocabulary == DEFAULTS.vocabulary
    assert {each.code for each in config.problems} == {"bad-vocabulary"}
    assert all(each.line is not None for each in config.problems)


def test_an_unknown_role_is_named_and_the_word_stays() -> None:
    config = read('[types.claim]\nrole = "king"\ndurability = "volatile"\n')

    assert [each.line for each in config.problems] == [2]
    assert config.vocabulary.types["claim"] == Type("claim", durability="volatile")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_text_gives_the_preset_back(name: str) -> None:
    config = read(preset_text(name))

    assert config == Config(preset(name), Policy(), ())
    assert list(config.vocabulary.types) == list(preset(name).types)


def test_the_preset_text_says_where_a_review_branch_counts() -> None:
    said = preset_text("engram").partition("[review]")[0].rpartition("\n\n")[2]

    assert "by default there is none" in said
    assert "origin's default branch" in said and "git config gitmem.reviewBranch" in said


def test_what_the_preset_text_comments_out_is_the_default() -> None:
    text = preset_text("engram").replace('\n# branch = "main"', "")

    shown = "\n".join(
        line.removeprefix("# ") if " = " in line and "[" not in line[:14] else line for line in text.split("\n")
    )

    assert read(shown).policy == Policy()
    assert "\nbody_limit = 16384\n" in shown


@pytest.mark.parametrize("text", ["", preset_text("research"), "[policy]\nbody_limt = 5\nbody_limit = 5\n", "a ="])
def test_a_config_survives_json(text: str) -> None:
    config = read(text)

    assert from_json(json.loads(json.dumps(to_json(config)))) == config


@pytest.mark.parametrize(
    "text", [preset_text("engram"), preset_text("engram").replace("\n", "\r\n"), "# mine\n[policy]\nbody_limit = 5"]
)
def test_a_word_is_appended_and_every_byte_stays(text: str) -> None:
    added = add(text, "type", "Lesson", holds='what "we" learned', durability="episodic", brief=3)

    assert added.startswith(text)
    assert read(added).vocabulary.types["lesson"] == Type("lesson", 'what "we" learned', "episodic", None, 3)
    assert set(read(added).vocabulary.types) == {*DEFAULTS.vocabulary.types, "lesson"}
    assert read(added).policy == read(text).policy
    assert "\r\n" not in text or "\n" not in added.replace("\r\n", "")


def test_verbs_and_domains_are_appended() -> None:
    text = add(preset_text("minimal"), "verb", "inspired-by", reads="a note by a note")
    text = add(text, "domain", "构建 area", holds="builds")

    assert read(text).vocabulary.verbs["inspired-by"] == Verb("inspired-by", "a note by a note")
    assert read(text).vocabulary.domains == {"构建 area": "builds"}


@pytest.mark.parametrize(
    ("kind", "word", "options", "code"),
    [
        ("type", "Decision", {}, "already-declared"),
        ("verb", "because", {}, "already-declared"),
        ("verb", "title", {}, "bad-declaration"),
        ("verb", "beats", {"role": "supersession"}, "bad-declaration"),
        ("type", "stand", {"role": "checkpoint"}, "bad-declaration"),
        ("type", "a/b", {}, "bad-declaration"),
        ("type", "a", {"role": "king"}, "bad-declaration"),
        ("type", "a", {"reads": "x"}, "bad-declaration"),
        ("domain", "a", {"holds": "two\nlines"}, "bad-declaration"),
        ("colour", "red", {}, "unknown-kind"),
    ],
)
def test_a_word_that_cannot_be_declared_is_refused(kind: str, word: str, options: dict[str, str], code: str) -> None:
    with pytest.raises(GitmemError) as refused:
        add(preset_text("engram"), kind, word, **options)

    assert refused.value.code == code


@pytest.mark.parametrize("text", ["types = {claim = {}}\n", "a =\n", '[verbs.beats]\nrole = "reason"\n'])
def test_a_file_that_only_a_hand_can_edit_is_left_alone(text: str) -> None:
    kind, word = ("verb", "helps") if "verbs" in text else ("type", "lesson")

    with pytest.raises(GitmemError) as refused:
        add(text, kind, word)

    assert refused.value.code == "config-unclear"


def test_a_type_is_renamed_in_place() -> None:
    text = preset_text("engram") + "# decision stays here\n"

    renamed = rename(text, "type", "DECISION", "Choice")

    assert renamed == text.replace("[types.decision]", "[types.choice]")
    assert list(read(renamed).vocabulary.types)[1] == "choice"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[ types . "claim" ] # c\nholds = "claim"\n', '[ types . choice ] # c\nholds = "claim"\n'),
        ("[types]\nclaim = {brief = 1}\n", "[types]\nchoice = {brief = 1}\n"),
        ("types.claim.brief = 1\ntypes.claim.holds = 'x'\n", "types.choice.brief = 1\ntypes.choice.holds = 'x'\n"),
    ],
)
def test_a_type_is_renamed_however_its_key_is_written(text: str, expected: str) -> None:
    assert rename(text, "type", "claim", "choice") == expected


def test_a_word_of_the_defaults_is_written_out_and_renamed() -> None:
    renamed = rename("# mine\n", "verb", "replaces", "supersedes")

    assert renamed.startswith("# mine\n")
    assert read(renamed).vocabulary.verbs["supersedes"].role == "supersession"
    assert "replaces" not in read(renamed).vocabulary.verbs


def test_the_built_in_checkpoint_is_renamed() -> None:
    renamed = rename("[types.claim]\n", "type", "checkpoint", "stand")

    assert list(read(renamed).vocabulary.types) == ["claim", "stand"]


def test_a_rename_that_cannot_be_is_refused() -> None:
    text = preset_text("engram")

    for old, new, code in [("desicion", "x", "unknown-type"), ("decision", "caution", "already-declared")]:
        with pytest.raises(GitmemError) as refused:
            rename(text, "type", old, new)
        assert refused.value.code == code
    with pytest.raises(GitmemError, match="field of every note"):
        rename(text, "verb", "about", "tags")


def test_a_text_that_looks_like_a_header_is_not_renamed() -> None:
    text = "[types.claim]\n[policy]\nreview = '''\n[types.claim]\n'''\n"

    with pytest.raises(GitmemError) as refused:
        rename(text.replace("[policy]\nreview", "holds"), "type", "claim", "choice")

    assert refused.value.code == "config-unclear"
