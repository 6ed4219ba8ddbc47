"""Words of engineering English that tell how a claim is meant: denied, allowed, wanted, of all or of some, over or so."""

# Written from knowledge of the language, not from the pairs of notes that the comparison is measured on.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words too common to tell a subject.
COMMON = _words("""
a an the this that these those it its it's they them their there here he she we us our you your i my me who whom
whose which what and or nor but so yet for of to in on at by from with into onto over under about as than then while
when where if unless because since until till though although whether be is are was were been being am do does did
done doing have has had having will would shall should can could may might must need ought let's get gets got
getting gotten make makes made making go goes going gone just even also too very quite rather much more most some
any each every all both either neither no not only own same such other another else still already now today again
once often usually normally generally always never ever however hence thus therefore otherwise instead anyway per
via etc e.g i.e eg ie one ones two up out down way thing things something anything nothing everything lot kind sort
well like see note due without within across after before during between through against among upon toward towards
whatever how why yes s t re ve ll d m
""")

# What turns a claim round; every word that ends in n't does, too.
NEGATORS = _words("""
not no never none nothing nobody neither nor without cannot nowhere hardly scarcely barely seldom rarely n't non
zero
""")

# Words that deny something by themselves, where nothing in the other clause answers them.
NEGATIVE = _words("""
fail fails failed failing lack lacks lacking missing miss misses refuse refuses refused reject rejects rejected
unable impossible ineffective prevent prevents prevented unsupported broken breaks prohibit deny denies denied
exclude excludes excluded omit omits ignore ignores ignored skip skips skipped disable disables disabled off absent
unavailable unsafe invalid incomplete
""")

# What says that something must not be.
FORBID = _words("""
forbidden forbid forbids prohibited prohibit prohibits banned ban bans disallowed disallow disallows refrain avoid
avoided avoids unacceptable inadmissible impermissible taboo verboten discouraged off-limits barred illegal outlawed
abstain
""")

# What says so behind a form of "be".
REFUSED = _words("""
refused rejected denied declined blocked vetoed
""")

# What says that something may be.
PERMIT = _words("""
may allowed allow allows permitted permit permits fine ok okay acceptable acceptably welcome legitimate tolerated
free permissible admissible accepted encouraged sanctioned
""")

# What may say so.
ABLE = _words("""
can could able possible
""")

# What says that something must be.
REQUIRE = _words("""
must always required require requires mandatory shall should obligatory compulsory enforce enforced needs need
""")

# Things that come in rows, each with its number: what is said of one is not said of the next.
NUMBERED = (
    "ticket", "issue", "bug", "pr", "story", "task", "epic", "migration", "sprint", "iteration", "milestone", "release",
    "incident", "phase", "step", "chapter", "section", "rfc", "adr", "lesson", "experiment", "shard", "replica", "partition",
    "worker", "team", "room", "batch", "wave", "round", "trial", "patch", "build",
)  # fmt: skip

# What says that something need not be.
WAIVE = _words("optional unnecessary voluntary unneeded needless superfluous dispensable")

# Phrases that are read as one word, which stands in one of the tables.
PHRASES = {
    "no limit": "unlimited", "no limits": "unlimited", "free of": "without", "free from": "without", "off limits": "forbidden", "out of bounds": "forbidden", "hands off": "forbidden", "not an option": "forbidden",
    "stay away from": "avoid", "steer clear of": "avoid", "keep away from": "avoid", "stay out of": "avoid",
    "stays out of": "avoid", "keep out of": "avoid", "kept out of": "avoid", "keep clear of": "avoid",
    "feel free to": "may", "free to": "may", "at liberty to": "may", "up to you": "may", "good to go": "fine",
    "no need": "unnecessary", "not necessary": "unnecessary", "need not": "unnecessary", "needn't": "unnecessary",
    "does not need": "unnecessary", "do not need": "unnecessary", "doesn't need": "unnecessary",
    "don't need": "unnecessary", "do not have to": "unnecessary", "does not have to": "unnecessary",
    "don't have to": "unnecessary", "doesn't have to": "unnecessary", "not required": "unnecessary",
    "not mandatory": "unnecessary", "can be skipped": "unnecessary", "may be skipped": "unnecessary",
    "has to": "must", "have to": "must", "out of the box": "default", "by default": "default",
    "unless overridden": "default", "no longer": "formerly", "not any more": "formerly", "not anymore": "formerly",
    "any longer": "formerly", "used to": "formerly", "at the same time": "simultaneously",
    "in parallel": "simultaneously", "roll back": "rollback", "rolls back": "rollback", "rolled back": "rollback",
    "rolling back": "rollback", "hold up": "block", "holds up": "block", "held up": "block", "turned on": "enabled",
    "turned off": "disabled", "turn on": "enable", "turn off": "disable", "turns on": "enables",
    "turns off": "disables", "switched on": "enabled", "switched off": "disabled", "switch on": "enable",
    "switch off": "disable", "shut down": "stop", "shuts down": "stops", "left out": "omitted", "leave out": "omit",
    "leaves out": "omits", "pull request": "pr", "pull requests": "pr", "merge request": "pr", "merge requests": "pr",
    "by hand": "manually", "no exceptions": "all", "no exception": "all", "without exception": "all",
    "without exceptions": "all", "across the board": "all", "at all times": "always", "not all": "some not",
    "not every": "some not", "not always": "sometimes not", "not only": "including", "not just": "including",
    "not merely": "including", "not even": "not", "nothing but": "only", "none but": "only", "no one but": "only",
    "nobody but": "only", "nothing except": "only", "at least one": "some", "one or more": "some",
    "more than one": "several", "two or more": "several", "any number of": "several", "as many as": "several",
    "at most": "bounded", "at least": "bounded", "at most one": "single", "no more than one": "single",
    "exactly one": "single", "a single": "single", "one at a time": "single", "all but": "except",
    "apart from": "except", "aside from": "except", "other than": "except", "save for": "except",
    "with the exception of": "except", "but not": "except", "as well as": "including", "rather than": "not",
    "instead of": "not", "in place of": "not", "in lieu of": "not", "as opposed to": "not", "unlike": "unlike",
    "not impossible": "possible", "not uncommon": "common", "nothing forbids": "may", "nothing prevents": "may",
    "nothing stops": "may", "nothing against": "may", "cannot be avoided": "must", "has no effect": "ineffective",
    "have no effect": "ineffective", "no effect": "ineffective", "as long as": "if", "provided that": "if",
    "on condition that": "if", "only if": "if", "only when": "if", "only after": "after", "not until": "after",
    "in case": "if",
}  # fmt: skip

# How far a claim goes, and which way: before, after, up, down and so on; of all, of some, of one only, of all but one, of another one as well, of many, of a single one.
REACH = {
    "before": _words("before beforehand"),
    "after": _words("after afterwards"),
    "up": _words("up upward upwards"),
    "down": _words("down downward downwards"),
    "inside": _words("inside within"),
    "outside": _words("outside"),
    "left": _words("left"),
    "right": _words("right"),
    "all": _words("""
all every each any everything everywhere everyone everybody whole entire entirely always both throughout anyone
anybody anywhere universally wherever
"""),
    "some": _words("""
some several few sometimes occasionally partly partially certain many various most mostly half multiple sporadically
third quarter majority minority almost nearly often rarely seldom usually rest remaining remainder others other handful
"""),
    "only": _words("""
only solely exclusively alone merely sole purely just single
"""),
    "except": _words("""
except excepting excluding exempt exempted exception exceptions besides
"""),
    "also": _words("""
also including included too likewise even alike plus equally
"""),
    "many": _words("""
several multiple many various simultaneously concurrently
"""),
    "one": _words("""
single sole one once
"""),
}

# What begins a clause that only says when.
CONDITIONS = _words("""
unless if when whenever
""")

# Words of the past that say nothing of a subject.
SURELY_PAST = _words("""
formerly previously originally historically former until till prior ago
""")

# Words of what has changed, in either note of two.
OVER = SURELY_PAST | _words("""
was were ended gone resolved fixed retired removed replaced migrated old earlier legacy nowadays now
""")

# Finite verbs of the past: beside a clause that says what is so, such a one says what was.
WAS = _words("""
was were had did took went gave got came saw ran held kept made used lived lasted shipped lost sent wrote read left
began became stood sat spent built bought brought caught chose drew drove fell felt found froze grew knew led let
meant met paid put said sold set shut slept spoke stopped needed required existed accepted allowed served worked
stored moved dropped removed talked rejected returned started ended happened supported
""")

# Finite verbs of the present.
IS = _words("""
is are has have does do must may can will shall should needs gets goes runs takes lives keeps holds uses
""")

# Verbs that may begin an order.
ORDERS = _words("""
use keep put set run make take give let add remove delete drop avoid prefer call write read check test build deploy
ship commit push pull merge rebase open close start stop wait pass return throw raise catch handle log store save
load fetch send post cache retry limit cap pin lock unlock guard wrap split join copy move rename replace update
upgrade install configure enable disable turn switch choose pick declare define document name mark tag label sort
order validate verify review approve ask tell teach show hide render create allocate free release register attach
bind mount clean clear reset restart schedule rotate encrypt sign hash escape quote parse convert cast compare
expect assume treat follow respect ensure guarantee require allow permit forbid refuse reject accept batch stream
poll publish subscribe connect back restore migrate index query iterate walk measure profile monitor alert notify go
look try leave stay stick rely depend trust count calibrate feed patch edit change modify touch import export
include exclude expose bump bound throttle debounce serve route apply scope isolate separate record report track
dedup
""")

# Verbs that begin an order whatever follows.
SURELY_ORDERS = _words("""
iterate enable disable configure register ensure install encrypt validate verify allocate include declare define
deploy throw raise handle join attach parse assume treat follow rely depend import expose throttle debounce separate
refuse allow accept replace upgrade turn switch guard prefer quote escape store pass call return retry set put use
keep avoid make take give let add remove delete don't never always run pick choose ask
""")

# What follows a verb that is one, and no noun.
AFTER_ORDERS = _words("""
the a an all any every each it its them this that these those your our their my his no only both new one two to in
on at with by from into
""")

# Commands whose next word names what they do.
COMMANDS = _words("""
git cargo npm yarn pnpm pip go docker kubectl helm make apt brew systemctl terraform poetry uv bazel gradle mvn
""")

# Acronyms that name a kind of thing, not one of its kind.
ACRONYMS = _words("""
API APIs CPU CPUs GPU RAM SQL JSON XML CSV YAML HTTP HTTPS URL URLs URI TTL DNS TLS SSL CI CD PR PRs UI UX OS ID IDs
IO TCP UDP IP DB ORM SDK CLI GUI PDF HTML CSS UUID VM VMs ISR ISRs DLL DLLs ADC PWM LED FPS QA SLA SLO SSO IdP OIDC
MFA RPC REST CRUD ETL DDL DML VAT GET POST PUT DELETE PATCH HEAD OK NULL ASCII UTF README TODO USB PIN MR SSD HDD
NFS LRU FIFO AOT JIT AST IDE RTOS BMS IRQ DMA
""")

# Words of the trade that a general vocabulary has only in pieces.
JARGON = _words("""
timeout retry debug refresh backend runtime offline online plugin endpoint upload download checkout reload rollback
namespace watchdog rollout init hotfix cached delete schema preload auth helpdesk cron config json webhook override
stash struct admin clone docstring shutdown audit stub telemetry codebase sandbox fallback async sync subscriber
overflow dialog benchmark downlink uplink shard command switch modem firmware stderr stdout stdin lint changelog
repo bisect enum exemplar filesystem rewrite dict compile install append goroutine semicolon hostname thumbnail
bitrate coroutine cutoff timestep gitignore rebase snapshot mutex payload checksum frontend middleware microservice
monorepo workflow pipeline dataset dashboard tooltip popup layout viewport subnet gateway proxy queue cache login
logout signup username password metadata submodule worktree symlink regex parser lexer compiler linker bytecode heap
tuple boolean integer float string array hash token cookie header footer sidebar navbar modal toast spinner
placeholder checkbox dropdown markdown typo vendor artefact artifact tarball zip diff patch hook daemon cluster
replica failover throughput latency uptime downtime unit suite fixture mock coverage flag toggle canary staging
sprint backlog standup retro runbook oncall pager alert quota idempotent immutable mutable deterministic stateless
atomic invoice refund ledger locale unicode emoji charset encoder decoder codec
""")

# Endings and beginnings that no name of a tool has.
ENDINGS = tuple(
    _words("""
ing ed s er or ion able ible ly ment ness ity ive al ise ize ful less ure ance ence out back time set point space
line name base stamp ate ism ist ant ent age ary ory ish ous ic up down load off fy
""")
)
BEGINNINGS = ("un", "re", "de", "dis", "over", "under", "pre", "non", "sub", "multi")

# Verbs that deny what follows them; forms of "be"; what says that something is wanted, and, negated, unwanted.
DENIERS = _words("avoid avoids forbids prohibits disallows bans stop refrain")
BEING = _words("is are be been being have has get gets")
WANTED = _words("must always required mandatory should shall need needs")
WANTING = _words("must mustn't should shouldn't shall never")

# A word behind one of these names a thing; behind others it may say what the thing does.
BEFORE_THINGS = _words("of for in on the a an by from to with between our each every all any")

# One of these stands in every clause that is of the past; most clauses have none, and need no search.
PAST_SIGNS = _words("""
formerly previously originally historically past one first time then longer more anymore used took deprecated ago last back
replaced superseded retired dropped removed abandoned migrated switched phased renamed moved changed went once default standard
norm rule old former previous legacy original earlier older before prior until till up through than
""")
