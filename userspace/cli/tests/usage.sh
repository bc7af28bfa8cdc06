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
echo "1..5"

"$blinktree" --help > "$work/help" || check "--help failed"
commands=$(commands_of "$work/help")
[ "$(echo "$commands" | wc -l)" -ge 20 ] || check "commands: $commands"
for command in $commands; do
	"$blinktree" "$command" --help > "$work/$command" ||
		check "$command --help failed"
	grep -q "^Usage: blinktree $command" "$work/$command" ||
		check "$command --help has no usage"
	[ "$(wc -L < "$work/$command")" -le 80 ] ||
		check "$command --help is wider than 80 columns"
done
[ "$(wc -L < "$work/help")" -le 80 ] || check "--help is wider than 80 columns"
ends "every command has a --help"

[ -f "$manual" ] || {
	check "no $manual"
	manual=/dev/null
}
for command in $commands; do
	grep -q "^\*\*$command\*\*" "$manual" ||
		check "$command is not in the manual"
	for option in $(options < "$work/$command"); do
		grep -q -- "\*\*$option\*\*" "$manual" ||
			check "$command $option is not in the manual"
	done
done
ends "the manual has every command and option"

# The words of a text, one per line, sorted.
words() {
	grep -o '[a-z][a-z-]*' | sort
}

sources=$(dirname "$0")/..
caught=$(awk '/^enum status run_/ { sub(/.*run_/, ""); sub(/\(.*/, ""); name = $0 }
	/interrupt_catch\(\)/ { print name }' "$sources"/cmd_*.c | words)
[ -n "$caught" ] || check "no command catches signals"
named=$(sed -n '/^130$/,/^$/p' "$manual" | grep -o '\*\*[a-z-]*\*\*' | words)
[ "$named" = "$caught" ] || check "in the manual:" $named "instead of:" $caught
named=$(sed -n 's/^ *130 .*ended//p' "$work/help" | words | grep -vx or)
[ "$named" = "$caught" ] || check "in --help:" $named "instead of:" $caught
for file in $(grep -l 'interrupted()' "$sources"/cmd_*.c); do
	grep -q 'interrupt_catch()' "$file" || check "$file catches no signal, but tests for one"
done
ends "status 130 is that of each command that catches signals"

"$blinktree" --version | grep -qx 'blinktree [0-9.]*' || check "--version"
ends "--version"

for line in "info" "list" "create t" "attr t" "rm t" "put t 1 2" "get t 1" "del t 1" \
	"cas t 1 2 3" "cad t 1 2" "floor t 1" "ceil t 1" "scan t" "count t" "range t" "stat t" \
	"top -n 1" metrics "load t /dev/null" "dump t" "batch t /dev/null" "commit t /dev/null" "verify t" \
	"bench --lab $work/none" "save t /dev/null" "restore /dev/null"; do
	# shellcheck disable=SC2086 # these are words
	"$blinktree" --device "$work/none" $line > "$work/out" 2> "$work/err"
	status=$?
	[ $status -eq 3 ] || check "$line: exit $status without a device"
	grep -q "modprobe" "$work/err" || check "$line: $(cat "$work/err")"
	[ ! -s "$work/out" ] || check "$line: $(cat "$work/out")"
done
ends "without a device every command says what to do"

all_good
