// SPDX-License-Identifier: GPL-2.0

package main

import (
	"errors"
	"reflect"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

const ringSlots = 64

// madeRing is a ring whose records a test has made.
type madeRing struct {
	begin   ringBegin
	changes [ringSlots]ringChange
}

func (m *madeRing) put(op uint32, key, last, value uint64) { m.putOf(0, op, key, last, value) }

// putOf puts a record of a commit, of which more follow.
func (m *madeRing) putOf(more, op uint32, key, last, value uint64) {
	slot := &m.changes[m.begin.head%ringSlots]
	*slot = ringChange{op: op, more: more, key: key, last: last, value: value}
	atomic.StoreUint64(&slot.seq, 2*m.begin.head+2)
	atomic.AddUint64(&m.begin.head, 1)
}

func newRing() (*madeRing, *ring) {
	made := &madeRing{begin: ringBegin{slots: ringSlots}}
	made.begin.records = uint32(unsafe.Offsetof(made.changes))
	made.begin.recordSize = uint32(unsafe.Sizeof(ringChange{}))
	memory := unsafe.Slice((*byte)(unsafe.Pointer(made)), unsafe.Sizeof(*made))
	return made, &ring{memory: memory, begin: &made.begin}
}

// Records of the tree itself are no changes of a key, but for the end of its name.
func TestRecordsOfTheTreeItself(t *testing.T) {
	made, r := newRing()
	made.put(opInsert, 1, 1, 10)
	made.put(opTree+1, 0, 0, 4)
	made.put(opTree+2, 0, 0, 28)
	made.put(opTree+1000, 0, 0, 0)
	made.put(opEraseRange, 2, 5, 0)
	made.put(opUnlinked, 0, 0, 0)
	made.put(opInsert, 6, 6, 60)
	other := change{kind: changeNone}
	want := []change{
		{kind: changeStore, key: 1, operand: 10}, other, other, other,
		{kind: changeErase, key: 2, operand: 5},
	}
	got, err := r.read(make([]change, 0, 10))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v instead of %v: %v", got, want, err)
	}
	for i := 0; i < 2; i++ {
		if got, err = r.read(got[:0]); len(got) > 0 || !errors.Is(err, errNameLost) {
			t.Fatalf("%v: %v", got, err)
		}
	}
}

// A commit is read as a whole, by the next call if there is no room.
func TestCommitsAreReadAsAWhole(t *testing.T) {
	made, r := newRing()
	made.put(opInsert, 1, 1, 10)
	made.putOf(2, opUpdate, 2, 2, 20)
	made.putOf(1, opEraseRange, 3, 5, 0)
	made.putOf(0, opEraseKey, 6, 6, 0)
	first := change{kind: changeStore, key: 1, operand: 10}
	commit := []change{
		{kind: changeStore, key: 2, operand: 20, more: 2},
		{kind: changeErase, key: 3, operand: 5, more: 1},
		{kind: changeErase, key: 6, operand: 6},
	}
	for _, want := range [][]change{{first}, commit, nil} {
		got, err := r.read(make([]change, 0, 3))
		if err != nil || len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%v instead of %v: %v", got, want, err)
		}
	}
	r.next = 0
	if got, _ := r.read(make([]change, 0, 4)); len(got) != 4 {
		t.Fatalf("there was room for %v and more", got)
	}
}

// ringSource is a tree whose changes are those of a ring.
type ringSource struct {
	*memoryName
	ring *ring
}

// ringFeed is a ring that no kernel polls.
type ringFeed struct{ *ring }

func (s *ringSource) watch(first, last uint64) (feed, error) { return ringFeed{s.ring}, nil }

func (f ringFeed) close() {}

func (f ringFeed) wait(limit time.Duration) error {
	for end := time.Now().Add(limit); time.Now().Before(end) && f.head() <= f.position(); {
		time.Sleep(time.Millisecond)
	}
	return nil
}

// A follower goes on behind records that change no key, whether the scan or later messages have
// them.
func TestFollowerPassesRecordsOfTheTreeItself(t *testing.T) {
	p := newPair(t)
	made, r := newRing()
	publisher, follower := p.publisher(), p.follower()
	publisher.source = &ringSource{&memoryName{p.tree}, r}
	made.put(opTree+1, 0, 0, 4)
	defer start(t, publisher.run).stop()
	defer start(t, follower.run).stop()
	p.expectCopy()
	soon(t, "the follower is ready", func() bool { return follower.status().Ready })
	for key := uint64(10000); key < 10003; key++ {
		made.put(opTree+2, 0, 0, 28)
		made.put(opTree+1, 0, 0, 4)
		p.tree.store([]entry{{key, key}})
		made.put(opInsert, key, key, key)
		p.expectCopy()
	}
	made.put(opTree+1, 0, 0, 4)
	soon(t, "the last record is passed", func() bool {
		return publisher.status().Position == 11 && follower.status().Position == 11
	})
}
