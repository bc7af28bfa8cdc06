#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The command on trees with keys of 128 bits, with equal keys and with strings, in TAP. As
# root, module loaded.
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
echo "1..14"

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

fresh u128
expect 0 "" put "$tree" 2001:db8::1 1
expect 0 "" put "$tree" 550e8400-e29b-41d4-a716-446655440000 2
expect 0 "" put "$tree" 0xffffffffffffffffffffffffffffffff 3
expect 0 "" put "$tree" 18446744073709551616 4
expect 1 "" put "$tree" -i 0x10000000000000000 5
said "already"
expect 1 "" put "$tree" -r 7 5
expect 0 "0x10000000000000000 4
0x20010db8000000000000000000000001 1
0x550e8400e29b41d4a716446655440000 2
0xffffffffffffffffffffffffffffffff 3" scan "$tree"
expect 0 "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3
550e:8400:e29b:41d4:a716:4466:5544:0 2" \
	scan "$tree" -r -n 2 --key-form ipv6
ends "keys of 128 bits are numbers, UUIDs and addresses"

expect 1 "00000000-0000-0001-0000-000000000000 4
00000000-0000-0000-0000-000000000005 -" \
	get "$tree" --key-form uuid 0x10000000000000000 5
expect 0 "2001:db8::ffff 2001:db8::1 1" \
	floor "$tree" --key-form ipv6 2001:db8::ffff
expect 0 "0x3 0x10000000000000000 4" ceil "$tree" 3
expect 1 "0x0 - -" floor "$tree" 0
expect 2 "" get "$tree" 2001:db8::g
said "not an IPv6 address (the kind of $tree is u128)"
expect 2 "" get "$tree" 340282366920938463463374607431768211456
said "more than 128 bits"
ends "get, floor and ceil of keys with 128 bits"

expect 1 "" cas "$tree" 2001:db8::1 9 10
said "its value is 1"
expect 0 "" cas "$tree" 2001:db8::1 1 10
expect 1 "" cad "$tree" 2001:db8::1 1
expect 0 "" cad "$tree" 2001:db8::1 10
expect 0 "0x5 6" get-or-insert "$tree" 5 6
expect 0 "0x5 6" get-or-insert "$tree" 5 7
expect 0 "0x5 6" pop-min "$tree"
expect 0 "0xffffffffffffffffffffffffffffffff 3" pop-max "$tree"
expect 1 "" pop-min "$tree" 0xffffffffffffffff0000000000000000
expect 0 "0x550e8400e29b41d4a716446655440000 2" pop-max "$tree" \
	550e8400-e29b-41d4-a716-446655440001
expect 0 "" del "$tree" 0x10000000000000000
expect 0 "0" count "$tree"
ends "updates and pops of keys with 128 bits"

seq 0 9999 | awk '{ printf "2001:db8:%x::%x\t%d\n", $1 / 100, $1 % 100, $1 }' \
	> "$work/text"
seq 0 9999 | awk '{
	printf "0x20010db8%04x0000000000000000%04x %d\n", $1 / 100, $1 % 100, $1
}' > "$work/sorted"
"$blinktree" load "$tree" "$work/text" --sorted > "$work/out" ||
	check "load --sorted: $(cat "$work/out")"
expect 0 "$(cat "$work/sorted")" scan "$tree"
expect 0 "10000" count "$tree"
expect 0 "100" count "$tree" --prefix 2001:db8:7::/48
expect 0 "1600" count "$tree" --prefix 20010db8001
expect 0 "1" count "$tree" 2001:db8:7::7
expect 0 "0" count "$tree" 2001:db8:7::64
expect 0 "2001:db8:7::62 798
2001:db8:7::63 799" scan "$tree" --key-form ipv6 \
	-f 2001:db8:7::62 -t 2001:db8:7:0:ffff::
expect 0 "100" erase-range "$tree" 2001:db8:7:: 2001:db8:7::ffff
expect 0 "0" count "$tree" --prefix 2001:db8:7::/48
expect 2 "" scan "$tree" --from 2 --to 1
said "greater"
"$blinktree" load "$tree" "$work/text" --jobs 4 | grep -qx "added: 100" ||
	check "load of the missing keys"
ends "load, dump, ranges and prefixes of keys with 128 bits"

cat > "$work/in" << 'END_OF_SCRIPT'
put 2001:db8::1 7
get 2001:db8::1
get 5
floor 550e8400-e29b-41d4-a716-446655440000
cas 2001:db8::1 8 9
pop-min 2001:db8::1
get x
END_OF_SCRIPT
fresh u128
expect 2 "put 2001:db8::1 ok - - -
get 2001:db8::1 ok - 7 -
get ::5 ENOENT - - -
floor 550e:8400:e29b:41d4:a716:4466:5544:0 ok 2001:db8::1 7 -
cas 2001:db8::1 ESTALE - - 7
pop-min 2001:db8::1 ok 2001:db8::1 - 7" batch "$tree" --key-form ipv6
said "standard input:7: not a number"
: > "$work/in"
ends "batch with keys of 128 bits"

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

expect 0 "" cad "$tree" 7 101
expect 1 "" cad "$tree" 7 101
said "no such key"
expect 0 "3" count "$tree" 7
expect 0 "7 100" pop-min "$tree" 7
expect 0 "8 100" pop-max "$tree"
expect 0 "" del "$tree" 7
expect 1 "" del "$tree" 7
said "no such key"
expect 0 "6 0" scan "$tree"
expect 0 "1" erase-range "$tree" 6 6
expect 0 "0" count "$tree"
ends "pairs are removed one by one, and all of a key"

seq 0 9999 | awk '{ printf "%d\t%d\n", $1 / 10, $1 }' > "$work/text"
"$blinktree" load "$tree" "$work/text" --sorted > "$work/out" ||
	check "load --sorted: $(cat "$work/out")"
"$blinktree" dump "$tree" | tr ' ' '\t' | cmp -s - "$work/text" ||
	check "another tree"
"$blinktree" load "$tree" "$work/text" --jobs 3 |
	grep -qx "overwritten: 10000" || check "load of pairs that are there"
expect 0 "10" count "$tree" 500
expect 0 "500 5000" scan "$tree" -f 500 -n 1
printf 'insert 5 50\ncad 5 51\ndel 5\nget 5\npop-max 4\ncas 4 1 2\n' \
	> "$work/in"
expect 3 "insert 5 EEXIST - - -
cad 5 ok - - -
del 5 ok - - -
get 5 ENOENT - - -
pop-max 4 ok 4 - 49
cas 4 EOPNOTSUPP - - -" batch "$tree"
: > "$work/in"
ends "load, dump and batch of pairs"

for line in "put -r $tree 4 1" "cas $tree 4 1 2" "get-or-insert $tree 4 1"; do
	# shellcheck disable=SC2086 # these are words
	expect 3 "" $line
	said "$tree has keys of the kind multi and values of the kind u64, without this operation"
done
expect 2 "" get "$tree" ::1
said "the kind of $tree is multi"
fresh u64
expect 2 "" get "$tree" 0x10000000000000000
said "more than 64 bits (the kind of $tree is u64)"
ends "an error says which kind the tree has"

fresh u128
for key in ::1 18446744073709551616 2001:db8::; do
	expect 0 "" put "$tree" $key 1
done
expect 1 '[{"key":"::1","value":1},{"key":"::2","value":null}]' \
	get -j "$tree" --key-form ipv6 1 2
expect 0 '[{"key":"0x5","found":"0x1","value":1}]' floor -j "$tree" 5
ends "JSON has keys of 128 bits as texts"

fresh bytes
for key in '' a ab abc b '\xff\xff' 'a b' '\x00' é '#'; do
	expect 0 "" put "$tree" "$key" 1
done
expect 1 "" put "$tree" -i '\x61' 2
said "already"
expect 0 '\& 1
\x00 1
\x23 1
a 1
a\x20b 1
ab 1
abc 1
b 1
é 1
\xff\xff 1' scan "$tree"
expect 0 '\xff\xff 1
é 1' scan "$tree" -r -n 2
expect 1 'ab 1
ac -
\& 1' get "$tree" ab ac ''
expect 0 'ac abc 1' floor "$tree" ac
expect 0 'ac b 1' ceil "$tree" ac
expect 0 '\& \& 1' floor "$tree" ''
expect 1 '\xff\xff\x00 - -' ceil "$tree" '\xff\xff\x00'
expect 0 'ab 1
abc 1' scan "$tree" --prefix ab
expect 0 '\xff\xff 1' scan "$tree" --prefix '\xff'
expect 0 10 count "$tree" --prefix ''
expect 0 'ab 1' scan "$tree" --from ab --to ab
expect 0 1 count "$tree" ''
expect 0 0 count "$tree" c
expect 0 3 count "$tree" --from a --to ab
expect 2 "" scan "$tree" --from b --to a
said "greater"
expect 2 "" get "$tree" '\q'
said "backslash"
expect 2 "" get "$tree" "$(printf '%01025d' 0)"
said "1024 bytes (the kind of $tree is bytes)"
ends "strings are read and written with escapes"

expect 1 "" cas "$tree" ab 2 3
said "its value is 1"
expect 0 "" cas "$tree" ab 1 3
expect 0 "" cad "$tree" ab 3
expect 1 "" del "$tree" ab
expect 0 'new\x20one 5' get-or-insert "$tree" 'new one' 5
expect 0 '\& 1' pop-min "$tree"
expect 0 'b 1' pop-min "$tree" 'b'
expect 0 '\xff\xff 1' pop-max "$tree"
expect 0 'abc 1' pop-max "$tree" ac
printf '%s\n' 'put x\x20y 4' 'get x\x20y' 'floor z' 'pop-max \xff' 'del none' \
	> "$work/in"
expect 1 'put x\x20y ok - - -
get x\x20y ok - 4 -
floor z ok x\x20y 4 -
pop-max \xff ok é - 1
del none ENOENT - - -' batch "$tree"
: > "$work/in"
expect 0 2 erase-range "$tree" '\x00' '\x23'
expect 0 4 count "$tree"
expect 1 '[{"key":"a b","value":1},{"key":"é","value":null}]' \
	get -j "$tree" 'a b' é
expect 1 '[{"key":{"base64":"AP8="},"value":null}]' get -j "$tree" '\x00\xff'
ends "updates, batches and JSON of strings"

seq 0 9999 | awk '{ printf "/usr/share/doc %d/file-%d\t%d\n", $1 / 100, $1, $1 }' \
	> "$work/text"
for sorted in --sorted ""; do
	fresh bytes
	LC_ALL=C sort "$work/text" > "$work/sorted"
	# shellcheck disable=SC2086 # it can be no word
	"$blinktree" load "$tree" "$work/sorted" $sorted |
		grep -qx "added: 10000" || check "load $sorted"
	expect 0 100 count "$tree" --prefix '/usr/share/doc\x207/'
	expect 0 '/usr/share/doc\x2099/file-9999 9999' \
		get "$tree" '/usr/share/doc 99/file-9999'
	"$blinktree" verify "$tree" | grep -qx "verify: ok" || check "verify"
done
expect 2 "" dump "$tree" "$work/dump" -F binary
said "no strings"
expect 2 "" load "$tree" -F binary "$work/text"
said "no strings"
ends "load and dump of strings"

all_good
