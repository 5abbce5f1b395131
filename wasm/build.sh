#!/usr/bin/env bash
# Builds the reading edition's cell; the last line is where it is. Exit code 77: the target is absent, and the last line says so.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-wasip1
[ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || { echo "no target $target: rustup target add $target"; exit 77; }
cargo build --locked --profile cell --target "$target" --package offline-primal-dual-cell >&2
echo "${CARGO_TARGET_DIR:-$PWD/target}/$target/cell/cell.wasm"
