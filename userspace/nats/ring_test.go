// SPDX-License-Identifier: GPL-2.0

package main

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"
)

const ringSlots = 64

// madeRing is a ring whose records a test has made.
type madeRing struct {
	begin   ringBegin
	changes [ringSlots]ringChange
}

func (m *madeRing) put(op uint32, key, last, value uint64) {
	m.changes[m.begin.head%ringSlots] = ringChange{
		seq: 2*m.begin.head + 2, op: op, key: key, last: last, value: value,
	}
	m.begin.head++
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
	want := []change{{changeStore, 1, 10}, {changeErase, 2, 5}}
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

// Without changes of a key the position goes on, too.
func TestRecordsOfTheTreeAlone(t *testing.T) {
	made, r := newRing()
	for i := 0; i < 3; i++ {
		made.put(opTree+1, 0, 0, 4)
	}
	got, err := r.read(make([]change, 0, 10))
	if err != nil || len(got) > 0 || r.position() != 3 {
		t.Fatalf("%v up to %d: %v", got, r.position(), err)
	}
}
