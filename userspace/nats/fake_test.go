// SPDX-License-Identifier: GPL-2.0

package main

import (
	"io/fs"
	"math"
	"math/rand"
	"reflect"
	"sort"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// memoryTree stands for a tree of the kernel in the tests that run without one: a map that
// counts what is written, and remembers its changes.
type memoryTree struct {
	mutex   sync.Mutex
	name    string
	entries map[uint64]uint64
	writes  int
	commits int
	refuses bool
	changes []change
	// ring is how many changes a feed can be behind.
	ring int
	// scanning is called by each scan.
	scanning func()
	// unnamed is whether the tree has lost its name, and heir the one that has it now.
	unnamed atomic.Bool
	heir    atomic.Pointer[memoryTree]
}

// memoryName is a tree that was opened by its name.
type memoryName struct{ *memoryTree }

func (n *memoryName) named() (bool, error) { return !n.unnamed.Load(), nil }

func (n *memoryName) reopen() error {
	heir := n.heir.Load()
	if heir == nil {
		return fs.ErrNotExist
	}
	n.memoryTree = heir
	return nil
}

func newTree(name string) *memoryTree {
	return &memoryTree{name: name, entries: map[uint64]uint64{}, ring: 1 << 20, scanning: func() {}}
}

func (t *memoryTree) identity() (string, error) { return t.name, nil }

// sorted returns all entries; the caller has the mutex.
func (t *memoryTree) sorted() []entry {
	all := make([]entry, 0, len(t.entries))
	for key, value := range t.entries {
		all = append(all, entry{key, value})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].key < all[j].key })
	return all
}

func (t *memoryTree) all() []entry {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.sorted()
}

func (t *memoryTree) scan(first, last uint64, most int) ([]entry, error) {
	t.scanning()
	var found []entry
	for _, e := range t.all() {
		if e.key >= first && e.key <= last && len(found) < most {
			found = append(found, e)
		}
	}
	return found, nil
}

func (t *memoryTree) store(entries []entry) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, e := range entries {
		t.entries[e.key] = e.value
		t.changes = append(t.changes, change{kind: changeStore, key: e.key, operand: e.value})
		t.writes++
	}
	return nil
}

func (t *memoryTree) erase(keys []uint64) error {
	for _, key := range keys {
		if err := t.eraseRange(key, key); err != nil {
			return err
		}
	}
	return nil
}

func (t *memoryTree) eraseRange(first, last uint64) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for key := range t.entries {
		if key >= first && key <= last {
			delete(t.entries, key)
			t.writes++
		}
	}
	t.changes = append(t.changes, change{kind: changeErase, key: first, operand: last})
	return nil
}

// commit makes changes as a tree of the kernel does, unless the tree has forgotten how.
func (t *memoryTree) commit(changes []change) (bool, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, c := range changes {
		if _, found := t.entries[c.key]; c.kind == changeErase && c.key == c.operand && !found {
			return false, nil
		}
	}
	if t.refuses {
		return false, nil
	}
	for i, c := range changes {
		for key := range t.entries {
			if c.kind == changeErase && key >= c.key && key <= c.operand {
				delete(t.entries, key)
			}
		}
		if c.kind == changeStore {
			t.entries[c.key] = c.operand
		}
		c.more = uint32(len(changes) - 1 - i)
		t.changes = append(t.changes, c)
	}
	t.commits++
	return true, nil
}

// written returns how many entries were written since the last call.
func (t *memoryTree) written() int {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	writes := t.writes
	t.writes = 0
	return writes
}

// memoryFeed is a feed of a memoryTree.
type memoryFeed struct {
	tree        *memoryTree
	first, last uint64
	base, next  uint64
}

func (t *memoryTree) watch(first, last uint64) (feed, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	base := uint64(len(t.changes))
	return &memoryFeed{tree: t, first: first, last: last, base: base, next: base}, nil
}

func (f *memoryFeed) read(changes []change) ([]change, error) {
	f.tree.mutex.Lock()
	defer f.tree.mutex.Unlock()
	if len(f.tree.changes)-int(f.next) > f.tree.ring {
		return changes, errOverrun
	}
	for int(f.next) < len(f.tree.changes) {
		// A watch has no changes beyond its range; here the copy leaves them out.
		c := f.tree.changes[f.next]
		if int(c.more) >= cap(changes)-len(changes) {
			break
		}
		changes = append(changes, c)
		f.next++
	}
	return changes, nil
}

func (f *memoryFeed) position() uint64 { return f.next - f.base }

func (f *memoryFeed) head() uint64 {
	f.tree.mutex.Lock()
	defer f.tree.mutex.Unlock()
	return uint64(len(f.tree.changes)) - f.base
}

func (f *memoryFeed) wait(limit time.Duration) error {
	for end := time.Now().Add(limit); time.Now().Before(end) && f.head() <= f.position(); {
		time.Sleep(time.Millisecond)
	}
	return nil
}

func (f *memoryFeed) close() {}

// change makes random changes among few keys.
func (t *memoryTree) change(random *rand.Rand, n int) {
	for ; n > 0; n-- {
		key := random.Uint64() % 5000
		switch random.Intn(22) {
		case 20:
			t.commit(gapOf(key, random.Uint64()))
		case 21:
			t.commit([]change{{kind: changeStore, key: key}, {kind: changeStore, key: key + 7}})
		case 0:
			t.eraseRange(key, key+random.Uint64()%50)
		case 1, 2, 3, 4, 5:
			t.eraseRange(key, key)
		default:
			t.store([]entry{{key, random.Uint64()}})
		}
	}
}

// gapOf is a commit that erases the keys between two others, and stores these.
func gapOf(key, value uint64) []change {
	return []change{
		{kind: changeStore, key: key, operand: value},
		{kind: changeErase, key: key + 1, operand: key + 29},
		{kind: changeStore, key: key + 30, operand: value},
	}
}

func expectEqual(t *testing.T, got, want []entry) {
	t.Helper()
	if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("%d entries that differ from %d", len(got), len(want))
	}
}

func within(entries []entry, first, last uint64) []entry {
	var found []entry
	for _, e := range entries {
		if e.key >= first && e.key <= last {
			found = append(found, e)
		}
	}
	return found
}

const everything = math.MaxUint64
