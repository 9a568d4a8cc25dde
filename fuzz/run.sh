#!/bin/sh
# Runs every fuzz target for a while: fuzz/run.sh [SECONDS], 10 by default. Fails if one of them
# crashes.
#
# Every run tries the same inputs, as far as it comes; FUZZ_SEED=… fuzz/run.sh tries others.
#
# Needs only the stable toolchain: coverage comes from LLVM's own pass, and the sanitizers are left
# out because the crates have no unsafe code. The corpus in the repository is copied and never
# written to; a crashing input stays in fuzz/artifacts.
set -eu

seconds="${1:-10}"
here=$(cd "$(dirname "$0")" && pwd)
host=$(rustc -vV | sed -n 's/host: //p')
target_dir="${CARGO_TARGET_DIR:-$here/target}"
targets=$(ls "$here/corpus")

# The explicit --target keeps the flags away from build scripts.
RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
--cfg fuzzing -Ccodegen-units=1" \
    cargo build --release --locked --target "$host" --target-dir "$target_dir" \
    --manifest-path "$here/libfuzzer/Cargo.toml"

corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
cp -R "$here/corpus/." "$corpus"
# Where targets put the files that they read.
mkdir "$corpus/temporary"
export TMPDIR="$corpus/temporary"
mkdir -p "$here/artifacts"

for target in $targets; do
    echo "fuzzing $target for $seconds s"
    "$target_dir/$host/release/$target" "$corpus/$target" \
        -max_total_time="$seconds" -max_len=4096 -timeout=20 -seed="${FUZZ_SEED:-20}" \
        -print_final_stats=0 -verbosity=0 -artifact_prefix="$here/artifacts/$target-"
done
