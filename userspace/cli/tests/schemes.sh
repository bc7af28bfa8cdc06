#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The schemes of the laboratory in the kernel, in TAP: each keeps its promises, a
# signal ends a check, and nothing is left when the module is unloaded. As root,
# blink_tree loaded and blink_tree_lab not yet.
#
#   schemes.sh [OPERATIONS]
set -u
# shellcheck source=userspace/cli/tests/lab.sh
. "$(dirname "$0")/lab.sh"

operations=${1:-2000}

names() {
	sed -n 's/^{"scheme": "\([^"]*\)".*/\1/p' $lab/list
}

# Fewer where an operation waits for a grace period, or for CPUs in their order: those
# of a guest may stand still.
operations_of() {
	case $1 in
	rcu:replace | rcu:replace-after) echo 50 ;;
	mckenzie:*numa-rw*) echo $((operations / 10)) ;;
	mxkernel:*) echo $((operations / 4)) ;;
	*) echo "$operations" ;;
	esac
}

check_scheme() {
	echo "scheme=$1 threads=4 ops=$(operations_of "$1")" > $lab/check &&
		grep -q "^scheme=$1 .* failure=none" $lab/check && return
	check "$1: $(cat $lab/check)"
}

some_at_work() {
	! at_work 0
}

echo "TAP version 13"
echo "1..3"

insmod "$module" || check "$module cannot be loaded"
checked=0
for scheme in $(names); do
	check_scheme "$scheme"
	checked=$((checked + 1))
done
[ $checked -ge 42 ] || check "only $checked schemes"
ends "every scheme keeps its promises"

for scheme in rcu:replace mxkernel:sync mckenzie:original; do
	echo "scheme=$scheme threads=4 ops=1000000000" > $lab/check &
	writer=$!
	soon 60 some_at_work || check "$scheme: no threads"
	kill $writer
	wait $writer
	[ $? -eq 143 ] || check "$scheme: it came to an end by itself"
	soon 60 at_work 0 || check "$scheme: $(hands) threads go on"
done
ends "a signal ends a check, and all threads"

rmmod blink_tree_lab || check "it cannot be unloaded"
soon 60 at_work 0 || check "$(hands) threads are left"
grep '^lab_' /proc/slabinfo && check "caches are left"
ends "unloading leaves neither threads nor memory"

all_good
