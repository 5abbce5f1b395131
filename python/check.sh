#!/usr/bin/env bash
# Builds the wheel, installs it into a fresh virtual environment and runs the tests there, types and docstrings included.
# Exit code 77: something is absent that this needs (Python 3.10, its venv, the registry), and the last line says what.
set -euo pipefail
cd "$(dirname "$0")"

absent() { echo "$1"; exit 77; }
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || absent 'no Python 3.10 or later'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv" >/dev/null 2>&1 || absent 'no venv module'
"$work/venv/bin/pip" install --quiet maturin numpy pytest mypy gymnasium >"$work/log" 2>&1 || absent "pip could not install maturin: $(tail -1 "$work/log")"

export PYO3_PYTHON=$work/venv/bin/python
if cargo clippy --version >/dev/null 2>&1; then
  cargo clippy --quiet --locked -p offline-primal-dual-python -- -D warnings
fi
# The program that the package is held against, of the same sources.
cargo build --quiet --locked --manifest-path ../Cargo.toml
# Unoptimised: what `cargo build` has compiled is used again, the bits are the same, and debug assertions are on.
"$work/venv/bin/maturin" build --quiet --locked --profile dev --interpreter "$work/venv/bin/python" --out "$work/dist"
"$work/venv/bin/pip" install --quiet --no-deps "$work"/dist/*.whl
# Away from the sources, so that the installed package is what is tested.
export OPD_ROOT=$(dirname "$PWD")
cp -r tests pyproject.toml "$work"
cd "$work"
venv/bin/mypy --config-file pyproject.toml -p offline_primal_dual
venv/bin/pytest -q -p no:cacheprovider -c pyproject.toml --rootdir . tests --pyargs offline_primal_dual "$@"
