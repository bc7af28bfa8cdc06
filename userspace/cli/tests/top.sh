#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The commands that watch all trees, in TAP. As root, module loaded.
#
#   top.sh BLINKTREE
set -u
# shellcheck source=userspace/cli/tests/expect.sh
. "$(dirname "$0")/expect.sh"

# More characters than a line of top has for a name.
tree=cli_top_$$_with_a_long_name

# metric NAME: its value of the tree
metric() {
	sed -n "s/^blink_tree_$1{tree=\"$tree\",id=\"[0-9]*\"} //p" "$work/out"
}

echo "TAP version 13"
echo "1..7"

expect 0 "" create "$tree"
seq 5000 | awk '{ print $1, $1 }' | "$blinktree" load "$tree" > /dev/null
"$blinktree" top -n 1 -i 1 > "$work/out" || check "top: $?"
head -n 1 "$work/out" | grep -q '^tree  *keys  *bytes  *read  *ins  *upd  *erase' || check "head"
grep -q "^$(printf %.20s "$tree")  *5\.00k " "$work/out" || check "$(cat "$work/out")"
awk 'length > 80 { exit 1 }' "$work/out" || check "a line is too long"
[ "$(grep -c '^tree' "$work/out")" -eq 1 ] || check "more samples"
ends "top shows each tree in a line of 80 characters"

{
	seq 10001 13000 | awk '{ print "put", $1, $1 }'
	seq 2001 2500 | awk '{ print "replace", $1, 7 }'
	seq 4001 6000 | awk '{ print "get", $1 }'
} > "$work/batch"
# sampled N: whether top has printed so many samples
sampled() {
	[ "$(wc -l < "$work/out")" -ge "$1" ]
}

# Other trees may come and go meanwhile, but this one stays.
: > "$work/out"
"$blinktree" top --interval 1 --numa --json > "$work/out" &
top=$!
soon 60 sampled 1 || check "no sample"
"$blinktree" erase-range "$tree" 1 1000 > /dev/null
"$blinktree" batch "$tree" "$work/batch" > /dev/null
soon 60 sampled $(($(wc -l < "$work/out") + 2)) || check "no more samples"
kill $top
wait $top 2> /dev/null
python3 - "$work/out" "$tree" << 'END_OF_PYTHON' || check "$(cat "$work/out")"
import json, sys
samples = [json.loads(line) for line in open(sys.argv[1]) if line.endswith("\n")]
mine = [[tree for tree in sample["trees"] if tree["tree"] == sys.argv[2]][0]
        for sample in samples]
seconds = [sample["seconds"] for sample in samples]
inserted = sum(tree["inserts"] * s for tree, s in zip(mine, seconds))
erased = sum(tree["erases"] * s for tree, s in zip(mine, seconds))
assert 2900 < inserted < 3100, inserted
assert 900 < erased < 1100, erased
read = sum(tree["reads"] * s for tree, s in zip(mine, seconds))
updated = sum(tree["updates"] * s for tree, s in zip(mine, seconds))
assert 1900 < read < 2100, read
assert 450 < updated < 550, updated
assert mine[-1]["entries"] == 7000, mine
assert all(sample["time"] > 1_000_000_000 for sample in samples)
for sample, tree in zip(samples, mine):
    nodes = sum(node["bytes"] for node in sample["memory"] if node["tree"] == sys.argv[2])
    assert 0 < nodes <= tree["bytes"], (nodes, tree)
END_OF_PYTHON
ends "top tells the changes between two samples, and memory by NUMA node"

# On which node the memory is depends on where the commands ran.
"$blinktree" top -n 1 -i 1 -N > "$work/out" || check "top: $?"
grep -q '^  NUMA node [0-9]*  *[0-9.]*k* bytes$' "$work/out" || check "$(cat "$work/out")"
expect 2 "" top --interval 0
expect 2 "" top --count x
expect 2 "" top "$tree"
"$blinktree" top -i 1 > /dev/full 2> "$work/err"
[ $? -eq 3 ] || check "a full device"
ends "options of top, and output that cannot be written"

# Writers meet in a leaf now and then, so there may be no leaf to show. Strings are the
# longest keys, and have bytes that a terminal would obey.
words=cli_top_$$_words
expect 0 "" create "$words" --key bytes
seq 400 | awk '{ printf "a\\x1b[2J\\x20\\x1b\\x1b\\x1b%0100d\t1\n", $1 }' > "$work/in"
"$blinktree" load "$words" "$work/in" > /dev/null || check "load: $?"
# The last keys only, again and again: their leaf is split until it has no more.
tail -n 10 "$work/in" > "$work/last"
awk '{ line[NR] = $0 } END { for (i = 0; i < 20000; i++) print line[i % NR + 1] }' \
	"$work/last" > "$work/again"
while "$blinktree" load --jobs 4 "$words" "$work/again"; do :; done > /dev/null 2>&1 &
"$blinktree" top -n 3 -i 1 --leaves 4 > "$work/out" || check "top: $?"
"$blinktree" top -n 3 -i 1 --leaves 4 --json > "$work/json" || check "top: $?"
"$blinktree" rm "$words"
wait
awk 'length > 80 { exit 1 }' "$work/out" || check "a line is too long"
LC_ALL=C grep -q '[^[:print:]]' "$work/out" && check "a control character"
grep '^  heat' "$work/out" | grep -Evq \
	'^  heat [ 0-9]{3}  keys [ 0-9]{3}  NUMA [0-9]+ +from (a\\x1b\[2J\\x20(\\x1b){3}[0-9]+\.\.\.|\\&)$' &&
	check "$(cat "$work/out")"
python3 - "$work/json" "$words" << 'END_OF_PYTHON' || check "$(cat "$work/json")"
import base64, json, sys
samples = list(map(json.loads, open(sys.argv[1])))
assert len(samples) == 3, samples
for sample in samples:
    leaves = [leaf for leaf in sample["leaves"] if leaf["tree"] == sys.argv[2]]
    assert len(leaves) <= 4, leaves
    heats = [leaf["heat"] for leaf in leaves]
    assert heats == sorted(heats, reverse=True), heats
    for leaf in leaves:
        assert 1 <= leaf["heat"] <= 255 and leaf["keys"] <= 400, leaf
        low = leaf["low"]
        low = base64.b64decode(low["base64"]) if isinstance(low, dict) else low.encode()
        assert len(low) == min(leaf["low_length"], 32), leaf
        assert low.startswith(b"a\x1b[2J ") or not low, leaf
    print("#", len(leaves), "leaves")
END_OF_PYTHON
expect 2 "" top --leaves 0
expect 2 "" top --leaves 65
ends "top shows the leaves that writers wait for"

# Someone without rights to the tree sees nothing of it.
chmod 666 /dev/blink_tree
nobody "$blinktree" top -n 1 -i 1 > "$work/out" ||
	check "top of others: $?"
nobody "$blinktree" metrics >> "$work/out" ||
	check "metrics of others: $?"
chmod 600 /dev/blink_tree
grep -q "$(printf %.20s "$tree")" "$work/out" && check "a tree that may not be read"
ends "trees that the caller may not read are left out"

"$blinktree" metrics > "$work/out" || check "metrics: $?"
[ "$(metric entries)" = 7000 ] || check "entries: $(metric entries)"
[ "$(metric inserts_total)" = 8000 ] || check "inserts: $(metric inserts_total)"
[ "$(metric erases_total)" = 1000 ] || check "erases: $(metric erases_total)"
[ "$(metric reads_total)" = 2000 ] || check "reads: $(metric reads_total)"
[ "$(metric updates_total)" = 500 ] || check "updates: $(metric updates_total)"
grep -q "^blink_tree_node_bytes{tree=\"$tree\",id=\"[0-9]*\",level=\"0\",numa_node=\"[0-9]*\"} [1-9]" \
	"$work/out" || check "$(cat "$work/out")"
expect 2 "" metrics --json
ends "metrics are the statistics"

"$blinktree" metrics > "$work/out"
python3 - "$work/out" "$tree" << 'END_OF_PYTHON' || check "$(cat "$work/out")"
import re, sys
line = re.compile(r'([a-z_]+)\{tree="([^"\\\n]+)"(,[a-z_]+="[0-9]+")+\} [0-9]+\n')
names, declared = set(), set()
for text in open(sys.argv[1]):
    if text.startswith("# TYPE "):
        name, kind = text.split()[2:]
        assert name not in declared, text
        assert name.endswith("_total") == (kind == "counter"), text
        declared.add(name)
    elif not text.startswith("# HELP "):
        match = line.fullmatch(text)
        assert match and match[1] in declared, text
        names.add(match[2])
assert sys.argv[2] in names, names
END_OF_PYTHON
ends "metrics have the format of Prometheus"
all_good
