"""Secrets in text, found by named patterns that stand here as data; the value found is never part of an answer."""

import re
from collections.abc import Iterator

from gitmem.errors import GitmemError, Problem
from gitmem.values import NamedTuple

ALLOWED = "gitmem: allow-secret"


class Secret(NamedTuple):
    """Where a secret stands, by line from 1, and the name of its pattern. Never its value."""

    line: int
    pattern: str


# Name, literal signs of which one must stand in the text, expression. Every expression is linear: it begins with a
# literal, or (~) where no character of its own run precedes, and what follows an open repetition cannot fail late.
_PATTERNS: tuple[tuple[str, str, str], ...] = (
    ("ssh-private-key", "-----BEGIN PuTTY-User", r"-----BEGIN OPENSSH PRIVATE[ ]KEY-----|PuTTY-User-Key-File-\d"),
    ("pem-private-key", "-----BEGIN", r"-----BEGIN (?!OPENSSH)(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"),
    ("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("aws-access-key", "AKIA ASIA ABIA ACCA", r"~(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("google-api-key", "AIza", r"~AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("gcp-oauth", "GOCSPX- ya29.", r"~(?:GOCSPX-|ya29\.)[A-Za-z0-9_-]{20,}"),
    ("azure-storage-key", "AccountKey= SharedAccessKey=", r"(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}"),
    ("azure-client-secret", "Q~", r"(?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~.-])"),
    ("azure-sas", "sig=", r"[?&]sig=[A-Za-z0-9%+/]{40,}"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"~(?:gh[opusr]_[A-Za-z0-9]{36,}|github_pat_\w{40,})"),
    ("gitlab-token", "gl", r"~gl(?:pat|dt|rt|cbt|ptt|ft|ffct|soat|imt|agent|oas)-[A-Za-z0-9_-]{20,}"),
    ("bitbucket-token", "ATBB ATCTT3 ATATT3", r"~(?:ATBB[A-Za-z0-9]{24,}|AT(?:CT|AT)T3[A-Za-z0-9_=-]{60,})"),
    ("slack-token", "xox xapp-", r"~(?:xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,})"),
    ("slack-webhook", "slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,}"),
    ("discord-token", ".", r"~[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
    ("discord-webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{17,20}/[A-Za-z0-9_-]{40,}"),
    ("telegram-token", ":", r"~\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("stripe-key", "sk_ rk_ whsec_", r"~(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})"),
    ("twilio-key", "SK", r"~SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("sendgrid-key", "SG.", r"~SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    ("npm-token", "npm_", r"~npm_[A-Za-z0-9]{36,}"),
    ("pypi-token", "pypi-AgE", r"~pypi-AgE[A-Za-z0-9_-]{40,}"),
    ("anthropic-key", "sk-ant-", r"~sk-ant-[A-Za-z0-9_-]{20,}"),
    ("openai-key", "sk-", r"~sk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20,})"),
    ("huggingface-token", "hf_ api_org_", r"~(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    ("groq-key", "gsk_", r"~gsk_[A-Za-z0-9]{40,}"),
    ("xai-key", "xai-", r"~xai-[A-Za-z0-9]{60,}"),
    ("docker-token", "dckr_pat_", r"~dckr_pat_[A-Za-z0-9_-]{24,}"),
    ("digitalocean-token", "do", r"~do[opr]_v1_[0-9a-f]{64}"),
    ("shopify-token", "shp", r"~shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("vault-token", "hvs.", r"~hvs\.[A-Za-z0-9_-]{24,}"),
    ("jwt", "eyJ", r"~eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
)
_START = "(?<![A-Za-z0-9_-])"

# `://user:password@host`; over lower-cased text, `key = value` and `Authorization: scheme value`.
_URL = r"""://[^\s/:@"'<>]{0,200}:(?P<value>[^\s/@"'<>]{3,200})@[\w.\[$-]"""
_BEFORE_KEY = ("api", "access", "secret", "private", "encryption", "signing", "shared")
_KEY = "|".join(f"(?<={word}key)|(?<={word}[_-]key)|(?<={word} key)" for word in _BEFORE_KEY)
_ASSIGNMENT = (
    rf"(?P<key>passphrase|password|passwd|pwd|secret|token|key(?:{_KEY}))"
    r"""["'`*_)\]]{0,3}(?:[ \t]?:[ \t]?str(?:ing)?(?:[ \t]\|[ \t]none)?)?[ \t]{0,16}(?::=|=>|=|:)[*_]{0,2}[ \t]{0,16}"""
    r"""(?:(?P<quote>["'`])(?P<quoted>[^\s"'`]{6,200})(?P=quote)|["'`]?(?P<bare>[^\s"'`,;&]{6,200}))"""
)
_AUTHORIZATION = (
    r"""authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:bearer|basic|token)[ \t]{1,8}(?P<value>[^\s"'`,;]{16,200})"""
)

# What stands for a value instead of being one: templates, variables, calls, masks, paths, and words that say so.
_STAND_IN = r"""(?xi)
    [<>] | \$[\w({] | \{\{ | %\( | ^% | \.\.\. | … | ^\*+ | x{4} | \*{3} | ^[\w.]*[(\[{] | ^[~.]?/ | ^\w+:
  | ^(?:os|process|env|secrets|self|config|settings|args|request|options)\.
  | ^(?:your|example|sample|dummy|fake|placeholder|change[-_]?(?:me|this)|redacted|insert|replace|todo|none|null)
  | ^(?:argon2|bcrypt|scrypt|pbkdf2|sha-?\d|hmac|base64|md5|oauth2?|passw(?:or)?d|undefined|required|optional)
"""
_URL_STAND_INS = ("user", "pass", "pwd", "pw", "secret", "token", "root", "admin", "guest", "test", "postgres", "mysql")
_HASH = (
    "[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
_IDENTIFIER = r"(?:[a-z]{1,40}\d{0,3}|\d{1,4})(?:[._/:-]{1,2}(?:[a-z]{1,40}\d{0,3}|\d{1,4}))*[.:!?)*_]{0,3}"


def find(text: str) -> list[Secret]:
    """Returns the secrets in a text, in the order of lines, each pattern once a line.

    A line that says `gitmem: allow-secret` has none.
    """
    found = [*_named(text), *_in_urls(text), *_assigned(text)]
    if not found:
        return []
    lines = _lines(text, [offset for offset, _ in found])
    allowed = set(_lines(text, [match.start() for match in re.finditer(ALLOWED, text)]).values())
    return sorted({Secret(lines[offset], name) for offset, name in found if lines[offset] not in allowed})


def check(text: str, what: str) -> None:
    """Raises GitmemError `secret` for a text that holds one; the sentence names its line, its pattern and `what` it is of."""
    found = find(text)
    if found:
        message = f"Line {found[0].line} of {what} holds what looks like a secret ({found[0].pattern})."
        hint = f"Keep the secret out of memory, or end that line with `{ALLOWED}` if it is none."
        raise GitmemError("secret", message, hint)


def problems(path: str, text: str) -> list[Problem]:
    """Returns a problem for each secret in a file's text."""
    return [
        Problem(
            path,
            secret.line,
            "secret",
            "error",
            f"The line holds what looks like a secret ({secret.pattern}).",
            f"Take it out and revoke it, or end the line with `{ALLOWED}` if it is none.",
        )
        for secret in find(text)
    ]


def untold(problem: Problem, *, sure: bool = False) -> Problem:
    """Returns a problem that repeats no secret: one whose words quote what looks like one, or surely do, says less."""
    if not sure and not find(f"{problem.message}\n{problem.hint or ''}"):
        return problem
    message = f"What is wrong here ({problem.code}) is not repeated, as it looks like a secret."
    return problem._replace(message=message, hint="Take the secret out of the line and revoke it.")


def _named(text: str) -> Iterator[tuple[int, str]]:
    for name, signs, expression in _PATTERNS:
        if any(sign in text for sign in signs.split(" ")):
            for match in re.finditer(re.sub("^~", _START, expression), text):
                if not re.search("[xX*]{12}", match[0]):
                    yield match.start(), name


def _in_urls(text: str) -> Iterator[tuple[int, str]]:
    for match in re.finditer(_URL, text):
        value = match["value"]
        if not (_is_stand_in(value) or value.lower() in _URL_STAND_INS or re.fullmatch(r"\d{1,5}", value)):
            yield match.start(), "url-credentials"


def _assigned(text: str) -> Iterator[tuple[int, str]]:
    lowered = _lowered(text)
    for match in re.finditer(_ASSIGNMENT, lowered):
        value = text[slice(*match.span("quoted" if match["quoted"] else "bare"))]
        weak = match["key"] in ("secret", "token") and not _is_qualified(lowered, match.start())
        if match["key"].startswith("p"):
            likely = _is_password(value, quoted=match["quoted"] is not None)
        else:
            likely = _is_token(value) and not (weak and _is_hash(value))
        if likely:
            yield match.start(), "assigned-secret"
    if "authorization" in lowered:
        for match in re.finditer(_AUTHORIZATION, lowered):
            if _is_token(text[slice(*match.span("value"))]):
                yield match.start(), "authorization-header"


def _is_qualified(lowered: str, start: int) -> bool:
    """Returns whether the key says whose secret or token it is, so that even a hexadecimal value is one."""
    return lowered[max(0, start - 7) : start].rstrip("_- ").endswith(("client", "auth", "access", "api"))


def _is_password(value: str, *, quoted: bool) -> bool:
    mixed = re.search("[A-Za-z]", value) is not None and re.search(r"[\d!@#$%^&*]", value) is not None
    if not mixed or _is_stand_in(value):
        return False
    return quoted or (len(value) >= 8 and not _is_identifier(value))


def _is_token(value: str) -> bool:
    digits = len(re.findall(r"\d", value))
    mixed = re.search("[A-Za-z]", value) is not None and digits > (0 if len(value) >= 32 else 1)
    return mixed and len(value) >= 16 and not _is_stand_in(value) and not _is_identifier(value)


def _is_stand_in(value: str) -> bool:
    return re.search(_STAND_IN, value) is not None


def _is_hash(value: str) -> bool:
    return re.fullmatch(_HASH, value, re.IGNORECASE) is not None


def _is_identifier(value: str) -> bool:
    return re.fullmatch(_IDENTIFIER, value, re.IGNORECASE) is not None


def _lowered(text: str) -> str:
    """Returns the text in lower case with every character where it was."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return re.sub("[A-Z]+", lambda match: match[0].lower(), text)


def _lines(text: str, offsets: list[int]) -> dict[int, int]:
    """Returns the line, from 1, of each offset."""
    lines: dict[int, int] = {}
    line, last = 1, 0
    for offset in sorted(offsets):
        line, last = line + text.count("\n", last, offset), offset
        lines[offset] = line
    return lines
