#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Help, version and the manual, in TAP: every command and option must be in all
# of them, and without a device every command must fail and say why.
#
#   usage.sh BLINKTREE MANUAL
set -u
# shellcheck source=userspace/tests/common/tap.sh
. "$(dirname "$0")/../../tests/common/tap.sh"

blinktree=$1
manual=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The options that a --help lists.
options() {
	grep -o '^  .[a-zA-Z ]. --[a-z-]*' | grep -o -- '--[a-z-]*'
}

# The commands that a --help lists.
commands_of() {
	sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$1"
}

echo "TAP version 13"
echo "1..9"

"$blinktree" --help > "$work/help" || check "--help failed"
commands=$(commands_of "$work/help")
[ "$(echo "$commands" | wc -l)" -ge 20 ] || check "commands: $commands"
"$blinktree" lab --help > "$work/lab" || check "lab --help failed"
commands="$commands $(commands_of "$work/lab" | sed 's/^/lab:/')"
for command in $commands; do
	words=$(echo "$command" | tr : ' ')
	# shellcheck disable=SC2086 # these are words
	"$blinktree" $words --help > "$work/$command" ||
		check "$words --help failed"
	grep -q "^Usage: blinktree $words" "$work/$command" ||
		check "$words --help has no usage"
	[ "$(wc -L < "$work/$command")" -le 80 ] ||
		check "$words --help is wider than 80 columns"
done
[ "$(wc -L < "$work/help")" -le 80 ] || check "--help is wider than 80 columns"
ends "every command has a --help"

[ -f "$manual" ] || {
	check "no $manual"
	manual=/dev/null
}
for command in $commands; do
	name=$(echo "$command" | sed 's/:/\\*\\* \\*\\*/')
	grep -q "^\*\*$name\*\*" "$manual" ||
		check "$command is not in the manual"
	for option in $(options < "$work/$command"); do
		grep -q -- "\*\*$option\*\*" "$manual" ||
			check "$command $option is not in the manual"
	done
done
ends "the manual has every command and option"

"$blinktree" --version | grep -qx 'blinktree [0-9.]*' || check "--version"
ends "--version"

for line in "info" "list" "create t" "attr t" "rm t" "put t 1 2" "get t 1" "del t 1" \
	"cas t 1 2 3" "cad t 1 2" "floor t 1" "ceil t 1" "scan t" "count t" "stat t" \
	"top -n 1" metrics "load t /dev/null" "dump t" "batch t /dev/null" "verify t" \
	"bench --lab $work/none" \
	"lab run --lab $work/none --scheme rbtree --mix scan" \
	"lab figure --lab $work/none olfit-8" "save t /dev/null" \
	"restore /dev/null"; do
	# shellcheck disable=SC2086 # these are words
	"$blinktree" --device "$work/none" $line > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 3 ] || check "$line: exit $status without a device"
	grep -q "modprobe" "$work/err" || check "$line: $(cat "$work/err")"
	[ ! -s "$work/out" ] || check "$line: $(cat "$work/out")"
done
ends "without a device every command says what to do"

"$blinktree" lab list > "$work/out" || check "lab list failed"
for word in blink_tree maple_tree xarray rbtree lib/btree rhashtable; do
	grep -q "^$word .*concurrent,linearizable" "$work/out" ||
		check "$word: $(cat "$work/out")"
done
grep '^rhashtable' "$work/out" | grep -q 'scan\|ordered' &&
	check "a hash table promises an order"
ends "lab list without the module"

"$blinktree" lab list -j > "$work/out" || check "lab list -j failed"
python3 - "$work/out" << 'END' || check "JSON: $(cat "$work/out")"
import json, sys
said = json.load(open(sys.argv[1]))
names = [scheme["name"] for scheme in said]
assert len(set(names)) == len(names) >= 9, names
for scheme in said:
    assert list(scheme) == ["name", "author", "paper", "section", "promises"], scheme
    assert all(scheme.values()), scheme
    assert "erase" in scheme["promises"].split(","), scheme
END
ends "lab list in JSON"

"$blinktree" lab mixes > "$work/out" || check "lab mixes failed"
grep -q '^rcu-ycsb .* read 90, insert 5, update 5; zipfian$' "$work/out" ||
	check "mixes: $(cat "$work/out")"
"$blinktree" lab figures > "$work/out" || check "lab figures failed"
grep -q '^numa-4.3 .* figure 4.3 ' "$work/out" || check "figures: $(cat "$work/out")"
ends "lab mixes and figures"

# refuses TEXT WORD...: lab WORD... is wrong usage, and the message has this text.
refuses() {
	text=$1
	shift
	"$blinktree" lab "$@" > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 2 ] || check "lab $*: exit $status"
	grep -q -e "$text" "$work/err" || check "lab $*: $(cat "$work/err")"
	[ ! -s "$work/out" ] || check "lab $*: $(cat "$work/out")"
}
refuses "'no' is not a command of lab" no
refuses "blinktree lab --help" no
refuses "NAME 'no': there is no such name" figure no
refuses "blinktree lab figure --help" figure no
refuses "NAME is missing" figure
refuses "--threads 0: too small" figure all --threads 0
refuses "--scheme is missing" run
refuses "--scheme rbtre: there is no such name" run --scheme rbtre
refuses "--mix is missing" run --scheme rbtree
refuses "--order file needs --key-file" run --scheme rbtree --mix scan --order file
refuses "exclude each other" run --scheme rbtree --mix scan --order ascending --key-file x
ends "lab figure and lab run say what is wrong"

"$blinktree" lab figure numa-4.2 --plan --threads 2,3 --keys 7 --seed 5 > "$work/out" ||
	check "lab figure --plan failed"
[ "$(wc -l < "$work/out")" -eq 14 ] || check "orders: $(cat "$work/out")"
grep -qx "scheme=mckenzie:original mix=numa-100-0 order=random threads=3 keys=7 ops=[0-9]* warm_up=0 batch=1 node_bytes=262144 seed=5 timed=0" \
	"$work/out" || check "orders: $(cat "$work/out")"
threads=$("$blinktree" lab figure numa-4.5 numa-4.3 --plan --cpus 9 |
	sed -n 's/.*:lock-free mix=numa-100-0 .* threads=\([0-9]*\) .*/\1/p' | xargs)
[ "$threads" = "4 8 9 4" ] || check "threads for 9 CPUs: $threads"
ends "the orders of a figure"

all_good
