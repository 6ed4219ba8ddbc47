"""A thesaurus of engineering English: words that mean the same, and words that mean the opposite."""

# Written from knowledge of the language, not from the pairs of notes that the comparison is measured on.

# One idea a line: words that say it, and after a stroke words that deny it.
OPPOSITES = """
include contain cover carry comprise embed bundle count / exclude omit lack miss missing absent leave_out left_out devoid
enable activate switch_on turn_on turned_on switched_on active engage / disable deactivate switch_off turn_off turned_off switched_off inactive
on / off
work function operate succeed pass / fail break broken crash malfunction error choke
support handle cope / unsupported
accept admit take honour honor obey respect follow / reject refuse deny decline disregard ignore
safe / unsafe dangerous hazardous racy risky
secure / insecure vulnerable
compatible interchangeable interoperable / incompatible mismatched
keep retain preserve persist survive remain stay / lose drop discard forget vanish disappear clear wipe erase evict lost
equal identical same match / differ different unequal mismatch distinct
deterministic reproducible stable repeatable / nondeterministic unstable random irreproducible flaky
ordered sorted / unordered unsorted shuffled
block stall hold_up wait hang
sync synchronous blocking / async asynchronous
mutable changeable writable editable / immutable readonly read-only frozen
valid legal well-formed / invalid illegal malformed
complete full finished done whole / incomplete partial unfinished
present exist there available reachable / unavailable unreachable gone nonexistent
public exposed external / private internal hidden
visible shown displayed / invisible
required mandatory compulsory obligatory necessary needed need require / optional unnecessary needless unneeded superfluous voluntary
encrypted encrypt / unencrypted plaintext cleartext plain
compressed compress / uncompressed
signed sign / unsigned
cached cache memoise memoize / uncached
tracked track versioned / untracked untrack
known / unknown
tested covered / untested uncovered
documented document / undocumented
used use / unused
limited bounded capped / unlimited unbounded limitless uncapped
blocked / unblocked
locked lock / unlocked unlock lock-free lockless
shared share common / separate unshared exclusive isolated dedicated
atomic transactional / nonatomic torn
idempotent harmless / non-idempotent
consistent coherent / inconsistent
case-sensitive / case-insensitive
sensitive / insensitive
reliable robust / unreliable fragile brittle
fast quick rapid / slow sluggish
cheap inexpensive / expensive costly
high large big / low small little tiny
long / short brief
early / late
before / after
more greater higher larger longer / fewer less lower smaller shorter
increase raise grow rise bump / decrease reduce shrink fall lower
maximum max ceiling upper / minimum min floor lower_bound
begin start launch boot open / stop end finish terminate shut_down close exit
add insert append attach create / remove delete detach drop strip purge
allocate acquire / free release deallocate
first / last second subsequent later
ascending / descending
eager eagerly / lazy lazily
automatic automatically implicit implied auto / manual manually by_hand explicit explicitly
strict strictly / lenient loose tolerant lax
inclusive / exclusive
persistent durable / ephemeral volatile transient temporary
local / remote
online / offline
push / pull
always invariably / never
inside within / outside
up / down
true yes / false no
reach meet meets met attain / miss fail
gross / net
touched / untouched alone
work works working / vain
merge merged / split
hot / cold warm
single sole one / multiple several many
thread-safe threadsafe / thread-unsafe
stateless / stateful
nullable / non-null
affected affect influence / unaffected ineffective
guaranteed guarantee assured ensure promise / unguaranteed
recoverable / unrecoverable irrecoverable
reversible undoable / irreversible one-way
skip bypass circumvent evade
rollback roll_back undo revert reverse restore
propagate replicate copy carried
refresh update updated reload renew
overwrite clobber replace override
overlap collide conflict clash
unique / duplicate repeated repeat
inherit / override
portable / platform-specific
backward backwards / forward forwards
approve approved / disapprove
trust trusted / untrusted distrust
healthy green / unhealthy red
pinned fixed / floating
static / dynamic
dense / sparse
relative / absolute
dry / wet
"""

# Words that mean the same here, without an opposite.
ALIKE = """
store storage save saved persist keep kept hold held live lives sit reside stored put housed
run runs running execute execution run_on runs_on
send sends sent transmit emit deliver dispatch post publish upload
receive consume subscribe ingest
read reads reader fetch load retrieve query
write writes writer
test tests testing spec
build builds compile compilation
deploy deploys deployment rollout release releases ship shipped
secret secrets credential credentials password passwords token key keys
retry retries retried reattempt reattempts attempt attempts try tries tried
timeout time_out deadline expire expires expiry expiration lifetime ttl max-age valid
limit cap maximum most threshold ceiling quota bound
error errors exception failure fault
job task worker
app application client
user users customer person people everyone anybody
developer developers engineer engineers dev devs
server host machine node box
db database
repo repository
config configuration setting settings option
folder directory
file files
function method routine
argument parameter arg
record row entry tuple
table tables relation
column field attribute
message event notification
log logs logging logged
dependency dependencies package packages library libraries module
pr pull_request merge_request
review reviewer reviewed approval approve approved
environment env
production prod live
staging preprod
image picture photo
doc docs documentation docstring document
default defaults unless_overridden out_of_the_box stock by_default preset
interval period cadence frequency every
size length capacity amount
rate throughput bandwidth
number count
request requests call calls invocation
response reply answer answers return returns
endpoint route url path
browser frontend ui
backend server-side
check verify validate verification validation
choose pick select
use uses using used employ rely utilize utilise via through
change changes modify modification edit edits alter mutate
show shows display render present
name named called titled
port listens listen
backup snapshot dump
migrate migration migrations move moves
monitor observe watch
warn warning alert
branch branches
commit commits
thread threads
process processes
lock locks mutex
memory ram heap
disk drive volume
cpu core cores processor
nightly night daily day
"""
