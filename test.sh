#!/usr/bin/env bash
# Runs every check of the project. Needs Rust, a C++ compiler (for the fuzzers) and Python 3.10 or
# newer; does all other set-up itself, as far as it may: it installs the PostgreSQL server, the
# browser and the Java for a Spark cluster that tests start if it runs as root.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "formatting"
cargo fmt --all --check

step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings

step "a PostgreSQL server for the tests to start"
server() { compgen -G '/usr/lib/postgresql/*/bin/initdb' || command -v initdb || ls "$(pg_config --bindir)/initdb"; }
if ! server 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql
        server
    else
        echo "install a PostgreSQL server first (on Debian: apt-get install postgresql)" >&2
        exit 1
    fi
fi

step "a browser for the tests to start"
if ! command -v chromium chromium-browser google-chrome && [ ! -d "/Applications/Google Chrome.app" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
    else
        echo "install Chromium or Chrome first (on Debian: apt-get install chromium)" >&2
        exit 1
    fi
fi

step "Java 17 or newer for the Spark cluster that tests start"
java_home() {
    local home version
    for home in "${JAVA_HOME:-}" "$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")" /usr/lib/jvm/*; do
        [ -n "$home" ] || continue
        version=$("$home/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p') || true
        if [ "${version:-0}" -ge 17 ]; then echo "$home"; return; fi
    done
    return 1
}
if ! java_home; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        for version in 17 21 25; do
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "openjdk-$version-jre-headless" && break
        done
        java_home
    else
        echo "install Java 17 or newer first (on Debian: apt-get install openjdk-17-jre-headless), or set JAVA_HOME" >&2
        exit 1
    fi
fi

step "tests and the examples of the documentation"
# The same random cases in every run, so that what is landed does not depend on luck;
# PROPTEST_RNG_SEED=… ./test.sh for others.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-20}"
# Without the Python extension, which has no tests in Rust and would have to be linked with Python.
cargo test --workspace --exclude suum-python --locked

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

step "the first command of the README, as it stands there"
command=$(sed -n '/^    cargo run --release -- mean/,/[^\\]$/{p;/[^\\]$/q}' README.md | sed 's/\\$//' | tr -d '\n')
eval "$command"

step "the Python package"
# With the program that the tests in Rust have built: alone it would be built again, with fewer
# features of its dependencies.
SUUM=${CARGO_TARGET_DIR:-target}/debug/suum python/test.sh

step "fuzzing, a short run of every target"
fuzz/run.sh "${FUZZ_SECONDS:-8}"

step "everything passed"
