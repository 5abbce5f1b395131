#!/bin/sh
# Prints the fractions that Coq computes on the embedded instances.  Needs the files built.
set -eu
cd "$(dirname "$0")"
query='From Coq Require Import String.
From OPD Require Import Compute Instances.
Set Printing Depth 100000000.
Eval vm_compute in report instances.'
# Coq prints the report as one quoted string of many lines; no closing quote, no report.
echo "$query" | coqtop -quiet -q -Q . OPD 2>/dev/null |
  awk '/^ *= "/ { sub(/^ *= "/, ""); on = 1 } on && /^"%string/ { done = 1; exit } on { print } END { if (!done) exit 1 }'
