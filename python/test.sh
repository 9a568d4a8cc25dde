#!/usr/bin/env bash
# Builds the Python package into a virtual environment of its own and tests it, also against the
# command line: the program that SUUM names, or one that is built for it. Two processes share the
# test files; each starts the servers that its files need.
#
# PROFILE=dev python/test.sh builds the extension like the tests in Rust: with checks for overflow,
# and in less time, since it shares what `./test.sh` has built for those.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
environment=$target/python
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
build="--profile ${PROFILE:-release}"
[ "${PROFILE:-}" != dev ] || build+=" --features tested"
"$environment/bin/pip" install --quiet --disable-pip-version-check \
    --config-settings=build-args="$build" "./python[test]"

if [ -z "${SUUM:-}" ]; then
    cargo build --locked --quiet --bin suum
    SUUM=$target/debug/suum
fi
SUUM=$(realpath "$SUUM") "$environment/bin/python" -m pytest --quiet \
    --numprocesses 2 --dist loadfile --no-loadscope-reorder python/tests "$@"

# Once more with the pandas before: columns, dates, indexes and answers are others there.
if [ "${SUUM_TESTS:-}" = ci ] || [ "${SUUM_TESTS:-}" = long ]; then
    [ -d "$target/pandas2" ] || "$environment/bin/pip" install --quiet --disable-pip-version-check \
        --no-deps --target "$target/pandas2" "pandas<3" pytz
    PYTHONPATH=$(realpath "$target/pandas2") "$environment/bin/python" -m pytest --quiet \
        python/tests/test_{data,inputs,index,budgets,groups,answers}.py
fi
