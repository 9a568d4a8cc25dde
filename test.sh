#!/usr/bin/env bash
# Runs every check of the project. Needs Rust and a C++ compiler (for the fuzzers); does all other set-up itself.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "formatting"
cargo fmt --all --check

step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings

step "tests and the examples of the documentation"
cargo test --workspace --locked

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

step "the first command of the README, as it stands there"
command=$(sed -n '/^    cargo run --release -- mean/,/[^\\]$/{p;/[^\\]$/q}' README.md | sed 's/\\$//' | tr -d '\n')
eval "$command"

step "fuzzing, a short run of every target"
fuzz/run.sh "${FUZZ_SECONDS:-15}"

step "everything passed"
