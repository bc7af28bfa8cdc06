#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The checker of the main job, in TAP: it must be content with the kernel, and
# notice every kind of wrong answer. As root, module loaded.
#
#   main_job.sh BIN LIAR     where the programs are; liar.so
set -u

bin=$1
liar=$2
tree=main_job_test_$$
trees=("$tree" "$tree-copied" "$tree-plain")
work=$(mktemp -d)
cases=0
failures=0
trap 'remove 2> /dev/null; rm -rf "$work"' EXIT

create() {
	"$bin/blinktree" create "${trees[0]}" --replication inner --locking cohort &&
		"$bin/blinktree" create "${trees[1]}" --replication full &&
		"$bin/blinktree" create "${trees[2]}"
}

remove() {
	local name
	for name in "${trees[@]}"; do
		"$bin/blinktree" rm "$name"
	done
}

if [ ! -c /dev/blink_tree ]; then
	echo "1..0 # SKIP /dev/blink_tree is not there: the module is not loaded"
	exit 4
fi

# run LIE PATIENCE: the checker, lied to at every so many chances.
run() {
	create || exit
	LD_PRELOAD=$liar LIAR=$1 LIAR_PATIENCE=$2 timeout 300 \
		"$bin/blinktree-main-job" -n 5000 -o 10000 "${trees[@]}" \
		"$work/kallsyms" > "$work/out" 2> "$work/err"
	status=$?
	remove
}

ends() {
	cases=$((cases + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $cases $2"
	else
		sed 's/^/# /' "$work/out" "$work/err"
		echo "not ok $cases $2"
		failures=$((failures + 1))
	fi
}

# notices LIE PATIENCE STEP: it must fail, and say in which step.
notices() {
	run "$1" "$2"
	[ $status -eq 1 ] && grep -qE "^main-job: ($3):" "$work/err"
	ends $? "the lie '$1' is noticed ($3)"
}

# tells WHAT PATTERN: a line of the output says so.
tells() {
	grep -qE "$2" "$work/out"
	ends $? "it tells $1"
}

echo "TAP version 13"
echo "1..21"
cat /proc/kallsyms > "$work/kallsyms"

run nothing 1
ends $status "no lie: all answers are right"
cpus=$(nproc)
[ "$(grep -c '^  CPU .*%' "$work/out")" -eq $((cpus < 16 ? cpus : 16)) ]
ends $? "it tells what the searches of each CPU read"
tells "where nodes lie" "^  NUMA node 0 .* [1-9][0-9]*"
tells "how locks were handed over" "[1-9][0-9]* times a writer waited|one CPU: nobody"
tells "what batches save" "(CPU time|instructions) per lookup"
# One that was to overwrite shows at once.
notices store 10000 "load|compare"
notices skip 100 compare
notices twice 100 compare
notices floor 1000 resolve
notices insert 1000 "noise|resolve"
notices erase 1000 "noise|resolve|module"
notices skip 200 "scan (up|down)"
notices twice 200 "scan (up|down)"
notices count 1 range
notices lookup 100 batch
notices instructions 1 batch
tells "what batches save in instructions" "instructions per lookup"
notices stale 10 copies
notices old 1000 contend
notices cmpxchg 10 mixed
notices indexes 10 numa

[ $failures -eq 0 ]
