"""Words that people ask with for what notes say: near one another, not the same; for finding alone, never for comparing."""

# Written from knowledge of the trade, not from the questions that finding is measured on. One idea a line.
RELATED = """
crash die abort panic segfault killed
bug defect fault glitch regression
slow latency lag delay sluggish hang
speed performance throughput fast quick
memory leak oom heap ram footprint
freeze hang stall deadlock stuck unresponsive
login signin authenticate authentication auth credential
logout signout session
permission authorization authorisation access acl role rights privilege
password passphrase secret credential
money price cost charge fee bill billing invoice payment pay
refund chargeback reimburse reimbursement
buy purchase order checkout cart
customer client buyer user account subscriber
mail email smtp inbox mailer
phone mobile handset device
text sms message
upload attachment file import
download export
picture image photo thumbnail avatar icon
video clip footage media
sound audio
search lookup query find index
sort order rank ranking
filter narrow restrict
page pagination cursor offset
list listing catalogue catalog
translate translation locale language localisation localization i18n
date time timestamp clock timezone utc
schedule scheduled cron timer nightly periodic recurring
queue backlog broker topic
worker consumer job task background
event message notification signal
webhook callback hook
notify notification alert page pager oncall
dashboard chart graph panel
metric metrics telemetry instrumentation statistics stats counter
trace tracing span
log logging logs journal audit
incident outage downtime postmortem
rollback revert undo downgrade
upgrade update bump migrate migration
install installation setup provision provisioning bootstrap
uninstall remove cleanup teardown
deploy release rollout ship publish
build compile bundle package artifact
pipeline ci workflow
container docker image pod
cluster kubernetes node fleet
server host machine instance box vm
network connection socket link
dns hostname domain name
certificate cert tls ssl https
firewall proxy gateway
load balancer traffic
cache caching memoize cached
evict eviction invalidate expire purge stale
database db postgres mysql sqlite store storage
table schema column row
index indices lookup
transaction commit atomic
lock locking mutex contention
replica replication follower standby secondary
primary leader master
shard sharding partition partitioning
backup snapshot restore recovery dump
disk storage volume space
bucket blob object
key identifier id uuid
duplicate dedupe deduplicate twice repeated
unique uniqueness constraint
validate validation check verify sanity
parse parser parsing decode deserialize
serialize serialise encode format
json yaml xml toml
config configuration setting option flag parameter
toggle flag switch
default fallback
environment variable env
secret vault keychain
encrypt encryption cipher crypto
hash digest checksum fingerprint
token jwt bearer
sign signature signing
test tests testing spec suite
mock stub fake fixture double
flaky intermittent unreliable nondeterministic
coverage covered
lint linter formatter style
type typing types annotation
refactor rewrite cleanup restructure
deprecate deprecated obsolete legacy sunset
document documentation docs readme manual guide
comment docstring annotation
review reviewer approve approval
merge merging rebase
branch trunk main
tag version release
owner team maintainer responsible ownership
hire onboarding newcomer
meeting standup call
customer support ticket helpdesk
contract agreement sla
law legal compliance gdpr regulation regulatory
privacy personal pii anonymize anonymise redact
delete erase wipe purge remove
archive retain retention keep
limit quota cap throttle throttling ratelimit
retry backoff again reattempt
timeout deadline expire
concurrent concurrency parallel simultaneous race
async asynchronous background
thread process worker
batch bulk group chunk
stream streaming
pull fetch poll polling
push send publish emit
client sdk library
api endpoint route interface
request call invocation
response reply answer payload
header headers
error exception failure fail
warning warn caution
exit quit stop terminate shutdown
start boot launch startup
restart reboot reload
round rounding precision decimal float
number numeric integer count amount total
currency euro dollar cents money
tax vat
discount coupon promo voucher
stock inventory warehouse
shipping delivery courier parcel
address location place geo
map geography coordinates
sensor measurement reading probe
battery power charge energy
firmware embedded board chip
radio wireless bluetooth wifi
button click tap press
screen display view window
colour color theme palette
font typeface text
keyboard shortcut key
accessibility screenreader a11y aria
browser chrome firefox safari
frontend ui interface
render draw paint display
animation transition
scroll scrolling
form input field
upload progress spinner
reason why because rationale motivation
decide decision chose choose pick selected
forbid forbidden ban prohibit disallow never
allow permit permitted may
require must mandatory
avoid refrain shun
prefer favour favor
switch move replace migrate
instead rather alternative
compare comparison versus benchmark
measure measured benchmark profile
model weights inference predict prediction
train training learn
dataset corpus data sample
accuracy precision recall quality
vector embedding
gpu cuda accelerator
experiment trial ab
prevent avoid guard protect stop
protect safeguard shield secure defend
cause trigger lead provoke induce
find discover detect notice spot
hide conceal mask
copy duplicate clone
join combine merge unify consolidate
separate split divide isolate
grow increase expand swell
shrink reduce decrease cut
wait delay sleep pause
skip ignore omit bypass
lose lost missing drop vanish
reject refuse deny decline
dangerous risky unsafe hazard harmful
count number tally
sum total aggregate
average mean median
tool utility program command
guess estimate approximate heuristic
trust believe rely
fake forged spoof counterfeit
attack exploit vulnerability malicious attacker
spam abuse bot fraud
leak expose disclose reveal
identity account profile
weekend holiday calendar
hour minute second duration
width height dimension size
temperature heat thermal cooling
noise jitter
edge corner boundary border
big large huge oversized
empty blank null none
corrupt corrupted damaged malformed broken
old stale outdated legacy obsolete
new fresh recent latest
temporary scratch tmp transient
permanent durable lasting
cloud aws gcp azure remote hosted
manual hand human
automatic script automation automated
plan tier subscription
trial evaluation demo
vendor supplier provider third
license licence licensing copyright
pin pinned frozen fixed
naming name convention
style convention guideline standard
rule policy principle
goal aim purpose intent
problem issue trouble difficulty
solution fix workaround remedy mitigation
choice option alternative candidate
tradeoff compromise downside drawback
advantage benefit upside gain
lesson learned learnt
mistake wrong incorrect
correct right proper
leader election quorum
write save persist
open read load
close shut end
compress compression gzip zstd shrink
split chunk segment
order sequence ordering
twice double duplicate
first initial primary
last final latest
hidden secret invisible
visible shown exposed
cheap inexpensive affordable
heavy expensive costly
build construct assemble
generate produce create emit
wrap wrapper adapter shim
hook plugin extension addon
template skeleton boilerplate
sandbox isolated jail
privileged root sudo admin administrator
anonymous guest visitor
crash recovery restart
consistent consistency coherent
drift diverge divergence mismatch
align alignment aligned
sync synchronise synchronize replicate mirror
diff difference delta change
patch hotfix fix
freeze frozen stop
rotate rotation renew renewal
window interval period
burst spike peak surge
idle inactive unused
warm warmup preheat
cold start
leader coordinator controller
node member peer
health healthy liveness readiness
probe check ping
tenant organisation organization workspace
invite invitation member
draft unpublished preview
approve approval accept signoff
escalate escalation oncall pager
postmortem retrospective incident
estimate budget
deadline due date
milestone roadmap
branch fork
commit revision changeset
squash rebase
ignore exclude gitignore
encoding utf charset unicode
newline line ending crlf
whitespace indentation tabs spaces
regex pattern expression
path route location
symlink link
permission mode chmod
signal interrupt sigterm
exit status code
stdout output print
stdin input
argument flag option parameter
environment variable setting
"""
