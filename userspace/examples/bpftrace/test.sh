#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each recipe has output while processes change a tree, and the commands for perf that need
# no hardware counters work. As root, module loaded; prints TAP.
#
#   test.sh BLINKTREE
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=userspace/tests/common/tap.sh
. "$here/../../tests/common/tap.sh"
blinktree=$1
tree=tracing_$$
work=$(mktemp -d)
trap 'rm -f "$work/go"; wait; "$blinktree" rm "$tree" 2> /dev/null; rm -rf "$work"' EXIT

for program in bpftrace perf; do
	if ! command -v "$program" > "$work/path"; then
		echo "1..0 # SKIP $program is not installed"
		exit 4
	fi
done

# Four processes split and merge leaves, and wait for each other.
load() {
	local i
	"$blinktree" create "$tree"
	touch "$work/go"
	seq 3000 | awk '{ print "put", $1 * 7 % 3001, $1 }' > "$work/put"
	seq 3000 | awk '{ print "del", $1 * 11 % 3001 }' > "$work/del"
	for i in 1 2 3 4; do
		(while [ -e "$work/go" ]; do
			"$blinktree" batch "$tree" "$work/put" > "$work/out.$i"
			"$blinktree" batch "$tree" "$work/del" > "$work/out.$i"
		done) &
	done
}

# recipe NAME PATTERN: some seconds after it has begun, its output has such a line.
recipe() {
	local tracer
	bpftrace -B line "$here/$1.bt" > "$work/$1" 2>&1 &
	tracer=$!
	soon 240 grep -q Attaching "$work/$1"
	sleep 12
	kill -INT "$tracer"
	wait "$tracer"
	grep -qE "$2" "$work/$1" || check "$(head -n 20 "$work/$1")"
	ends "$1.bt has output"
}

echo "TAP version 13"
echo "1..6"
load
recipe ioctl-latency '^@microseconds\[(6|14)\]:'
recipe growth '^@splits\[.*, 0\]: [0-9]+'
recipe hot-leaves '^@leaves\[0, blinktree\]: [0-9]+'
recipe lock-waits '^@nanoseconds\['
perf stat -a -e 'blink_tree:*' sleep 5 > "$work/stat" 2>&1
grep -qE '^ *[1-9][0-9.,]* +blink_tree:blink_tree_split' "$work/stat" || check "$(cat "$work/stat")"
ends "perf counts splits"
perf record -q -o "$work/data" -a -g -e blink_tree:blink_tree_split sleep 5 > "$work/record" 2>&1
perf report -i "$work/data" --stdio > "$work/report" 2> "$work/record"
grep -q blink_batch "$work/report" || check "$(head -n 30 "$work/report")"
ends "perf shows the callers"
all_good
