#!/bin/sh
# Instructions per sample of Algorithm 1, by callgrind: the difference between 6000 and 2000 rows, so that reading and setting
# up cancel. Independent of the machine's load. (valgrind emulates AVX2, so the run-time choice of a vector unit is kept.)
set -eu
cd "$(dirname "$0")/.."
binary=$(cargo bench --bench algorithms --no-run 2>&1 | sed -n 's/.*Executable.*(\(.*\))/\1/p')
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" --once "$1" "$2" "$3" 2>&1 | sed -n 's/.*Collected : //p'
}
for shape in "4 4" "4 7" "4 16" "4 20" "4 33" "4 64" "4 77" "4 256" "16 64"; do
    set -- $shape
    echo "|A| = $1, d = $2: $((($(count "$1" "$2" 6000) - $(count "$1" "$2" 2000)) / 4000)) instructions per sample, data generation included"
done
