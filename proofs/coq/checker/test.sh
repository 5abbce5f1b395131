#!/bin/sh
# Generates 20 honest certificates and 200 damaged ones, and fails unless the checker accepts each of the former within ten
# seconds and refuses each of the latter: 160 with exit code 1, and 40 whose syntax is broken with 2. Needs the checker built.
set -eu
cd "$(dirname "$0")"
root=../../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -B "$root/tests/certificates/generate.py" "$work"

# The example of docs/certificates.md, and what is said there of an enclosure and of the digest.
doc="$work/honest/documented.cert"
sed -n '/^```certificate$/,/^```$/p' "$root/docs/certificates.md" | sed '1d;$d' >"$doc"
sed 's|suboptimality exact 31/180|suboptimality enclosure 0 173/1000|; s|value 13/10 3/2|value 1299/1000 3/2|' "$doc" |
  awk '/^value 1299/ { near = 1 } near && /^slack/ { print "slack 1/1000"; near = 0; next } { print }' >"$work/honest/enclosed.cert"
sed 's|discount 1/2|discount 5/10|' "$doc" | tr '\n' ' ' >"$work/honest/rewritten.cert"

expect() { # expect CODE FOLDER COUNT
  seen=0
  for file in "$work/$2"/*.cert; do
    code=0
    said=$(timeout 10 ./opd-check "$file" 2>&1) || code=$?
    if [ "$code" != "$1" ] || [ "$(printf '%s\n' "$said" | wc -l)" != 1 ]; then
      echo "checker: $2/${file##*/}: exit code $code, expected $1: $said" >&2; exit 1
    fi
    seen=$((seen + 1))
  done
  [ "$seen" = "$3" ] || { echo "checker: $seen $2 certificates, expected $3" >&2; exit 1; }
}
expect 0 honest 23
expect 1 damaged 160
expect 2 malformed 40

digest() { ./opd-check "$work/honest/$1.cert" | sed 's/.*model //'; }
[ "$(digest documented)" = "$(digest rewritten)" ] || { echo "checker: the digest depends on how numbers are written" >&2; exit 1; }
[ "$(digest documented)" != "$(digest tiny)" ] || { echo "checker: two models have one digest" >&2; exit 1; }

echo "checker: 20 honest certificates and the documented ones accepted, 200 damaged ones refused"
