#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The command on trees whose keys are no numbers of 64 bits, or can be equal, in TAP. As
# root, module loaded. Texts of keys, scripts and files are the matter of texts.py.
#
#   kinds.sh BLINKTREE
set -u
# shellcheck source=userspace/cli/tests/expect.sh
. "$(dirname "$0")/expect.sh"

# fresh KIND: a new tree with keys of this kind
fresh() {
	"$blinktree" rm "$tree" 2> /dev/null
	expect 0 "" create "$tree" --key "$1"
}

echo "TAP version 13"
echo "1..4"

for kind in u64 u128 multi bytes; do
	fresh $kind
	"$blinktree" attr "$tree" | grep -qx "key: $kind" || check "attr: $kind"
	"$blinktree" stat "$tree" | grep -qx "key: $kind" || check "stat: $kind"
	[ "$("$blinktree" list | awk -v t="$tree" '$1 == t { print $10 }')" = \
		$kind ] || check "list: $kind"
	"$blinktree" verify "$tree" | grep -qx "verify: ok" || check "verify"
done
expect 2 "" create "${tree}x" --key u256
said "not one of: u64 u128 multi bytes"
expect 2 "" create "${tree}x" --key multi --compress
ends "a tree has the kind that create chose"

fresh multi
for pair in "7 200" "7 100" "8 100" "7 0xffffffffffffffff" "6 0"; do
	# shellcheck disable=SC2086 # these are words
	expect 0 "" put "$tree" $pair
done
expect 0 "" put "$tree" 7 100
expect 1 "" put "$tree" -i 7 100
said "already"
expect 0 "" put "$tree" -i 7 101
expect 0 "6 0
7 100
7 101
7 200
7 18446744073709551615
8 100" scan "$tree"
expect 0 "7 18446744073709551615
7 200
7 101" scan "$tree" -r -f 7 -t 7 -n 3
expect 0 "7 100" get "$tree" 7
expect 0 "4" count "$tree" 7
expect 0 "0" count "$tree" 9
expect 0 "5" count "$tree" --from 7
expect 0 "7 7 18446744073709551615" floor "$tree" 7
expect 0 "7 7 100" ceil "$tree" 7
ends "a key has several values"

for line in "put -r $tree 4 1" "cas $tree 4 1 2" "get-or-insert $tree 4 1"; do
	# shellcheck disable=SC2086 # these are words
	expect 3 "" $line
	said "$tree has keys of the kind multi and values of the kind u64, without this operation"
done
expect 2 "" get "$tree" ::1
said "the kind of $tree is multi"
fresh u128
expect 2 "" get "$tree" 2001:db8::g
said "not an IPv6 address (the kind of $tree is u128)"
fresh u64
expect 2 "" get "$tree" 0x10000000000000000
said "more than 64 bits (the kind of $tree is u64)"
ends "an error says which kind the tree has"

fresh bytes
for key in '' a ab; do
	expect 0 "" put "$tree" "$key" 1
done
expect 0 1 count "$tree" ''
expect 0 2 erase-range "$tree" '' a
expect 0 'ab 1' scan "$tree" --from ab --to ab
expect 2 "" scan "$tree" --from ab --to a
said "greater"
ends "a range can end with the string of no bytes, and must ascend"

all_good
