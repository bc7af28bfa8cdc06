// SPDX-License-Identifier: GPL-2.0

package main

import (
	"math/rand"
	"reflect"
	"testing"
)

// randomTree has n entries, whose keys are among the numbers below most.
func randomTree(random *rand.Rand, n int, most uint64) *memoryTree {
	tree := newTree("random")
	for ; n > 0; n-- {
		tree.store([]entry{{random.Uint64() % most, random.Uint64() % 3}})
	}
	tree.written()
	return tree
}

func TestMergeMakesARangeEqual(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for round := 0; round < 300; round++ {
		own, other := randomTree(random, 1200, 3000), randomTree(random, 300, 3000)
		first := random.Uint64() % 3000
		last := first + random.Uint64()%3000
		before := own.all()
		wanted := within(other.all(), first, last)
		must(t, merge(own, wanted, first, last))
		expectEqual(t, within(own.all(), first, last), wanted)
		expectEqual(t, within(own.all(), last+1, everything), within(before, last+1, everything))
		if first > 0 {
			expectEqual(t, within(own.all(), 0, first-1), within(before, 0, first-1))
		}
	}
}

func TestMergeAtTheEnds(t *testing.T) {
	tree := newTree("ends")
	ends := []entry{{0, 1}, {everything, 2}}
	for _, wanted := range [][]entry{ends, nil, ends} {
		must(t, merge(tree, wanted, 0, everything))
		expectEqual(t, tree.all(), wanted)
	}
}

func TestMergeWritesOnlyWhatDiffers(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	tree := randomTree(random, 2000, 1<<40)
	wanted := tree.all()
	wanted[7].value++
	wanted = append(wanted[:100], wanted[101:]...)
	must(t, merge(tree, wanted, 0, everything))
	expectEqual(t, tree.all(), wanted)
	if writes := tree.written(); writes != 2 {
		t.Fatalf("%d writes instead of 2", writes)
	}
}

func TestApplyIsInOrder(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	for round := 0; round < 100; round++ {
		tree, copied := randomTree(random, 200, 5000), newTree("copy")
		first := 1 + random.Uint64()%2000
		last := first + random.Uint64()%3000
		outside := []entry{{first - 1, 4}, {last + 1, 5}}
		copied.store(append(within(tree.all(), first, last), outside...))
		begin := len(tree.changes)
		tree.change(random, 300)
		copied.refuses = round%2 == 1
		must(t, apply(copied, tree.changes[begin:], first, last))
		expectEqual(t, within(copied.all(), first, last), within(tree.all(), first, last))
		expectEqual(t, append(within(copied.all(), 0, first-1),
			within(copied.all(), last+1, everything)...), outside)
	}
}

// Changes of a commit are made by one, if the keys that it erases are there.
func TestApplyCommits(t *testing.T) {
	tree := newTree("copy")
	tree.store([]entry{{5, 50}, {20, 200}, {40, 400}})
	begin := len(tree.changes)
	must(t, apply(tree, []change{
		{kind: changeStore, key: 40, operand: 1, more: 2},
		{kind: changeErase, key: 10, operand: 30, more: 1},
		{kind: changeErase, key: 5, operand: 5},
		{kind: changeStore, key: 6, operand: 60},
		{kind: changeStore, key: 1000, operand: 1, more: 1},
		{kind: changeStore, key: 7, operand: 70},
	}, 0, 100))
	expectEqual(t, tree.all(), []entry{{6, 60}, {7, 70}, {40, 1}})
	if tree.commits != 1 || tree.changes[begin].more != 2 {
		t.Fatalf("%d commits: %v", tree.commits, tree.changes[begin:])
	}
	again := []change{{kind: changeErase, key: 5, operand: 5, more: 1}, {kind: changeStore, key: 40, operand: 2}}
	must(t, apply(tree, again, 0, 100))
	expectEqual(t, tree.all(), []entry{{6, 60}, {7, 70}, {40, 2}})
	if tree.commits != 1 {
		t.Fatal("a key that is absent was erased by a commit")
	}
}

// A commit that only clears a gap is one change, and so is a range of which a tree erases one
// leaf after the other.
func TestApplyCommitsAGapAlone(t *testing.T) {
	gap := []change{{kind: changeErase, key: 10, operand: 30}}
	for _, refuses := range []bool{false, true} {
		tree := newTree("copy")
		tree.store([]entry{{5, 50}, {20, 200}, {30, 300}, {40, 400}})
		tree.refuses = refuses
		must(t, apply(tree, gap, 0, 100))
		expectEqual(t, tree.all(), []entry{{5, 50}, {40, 400}})
		if !refuses && tree.commits != 1 {
			t.Fatalf("%d commits instead of one", tree.commits)
		}
	}
}

func TestCommitsOfTheDevice(t *testing.T) {
	ops := commitOf(gapOf(7, 70))
	want := []ioctlOp{
		{opcode: opStore, flags: commitClear, key: 7, value: 70},
		{opcode: opStore, key: 37, value: 70},
	}
	if !reflect.DeepEqual(ops, want) {
		t.Fatalf("%v instead of %v", ops, want)
	}
	ops = commitOf([]change{
		{kind: changeErase, key: 2, operand: 4, more: 1}, {kind: changeErase, key: 9, operand: 9},
	})
	want = []ioctlOp{
		{opcode: opLookup, flags: commitClear, key: 1}, {opcode: opLookup, key: 5},
		{opcode: opErase, key: 9},
	}
	if !reflect.DeepEqual(ops, want) {
		t.Fatalf("%v instead of %v", ops, want)
	}
	for _, c := range []change{{operand: 5}, {key: 5, operand: everything}} {
		if c.kind = changeErase; len(commitOf([]change{c})) > 0 {
			t.Fatalf("%v is between no keys", c)
		}
	}
	within := []change{{kind: changeErase, key: 3, operand: 9}, {kind: changeStore, key: 9, operand: 9}}
	if ops = commitOf(within); len(ops) > 0 {
		t.Fatalf("%v is not in the order of its keys", ops)
	}
}
