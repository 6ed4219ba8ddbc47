"""Rivals: names of which one does the job of another, and words that part a thing from others of its kind."""

from functools import cache

# Written from knowledge of the trade, not from the pairs of notes that the comparison is measured on.

# One job a line: products, formats and algorithms that are chosen for it, one instead of another.
_JOBS = """
postgres postgresql mysql mariadb sqlite oracle mssql cockroachdb mongodb dynamodb couchdb cassandra spanner duckdb
redis memcached valkey keydb dragonfly hazelcast
kafka rabbitmq sqs nats pulsar activemq kinesis pubsub redpanda zeromq mosquitto emqx hivemq
sns twilio vonage messagebird sinch plivo nexmo
sendgrid mailgun postmark ses mailchimp brevo sparkpost mailjet
stripe adyen braintree paypal klarna mollie worldpay checkout.com
datadog grafana newrelic dynatrace honeycomb prometheus zabbix nagios cloudwatch sentry bugsnag rollbar crashlytics
loki elasticsearch opensearch solr meilisearch algolia typesense splunk graylog
jaeger zipkin tempo
jest vitest mocha jasmine ava karma
playwright cypress selenium puppeteer webdriverio testcafe detox appium maestro espresso xcuitest
pytest unittest nose
webpack vite rollup esbuild parcel turbopack rspack
npm yarn pnpm bun
react vue angular svelte solid ember
next.js nuxt remix gatsby astro
redux mobx zustand recoil jotai
flask django fastapi starlette tornado bottle
express koa fastify hapi nestjs
celery dramatiq rq huey sidekiq resque airflow dagster prefect luigi temporal
terraform pulumi cloudformation cdk bicep ansible puppet chef saltstack opentofu
jenkins buildkite circleci travis bitrise teamcity drone concourse woodpecker codemagic
github gitlab bitbucket gitea forgejo gerrit codeberg
argocd flux spinnaker
docker podman containerd crio buildah kaniko buildkit
nginx apache caddy haproxy traefik envoy
istio linkerd consul
launchdarkly unleash flagsmith growthbook statsig optimizely split.io flipt configcat
amplitude mixpanel segment posthog heap matomo plausible snowplow
braze onesignal airship iterable customer.io pushwoosh
okta auth0 keycloak cognito ory zitadel
vault doppler infisical sops
snowflake bigquery redshift databricks synapse athena trino presto
spark flink beam storm samza
parquet orc avro csv arrow
iceberg hudi delta
protobuf thrift avro msgpack flatbuffers capnproto cbor
gzip zstd lz4 snappy brotli zlib xz bzip2 deflate
rs256 es256 eddsa hs256 ed25519 rsa ecdsa
bcrypt argon2 argon2id scrypt pbkdf2 sha-256 sha-1 md5 blake3 blake2 xxhash crc32
aes chacha20 des
mlflow wandb clearml neptune comet tensorboard
pytorch tensorflow jax keras mxnet
adam sgd adamw rmsprop
triton torchserve bentoml kserve seldon
polars pandas dask modin vaex
soda dbt deequ
zephyr freertos threadx nuttx mbed riot vxworks
mqtt coap amqp http websocket grpc
cmake meson bazel ninja make scons autotools buck gradle maven sbt ant
ruff flake8 pylint eslint biome tslint oxlint
black yapf autopep8 prettier dprint
mypy pyright pyre
clang gcc msvc icc
poetry pipenv uv hatch pdm conda
mimalloc jemalloc tcmalloc
goose flyway liquibase alembic golang-migrate dbmate
gorm sqlc ent sqlx diesel sqlalchemy hibernate prisma typeorm sequelize knex
glide coil picasso fresco
coredata realm grdb swiftdata room
retrofit okhttp ktor alamofire urlsession axios
zod yup joi ajv
lokalise phrase crowdin transifex weblate poeditor
vercel netlify cloudflare heroku render fly.io
aws azure gcp hetzner ovh digitalocean linode
s3 gcs minio ceph azureblob
ec2 fargate ecs eks gke aks lambda nomad kubernetes swarm
cloudfront akamai fastly
dependabot renovate
slack teams discord mattermost zulip matrix irc
jira linear asana trello redmine shortcut youtrack bugzilla
confluence notion
pagerduty opsgenie victorops
zendesk intercom freshdesk helpscout
percy chromatic applitools
browserstack saucelabs lambdatest
figma sketch zeplin
sphinx mkdocs docusaurus hugo jekyll mdbook vuepress
linux windows macos freebsd
ubuntu debian alpine fedora centos rhel arch
python java go rust kotlin swift typescript javascript ruby scala php
json yaml toml xml ini
rest graphql grpc soap
unleash flipper
cosign notary sigstore gpg pgp
trivy grype snyk clair
"""

# One kind of thing a line: what is said of one of them need not hold for another.
_SORTS = """
staging production prod dev development test testing qa uat preprod sandbox local canary training
ios android web desktop
linux windows macos mac freebsd bsd
reader writer
primary replica secondary standby
debug release
nightly stable beta lts edge
client server
frontend backend
inbound outbound
input output
upload download
read write
public internal private
source target
v1 v2 v3 v4
eu us apac uk
hot cold
minor major patch
request response
producer consumer
guest member admin
free paid trial
unit integration e2e
batch streaming realtime
cpu gpu
ingress egress
left right
front rear
first second third
http grpc
weekday weekend
login signup
import export
serializer deserializer
encoder decoder
"""


@cache
def jobs() -> dict[str, frozenset[int]]:
    """Returns, for each product, the jobs that it does."""
    return _lines(_JOBS)


@cache
def sorts() -> dict[str, frozenset[int]]:
    """Returns, for each word that parts things, the kinds of thing that it parts."""
    return _lines(_SORTS)


def _lines(text: str) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(text.strip().split("\n")):
        for word in line.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
