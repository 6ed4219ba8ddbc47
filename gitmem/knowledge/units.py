"""Units and number words: what each is in base units."""

_BINARY = {"K": 2.0**10, "M": 2.0**20, "G": 2.0**30, "T": 2.0**40, "P": 2.0**50}
_DECIMAL = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}

# Names of a unit in base units of its dimension; words of more than two letters also in other case.
_NAMED = {
    "time": {
        "ns nanosecond nanoseconds nsec": 1e-9,
        "µs μs us usec microsecond microseconds micros": 1e-6,
        "ms msec millisecond milliseconds millis": 1e-3,
        "s sec secs second seconds": 1.0,
        "min mins minute minutes": 60.0,
        "h hr hrs hour hours": 3600.0,
        "d day days": 86_400.0,
        "night nights": 86_400.0,
        "week weeks wk": 604_800.0,
        "fortnight fortnights": 1_209_600.0,
        "sprint sprints": 1_209_600.0,
        "month months": 2_592_000.0,
        "quarter quarters": 7_776_000.0,
        "year years yr yrs": 31_536_000.0,
    },
    "frequency": {"Hz hertz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9, "fps": 1.0, "rpm": 1 / 60},
    "percent": {"% percent pct": 1.0, "permille ‰": 0.1},
    "bytes": {
        "bit bits bit/s bps": 0.125,
        "KBps kBps": 1e3, "MBps": 1e6, "GBps": 1e9,
        "kbit/s kbit kbits kbps Kbps kilobit kilobits": 125.0,
        "Mbit/s Mbit Mbits Mbps megabit megabits": 125e3,
        "Gbit/s Gbit Gbits Gbps gigabit gigabits": 125e6,
    },
    "baud": {"baud": 1.0},
    "length": {
        "nm": 1e-9,
        "mm millimetre millimetres millimeter millimeters": 1e-3,
        "cm centimetre centimetres centimeter centimeters": 1e-2,
        "m metre metres meter meters": 1.0,
        "km kilometre kilometres kilometer kilometers": 1e3,
        "inch inches": 0.0254,
        "foot feet ft": 0.3048,
        "yard yards": 0.9144,
        "mile miles": 1609.0,
    },
    "pixels": {"px pixel pixels": 1.0},
    "mass": {"mg": 1e-6, "g gram grams": 1e-3, "kg kilogram kilograms": 1.0, "tonne tonnes": 1e3, "lb lbs": 0.4536},
    "current": {"A amp amps ampere amperes": 1.0, "mA milliamp milliamps": 1e-3, "µA μA uA": 1e-6},
    "voltage": {"V volt volts": 1.0, "mV millivolt millivolts": 1e-3, "kV": 1e3},
    "power": {"W watt watts": 1.0, "mW": 1e-3, "kW": 1e3, "MW": 1e6},
    "resistance": {"ohm ohms": 1.0, "kohm": 1e3},
    "pressure": {"Pa": 1.0, "kPa": 1e3, "bar": 1e5},
    "temperature": {"°C degrees celsius": 1.0},
    "decibel": {"dB decibel decibels": 1.0},
    "fahrenheit": {"°F fahrenheit": 1.0},
    "volume": {"ml millilitre millilitres": 1e-3, "l litre litres liter liters": 1.0, "gallon gallons": 3.785},
    "charge": {"mAh": 1e-3, "Ah": 1.0},
    "energy": {"J joule joules": 1.0, "kJ": 1e3, "Wh": 3600.0, "kWh": 3.6e6},
    "torque": {"Nm": 1.0, "mNm": 1e-3},
    "force": {"N newton newtons": 1.0, "mN": 1e-3, "kN": 1e3},
    "angle": {"rad radian radians": 57.2958, "deg": 1.0},
    # Currencies stand apart by more than what counts as the same.
    "money": {
        "EUR euro euros €": 1.0, "USD dollar dollars $": 0.9, "GBP pound pounds £": 1.2, "CHF franc francs": 1.05,
        "cent cents": 0.01,
    },
}  # fmt: skip


def _units() -> dict[str, tuple[str, tuple[float, ...]]]:
    found: dict[str, tuple[str, tuple[float, ...]]] = {
        name: (dimension, (factor,))
        for dimension, units in _NAMED.items()
        for names, factor in units.items()
        for name in names.split()
    }
    found["per cent"] = found["percent"]
    found |= dict.fromkeys(("B", "byte", "bytes", "octet", "octets", "B/s"), ("bytes", (1.0,)))
    for letter, name in (("K", "kilo"), ("M", "mega"), ("G", "giga"), ("T", "tera"), ("P", "peta")):
        # What is sold as a megabyte is often 2^20 bytes: either is meant.
        either: tuple[str, tuple[float, ...]] = ("bytes", (_DECIMAL[letter], _BINARY[letter]))
        found |= dict.fromkeys(
            (
                f"{letter}B",
                f"{letter.lower()}B",
                f"{letter.lower()}b",
                f"{letter}B/s",
                f"{letter.lower()}B/s",
                f"{name}byte",
                f"{name}bytes",
            ),
            either,
        )
        found |= dict.fromkeys(
            (f"{letter}iB", f"{letter}i", f"{letter}ib", f"{letter}iB/s"), ("bytes", (_BINARY[letter],))
        )
    return found


UNITS = _units()

# `per minute`, `a day`, `every second`: how long each is.
EVERY = {
    "millisecond": 1e-3, "ms": 1e-3, "second": 1.0, "s": 1.0, "sec": 1.0, "minute": 60.0, "min": 60.0, "hour": 3600.0, "h": 3600.0,
    "day": 86_400.0, "night": 86_400.0, "week": 604_800.0, "month": 2_592_000.0, "quarter": 7_776_000.0, "year": 31_536_000.0,
}  # fmt: skip

# How often, in one word: how long it takes.
ADVERBS = {
    "hourly": 3600.0, "daily": 86_400.0, "nightly": 86_400.0, "weekly": 604_800.0, "fortnightly": 1_209_600.0,
    "monthly": 2_592_000.0, "quarterly": 7_776_000.0, "yearly": 31_536_000.0, "annually": 31_536_000.0, "annual": 31_536_000.0,
}  # fmt: skip

WORDS = {
    "zero": 0.0, "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0,
    "eight": 8.0, "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0, "thirteen": 13.0, "fourteen": 14.0,
    "fifteen": 15.0, "sixteen": 16.0, "seventeen": 17.0, "eighteen": 18.0, "nineteen": 19.0, "twenty": 20.0, "thirty": 30.0,
    "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "seventy": 70.0, "eighty": 80.0, "ninety": 90.0, "hundred": 100.0,
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12.0, "half": 0.5, "couple": 2.0, "each": 1.0, "every": 1.0, "once": 1.0, "twice": 2.0, "thrice": 3.0,
}  # fmt: skip

BOUNDS_MOST = (
    "at most", "no more than", "not more than", "never more than", "up to", "maximum", "maximum of", "max", "within", "under", "below", "less than",
    "fewer than", "not exceed", "never exceed", "capped at", "limited to", "limit is", "limit of", "cap of", "cap is", "as many as",
    "beyond", "above", "over", "more than", "exceed", "exceeds", "exceeding", "ceiling of", "no larger than", "no longer than",
)  # fmt: skip
BOUNDS_LEAST = (
    "at least", "no fewer than", "no less than", "not less than", "minimum", "minimum of", "min", "as few as",
    "upwards of", "not under", "not below",
)  # fmt: skip
