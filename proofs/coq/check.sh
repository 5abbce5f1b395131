#!/bin/sh
# Checks every proof, then asks Coq on which axioms the theorems stand, and fails on any that is not in
# allowed-axioms.txt (the real numbers').  Installs nothing; needs the Debian packages that README.md lists.
set -eu
cd "$(dirname "$0")"

${MAKE:-make} -j"${JOBS:-2}" >build.log 2>&1 || { cat build.log >&2; echo "coq: a proof failed" >&2; exit 1; }

# An unfinished proof would show among the axioms of what uses it; this names the file at once, used or not.
if grep -nE '\b(Admitted|admit|give_up|Axiom|Axioms|Parameter|Parameters|Conjecture)\b' ./*.v; then
  echo "coq: an unfinished proof or an axiom" >&2; exit 1
fi

# One question per file: on what do all its theorems, taken together, stand?
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0 closed=0
for file in *.v; do
  module=${file%.v}
  names=$(sed -nE "s/^ *Theorem +([^ :({]+).*/\\1/p" "$file")
  [ -n "$names" ] || continue
  of_file=$(echo "$names" | grep -c .)
  {
    echo "From OPD Require $module. Definition theorems := (tt"
    for name in $names; do echo ", @$module.$name"; done
    echo "). Print Assumptions theorems."
  } >"$work/Query.v"
  coqc -Q . OPD "$work/Query.v" >"$work/answer" 2>"$work/error" || { cat "$work/error" >&2; exit 1; }
  if grep -q '^Closed under the global context' "$work/answer"; then
    closed=$((closed + of_file))
  else
    grep -q '^Axioms:' "$work/answer" || { echo "coq: no answer about $file" >&2; exit 1; }
    # An axiom's line is `name : type`; its type may run on over indented lines.
    sed -nE "s/^([A-Za-z_][A-Za-z0-9_.']*) *(:.*)?\$/\\1/p" "$work/answer" | grep -vxF 'Axioms' >"$work/axioms"
    [ -s "$work/axioms" ] || { echo "coq: no answer about $file" >&2; exit 1; }
    if grep -vxF -f allowed-axioms.txt "$work/axioms" >&2; then
      echo "coq: $file stands on the above, not an axiom of the real numbers" >&2; exit 1
    fi
  fi
  count=$((count + of_file))
done
# What Coq computes from the definitions is what the library was compared with (tests/coq_tie.rs).
./fractions.sh >"$work/fractions" || { echo "coq: could not evaluate the definitions" >&2; exit 1; }
diff -u fractions.txt "$work/fractions" >&2 || { echo "coq: fractions.txt is not what Coq computes" >&2; exit 1; }

# Coq's floats are the program's, bit for bit: on the golden vectors, most of which `make` has compared (FloatGolden.v), and,
# where cargo can make them, on cases that tests/coq_bits.rs generates.
bits="FloatGolden.v; no cargo, so neither the large golden vectors nor generated cases"
if command -v cargo >/dev/null; then
  mkdir "$work/bits"
  COQ_BITS="$work/bits" cargo test --locked --quiet --test coq_bits >"$work/cargo" 2>&1 ||
    { cat "$work/cargo" >&2; echo "coq: could not generate the cases" >&2; exit 1; }
  # A file per process, so that none grows large.  Coq prints `= Agree CASES NUMBERS`, or the first difference.
  find "$work/bits" -name '*.v' | sort | xargs -P "${JOBS:-2}" -n 1 sh -c 'coqc -noglob -Q . OPD "$0" >"$0.out" 2>&1 || :'
  for file in "$work"/bits/*.v; do
    grep -q '^ *= Agree [0-9]' "$file.out" || { cat "$file.out" >&2; echo "coq: $(basename "$file"): Coq and the program differ" >&2; exit 1; }
  done
  bits="FloatGolden.v and $(sed -nE 's/^ *= Agree ([0-9]+) ([0-9]+).*/\1 \2/p' "$work"/bits/*.out |
    awk '{ cases += $1; numbers += $2 } END { print cases " cases more, large golden and generated, " numbers " numbers" }')"
fi

# The extracted checker accepts what it must and refuses what it must.
command -v ocamlfind >/dev/null && ocamlfind query zarith >/dev/null 2>&1 ||
  { echo "coq: no ocamlfind or no Zarith for the checker (packages: $(cat packages.txt))" >&2; exit 1; }
${MAKE:-make} checker >build.log 2>&1 || { cat build.log >&2; echo "coq: the checker could not be built" >&2; exit 1; }
checker/test.sh

[ "$count" -gt 0 ] || { echo "coq: no theorem found" >&2; exit 1; }
echo "coq: $count theorems checked; $closed need no axiom, $((count - closed)) those of the real numbers; $(grep -c . fractions.txt) fractions"
echo "coq: bit for bit: $bits"
