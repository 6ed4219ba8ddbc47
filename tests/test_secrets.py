"""Secrets: what is found and named, what passes, and how long it may take. Every secret is put together here."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.notes.secrets import Secret, find

A, D, X = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC" * 4, "0123456789" * 3, "0123456789abcdef" * 8
EYJ = "ey" + "J"

SECRETS = [
    ("pem-private-key", "-----BEGIN RSA PRIV" + "ATE KEY-----"),
    ("pem-private-key", "-----BEGIN PRIV" + "ATE KEY-----"),
    ("pem-private-key", "-----BEGIN PGP PRIV" + "ATE KEY BLOCK-----"),
    ("ssh-private-key", "-----BEGIN OPENSSH PRIV" + "ATE KEY-----"),
    ("ssh-private-key", "PuTTY-User-" + "Key-File-3: ssh-ed25519"),
    ("age-secret-key", "AGE-SECRET-" + "KEY-1" + "QPZRY9X8" * 7 + "QP"),
    ("aws-access-key", "AK" + "IAIOSFODNN7EXAMPLE"),
    ("google-api-key", "AI" + "za" + A[:35]),
    ("gcp-oauth", "GOC" + "SPX-" + A[:28]),
    ("gcp-oauth", "ya" + "29." + A[:40]),
    ("azure-storage-key", "Account" + "Key=" + A[:86] + "=="),
    ("azure-client-secret", "a1B8" + "Q~" + A[:34]),
    ("azure-sas", "https://example.org/b?sv=1&s" + "ig=" + A[:44]),
    ("github-token", "gh" + "p_" + A[:36]),
    ("github-token", "github" + "_pat_" + A[:22] + "_" + A[:59]),
    ("gitlab-token", "gl" + "pat-" + A[:20]),
    ("bitbucket-token", "AT" + "BB" + A[:32]),
    ("slack-token", "xo" + "xb-" + D[:12] + "-" + A[:24]),
    ("slack-webhook", "https://hooks.slack" + ".com/services/T0000AAAA/B0000AAAA/" + A[:24]),
    ("discord-token", "M" + A[:23] + "." + A[:6] + "." + A[:27]),
    ("discord-webhook", "https://discord" + ".com/api/webhooks/" + D[:18] + "/" + A[:68]),
    ("telegram-token", D[:9] + ":" + "AA" + A[:33]),
    ("stripe-key", "sk" + "_live_" + A[:24]),
    ("twilio-key", "S" + "K" + X[:32]),
    ("sendgrid-key", "S" + "G." + A[:22] + "." + A[:43]),
    ("npm-token", "np" + "m_" + A[:36]),
    ("pypi-token", "pypi-" + "AgEIcHlwaS5vcmc" + A[:60]),
    ("openai-key", "sk" + "-" + A[:48]),
    ("openai-key", "sk" + "-proj-" + A[:60]),
    ("anthropic-key", "sk" + "-ant-api03-" + A[:80]),
    ("huggingface-token", "h" + "f_" + A[:34]),
    ("groq-key", "gs" + "k_" + A[:52]),
    ("vault-token", "hv" + "s." + A[:24]),
    ("jwt", f"{EYJ}hbGciOiJI.{EYJ}zdWIiOiIx.{A[:20]}"),
    ("url-credentials", "postgres://app:" + A[:9] + "@db.example.org/x"),
    ("url-credentials", "https://" + "x:" + A[:9] + "@example.org"),
    ("authorization-header", "Authorization: Bear" + "er " + A[:24]),
]
ASSIGNED = [
    "pass" + "word: hunter2hunter2",
    "pass" + 'word = "hunter2"',
    "DB_PASS" + "WORD=Summer2024",
    "**Pass" + "word**: `hunter2hunter2`",
    '"pass' + 'word": "p@ssed-by"',
    "pass" + 'word: str = "hunter2hunter2"',
    "api_" + "key = '" + A[:20] + "'",
    "API-" + "KEY: " + X[:32],
    "client_" + "secret: " + X[:40],
    "aws_secret_access_" + "key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE" + "KEY",
    "GITHUB_TO" + "KEN=" + A[:24],
    "İ pass" + "word: hunter2hunter2",
]
PLAIN = [
    "commit 3fa9c1d2b4e5f60718293a4b5c6d7e8f90a1b2c3 is the first",
    "sha256: " + "9f86d081884c7d659a2feaa0c55ad015" * 2,
    "token: 123e4567-e89b-12d3-a456-426614174000",
    "secret: 3fa9c1d2b4e5f60718293a4b5c6d7e8f90a1b2c3",
    "the password: see vault",
    "Password hashing: argon2id with 64 MiB",
    "password: argon2id-v1.3",
    "password = <token>",
    "password = ${DB_PASSWORD_1}",
    "password: xxxxxxxx1",
    "password = changeme123",
    'password = os.environ["DB_PASSWORD_1"]',
    "password = getpass2(prompt1)",
    "password = None",
    "password = settings.db2_password2",
    "password: /run/secrets/db1",
    "token = request.headers2.authorization_token",
    "token = parse_bearer_token_v2",
    "secret: my-app-v2-tls-secret-name",
    "api_key = your-api-key-1234567890",
    "max_tokens: 4096, token budget: 16000",
    "The key: plain-files-over-a-database-3fa9c1",
    "git@github.com:owner/repo.git and ssh://git@example.org:22/x",
    "postgres://user:password@localhost/db",
    "https://x:${TOKEN}@example.org and https://x:<token>@example.org",
    "http://localhost:8080/@scope/package",
    "gh" + "p_" + "x" * 36,
    "AKIA is what the keys begin with",
    "task-sk-learn-is-a-library-and-not-a-key-at-all",
    "gitmem/storage/git.py::commit_paths@3fa9c1d",
    "Authorization: Bearer <token-of-the-user>",
    "pwd: /home/user1/project",
]


@pytest.mark.parametrize(("pattern", "secret"), SECRETS)
def test_case_96_a_secret_is_found_by_its_pattern(pattern: str, secret: str) -> None:
    assert find(f"title\r\n\nsee {secret} there\n") == [Secret(3, pattern)]


@pytest.mark.parametrize("line", ASSIGNED)
def test_case_96_an_assigned_secret_is_found(line: str) -> None:
    assert find(f"first\n{line}\n") == [Secret(2, "assigned-secret")]


@pytest.mark.parametrize("line", PLAIN)
def test_case_96_what_is_no_secret_passes(line: str) -> None:
    assert find(f"{line}\n") == []


@pytest.mark.parametrize("secret", [secret for _, secret in SECRETS] + ASSIGNED)
def test_the_line_that_allows_it_passes_and_no_other(secret: str) -> None:
    allowed = f"{secret} <!-- gitmem: allow-secret -->"

    assert find(allowed) == []
    assert {each.line for each in find(f"{allowed}\n{secret}\n{allowed}")} == {2}


def test_secrets_come_by_line_and_each_pattern_once_a_line() -> None:
    aws, github = "AK" + "IA" + "A1B2C3D4E5F6G7H8", "gh" + "p_" + A[:36]

    found = find(f"{github} {github}\n{aws} {github}\n")

    assert found == [Secret(1, "github-token"), Secret(2, "aws-access-key"), Secret(2, "github-token")]


def test_the_value_is_never_told() -> None:
    assert all(secret[-12:] not in repr(find(secret)) for _, secret in SECRETS)


@given(st.text())
def test_any_text_can_be_looked_through(text: str) -> None:
    assert all(1 <= each.line <= text.count("\n") + 1 for each in find(text))


HOSTILE = [
    *(EYJ, EYJ + "aaaaaaaa.", "AKIA", "password:", 'password:"', "token=<", "://", "://a:", "gh" + "p_", "sk-"),
    *(
        "-----BEGIN A ",
        "M" * 24 + ".",
        "12345678:",
        "a1Q~",
        "ATATT3=",
        "S" + "G.aaaaaaaaaaaaaaaa.",
        "key ",
        "sig=?sig=",
    ),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_line_of_a_megabyte_takes_linear_time(piece: str) -> None:
    line = piece * (1_000_000 // len(piece))

    began = time.process_time()
    find(line)

    assert time.process_time() - began < 2
