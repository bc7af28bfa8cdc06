#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The command on trees whose values are strings, in TAP. As root, module loaded.
#
#   values.sh BLINKTREE
set -u
# shellcheck source=userspace/cli/tests/expect.sh
. "$(dirname "$0")/expect.sh"

# fresh KIND [OPTION...]: a new tree with keys of this kind, and strings as values
fresh() {
	"$blinktree" rm "$tree" 2> /dev/null
	expect 0 "" create "$tree" --value bytes --key "$@"
}

# times N TEXT: this text so often
times() {
	printf "%0$1d" 0 | sed "s/0/$2/g"
}

echo "TAP version 13"
echo "1..9"

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
expect 2 "" create "${tree}x" --value u128
said "not one of: u64 bytes"
expect 2 "" create "${tree}x" --value bytes --compress
expect 2 "" create "${tree}x" --value bytes --key multi
expect 3 "" get "${tree}x" 1
ends "a tree has the kind of values that create chose"

fresh u64
longest=$(times 4096 a)
expect 0 "" put "$tree" 1 ''
expect 0 "" put "$tree" 2 'two words'
expect 0 "" put "$tree" 3 "$longest"
expect 0 "" put "$tree" 4 '\x00\xff'
expect 0 "" put "$tree" 5 18446744073709551616
expect 1 '1 \&
2 two\x20words
4 \x00\xff
5 18446744073709551616
6 -' get "$tree" 1 2 4 5 6
expect 0 "$longest" get -v "$tree" 3
expect 0 '\&' get -v "$tree" 1
expect 0 '5 18446744073709551616
4 \x00\xff' scan "$tree" -r -n 2
expect 0 "6 5 18446744073709551616" floor "$tree" 6
expect 0 '0 1 \&' ceil "$tree" 0
expect 0 '0x2 two\x20words' get -x "$tree" 2
expect 2 "" put "$tree" 7 "a$longest"
said "more than 4096 bytes (the values of $tree are bytes)"
expect 2 "" put "$tree" 7 '\q'
said "VALUE '\\\\q'.*backslash"
expect 0 5 count "$tree"
ends "values are strings of 0 to 4,096 bytes"

expect 1 "" put "$tree" -i 2 other
said "already"
expect 1 "" put "$tree" -r 6 other
expect 0 "" put "$tree" -r 2 ''
expect 0 '2 \&' get "$tree" 2
expect 1 "" cas "$tree" 4 '\x00' new
said 'its value is \\x00\\xff'
expect 1 "" cas "$tree" 2 x new
said 'its value is \\&'
expect 0 "" cas "$tree" 4 '\x00\xff' ''
expect 0 "" cas "$tree" 4 '' "$longest"
expect 1 "" cas "$tree" 4 "${longest%a}" x
expect 1 "" cas "$tree" 6 a b
said "no such key"
expect 1 "" cad "$tree" 4 "${longest%a}b"
expect 0 "" cad "$tree" 4 "$longest"
expect 0 "" cad "$tree" 2 '\&'
expect 2 "" cad "$tree" 1 '\x'
said "OLD"
expect 0 '6 new\x20one' get-or-insert "$tree" 6 'new one'
expect 0 '6 new\x20one' get-or-insert "$tree" 6 other
expect 0 '1 \&' get-or-insert "$tree" 1 other
ends "put, cas, cad and get-or-insert replace and compare values as a whole"

expect 0 '1 \&' pop-min "$tree"
expect 0 '6 new\x20one' pop-max "$tree"
expect 0 "3 $longest" pop-min "$tree" 2
expect 0 "" put "$tree" 7 a
expect 0 "" del "$tree" 5 7
expect 1 "" pop-min "$tree"
expect 0 "" put "$tree" 8 ''
expect 0 1 erase-range "$tree" 0 100
expect 0 0 count "$tree"
ends "pops, del and erase-range"

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
seq 3000 | awk '{ printf "put %d value\\x20%d\n", $1, $1 }' > "$work/in"
"$blinktree" batch "$tree" < "$work/in" | uniq -c -f 2 | grep -q "3000 put 1 ok" ||
	check "a long script"
: > "$work/in"
expect 0 3000 count "$tree"
expect 0 '3000 value\x203000' get "$tree" 3000
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

fresh bytes
expect 0 "" put "$tree" key 'a "b"'
expect 0 "" put "$tree" é ''
expect 0 "" put "$tree" '\xff' '\x00\xff'
expect 1 '[{"key":"key","value":"a \"b\""},{"key":"é","value":""},{"key":"x","value":null}]' \
	get -j "$tree" key é x
expect 0 '[{"key":{"base64":"/w=="},"value":{"base64":"AP8="}}]' \
	scan -j "$tree" -r -n 1
expect 0 'key a\x20\x22b\x22
é \&
\xff \x00\xff' scan "$tree"
"$blinktree" stat -j "$tree" > "$work/out"
python3 - "$work/out" << 'END_OF_PYTHON' || check "stat: $(cat "$work/out")"
import json, sys
stat = json.load(open(sys.argv[1]))
assert stat["value"] == "bytes" and stat["key"] == "bytes", stat
assert 0 < stat["block_bytes"] < stat["bytes"], stat
END_OF_PYTHON
ends "JSON and stat of strings"

blocks() {
	"$blinktree" stat "$tree" | sed -n 's/^block_bytes: //p'
}
for kind in u64 u128; do
	fresh $kind
	[ "$(blocks)" -eq 0 ] || check "an empty tree has $(blocks) bytes of values"
	expect 0 "" put "$tree" 1 a
	before=$(blocks)
	[ "$before" -gt 0 ] || check "a value takes no memory"
	expect 0 "" put "$tree" 2 "$longest"
	[ "$(blocks)" -ge $((before + 4096)) ] || check "values take $(blocks) bytes"
done
"$blinktree" rm "$tree"
expect 0 "" create "$tree" --key bytes
expect 0 "" put "$tree" "$(times 1000 k)" 1
[ "$(blocks)" -ge 1000 ] || check "a key takes $(blocks) bytes"
"$blinktree" rm "$tree"
expect 0 "" create "$tree"
expect 0 "" put "$tree" 1 1
[ "$(blocks)" -eq 0 ] || check "numbers take $(blocks) bytes"
ends "stat shows the memory of keys and values that are bytes"

# files KIND: of 5000 entries, as people write them and as dump does
files() {
	seq -w 0 4999 | if [ "$1" = bytes ]; then
		awk '{ printf "key %s\tline %s, of 5000\n", $1, $1 }'
	else
		awk '{ printf "%d\tline %s, of 5000\n", $1, $1 }'
	fi > "$work/text"
	sed -e 's/ /\\x20/g' -e 's/,/\\x2c/' -e 's/\t/ /' "$work/text" > "$work/sorted"
}
for kind in u64 bytes; do
	files $kind
	for options in --sorted "--jobs 3"; do
		fresh $kind
		# shellcheck disable=SC2086 # these are words
		"$blinktree" load "$tree" "$work/text" $options |
			grep -qx "added: 5000" || check "load $kind $options"
		"$blinktree" dump "$tree" | cmp -s - "$work/sorted" ||
			check "another tree"
	done
	"$blinktree" load "$tree" "$work/sorted" | grep -qx "overwritten: 5000" ||
		check "load of what dump wrote"
	"$blinktree" verify "$tree" | grep -qx "verify: ok" || check "verify"
done
fresh u64
seq 1200 | awk -v long="$longest" '{ print $1, long }' > "$work/long"
"$blinktree" load "$tree" "$work/long" | grep -qx "added: 1200" || check "long values"
"$blinktree" dump "$tree" | cmp -s - "$work/long" || check "other long values"
expect 2 "" dump "$tree" "$work/dump" -F binary
said "no strings"
expect 2 "" load "$tree" -F binary "$work/text"
said "no strings"
printf '1 a b\n' > "$work/in"
"$blinktree" load "$tree" < "$work/in" > "$work/out" 2> "$work/err"
[ $? -eq 2 ] || check "exit code of a value with blanks"
said "more than KEY VALUE"
ends "load and dump of strings as values"

all_good
