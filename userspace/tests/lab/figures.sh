#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Each figure of the papers natively, to its end, with a few keys; and how blink_lab ends
# when a signal comes, or when a point crashes. Prints TAP.
#
#   figures.sh BLINK_LAB
set -u
# shellcheck source=userspace/tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

lab=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# is_complete PLAN JSON NAME: the document has a record of each point of the plan, with a
# result, or a reason that is not a failure of the program.
is_complete() {
	python3 - "$@" << 'END'
import json, sys
plan, document, name = sys.argv[1:]
points = [dict(word.split("=", 1) for word in line.split()) for line in open(plan)]
document = json.load(open(document))
assert document["machine"]["cpus"] > 0 and document["world"] == "native"
assert not points or document["records"], "no records"
def key(record):
    return tuple(str(record[word]) for word in ("scheme", "mix", "threads", "batch", "node_bytes"))
found = {}
for record in document["records"]:
    found.setdefault(key(record), []).append(record)
for point in points:
    assert key(point) in found, f"no record of {point}"
for records in found.values():
    for record in records:
        assert record["figure"] == name
        assert record["failure"] or record["mops_median"] > 0, record
        assert len(record["rounds"]) == (0 if record["failure"] else 1), record
END
}

# reads FILE EXPRESSION: whether the expression is true of the document d.
reads() {
	python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$@"
}

figures=$("$lab" figures -j | python3 -c '
import json, sys
print(*[figure["name"] for figure in json.load(sys.stdin)])')
echo "TAP version 13"
# shellcheck disable=SC2086 # these are words
echo "1..$(($(echo $figures | wc -w) + 5))"

tiny="--keys 2000 --ops 500 --rounds 1"
for figure in $figures; do
	# shellcheck disable=SC2086 # these are words
	"$lab" figure "$figure" $tiny --json "$work/json" > "$work/out" 2> "$work/err" ||
		check "exit $?: $(cat "$work/err" "$work/out")"
	# shellcheck disable=SC2086 # these are words
	"$lab" figure "$figure" $tiny --plan > "$work/plan" || check "--plan: exit $?"
	is_complete "$work/plan" "$work/json" "$figure" 2> "$work/err" ||
		check "$(cat "$work/err")"
	ends "$figure"
done

"$lab" run --scheme olfit:no --mix spiderman-a -t 1,2 -b 1,8 -k 2000 -n 500 -r 1 \
	--json "$work/json" > "$work/out" || check "exit $?"
[ "$(grep -c 'not for these operations or threads' "$work/out")" -eq 3 ] ||
	check "$(cat "$work/out")"
reads "$work/json" '[r["failure"] is None for r in d["records"]] == [True] + 3 * [False]' ||
	check "$(cat "$work/json")"
ends "a scheme that is not made for a point is listed"

seq 1 3 1500 > "$work/keys"
"$lab" run --scheme rbtree --mix lookup --key-file "$work/keys" -k 500 -n 500 -r 2 \
	--timed --json "$work/json" > "$work/out" || check "exit $?"
reads "$work/json" '[(r["op"], r["count"], r["order"]) for r in d["records"]] == [
	("read", 2 * r["threads"] * 500, "file") for r in d["records"]]' ||
	check "$(cat "$work/json")"
ends "keys from a file, and the time of each operation"

"$lab" run --scheme rbtree --mix lookup --key-file "$work/none" > "$work/out" 2>&1
[ $? -eq 3 ] || check "no file of keys: $(cat "$work/out")"
grep -q "No such file" "$work/out" || check "no file of keys: $(cat "$work/out")"
printf '1\n2\n1\n' > "$work/keys"
"$lab" run --scheme rbtree --mix lookup --key-file "$work/keys" > "$work/out" 2>&1
[ $? -eq 2 ] || check "a key twice: $(cat "$work/out")"
grep -q "keys: a key is there twice" "$work/out" || check "a key twice: $(cat "$work/out")"
ends "files of keys that do not exist, or make no sense"

# A shell ignores SIGINT for what it starts in the background; the program does not.
"$lab" run --scheme rbtree --mix lookup -k 1000 -n 1000000000 -t 1 -r 2 \
	--json "$work/json" > "$work/out" &
pid=$!
sleep 0.5
kill -INT $pid
wait $pid
status=$?
[ $status -eq 130 ] || check "exit $status"
reads "$work/json" '[r["rounds"] for r in d["records"]] == [[]]' ||
	check "$(cat "$work/json")"
ends "a signal ends it, with the complete rounds"

"$lab" run --scheme rbtree --mix lookup -k 1000 -n 1000000000 -t 1 -r 2 \
	--json "$work/json" > "$work/out" &
pid=$!
child=
while [ -z "$child" ] && kill -0 $pid; do
	sleep 0.1
	child=$(grep -sl "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status | tr -dc 0-9)
done
kill -SEGV "$child"
wait $pid
status=$?
[ $status -eq 3 ] || check "exit $status"
grep -q "signal 11" "$work/out" || check "$(cat "$work/out")"
ends "a point that crashes is reported"

all_good
