#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The command against the module, in TAP: answers, exit codes, messages, all
# formats there and back, and both styles of output. As root, module loaded.
#
#   device.sh BLINKTREE
set -u
# shellcheck source=userspace/cli/tests/expect.sh
. "$(dirname "$0")/expect.sh"

# loads STATUS READ ADDED OVERWRITTEN WORD...: run load, check what it sums up.
loads() {
	local status=$1 sum="read: $2 added: $3 overwritten: $4" real
	shift 4
	"$blinktree" load "$tree" "$@" > "$work/out" 2> "$work/err"
	real=$?
	[ $real -eq "$status" ] ||
		check "load $*: exit $real, not $status: $(cat "$work/err")"
	[ "$(grep -v seconds "$work/out" | paste -sd ' ')" = "$sum" ] ||
		check "load $*: $(cat "$work/out"), not $sum"
}

echo "TAP version 13"
echo "1..23"

expect 0 "" create "$tree" --mode 640
expect 3 "" create "$tree"
said "already"
expect 2 "" create "a/b"
expect 2 "" create ""
expect 2 "" create "$(printf '%064d' 0)"
said "at most 63"
expect 3 "" get "${tree}x" 1
said "no such tree"
[ "$("$blinktree" list | awk -v t="$tree" '$1 == t { print $5 }')" = 0640 ] ||
	check "no line with the mode in the list"
expect 0 "$("$blinktree" list | awk 'NR > 1 { print $1 }')" list --names
ends "create and list"

expect 0 "" put "$tree" 10 100
expect 0 "" put "$tree" 0xffffffffffffffff 0
expect 0 "" put "$tree" 20 200
expect 1 "" put "$tree" -i 20 201
said "already"
expect 1 "" put "$tree" -r 21 201
said "no such key in"
expect 0 "" put "$tree" -r 20 202
expect 0 "" put "$tree" 0 7
expect 0 "0 7
10 100
20 202
18446744073709551615 0" scan "$tree"
ends "put adds and overwrites, -i only adds, -r only overwrites"

expect 0 "10 100" get "$tree" 10
expect 0 "0xa 0x64" get -x "$tree" 0x0A
expect 1 "10 100
11 -
20 202" get "$tree" 10 11 20
expect 0 "100" get --value "$tree" 10
expect 1 "-" get --value "$tree" 11
ends "get"

expect 0 "15 10 100
20 20 202" floor "$tree" 15 20
expect 0 "11 20 202" ceil "$tree" 11
expect 0 "0xb 0xa 0x64" floor -x "$tree" 11
expect 0 "" del "$tree" 0
expect 1 "5 - -" floor "$tree" 5
expect 0 "" del "$tree" 18446744073709551615
expect 1 "21 - -" ceil "$tree" 21
ends "floor and ceil"

expect 1 "" del "$tree" 11
said "no such key"
expect 1 "" cas "$tree" 10 99 5
said "its value is 100"
expect 0 "" cas "$tree" 10 100 5
expect 0 "10 5" get "$tree" 10
expect 1 "" cas "$tree" 11 1 2
said "no such key"
expect 1 "" cad "$tree" 10 4
said "its value is 5"
expect 1 "" cad "$tree" 11 5
said "no such key"
expect 0 "" cad "$tree" 10 5
expect 1 "" del "$tree" 10 11 20
expect 0 "0" count "$tree"
ends "del and cas"

expect 0 "10 5" get-or-insert "$tree" 10 5
expect 0 "10 5" get-or-insert "$tree" 10 6
expect 0 "" put "$tree" 20 7
expect 0 "20 7" pop-max "$tree"
expect 1 "" pop-min "$tree" 11
said "no such key"
expect 1 "" pop-max "$tree" 9
expect 0 "0xa 0x5" pop-min -x "$tree"
expect 1 "" pop-min "$tree"
expect 0 "" put "$tree" 10 5
expect 0 "" put "$tree" 20 7
expect 2 "" erase-range "$tree" 20 10
said "20 is greater than 10"
expect 0 "1" erase-range "$tree" 11 20
expect 0 "1" erase-range "$tree" 0 0xffffffffffffffff
expect 0 "0" count "$tree"
ends "pops, and erased ranges"

expect 0 "10 1" add "$tree" 10
expect 0 "10 5" add "$tree" 10 4
expect 0 "10 3" add "$tree" 10 -- -2
expect 0 "10 18446744073709551615" add "$tree" 10 -- -4
expect 0 "10 1" add "$tree" 10 2
expect 0 "10 0" add -s "$tree" 10 -- -2
expect 0 "10 9223372036854775807" add -s "$tree" 10 9223372036854775807
expect 0 "10 18446744073709551614" add -s "$tree" 10 9223372036854775807
expect 0 "10 18446744073709551615" add -s "$tree" 10 2
expect 0 "20 0" add -s "$tree" 20 -- -5
expect 2 "" add -s "$tree" 10 9223372036854775808
said "too far from 0"
expect 2 "" add "$tree" 10 -- -9223372036854775809
expect 0 "10 9223372036854775807" add "$tree" 10 -- -9223372036854775808
expect 2 "" add "$tree" 10 -- -
expect 2 "" put "$tree" 10 -- -1
printf 'add 20 -1\nadd-saturate 20 5\nadd-saturate 30 -5\n' > "$work/sums"
expect 0 "$(printf '%s\n' "add 20 ok - - 0" \
	"add-saturate 20 ok - - 18446744073709551615" "add-saturate 30 ok - - -")" \
	batch "$tree" "$work/sums"
printf '# Two of them.\n\nexpect 20 7\nput 20 8\n \n\nget 20\nget 21\n' > "$work/sums"
expect 1 "$(printf '%s\n' "expect 20 ESTALE - - 18446744073709551615" \
	"put 20 ECANCELED - - -" "get 20 ok - 18446744073709551615 -" "get 21 ENOENT - - -")" \
	commit "$tree" "$work/sums"
printf 'add 40 -5\nadd 20 5\n' > "$work/sums"
expect 0 "$(printf '%s\n' "add 40 ok - - -" "add 20 ok - - 18446744073709551615")" \
	commit "$tree" "$work/sums"
expect 0 "4" erase-range "$tree" 0 100
ends "sums"

seq 0 3 29997 | awk '{ print $1, 2 * $1 }' > "$work/sorted"
# Shuffled, and with older values for some keys before.
awk '$1 % 2 { print $1, 1 }' "$work/sorted" > "$work/text"
shuf --random-source=<(yes) "$work/sorted" >> "$work/text"
loads 0 15000 10000 5000 "$work/text"
loads 0 15000 0 15000 "$work/text" --jobs 4 -b 100
expect 0 "$(cat "$work/sorted")" dump "$tree"
expect 0 "10000" count "$tree"
expect 0 "5000" count "$tree" -f 15000
expect 0 "3" count "$tree" -f 3 --to 9
expect 0 "0" count "$tree" -f 4 --to 5
ends "load: of several values the last one stays, with many jobs too"

for format in text csv binary; do
	"$blinktree" dump "$tree" "$work/dump" --format $format ||
		check "dump $format"
	"$blinktree" dump "$tree" -F $format | cmp -s - "$work/dump" ||
		check "dump $format: a file is not what standard output is"
	"$blinktree" rm "$tree" && "$blinktree" create "$tree"
	loads 0 10000 10000 0 -F $format < "$work/dump"
	expect 0 "$(cat "$work/sorted")" dump "$tree"
done
[ "$(stat -c %s "$work/dump")" -eq 160000 ] || check "size of binary dump"
ends "dump and load in every format"

"$blinktree" put "$tree" 3 6
expect 0 "0 0
3 6
6 12" scan "$tree" --limit 3
expect 0 "29997 59994
29994 59988" scan "$tree" -r -n 2
expect 0 "99 198
102 204" scan "$tree" -f 97 -t 104
expect 0 "102 204
99 198" scan "$tree" -f 97 -t 104 --reverse
expect 0 "" scan "$tree" -f 97 -t 98
expect 0 "" scan "$tree" -n 0
"$blinktree" scan "$tree" -r | tac > "$work/out"
"$blinktree" scan "$tree" | cmp -s - "$work/out" || check "both directions"
ends "scan"

cat > "$work/in" <<'END'
# a script
get 3
get 4
insert 3 1
insert 4 44
put 4 45
replace 4 46
replace 5 1
cas 4 46 47
cas 4 46 48

del 4
del 4
floor 5
ceil 0x4
ceil 30000
END
expect 1 "get 3 ok - 6 -
get 4 ENOENT - - -
insert 3 EEXIST - - 6
insert 4 ok - - -
put 4 ok - - 44
replace 4 ok - - 45
replace 5 ENOENT - - -
cas 4 ok - - -
cas 4 ESTALE - - 47
del 4 ok - - 47
del 4 ENOENT - - -
floor 5 ok 3 6 -
ceil 4 ok 6 12 -
ceil 30000 ENOENT - - -" batch "$tree"
printf 'put 4 1\nfly 5\ndel 4\n' > "$work/in"
expect 2 "put 4 ok - - -" batch "$tree"
said "standard input:2: no such operation: fly 5"
seq 1 5000 | sed 's/.*/put & &/' > "$work/in"
"$blinktree" batch "$tree" "$work/in" | grep -c 'ok' > "$work/out"
[ "$(cat "$work/out")" = 5000 ] || check "a long script"
: > "$work/in"
ends "batch"

printf 'put 70001 1\nget 70003\nabsent 70003\ninsert 70002 2\n' > "$work/in"
expect 0 "put 70001 ok - - -
get 70003 ENOENT - - -
absent 70003 ok - - -
insert 70002 ok - - -" commit "$tree"
printf 'cas 70001 1 10\nexpect 70002 3\ndel 70001\n' > "$work/in"
expect 3 "" commit "$tree"
printf 'cas 70001 1 10\nexpect 70002 3\n' > "$work/in"
expect 1 "cas 70001 ECANCELED - - -
expect 70002 ESTALE - - 2" commit "$tree"
: > "$work/in"
expect 0 "70001 1" get "$tree" 70001
printf 'cas 70001 1 10\nexpect 70002 2\nget 70001\n' > "$work/in"
expect 0 "cas 70001 ok - - -
expect 70002 ok - - -
get 70001 ok - 1 -" commit "$tree"
printf 'put 1 2\nfloor 3\n' > "$work/in"
expect 3 "" commit "$tree"
seq 33 | sed 's/.*/get &/' > "$work/in"
expect 3 "" commit "$tree"
printf 'del 70001\ndel 70002\nfly\n' > "$work/in"
expect 2 "" commit "$tree"
sed -i '$d' "$work/in"
expect 0 "del 70001 ok - - 10
del 70002 ok - - 2" commit "$tree"
: > "$work/in"
expect 0 "" commit "$tree"
ends "commit"

for key in 1 2 3 4 5; do "$blinktree" put "$tree" 7000$key $key; done
printf 'expect 70001 1 +empty\nexpect 70003 3\n' > "$work/in"
expect 1 "expect 70001 ENOTEMPTY - - -
expect 70003 ECANCELED - - -" commit "$tree"
printf 'del 70001 +clear\nexpect 70004 4 +empty\nexpect 70005 5\n' > "$work/in"
expect 0 "del 70001 ok - - 1
expect 70004 ok - - -
expect 70005 ok - - -" commit "$tree"
printf 'del 70004 +empty\n' > "$work/in"
expect 3 "" commit "$tree"
expect 2 "" batch "$tree"
printf 'del 70004 +full\n' > "$work/in"
expect 2 "" commit "$tree"
printf 'del 70004\ndel 70005\n' > "$work/in"
expect 0 "del 70004 ok - - 4
del 70005 ok - - 5" commit "$tree"
: > "$work/in"
ends "commit with gaps"

ranges=$tree-ranges
expect 0 "" create "$ranges"
expect 0 "" range "$ranges"
expect 0 "" range "$ranges" put 10 19 1
expect 0 "" range "$ranges" insert 20 0x1d 2
expect 1 "" range "$ranges" insert 29 30 3
said "a key is in a range"
expect 0 "10 19 1
20 29 2" range "$ranges" list
expect 0 "10 19 1" range "$ranges" list 0 19
expect 0 "20 29 2" range "$ranges" list 20 25
expect 0 "10 19 1" range "$ranges" get 19
expect 0 "30 18446744073709551615 -" range "$ranges" get 30
expect 0 "0 9 -" range "$ranges" gap 10
expect 0 "30 40 -" range "$ranges" gap 11
expect 0 "92 100 -" range "$ranges" gap -H 9 0 100
expect 1 "" range "$ranges" gap 5 10 33
said "no gap is large enough"
expect 0 "30 34 7" range "$ranges" alloc 5 7 10 34
expect 0 '[{"first":"0x1e","last":"0x22","value":"0x7"}]' range -jx "$ranges" get 30
expect 0 '[{"first":0,"last":9,"value":null}]' range -j "$ranges" get 5
expect 0 "" range "$ranges" del 15 24
expect 0 "" range "$ranges" put -P 28 32 9
expect 0 "10 14 1
25 27 2
28 32 9
33 34 7" range "$ranges"
expect 0 "10 1
15 0
25 2
28 9
33 7
35 0" scan "$ranges"
expect 2 "" range "$ranges" fly
said "no such action: fly"
expect 2 "" range "$ranges" get
expect 2 "" range "$ranges" del 1 2 3
expect 2 "" range "$ranges" gap 0x10000000000000000
expect 3 "" range "$ranges" put 5 4 1
expect 3 "" range -P "$ranges" insert 5 6 1
expect 0 "" rm "$ranges"
expect 0 "" create -k u128 "$ranges"
expect 0 "" range "$ranges" put 2001:db8:: 2001:db8::ffff 4
expect 0 "2001:db8:: 2001:db8::ffff 4" range --key-form ipv6 "$ranges"
expect 0 "2001:db7:ffff:ffff:ffff:ffff:ffff:0 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff -" \
	range --key-form ipv6 -H "$ranges" gap 0x10000 :: 2001:db8::ff
expect 0 "" rm "$ranges"
expect 0 "" create -k bytes "$ranges"
expect 3 "" range "$ranges"
said "keys of the kind bytes"
expect 0 "" rm "$ranges"
ends "ranges"

expect 1 '[{"key":1,"value":1},{"key":30001,"value":null}]' \
	get -j "$tree" 1 30001
expect 0 '[{"key":"0x1","value":"0x1"}]' get -jx "$tree" 1
expect 0 '[{"key":18446744073709551615,"found":29997,"value":59994}]' \
	floor -j "$tree" 0xffffffffffffffff
ends "JSON says the same"

expect 0 "$("$blinktree" stat "$tree")" stat "$tree"
for line in "tree: $tree" "entries: 13334" "max_entries: 0" "levels:" \
	"counters:" "splits: [1-9]" "fill_percent: [1-9]" \
	"bytes_per_key: [1-9]" "height: [2-9]"; do
	grep -q "^$line" "$work/out" || check "no '$line' in stat"
done
expect 0 "$("$blinktree" verify "$tree")" verify "$tree"
grep -qx "verify: ok" "$work/out" || check "no 'verify: ok'"
grep -qx "entries: 13334" "$work/out" || check "verify counts otherwise"
grep -qx "unindexed: 0" "$work/out" || check "nodes without an index entry"
ends "stat and verify"

# is LINE...: stat must say each of these of the tree.
is() {
	"$blinktree" stat "$tree" > "$work/out"
	for line; do
		grep -qx "$line" "$work/out" || check "no '$line' in stat"
	done
}
is "indexes: 1" "replication: none" "locking: plain" "placement: local" \
	"compress: no" "gate_passes: 0"
"$blinktree" rm "$tree"
# If a NUMA node's memory is full of files, the kernel takes that of another one.
echo 1 > /proc/sys/vm/drop_caches
expect 0 "" create "$tree" --replication inner --locking cohort \
	--placement interleave
loads 0 10000 10000 0 "$work/sorted"
nodes=$("$blinktree" info | sed -n 's/^numa_nodes: //p')
is "indexes: $nodes" "replication: inner" "locking: cohort" \
	"placement: interleave"
# One row of inner nodes, and one of leaves, for each NUMA node.
for level in 0 1; do
	rows=$(awk -v l=$level '$1 == l && $2 ~ /^[0-9]+$/' "$work/out" | wc -l)
	[ "$rows" -eq "$nodes" ] || check "$rows rows for level $level"
done
"$blinktree" verify "$tree" | grep -qx "misplaced: 0" ||
	check "nodes on the wrong NUMA node"
"$blinktree" rm "$tree"
expect 0 "" create "$tree" --compress
loads 0 10000 10000 0 "$work/sorted"
is "compress: yes" "replication: none"
"$blinktree" attr "$tree" | grep -qx "compress: yes" || check "attr: no compress"
"$blinktree" stat -j "$tree" | grep -q '"compress":"yes"' ||
	check "no compress in JSON"
"$blinktree" dump "$tree" | cmp -s - "$work/sorted" || check "another tree"
expect 2 "" create "${tree}x" --locking none
said "not one of: plain cohort"
ends "a tree as its options say"

"$blinktree" rm "$tree"
expect 0 "" create "$tree"
loads 0 10000 10000 0 --sorted --fill 80 "$work/sorted"
"$blinktree" dump "$tree" | cmp -s - "$work/sorted" || check "another tree"
"$blinktree" load "$tree" --sorted "$work/sorted" > "$work/out" 2> "$work/err"
[ $? -eq 3 ] || check "exit code where a key is there"
said "File exists"
ends "load of what is sorted"

"$blinktree" rm "$tree"
expect 0 "" create "$tree" --max-entries 100
"$blinktree" load "$tree" "$work/sorted" > "$work/out" 2> "$work/err"
[ $? -eq 3 ] || check "exit code of a full tree"
said "max_entries"
expect 0 "100" count "$tree"
expect 3 "" put "$tree" 1 1
said "max_entries"
expect 0 "" put "$tree" 0 1
"$blinktree" rm "$tree"
expect 3 "" create "$tree" --max-bytes 100
said "max_bytes is too small"
expect 0 "" create "$tree" --max-bytes 30000
"$blinktree" load "$tree" "$work/sorted" > "$work/out" 2> "$work/err"
[ $? -eq 3 ] || check "exit code of a tree that has its max_bytes"
said "max_bytes"
"$blinktree" stat "$tree" | grep -q '^ *max_bytes: 30000$' ||
	check "stat without max_bytes"
[ "$("$blinktree" list | awk -v t="$tree" '$1 == t { print $9 }')" = 30000 ] ||
	check "list without max_bytes"
ends "a tree that is full"

nobody "$blinktree" list > "$work/out" 2> "$work/err"
[ $? -eq 3 ] || check "exit code of somebody who may not"
said "Permission denied"
said "its mode is 600"
chmod 666 /dev/blink_tree
nobody "$blinktree" get "$tree" 0 2> "$work/err"
[ $? -eq 3 ] || check "exit code of a tree with mode 600"
said "the mode of the tree denies the access"
nobody "$blinktree" rm "$tree" 2> "$work/err"
[ $? -eq 3 ] || check "exit code of rm by another user"
said "only the tree's owner"
"$blinktree" rm "$tree"
"$blinktree" create "$tree" -m 644
"$blinktree" put "$tree" 1 2
[ "$(nobody "$blinktree" get "$tree" 1)" = "1 2" ] ||
	check "a tree that others may read"
[ "$(echo get 1 | nobody "$blinktree" batch "$tree")" = "get 1 ok - 2 -" ] ||
	check "a script that only reads, of a tree that others may read"
[ "$(echo put 1 1 | nobody "$blinktree" batch "$tree")" = \
	"put 1 EBADF - - -" ] || check "a script that writes such a tree"
"$blinktree" rm "$tree"
(umask 0 && "$blinktree" create "$tree" -m 622)
"$blinktree" put "$tree" 1 2
nobody "$blinktree" put "$tree" 2 3 || check "put to a write-only tree"
nobody "$blinktree" cas "$tree" 1 5 6 2> "$work/err"
[ $? -eq 3 ] || check "exit code of cas on a write-only tree"
[ "$(nobody "$blinktree" list | awk -v t="$tree" '$1 == t { print $6, $8 }')" = \
	"- -" ] || check "the size of a tree that others may not read"
chmod 600 /dev/blink_tree
ends "permissions"

"$blinktree" rm "$tree"
expect 0 "" create "$tree" -m 640 -n 5
for line in "name: $tree" "uid: 0" "gid: 0" "mode: 0640" "max_entries: 5" \
	"max_bytes: 0" "replication: none" "placement: local" "compress: no"; do
	"$blinktree" attr "$tree" | grep -qx " *$line" || check "attr: no '$line'"
done
expect 0 "" attr "$tree" -o nobody --group 12345 -m 604 -n 1 -b 50000
for line in "uid: 65534" "gid: 12345" "mode: 0604" "max_entries: 1" \
	"max_bytes: 50000"; do
	"$blinktree" attr "$tree" | grep -qx " *$line" || check "attr: no '$line'"
done
expect 0 "" put "$tree" 1 1
expect 3 "" put "$tree" 2 2
said "max_entries or max_bytes"
expect 0 "" attr "$tree" -n 0
expect 0 "" put "$tree" 2 2
expect 0 "" attr "$tree" --name "${tree}_new"
expect 3 "" attr "$tree"
said "no such tree"
expect 0 "" create "$tree"
expect 3 "" attr "${tree}_new" -N "$tree" -m 666
said "there is a tree of this name"
[ "$("$blinktree" attr "${tree}_new" | sed -n 's/^ *mode: //p')" = 0604 ] ||
	check "half of what attr was to set"
expect 3 "" attr "$tree" -n 5
said "counts no keys"
expect 2 "" attr "$tree" -o no_such_user
said "no such user"
expect 2 "" attr "$tree" -g no_such_group
expect 2 "" attr "$tree" -N ""
expect 2 "" attr "$tree" -N "a b"
chmod 666 /dev/blink_tree
nobody "$blinktree" attr "${tree}_new" -m 600 || check "attr by the owner"
nobody "$blinktree" attr "${tree}_new" -o 0 2> "$work/err"
[ $? -eq 3 ] || check "exit code of an owner who gives the tree away"
said "only the tree's owner and root"
chmod 600 /dev/blink_tree
expect 0 "" rm "${tree}_new"
ends "attr"

expect 0 "" create "${tree}_b"
expect 3 "" rm "${tree}_a" "${tree}_b"
said "no such tree"
expect 3 "" rm "${tree}_b"
expect 3 "" --device /dev/null list
said "not the device"
expect 3 "" --device /dev/nothing list
said "modprobe"
ends "rm and --device"

# shellcheck disable=SC1090
. <("$blinktree" completion bash)
blinktree() { "$blinktree" "$@"; }
COMP_WORDS=(blinktree get "${tree:0:6}")
COMP_CWORD=2
_blinktree
[[ " ${COMPREPLY[*]} " == *" $tree "* ]] || check "got: ${COMPREPLY[*]}"
ends "completion knows the trees"

all_good
