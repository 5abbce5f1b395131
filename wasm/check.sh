#!/usr/bin/env bash
# Builds the reading edition's cell and tries it in Chromium, against the program. Exit code 77: the target is absent.
set -euo pipefail
cd "$(dirname "$0")/.."
wasm=$(wasm/build.sh) || { code=$?; echo "$wasm"; exit "$code"; }
if cargo clippy --version >/dev/null 2>&1; then
  cargo clippy --quiet --locked --target wasm32-wasip1 -p offline-primal-dual-cell -- -D warnings
fi
OPD_WASM=$wasm cargo test --locked --test cli_html the_cell
