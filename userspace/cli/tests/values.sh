#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The command on trees whose values are strings, in TAP. As root, module loaded. Texts of
# values, scripts and files are the matter of texts.py.
#
#   values.sh BLINKTREE
set -u
# shellcheck source=userspace/cli/tests/expect.sh
. "$(dirname "$0")/expect.sh"

# fresh KIND: a new tree with keys of this kind, and strings as values
fresh() {
	"$blinktree" rm "$tree" 2> /dev/null
	expect 0 "" create "$tree" --value bytes --key "$1"
}

echo "TAP version 13"
echo "1..4"

for kind in u64 u128 bytes; do
	fresh $kind
	for verb in attr stat; do
		"$blinktree" $verb "$tree" | grep -x "key: $kind" -A 1 |
			grep -qx "value: bytes" || check "$verb: $kind"
	done
	[ "$("$blinktree" list | awk -v t="$tree" '$1 == t { print $10, $11 }')" = \
		"$kind bytes" ] || check "list: $kind"
	"$blinktree" verify "$tree" | grep -qx "verify: ok" || check "verify"
done
"$blinktree" rm "$tree"
expect 0 "" create "$tree"
for verb in attr stat; do
	"$blinktree" $verb "$tree" | grep -qx "value: u64" || check "$verb: numbers"
done
expect 2 "" put "$tree" 1 one
said "VALUE 'one': not a number.*(the values of $tree are u64)"
expect 2 "" cas "$tree" 1 one 2
said "OLD 'one': not a number"
expect 2 "" create "${tree}x" --value u128
said "not one of: u64 bytes"
expect 2 "" create "${tree}x" --value bytes --compress
expect 2 "" create "${tree}x" --value bytes --key multi
expect 3 "" get "${tree}x" 1
ends "a tree has the kind of values that create chose"

fresh u64
cat > "$work/in" << 'END_OF_SCRIPT'
put 1 a\x20b
put 1 \&
insert 1 c
replace 1 d
get-or-insert 1 e
get-or-insert 2 \&
get 2
floor 9
cas 1 x y
cas 1 d \&
cad 1 x
cad 1 \&
pop-max 9
get 2
put 3
END_OF_SCRIPT
expect 2 'put 1 ok - - -
put 1 ok - - a\x20b
insert 1 EEXIST - - \&
replace 1 ok - - \&
get-or-insert 1 ok - - d
get-or-insert 2 ok - - -
get 2 ok - \& -
floor 9 ok 2 \& -
cas 1 ESTALE - - d
cas 1 ok - - -
cad 1 ESTALE - - \&
cad 1 ok - - -
pop-max 9 ok 2 - \&
get 2 ENOENT - - -' batch "$tree"
said "standard input:15: an operand is missing"
: > "$work/in"
ends "batch tells empty values from none"

"$blinktree" rm "$tree"
(umask 0 && "$blinktree" create "$tree" --value bytes -m 622)
chmod 666 /dev/blink_tree
"$blinktree" put "$tree" 1 secret
printf 'put 1 other\nreplace 1 \\&\n' > "$work/in"
[ "$(nobody "$blinktree" batch "$tree" < "$work/in")" = "put 1 ok - - -
replace 1 ok - - -" ] || check "a script for a write-only tree shows values"
chmod 600 /dev/blink_tree
: > "$work/in"
ends "a tree that is open for writing only tells no value"

blocks() {
	"$blinktree" stat "$tree" | sed -n 's/^block_bytes: //p'
}
fresh bytes
[ "$(blocks)" -eq 0 ] || check "an empty tree has $(blocks) bytes of strings"
expect 0 "" put "$tree" "$(printf %01000d 0)" "$(printf %04096d 0)"
[ "$(blocks)" -ge 5096 ] || check "a key and a value have $(blocks) bytes"
ends "stat shows the memory of keys and values that are strings"

all_good
