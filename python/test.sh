#!/usr/bin/env bash
# Builds the Python package into a virtual environment of its own and tests it, also against the command line.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
environment=$target/python
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check "./python[test]"

cargo build --locked --quiet --bin suum
SUUM=$(realpath "$target/debug/suum") "$environment/bin/python" -m pytest --quiet python/tests "$@"
