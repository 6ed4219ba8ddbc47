"""Instants as notes write them: UTC, to the second, with a Z."""

import re
from functools import lru_cache

_WRITTEN = (  # compiled when a text is read, which finding does not
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)? ?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)
DAY = 86_400  # seconds
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def instant(text: str) -> str | None:
    """Returns the instant as `YYYY-MM-DDTHH:MM:SSZ`, or None where the text is none.

    Without an offset it is UTC, a bare date is 00:00 UTC, and parts of a second are cut off.
    """
    match = re.fullmatch(_WRITTEN, text)
    if match is None or not _exists(match):
        return None
    year, month, day, hour, minute, second, offset = match.groups()
    normalised = f"{year}-{month}-{day}T{hour or '00'}:{minute or '00'}:{second or '00'}Z"
    return _shifted(normalised, offset) if offset and offset not in "Zz" else normalised


@lru_cache(1 << 12)
def seconds(instant: str) -> int:
    """Returns the seconds since 1970 of an instant that `instant` has normalised; each note's is asked for over and over."""
    days = _days(int(instant[:4]), int(instant[5:7]), int(instant[8:10]))
    return days * DAY + int(instant[11:13]) * 3600 + int(instant[14:16]) * 60 + int(instant[17:19])


def instant_of(seconds: int) -> str:
    """Returns the instant of seconds since 1970, no earlier than the year 1 and no later than 9999."""
    from datetime import UTC, datetime

    first, last = -62_135_596_800, 253_402_300_799
    moment = datetime.fromtimestamp(min(max(seconds, first), last), UTC)
    return moment.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _days(year: int, month: int, day: int) -> int:
    """Returns the days since 1970-01-01 (H. Hinnant, chrono-compatible low-level date algorithms, days_from_civil)."""
    year -= month <= 2
    in_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return 365 * year + year // 4 - year // 100 + year // 400 + in_year - 719468


def _exists(match: re.Match[str]) -> bool:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    if not (1 <= month <= 12 and year and 1 <= day <= _DAYS[month - 1]):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    clock = int(match[4] or 0) < 24 and int(match[5] or 0) < 60 and int(match[6] or 0) < 60
    return clock and (leap or (month, day) != (2, 29))


def _shifted(written: str, offset: str) -> str | None:
    """Returns the instant of a local time whose clock is `offset` ahead of UTC; None outside the years 1 to 9999."""
    from datetime import UTC, datetime, timedelta

    hours, minutes = int(offset[1:3]), int(offset[3:].removeprefix(":") or 0)
    if hours > 23 or minutes > 59:
        return None
    ahead = timedelta(hours=hours, minutes=minutes) * (-1 if offset[0] == "-" else 1)
    try:
        moment = datetime.fromisoformat(written[:-1]).replace(tzinfo=UTC) - ahead
    except OverflowError:
        return None
    return moment.isoformat().removesuffix("+00:00") + "Z"
