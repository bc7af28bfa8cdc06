# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The begin of each test of the command that needs the module: "blinktree" is the command,
# "tree" the name of a tree that is removed in the end, and "work" a directory, whose empty
# file "in" is the standard input.
# shellcheck source=userspace/tests/common/tap.sh
. "$(dirname "$0")/../../tests/common/tap.sh"

if [ ! -c /dev/blink_tree ]; then
	echo "1..0 # SKIP /dev/blink_tree is not there: the module is not loaded"
	exit 4
fi

blinktree=$1
tree=cli_$(basename "$0" .sh)_$$
work=$(mktemp -d)
: > "$work/in"

clean_up() {
	"$blinktree" rm "$tree" 2> /dev/null
	chmod 600 /dev/blink_tree
	rm -rf "$work"
}
trap clean_up EXIT

# nobody WORD...: run this as another user
nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

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
