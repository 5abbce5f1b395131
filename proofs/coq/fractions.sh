#!/bin/sh
# Prints the fractions that Coq computes on the embedded instances.  Needs the files built.
set -eu
cd "$(dirname "$0")"
instances=$(grep -c '^ *Instance "' Instances.v) parts=8
# In pieces: Coq's printer recurses once per character.
query() {
  echo 'From Coq Require Import String. From OPD Require Import Compute ComputeSteps Instances.'
  echo 'Set Printing Depth 100000000. Eval vm_compute in report instances.'
  for n in $(seq 0 $((instances - 1))); do
    for p in $(seq 0 $((parts - 1))); do echo "Eval vm_compute in step_report instances $n $p."; done
  done
}
# Coq prints a report as one quoted string of many lines; no closing quote, no report.
query | coqtop -quiet -q -Q . OPD 2>/dev/null |
  awk -v reports=$((instances * parts + 1)) '/^ *= "/ { sub(/^ *= "/, ""); on = 1 } on && /^"%string/ { on = 0; n++ } on { print }
    END { if (n != reports) exit 1 }'
