#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The benchmark in the kernel, in TAP: every index, in a size that says nothing
# of its speed, and what goes wrong. As root, blink_tree loaded and
# blink_tree_lab not yet.
#
#   bench.sh BLINKTREE
set -u
# shellcheck source=userspace/cli/tests/lab.sh
. "$(dirname "$0")/lab.sh"

blinktree=$1
lab=/sys/kernel/debug/blink_tree_lab/point
small="--keys 2000 --ops 400"
indexes="blink_tree maple_tree xarray rbtree rhashtable"

# bench STATUS WORD...: run the benchmark.
bench() {
	local status=$1 real
	shift
	"$blinktree" bench "$@" > "$work/out" 2> "$work/err"
	real=$?
	[ $real -eq "$status" ] ||
		check "bench $*: exit $real, not $status: $(cat "$work/err")"
}

# The last one must have said something like this.
said() {
	grep -q -- "$1" "$work/err" || check "no '$1' in: $(cat "$work/err")"
}

# refused ERROR WORD...: the laboratory itself must refuse this.
refused() {
	local error=$1
	shift
	echo "$*" > $lab 2> "$work/err" && check "'$*' was done"
	said "$error"
}

# Whether the reader waits for the laboratory.
waits() {
	readlink "/proc/$reader/fd/"* | grep -q blink_tree_lab && sleeps $reader
}

echo "TAP version 13"
echo "1..10"

bench 3
said "modprobe blink_tree_lab"
ends "without the laboratory it says what to do"

insmod "$module" || check "$module cannot be loaded"
# shellcheck disable=SC2086 # these are words
bench 0 $small --rounds 1 --batch 8
for index in $indexes; do
	for workload in insert lookup lookup-zipf scan floor 95/5 insert-erase \
		50/50 get-or-insert count pop erase-range; do
		case $index:$workload in
		blink_tree:*) lines=1 ;;
		*:get-or-insert | *:count | *:pop | *:erase-range) lines=0 ;;
		rhashtable:scan | rhashtable:floor | xarray:floor) lines=0 ;;
		*) lines=1 ;;
		esac
		[ "$(awk -v i=$index -v w=$workload \
			'$1 == w && $2 == i && $3 == 1 && $4 > 0 && $5 > 0 && $NF == 0' \
			"$work/out" | wc -l)" -eq $lines ] ||
			check "$index, $workload: $(cat "$work/out")"
	done
done
for workload in insert lookup 50/50; do
	grep -q "^$workload *blink_tree *8 " "$work/out" ||
		check "no batches of $workload"
done
grep -qx "threads: $(nproc)" "$work/out" || check "not on all CPUs"
ends "every index does every workload that it can do"

# shellcheck disable=SC2086
bench 0 $small --index blink_tree,rbtree --workload lookup,insert -r 3 -b 1 \
	-t 1 -R inner -L cohort -j
python3 - "$work/out" << 'END' || check "JSON: $(cat "$work/out")"
import json, sys
said = json.load(open(sys.argv[1]))
assert (said["keys"], said["threads"], said["rounds"]) == (2000, 1, 3), said
assert (said["replication"], said["locking"]) == ("inner", "cohort"), said
rows = [(row["workload"], row["index"], row["batch"]) for row in said["results"]]
assert rows == [("insert", "blink_tree", 1), ("insert", "rbtree", 1),
                ("lookup", "blink_tree", 1), ("lookup", "rbtree", 1)], rows
for row in said["results"]:
    assert row["ops"] == (2000 if row["workload"] == "insert" else 400), row
    assert row["least"] <= row["ops_per_second"] <= row["most"], row
    assert row["errors"] == 0 and row["ratio"] > 0, row
    assert row["index"] == "rbtree" or row["ratio"] == 1, row
END
ends "JSON has what was asked for"

bench 0 --keys 100001 --index xarray,rhashtable --workload insert -r 1 -n 1
said "xarray, insert: left out"
grep -q "^insert *rhashtable" "$work/out" || check "and nothing else"
grep -q xarray "$work/out" && check "it is there"
ends "an index that would need too much memory is left out"

# shellcheck disable=SC2086
bench 3 $small --threads $(($(nproc) + 1))
said "fewer CPUs, or fewer keys, than threads"
lab=${lab%point}check
refused "Invalid argument" scheme=none
refused "out of range" scheme=rbtree threads=33
lab=${lab%check}point
ends "what cannot be done is refused"

"$blinktree" bench --index rbtree --keys 100000000 --rounds 1 \
	> "$work/out" 2> "$work/err" &
bench=$!
soon 60 at_work "$(nproc)" || check "$(hands) threads"
rmmod blink_tree_lab 2> "$work/err" && check "it was unloaded at work"
said "in use"
ends "while it runs the laboratory cannot be unloaded"

cat $lab > "$work/out" &
reader=$!
soon 60 waits || check "the reader does not wait for it"
kill $reader
wait $reader
[ $? -eq 143 ] || check "who waits for it cannot be killed"
kill -INT $bench
kill $bench
wait $bench
[ $? -gt 128 ] || check "it came to an end by itself"
soon 60 at_work 0 || check "$(hands) threads go on"
ends "a signal ends it, and all threads"

# shellcheck disable=SC2086
bench 0 $small --rounds 1 --index blink_tree
ends "after that it works as before"

nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
nobody "$blinktree" bench 2> "$work/err"
[ $? -eq 3 ] || check "exit code of somebody who may not"
said "only root"
ends "permissions"

rmmod blink_tree_lab || check "it cannot be unloaded"
ends "the laboratory unloads"

all_good
