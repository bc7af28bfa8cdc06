#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The command that prints the changes of a tree, in TAP. As root, module loaded.
#
#   watch.sh BLINKTREE
set -u
# shellcheck source=userspace/cli/tests/expect.sh
. "$(dirname "$0")/expect.sh"

writer=
trap 'kill $writer 2> /dev/null; clean_up' EXIT

# watch OPTION...: print to $work/out in the background, and wait until it watches.
watch() {
	timeout 60 "$blinktree" watch "$tree" "$@" > "$work/out" 2> "$work/err" &
	waiter=$!
	soon 30 watches || check "it does not watch: $(cat "$work/err")"
}

# Also says which process it is that watches.
watches() {
	watcher=$(grep -sl "^PPid:[[:space:]]*$waiter\$" /proc/[0-9]*/status) || return
	watcher=$(basename "${watcher%/status}")
	readlink "/proc/$watcher/fd/"* 2> /dev/null | grep -q blink_watch
}

began_again() {
	grep -q overrun "$work/out" && [ "$(grep -c ready "$work/out")" -eq 2 ]
}

# printed LINE...: the watch ends, and these were its lines.
printed() {
	wait "$waiter" || check "watch: $? $(cat "$work/err")"
	printf '%s\n' "$@" | diff - "$work/out" > "$work/diff" || check "$(cat "$work/diff")"
}

echo "TAP version 13"
echo "1..9"

expect 0 "" create "$tree"
watch --limit 5
"$blinktree" put "$tree" 5 50 > /dev/null
"$blinktree" put "$tree" 5 51 > /dev/null
"$blinktree" del "$tree" 5 > /dev/null
"$blinktree" put "$tree" 7 70 > /dev/null
"$blinktree" put "$tree" 8 80 > /dev/null
printed "0 insert 5 - 50 -" "1 update 5 - 51 50" "2 erase 5 - - 51" \
	"3 insert 7 - 70 -" "4 insert 8 - 80 -"
ends "watch prints the changes"

watch --limit 2 --from 8 --to 9 --json
"$blinktree" put "$tree" 7 71 > /dev/null
"$blinktree" put "$tree" 8 81 > /dev/null
"$blinktree" put "$tree" 9 91 > /dev/null
printed \
	'{"position":0,"change":"update","key":8,"last":null,"value":81,"old":80}' \
	'{"position":1,"change":"insert","key":9,"last":null,"value":91,"old":null}'
ends "watch prints those of a range, as JSON"

watch --all --limit 7
soon 30 grep -q ready "$work/out"
"$blinktree" erase-range "$tree" 7 8 > /dev/null
"$blinktree" put "$tree" 6 60 > /dev/null
printed "0 scan - - - -" "0 entry 7 - 71 -" "0 entry 8 - 81 -" "0 entry 9 - 91 -" \
	"0 ready - - - -" "0 erase-range 7 8 - -" "1 insert 6 - 60 -"
ends "watch --all prints the entries first"

# The watch stands still while others write more than its ring has.
watch --all --slots 64 --limit 1000
pause "$watcher"
seq 100 400 | awk '{ print $1, $1 }' | "$blinktree" load "$tree" > /dev/null
kill -CONT "$watcher"
soon 30 began_again
kill "$watcher"
wait "$waiter" 2> /dev/null
sed -n '/overrun/,/ready/p' "$work/out" | awk '$2 == "entry"' > "$work/again"
[ "$(wc -l < "$work/again")" -eq 303 ] || check "$(head -n 20 "$work/out")"
ends "watch tells an overrun, and begins again"

# The small ring overruns while the entries are printed, so the watch never waits.
seq 1000 20000 | awk '{ print $1, $1 }' | "$blinktree" load "$tree" > /dev/null
yes $'5 6\n5 7' | "$blinktree" load "$tree" > /dev/null 2>&1 &
writer=$!
timeout 30 "$blinktree" watch --all --slots 64 "$tree" > /dev/full 2> "$work/err"
status=$?
kill "$writer" || check "the writer has paused"
wait "$writer" 2> /dev/null
writer=
[ $status -eq 3 ] || check "watch: $status"
said "standard output: No space left on device"
ends "watch ends if its lines cannot be written, while changes never pause"

# gone: the watch ends and says why.
gone() {
	wait "$waiter"
	[ $? -eq 1 ] || check "watch: not 1"
	printf '%s\n' "$@" | diff - "$work/out" > "$work/diff" || check "$(cat "$work/diff")"
	said "$tree: the tree was removed"
}

"$blinktree" rm "$tree"
expect 0 "" create --max-entries 1 "$tree"
watch --from 100
"$blinktree" put "$tree" 5 50 > /dev/null
for key in 6 7; do
	"$blinktree" put "$tree" "$key" 60 > /dev/null 2>&1 && check "there is room for $key"
done
"$blinktree" attr --mode 640 "$tree" || check "no mode is set"
"$blinktree" rm "$tree"
gone "0 refused - - 28 -" "1 attr - - 4 -" "2 unlinked - - - -"
expect 0 "" create "$tree"
watch --json
"$blinktree" rm "$tree"
gone '{"position":0,"change":"unlinked","key":null,"last":null,"value":null,"old":null}'
ends "watch tells of the tree itself, and ends with its name"

# The watch stands still, so it misses the record of the removal.
expect 0 "" create "$tree"
watch --slots 64
pause "$watcher"
seq 100 400 | awk '{ print $1, $1 }' | "$blinktree" load "$tree" > /dev/null
"$blinktree" rm "$tree"
kill -CONT "$watcher"
gone "302 overrun - - - -"
ends "watch ends with a name that went while it missed changes"

expect 0 "" create --key multi "$tree"
watch --limit 4
"$blinktree" put "$tree" 5 50 > /dev/null
"$blinktree" put "$tree" 5 51 > /dev/null
"$blinktree" put "$tree" 5 51 > /dev/null
"$blinktree" del "$tree" 5 > /dev/null
printed "0 insert 5 - 50 -" "1 insert 5 - 51 -" "2 update 5 - 51 -" "3 erase-range 5 5 50 51"
ends "watch knows equal keys"

"$blinktree" rm "$tree"
expect 0 "" create --key bytes "$tree"
expect 3 "" watch "$tree"
said "not supported"
expect 2 "" watch "$tree" --slots 1
expect 2 "" watch "$tree" --limit 0
ends "watch refuses what it cannot print"

all_good
