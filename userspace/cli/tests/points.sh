#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The points of the laboratory in the kernel, in TAP. As root, blink_tree loaded and
# blink_tree_lab not yet.
#
#   points.sh
set -u
# shellcheck source=userspace/cli/tests/lab.sh
. "$(dirname "$0")/lab.sh"

small="keys=1000 ops=200 warm_up=50"
line='^number=[1-9][0-9]* threads=T ops=N ns=[1-9][0-9]* wrong=0'

# order WORD...: the kernel must do this.
order() {
	echo "$*" > $lab/point 2> "$work/err" ||
		check "$*: $(cat "$work/err") $(cat $lab/point)"
}

# answers THREADS OPS: the last answer must be of so many.
answers() {
	local expected=${line/T/$1}
	cat $lab/point > "$work/answer"
	grep -q "${expected/N/$2} " "$work/answer" ||
		check "$1 threads, $2 operations: $(cat "$work/answer")"
}

# refused ERROR WORD...: the kernel must refuse this.
refused() {
	local error=$1
	shift
	echo "$*" > $lab/point 2> "$work/err" && check "'$*' was done"
	grep -q "$error" "$work/err" || check "$*: no '$error': $(cat "$work/err")"
}

# keys NUMBER...: the keys of order=file.
keys() {
	python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack(f"={len(sys.argv) - 1}Q", *map(int, sys.argv[1:])))' \
		"$@" > "$work/keys"
	[ -s "$work/keys" ] && dd if="$work/keys" of=$lab/keys bs=1M 2> "$work/err"
}

echo "TAP version 13"
echo "1..7"

insmod "$module" || check "$module cannot be loaded"
[ -z "$(cat $lab/point)" ] || check "an answer without an order"
for scheme in blink_tree olfit:ol olfit:csb-tl rcu:path mxkernel:sync \
	mxkernel:threads mckenzie:original mckenzie:lock-free+numa-rw+local \
	maple_tree; do
	for mix in 95/5 insert-erase ycsb-d ycsb-e ycsb-f lookup-miss; do
		order scheme=$scheme mix=$mix "$small"
		answers "$(nproc)" $((200 * $(nproc)))
	done
done
order scheme=olfit:no mix=olfit-40 threads=1 "$small"
answers 1 200
order scheme=mxkernel:cores mix=mxkernel shared=1 "$small"
answers "$(nproc)" 200
order scheme=blink_tree mix=pop replication=full locking=cohort "$small"
order scheme=blink_tree mix=50/50 batch=8 threads=1 "$small"
answers 1 200
grep -q ' retries=- bytes=[1-9][0-9]* entries=1[0-9]* each=200/[1-9][0-9]*$' "$work/answer" ||
	check "$(cat "$work/answer")"
ends "a scheme of each paper executes the mixes"

order scheme=blink_tree mix=95/5 timed=1 threads=1 "$small"
answers 1 200
[ "$(awk '/^op=(read|update) / { sub("count=", "", $2); n += $2 } END { print n }' \
	"$work/answer")" = 200 ] || check "$(cat "$work/answer")"
grep -q '^op=read .* times=[0-9]*:[1-9]' "$work/answer" || check "no times"
ends "a point that is timed tells the times of each kind of operation"

refused "Invalid argument" scheme=blink_tree
refused "Invalid argument" scheme=none mix=lookup
refused "Invalid argument" scheme=blink_tree mix=lookup word=1
refused "out of range" scheme=blink_tree mix=lookup keys=0
refused "out of range" scheme=blink_tree mix=lookup threads=$(($(nproc) + 1))
refused "out of range" scheme=blink_tree mix=lookup order=file
refused "not supported" scheme=olfit:no mix=50/50 threads=2
refused "not supported" scheme=xarray mix=floor
refused "not supported" scheme=olfit:ol mix=lookup batch=2
refused "not supported" scheme=blink_tree mix=scan batch=2
refused "File too large" scheme=xarray mix=lookup keys=100001
refused "list too long" "scheme=blink_tree mix=lookup $(printf '%1024s' '')"
ends "an order that cannot be done is refused"

keys $(seq 3 3 3000) || check "keys: $(cat "$work/err")"
[ "$(cat $lab/keys)" = keys=1000 ] || check "$(cat $lab/keys)"
order scheme=blink_tree mix=scan order=file threads=1 "$small"
answers 1 200
keys 1 2 1 && check "equal keys were taken"
keys 1 9223372036854775808 && check "a key of 64 bits was taken"
echo 1234567 > $lab/keys 2> "$work/err" || check "eight bytes are a key"
echo 123456 > $lab/keys 2> "$work/err" && check "seven bytes were taken"
[ "$(cat $lab/keys)" = keys=1 ] || check "$(cat $lab/keys)"
ends "keys from a file"

"$(dirname "$0")/../../bench/run" lab run --kernel --scheme blink_tree,rcu:path,xarray \
	--mix 95/5,floor -k 1000 -n 200 -r 2 --json "$work/json" > "$work/out" 2> "$work/err" ||
	check "exit $?: $(cat "$work/err")"
python3 - "$work/json" << 'END' || check "$(cat "$work/out")"
import json, sys
said = json.load(open(sys.argv[1]))
assert said["world"] == "kernel" and said["machine"]["compiler"] != "unknown", said["machine"]
found = {(one["scheme"], one["mix"]): len(one["rounds"]) for one in said["records"]}
assert found.pop(("xarray", "floor")) == 0 and set(found.values()) == {2}, found
END
ends "the driver of the figures measures in the kernel"

for words in "keys=100000000 ops=1" "keys=1000 ops=1000000000" \
	"keys=1000 warm_up=1000000000 ops=1"; do
	echo "scheme=blink_tree mix=lookup $words" > $lab/point 2> "$work/err" &
	writer=$!
	soon 60 at_work "$(nproc)" || check "$(hands) threads"
	kill $writer
	wait $writer
	[ $? -eq 143 ] || check "$words: it came to an end by itself"
	soon 60 at_work 0 || check "$(hands) threads go on"
done
order scheme=blink_tree mix=lookup "$small"
answers "$(nproc)" $((200 * $(nproc)))
ends "a signal ends a point, and all threads"

keys 1 2 3 || check "keys: $(cat "$work/err")"
order scheme=blink_tree mix=lookup timed=1 "$small"
rmmod blink_tree_lab || check "it cannot be unloaded"
ends "the laboratory unloads"

all_good
