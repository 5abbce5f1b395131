#!/bin/sh
# Prove every bound of this directory with Gappa, then have Coq check Gappa's certificate of each, with the
# rewritings that the scripts use proved as lemmas.  `check.sh FILE.g OUT` does so for one script.
set -eu

check_one() {
  script=$1 out=$2 name=$(basename "$1" .g)
  gappa "$script" 2> "$out/$name.log" || { cat "$out/$name.log"; echo "gappa: $script is not proved" >&2; exit 1; }
  # The certificate states each rewriting as a hypothesis: prove it instead.
  { echo 'Require Import Rewritings.'
    gappa -Bcoq "$script" 2> /dev/null |
      sed -e 's/^Hypothesis \(a[0-9]*\) : \(.*\)\.$/Lemma \1 : \2.\nProof. rewriting. Qed./'
  } > "$out/$name.v"
  if grep -qE '^(Hypothesis|Axiom|Parameter)|Admitted' "$out/$name.v"; then
    echo "coq: the certificate of $script assumes something" >&2; exit 1
  fi
  (cd "$out" && coqc -w none "$name.v") || { echo "coq: the certificate of $script is rejected" >&2; exit 1; }
  echo ok >> "$out/accepted"
}

if [ $# -eq 2 ]; then check_one "$1" "$2"; exit; fi

cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cp Rewritings.v "$out"
(cd "$out" && coqc Rewritings.v)
printf '%s\n' *.g | xargs -P 2 -I '{}' ./check.sh '{}' "$out"
# Silent success is not success: count the certificates.
accepted=$(wc -l < "$out/accepted")
[ "$accepted" -eq 16 ] || { echo "expected 16 accepted certificates, found $accepted" >&2; exit 1; }
echo "gappa: $accepted scripts proved, their certificates accepted by Coq"
