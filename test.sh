#!/usr/bin/env bash
# Checks suum, and says how long each step took.
#
#   ./test.sh quick   format, lints, unit tests, laws at small sizes, of all but the program of the
#                     experiments; an answer in a minute
#   ./test.sh         everything that a change must pass
#   ./test.sh ci      that, with all trials of statistical tests, program and wheel as users build
#                     them, and a short run of every fuzzer: what runs before a change lands
#   ./test.sh long    that, with ten times the random cases, an hour of fuzzing and all experiments
#                     in full; takes hours
#
# Needs Rust and Python 3.11 or newer, and a C++ compiler for the fuzzers. Does all other set-up
# itself, as far as it may: as root it installs the PostgreSQL server, the browser and the Java for
# a Spark cluster that tests start. A quick run needs Rust only.
set -euo pipefail
cd "$(dirname "$0")"

extent=${1:-all}
case $extent in
    quick | all | ci | long) ;;
    *) echo "usage: ./test.sh [quick|ci|long]" >&2; exit 2 ;;
esac

# The same random cases in every run, so that what is landed does not depend on luck;
# PROPTEST_RNG_SEED=… ./test.sh for others.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-20}"
export SUUM_TESTS=$extent

times=()
step() {
    finish
    current=$1
    since=$SECONDS
    printf '\n== %s\n' "$current"
}
finish() {
    [ -z "${current:-}" ] || times+=("$(printf '%5d s  %s' $((SECONDS - since)) "$current")")
    current=
}

installed() { command -v "$@" >/dev/null; }

# Installs one of these packages of Debian, or says what to install.
install() {
    local what=$1 package
    shift
    if [ "$(id -u)" = 0 ] && installed apt-get; then
        apt-get update -qq
        for package; do
            DEBIAN_FRONTEND=noninteractive \
                apt-get install -y -qq --no-install-recommends "$package" && return
        done
    fi
    echo "install $what first (on Debian: apt-get install $1)" >&2
    exit 1
}

server() {
    compgen -G '/usr/lib/postgresql/*/bin/initdb' || installed initdb ||
        ls "$(pg_config --bindir)/initdb"
}

browser() {
    installed chromium || installed chromium-browser || installed google-chrome ||
        [ -d "/Applications/Google Chrome.app" ]
}

java_home() {
    local home version on_path
    on_path=$(readlink -f "$(command -v java)") || true
    for home in "${JAVA_HOME:-}" "${on_path%/bin/java}" /usr/lib/jvm/*; do
        [ -x "$home/bin/java" ] || continue
        version=$("$home/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p') || true
        [ "${version:-0}" -lt 17 ] || return 0
    done
    return 1
}

step "formatting, and the lock file of the fuzzers"
cargo fmt --all --check
# The fuzzers are a workspace of their own: a dependency added to a crate must reach their lock file
# too.
cargo metadata --locked --format-version 1 --manifest-path fuzz/libfuzzer/Cargo.toml >/dev/null

# `cargo clippy` checks everything and keeps no code, so that the tests would have to be built
# afterwards, from the start. Its driver is a compiler: here it lints what it builds.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver
export CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"
# With the Python extension, which has no tests in Rust, so that dependencies have the features that
# it asks for, and are not built again for it.
workspace=(--workspace --locked)

if [ "$extent" = quick ]; then
    # No other crate depends on the program of the experiments, and the extension needs Python.
    workspace+=(--exclude suum-experiments --exclude suum-python)
    step "lints, and a build of the tests"
    cargo test "${workspace[@]}" --quiet --tests --no-run

    step "unit tests, and laws at small sizes; those that take seconds are ignored"
    cargo test "${workspace[@]}" --quiet --tests
else
    step "a PostgreSQL server, a browser, and Java 17 or newer for a Spark cluster"
    server >/dev/null 2>&1 || install "a PostgreSQL server" postgresql
    browser || install "Chromium or Chrome" chromium
    java_home || install "Java 17 or newer" openjdk-{17,21,25}-jre-headless

    step "lints, and a build of tests and benchmarks"
    cargo test "${workspace[@]}" --quiet --tests --benches --no-run

    step "tests, the documentation and its examples"
    mkdir -p "${CARGO_TARGET_DIR:-target}/doc"
    DOCUMENTATION=$(cd "${CARGO_TARGET_DIR:-target}/doc" && pwd) RUSTDOC=$PWD/.ci/rustdoc \
        cargo test "${workspace[@]}" -- --include-ignored

    program=${CARGO_TARGET_DIR:-target}/debug/suum
    command=$(sed -n '/^    cargo run --release -- mean/,/[^\\]$/{p;/[^\\]$/q}' README.md |
        sed 's/\\$//' | tr -d '\n')
    if [ "$extent" = all ]; then
        step "the first command of the README, by the program that was tested"
        eval "${command/cargo run --release --/$program}"
        profile=dev
    else
        # Release builds of the program and the wheel take minutes: `ci` and `long` build both as
        # users do, without the driver that lints.
        step "lints of the Python extension, and documentation as users build it"
        cargo check --workspace --locked --quiet
        RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
        unset RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS

        step "the first command of the README, as it stands there"
        eval "$command"
        profile=release
    fi

    step "the Python package"
    # With the program that the tests in Rust have built: alone it would be built again, with fewer
    # features of its dependencies. So is the extension in `all`, which lints it.
    SUUM=$program PROFILE=$profile python/test.sh
fi

# Compares licences, sources and versions with deny.toml; it needs no network but to be installed,
# which takes minutes. Tests in Rust check licences and sources, too, from what crates declare.
if [ "$extent" != quick ]; then
    step "what the project is built from, by cargo-deny"
    export PATH=$PATH:$PWD/target/tools/bin
    if [ "$extent" = long ] && ! installed cargo-deny; then
        cargo install --quiet --locked --version 0.20.2 --root target/tools cargo-deny
    fi
    if installed cargo-deny; then
        cargo deny --offline --log-level error check licenses bans sources
    else
        echo "not run: cargo install cargo-deny"
    fi
fi

if [ "$extent" = ci ]; then
    step "fuzzing, a short run of every target"
    fuzz/run.sh "${FUZZ_SECONDS:-8}"
elif [ "$extent" = long ]; then
    step "the declared Rust version"
    declared=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    if installed rustup && rustup toolchain list | grep -q "^$declared"; then
        cargo "+$declared" check --workspace --exclude suum-python --all-targets --locked
    else
        echo "not run: rustup toolchain install $declared --profile minimal"
    fi

    step "fuzzing, an hour in all"
    fuzz/run.sh "${FUZZ_SECONDS:-360}"

    step "all experiments"
    cargo run --release --locked -p suum-experiments -- run all --out experiments-out
fi

finish
printf '\n== everything passed\n'
printf '%s\n' "${times[@]}" "$(printf '%5d s  in all' $SECONDS)"
