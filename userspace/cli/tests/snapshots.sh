#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# save and restore, in TAP. As root, module loaded.
#
#   snapshots.sh BLINKTREE
set -u
# shellcheck source=userspace/cli/tests/expect.sh
. "$(dirname "$0")/expect.sh"

copy=${tree}_copy
trap '"$blinktree" rm "$copy" 2> /dev/null; clean_up' EXIT
file=$work/snapshot

# fresh [OPTION...]: a new tree, and no copy of it
fresh() {
	"$blinktree" rm "$tree" "$copy" 2> /dev/null
	expect 0 "" create "$tree" "$@"
}

# runs STATUS WORD...: blinktree must end with this status; its seconds are left out.
runs() {
	local status=$1 real
	shift
	"$blinktree" "$@" > "$work/out" 2> "$work/err" < "$work/in"
	real=$?
	[ $real -eq "$status" ] ||
		check "$*: exit $real, not $status: $(cat "$work/err")"
	sed -i '/^seconds: /d' "$work/out"
}

# counts READ ADDED PRESENT OVERWRITTEN: what the last restore must have printed
counts() {
	[ "$(sed -n 's/^[a-z]*: \([0-9]*\)$/\1/p' "$work/out" | xargs)" = "$*" ] ||
		check "not '$*': $(xargs < "$work/out")"
}

# Nothing of a tree without a name, or of a file without one, must be left.
nothing_left() {
	"$blinktree" list --names | grep -q '^restore-' && check "a tree is left"
	[ -z "$(find "$work" -name '.blinktree-*')" ] || check "a file is left"
}

# same_entries: the copy must have the entries of the tree.
same_entries() {
	"$blinktree" scan "$tree" > "$work/one"
	"$blinktree" scan "$copy" > "$work/two"
	cmp "$work/one" "$work/two" || check "the entries differ"
	"$blinktree" verify "$copy" | grep -qx "verify: ok" || check "verify"
}

# attributes TREE: all attributes but name and number
attributes() {
	"$blinktree" attr "$1" | sed '/^name: /d; /^id: /d'
}

# pairs KIND VALUE NUMBER: lines for load; equal keys only if the kind is multi
pairs() {
	seq "$3" | awk -v kind="$1" -v value="$2" '{
		key = kind == "multi" ? int($1 / 3) : $1 * 7
		if (kind == "bytes")
			key = sprintf("/usr/%0*d", 1 + $1 % 90, key)
		print key "\t" (value == "bytes" ? "a value " key : $1)
	}'
}

# damage BYTE: change one byte of the file
damage() {
	local old
	old=$(od -An -tu1 -j "$1" -N 1 "$file")
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\x$(printf %x $((old ^ 0x41)))" |
		dd of="$file" bs=1 seek="$1" conv=notrunc status=none
}

echo "TAP version 13"
echo "1..11"

for kinds in u64:u64 u64:bytes u128:u64 u128:bytes multi:u64 bytes:u64 bytes:bytes; do
	key=${kinds%:*} value=${kinds#*:}
	fresh --key "$key" --value "$value"
	pairs "$key" "$value" 5000 | "$blinktree" load "$tree" > /dev/null || check "load $kinds"
	entries=$("$blinktree" count "$tree")
	[ "$entries" -ge 4900 ] || check "$kinds: $entries entries"
	runs 0 save "$tree" "$file"
	grep -qx "entries: $entries" "$work/out" || check "$(cat "$work/out")"
	grep -qx "bytes: $(stat -c %s "$file")" "$work/out" || check "$(cat "$work/out")"
	runs 0 restore "$file" "$copy"
	counts "$entries" "$entries" 0 0
	same_entries
	runs 1 restore "$file" "$copy"
	counts "$entries" 0 "$entries" 0
	[ "$(attributes "$tree")" = "$(attributes "$copy")" ] || check "$kinds: attributes"
done
nothing_left
ends "trees of all kinds are saved and restored"

fresh --max-entries 1000 --max-bytes 10000000 --compress --replication inner \
	--locking cohort --placement interleave
"$blinktree" attr "$tree" --owner 7 --group 8 --mode 647
expect 0 "" put "$tree" 5 6
runs 0 save "$tree" "$file"
runs 3 restore --owner 8 "$file" "$copy"
said "its tree belonged to user 7, not to 8"
runs 3 save --owner 8 "$tree" "$work/none"
said "the tree does not belong to 8"
[ ! -e "$work/none" ] || check "there is a file"
runs 0 save --owner 7 "$tree" "$file"
runs 0 restore --keep --owner 7 "$file" "$copy"
[ "$(attributes "$tree")" = "$(attributes "$copy")" ] || check "attributes"
runs 1 restore --owner 7 "$file" "$copy"
runs 3 load --owner 0 "$copy"
"$blinktree" rm "$copy"
(umask 027; "$blinktree" restore "$file" "$copy") > /dev/null || check "restore"
attributes "$copy" | grep -qx "uid: 0" || check "an owner without --owner"
attributes "$copy" | grep -qx "mode: 0640" || check "mode: $(attributes "$copy")"
expect 2 "" restore --keep "$file" "$copy"
said "the tree exists, so --keep and --mode have no effect"
ends "a new tree has the options of the saved one, and the owner that is told"

runs 3 restore "$file"
said "there is a tree of this name already"
"$blinktree" rm "$tree"
runs 0 restore "$file"
expect 0 "5 6" scan "$tree"
ends "without a name the tree has the saved one"

expect 0 "" put "$copy" 5 7
expect 0 "" put "$copy" 9 9
runs 1 restore "$file" "$copy"
counts 1 0 1 0
expect 0 "5 7
9 9" scan "$copy"
runs 0 restore --replace "$file" "$copy"
counts 1 0 0 1
expect 0 "5 6
9 9" scan "$copy"
ends "keys that are present stay, or are replaced"

fresh
"$blinktree" save "$tree" | "$blinktree" restore - "$copy" > "$work/out" || check "a pipe"
counts 0 0 0 0
expect 0 "" scan "$copy"
expect 2 "" save -j "$tree"
said "excludes JSON"
"$blinktree" -j save "$tree" "$file" | grep -q '"entries":0,"bytes":168,' || check "JSON"
script -qec "$blinktree save $tree" /dev/null > "$work/out"
grep -q "no text for a terminal" "$work/out" || check "a terminal: $(cat "$work/out")"
ends "an empty tree, a pipe, JSON and a terminal"

fresh
pairs u64 u64 20000 | "$blinktree" load "$tree" > /dev/null
runs 0 save "$tree" "$file"
# The first chunk is whole: 144 bytes of header, 24 of its head, then its records.
whole=$(od -An -tu4 -j 148 -N 4 "$file" | tr -d ' ')
damage $((144 + 24 + 16 * whole + 24 + 5))
expect 0 "" create "$copy"
runs 5 restore "$file" "$copy"
counts "$whole" "$whole" 0 0
said "in the chunk at byte $((144 + 24 + 16 * whole))"
expect 0 "$whole" count "$copy"
ends "a tree that exists gets the entries before the damage"

fresh --key multi
runs 0 save "$tree" "$file"
expect 0 "" create "$copy"
runs 7 restore "$file" "$copy"
said "keys are u64 and values u64, but those of the snapshot are multi and u64"
"$blinktree" rm "$copy"
expect 0 "" create "$copy" --key multi
runs 0 restore "$file" "$copy"
ends "a tree of another kind gets nothing"

fresh --max-entries 20000
pairs u64 u64 20000 | "$blinktree" load "$tree" > /dev/null
expect 0 "" attr "$tree" --max-entries 5000
runs 0 save "$tree" "$file"
runs 3 restore "$file" "$copy"
said "the tree has reached its max_entries"
said "$copy: the tree was not created"
"$blinktree" list --names | grep -qx "$copy" && check "there is a copy"
nothing_left
ends "a tree without room for all entries is not created"

echo old > "$file"
mkfifo "$work/fifo"
"$blinktree" save "$tree" "$work/fifo" &
cat "$work/fifo" > "$work/piped"
wait $! || check "a pipe"
[ -p "$work/fifo" ] || check "the pipe was replaced"
runs 0 save "$tree" /dev/null
[ -c /dev/null ] || check "/dev/null was replaced"
ln -s snapshot "$work/link"
runs 0 save "$tree" "$work/link"
[ -L "$work/link" ] || check "the link was replaced"
cmp "$work/piped" "$file" || check "the file is another one than that of the pipe"
[ "$(stat -c %a "$file")" = 600 ] || check "mode $(stat -c %a "$file")"
runs 3 save "$tree" "$work/none/file"
runs 3 save "$tree" /dev/full
said "writing failed: No space left"
runs 3 save "$tree" "$work"
said "Is a directory"
ends "links, pipes and devices stay; errors are told"

# The pipe is full long before the end, so the signal comes while save writes: nobody reads.
"$blinktree" save "$tree" - 2> "$work/err" > "$work/fifo" &
exec 3< "$work/fifo"
soon 60 sleeps $! || check "save does not wait for the pipe"
kill -TERM $!
wait $!
status=$?
exec 3<&-
[ $status -eq 130 ] || check "save: status $status"
# The pipe stays open behind the part of a snapshot, so restore waits for the rest.
"$blinktree" restore - "$copy" < "$work/fifo" > "$work/out" 2> "$work/err" &
pid=$!
exec 3> "$work/fifo"
head -c 100000 "$file" >&3
restores() {
	[ "$("$blinktree" list --names | grep -c '^restore-')" = 1 ]
}
soon 60 restores || check "no restore runs"
soon 60 sleeps $pid || check "restore does not wait for the pipe"
kill -HUP $pid
wait $pid
status=$?
exec 3>&-
[ $status -eq 130 ] || check "restore: status $status, $(cat "$work/err")"
nothing_left
ends "signals end save and restore, and leave nothing"

# Each entry that stays must be in each snapshot; the others come and go.
fresh
seq 2 2 20000 | awk '{ print $1, $1 }' | "$blinktree" load "$tree" > /dev/null
(
	while [ ! -e "$work/enough" ]; do
		seq 1 2 20000 | awk '{ print "put", $1, $1 }' | "$blinktree" batch "$tree"
		seq 1 2 20000 | awk '{ print "del", $1 }' | "$blinktree" batch "$tree"
	done > /dev/null
) &
for _ in 1 2 3; do
	runs 0 save "$tree" "$file"
	runs 0 restore "$file" "$copy"
	[ "$("$blinktree" scan "$copy" | awk '$1 % 2 == 0' | wc -l)" = 10000 ] ||
		check "an entry that stays is missing"
	"$blinktree" rm "$copy"
done
touch "$work/enough"
wait
ends "a save beside writers has all that stays"

all_good
