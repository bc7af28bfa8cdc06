# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
# Running the command and checking what it prints. The caller has set "blinktree",
# the command, and "work", a directory whose file "in" is the standard input.

# expect STATUS OUTPUT WORD...: run blinktree; both must be as expected.
expect() {
	local status=$1 output=$2 real
	shift 2
	"$blinktree" "$@" > "$work/out" 2> "$work/err" < "$work/in"
	real=$?
	[ $real -eq "$status" ] ||
		check "$*: exit $real, not $status: $(cat "$work/err")"
	[ "$(cat "$work/out")" = "$output" ] ||
		check "$*: printed '$(cat "$work/out")', not '$output'"
}

# The last command must have said something like this.
said() {
	grep -q -- "$1" "$work/err" || check "no '$1' in: $(cat "$work/err")"
}
