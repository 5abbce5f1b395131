#!/usr/bin/env bash
# Both ports through the conformance kit: the corner cases and 200 fresh problems; the golden files against their schema.
# Skips loudly what is absent.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --locked --quiet
opd=${CARGO_TARGET_DIR:-target}/debug/opd
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # check NAME FLAG COMMAND…
  local name=$1 flag=$2
  shift 2
  # shellcheck disable=SC2086 # the flag may be empty
  printf '%s, corner cases: ' "$name" && "$opd" vectors gen $flag | "$@" | "$opd" vectors check
  # shellcheck disable=SC2086
  printf '%s, fresh cases: ' "$name" && "$opd" vectors gen $flag --seed 2026 --count 200 | "$@" | "$opd" vectors check
}

if command -v cc >/dev/null; then
  cc -O2 -std=c99 -Wall -Wextra -Werror -o "$work/opd-c" examples/c/opd.c -lm
  check C --text "$work/opd-c"
else
  echo '!!! SKIPPED the C port: no cc'
fi

if ! command -v python3 >/dev/null; then
  echo '!!! SKIPPED the NumPy port and the schema: no python3'
  exit 0
fi

# with MODULE: leaves in $python an interpreter that has it, from PyPI if need be.
with() {
  python=python3
  python3 -c "import $1" 2>/dev/null && return
  [ -d "$work/venv" ] || python3 -m venv "$work/venv" || return
  python=$work/venv/bin/python
  "$work/venv/bin/pip" install --quiet "$1"
}

if with numpy; then
  check NumPy '' "$python" examples/numpy/opd.py
else
  echo '!!! SKIPPED the NumPy port: no numpy, and it could not be installed'
fi

if with jsonschema; then
  printf 'golden files: ' && "$python" vectors/check_schema.py
else
  echo '!!! SKIPPED the schema of the golden files: no jsonschema, and it could not be installed'
fi
