// SPDX-License-Identifier: GPL-2.0

package main

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"
)

// A step is one operation of a test's history: when, by whom, what.
type step struct {
	start, end int64
	client     uint32
	asked      operation
	result     int32
	key        uint64
	value, old uint64
	batch      uint32
	place      uint32
	entries    []entry
}

const absent, present, other = resultAbsent, resultPresent, resultOther

func insert(start, end int64, client uint32, key, value uint64) step {
	return step{start: start, end: end, client: client,
		asked: operation{opcode: opInsert, key: key, value: value}}
}

func lookup(start, end int64, client uint32, key uint64, result int32, value uint64) step {
	return step{start: start, end: end, client: client, result: result, value: value,
		asked: operation{opcode: opLookup, key: key}}
}

func erase(start, end int64, client uint32, key uint64, result int32, old uint64) step {
	return step{start: start, end: end, client: client, result: result, old: old,
		asked: operation{opcode: opErase, key: key}}
}

func floor(start, end int64, client uint32, key uint64, result int32, found, value uint64) step {
	return step{start: start, end: end, client: client, result: result, key: found,
		value: value, asked: operation{opcode: opFloor, key: key}}
}

func ceiling(start, end int64, client uint32, key uint64, result int32, found, value uint64) step {
	s := floor(start, end, client, key, result, found, value)
	s.asked.opcode = opCeiling
	return s
}

func pop(start, end int64, client uint32, opcode uint16, key uint64, result int32,
	found, old uint64) step {
	return step{start: start, end: end, client: client, result: result, key: found,
		old: old, asked: operation{opcode: opcode, key: key}}
}

func scan(start, end int64, client uint32, first, last uint64, entries ...entry) step {
	return step{start: start, end: end, client: client, entries: entries,
		asked: operation{opcode: opScan, key: first, value: last}}
}

func with(s step, opcode uint16, expected uint64, result int32, old uint64) step {
	s.asked.opcode, s.asked.old, s.result, s.old = opcode, expected, result, old
	return s
}

func inBatch(s step, place uint32) step {
	s.batch, s.place = 1, place
	return s
}

// commitOf makes operations a commit: the flags are of its first one.
func commitOf(batch uint32, flags uint16, steps ...step) []step {
	for i := range steps {
		steps[i].batch, steps[i].place = batch, uint32(i)
		steps[i].asked.flags |= inCommit
	}
	steps[0].asked.flags |= flags
	return steps
}

func canceled(s step) step {
	s.result = resultCanceled
	return s
}

func store(start, end int64, client uint32, key, value uint64, result int32, old uint64) step {
	return with(insert(start, end, client, key, value), opStore, 0, result, old)
}

func all(lists ...[]step) (steps []step) {
	for _, list := range lists {
		steps = append(steps, list...)
	}
	return steps
}

// The answer has the key that was asked for, unless it is another one's.
func (s step) record() record {
	got := s.asked
	got.result, got.value, got.old = s.result, s.value, s.old
	if got.isNearest() && s.result == 0 {
		got.key = s.key
	}
	return record{start: s.start, end: s.end, asked: s.asked, got: got,
		client: s.client, batch: s.batch, place: s.place, entries: s.entries}
}

// Keys are 100, 110, and so on.
func makeRound(steps []step) *round {
	r := &round{clients: 4, base: 100, step: 10, keys: 8, mode: "test"}
	for _, s := range steps {
		r.records = append(r.records, s.record())
	}
	return r
}

var right = map[string][]step{
	"nothing": {},
	"one after the other": {
		insert(0, 1, 0, 100, 7), lookup(2, 3, 1, 100, 0, 7),
		with(insert(4, 5, 0, 100, 8), opInsert, 0, present, 7),
		with(insert(6, 7, 0, 100, 9), opStore, 0, 1, 7),
		with(insert(8, 9, 1, 100, 10), opReplace, 0, 0, 9),
		with(insert(10, 11, 1, 100, 11), opCmpxchg, 10, 0, 10),
		with(insert(12, 13, 1, 100, 12), opCmpxchg, 10, other, 11),
		erase(14, 15, 2, 100, 0, 11), erase(16, 17, 2, 100, absent, 0),
		with(insert(18, 19, 1, 100, 13), opReplace, 0, absent, 0),
		with(insert(20, 21, 1, 100, 13), opStore, 0, 0, 0),
		with(insert(22, 23, 1, 100, 0), opCmperase, 10, other, 13),
		with(insert(24, 25, 1, 100, 0), opCmperase, 13, 0, 13),
		with(insert(26, 27, 1, 100, 0), opCmperase, 13, absent, 13),
	},
	"a lookup during an insert may find it": {
		insert(0, 9, 0, 100, 7), lookup(1, 2, 1, 100, absent, 0),
		lookup(3, 4, 1, 100, 0, 7),
	},
	"a floor during an insert may find it": {
		insert(0, 1, 0, 100, 7), insert(2, 9, 0, 120, 8),
		floor(3, 4, 1, 130, 0, 100, 7), floor(5, 6, 1, 130, 0, 120, 8),
	},
	"nothing below, nothing above": {
		insert(0, 1, 0, 120, 7), floor(2, 3, 1, 119, absent, 0, 0),
		ceiling(2, 3, 1, 121, absent, 0, 0), ceiling(4, 5, 1, 111, 0, 120, 7),
	},
	"pops in order": {
		insert(0, 1, 0, 100, 7), insert(0, 1, 1, 120, 8), insert(0, 1, 2, 130, 9),
		pop(2, 3, 0, opPopMin, 101, 0, 120, 8), pop(4, 5, 0, opPopMax, 125, 0, 100, 7),
		pop(6, 7, 0, opPopMax, 125, absent, 0, 0), pop(8, 9, 0, opPopMin, 0, 0, 130, 9),
	},
	"a pop during an insert may miss it": {
		insert(0, 9, 0, 100, 7), insert(0, 1, 1, 120, 8),
		pop(2, 3, 2, opPopMin, 100, 0, 120, 8), pop(4, 5, 2, opPopMin, 100, 0, 100, 7),
	},
	"get or insert": {
		with(insert(0, 1, 0, 100, 7), opGetOrInsert, 0, 0, 0),
		with(insert(2, 3, 0, 100, 8), opGetOrInsert, 0, 1, 7),
		lookup(4, 5, 1, 100, 0, 7),
	},
	"two adds to a new key": {
		with(insert(0, 5, 0, 100, 7), opAdd, 0, 1, 8),
		with(insert(1, 4, 1, 100, 8), opAdd, 0, 0, 0),
		lookup(6, 7, 1, 100, 0, 15),
	},
	"a scan may see a part": {
		insert(0, 9, 0, 100, 7), insert(1, 9, 1, 110, 8),
		scan(2, 3, 2, 100, 120, entry{110, 8}),
	},
	"lookups of a batch in any order": {
		insert(2, 3, 0, 100, 7), inBatch(lookup(0, 9, 1, 100, 0, 7), 0),
		inBatch(lookup(0, 9, 1, 100, absent, 0), 1),
	},
	"a floor of a batch in its turn": {
		inBatch(insert(0, 9, 0, 100, 7), 0), inBatch(floor(0, 9, 0, 130, 0, 100, 7), 1),
		inBatch(erase(0, 9, 0, 100, 0, 7), 2), lookup(0, 9, 1, 100, absent, 0),
	},
	"a commit that is seen as a whole": all(
		commitOf(1, 0, store(0, 9, 0, 100, 7, 0, 0), store(0, 9, 0, 170, 7, 0, 0)),
		commitOf(1, 0, lookup(1, 2, 1, 170, absent, 0), lookup(1, 2, 1, 100, absent, 0)),
		commitOf(2, 0, lookup(3, 4, 1, 170, 0, 7), lookup(3, 4, 1, 100, 0, 7)),
		[]step{lookup(5, 6, 1, 170, 0, 7)},
	),
	"a commit that finds what it changes": all(
		[]step{insert(0, 1, 0, 100, 7)},
		commitOf(1, 0, store(2, 3, 0, 100, 8, 1, 7),
			with(insert(2, 3, 0, 100, 0), opExpect, 7, 0, 7),
			with(insert(2, 3, 0, 120, 0), opAbsent, 0, 0, 0)),
		[]step{lookup(4, 5, 0, 100, 0, 8)},
	),
	"a commit that failed changes nothing": all(
		[]step{insert(0, 1, 0, 100, 7)},
		commitOf(1, 0, canceled(store(2, 3, 0, 120, 8, 0, 0)),
			with(insert(2, 3, 0, 100, 0), opExpect, 8, other, 7),
			canceled(store(2, 3, 0, 100, 9, 0, 0))),
		[]step{lookup(4, 5, 0, 100, 0, 7), lookup(4, 5, 1, 120, absent, 0)},
	),
	"gaps of commits": all(
		[]step{insert(0, 1, 0, 110, 7), insert(0, 1, 1, 120, 7)},
		commitOf(1, gapEmpty, lookup(2, 3, 0, 100, resultNotEmpty, 0),
			canceled(lookup(2, 3, 0, 130, 0, 0))),
		commitOf(2, gapEmpty, lookup(4, 5, 0, 120, 0, 7), lookup(4, 5, 0, 170, absent, 0)),
		commitOf(3, gapClear, lookup(6, 7, 0, 100, absent, 0), erase(6, 7, 0, 120, 0, 7)),
		commitOf(4, gapEmpty, lookup(8, 9, 0, 100, absent, 0), lookup(8, 9, 0, 130, absent, 0)),
	),
	"a batch in its order": {
		inBatch(insert(0, 9, 0, 100, 7), 0),
		inBatch(erase(0, 9, 0, 100, 0, 7), 1),
		inBatch(with(insert(0, 9, 0, 100, 8), opStore, 0, 0, 0), 2),
		lookup(10, 11, 1, 100, 0, 8),
	},
}

var wrong = map[string][]step{
	"a lost insert":     {insert(0, 1, 0, 100, 7), lookup(2, 3, 1, 100, absent, 0)},
	"an old value":      {insert(0, 1, 0, 100, 7), with(insert(2, 3, 0, 100, 8), opStore, 0, 1, 7), lookup(4, 5, 1, 100, 0, 7)},
	"a value of nobody": {insert(0, 1, 0, 100, 7), lookup(2, 3, 1, 100, 0, 8)},
	"two inserts of one key": {
		insert(0, 9, 0, 100, 7), insert(0, 9, 1, 100, 8),
	},
	"one key erased twice": {
		insert(0, 1, 0, 100, 7), erase(2, 9, 0, 100, 0, 7), erase(2, 9, 1, 100, 0, 7),
	},
	"back and forth": {
		insert(0, 9, 0, 100, 7), lookup(1, 2, 1, 100, 0, 7),
		lookup(3, 4, 2, 100, absent, 0),
	},
	"a wrong former value": {
		insert(0, 1, 0, 100, 7), erase(2, 3, 0, 100, 0, 8),
	},
	"an exchange that did not compare": {
		insert(0, 1, 0, 100, 7),
		with(insert(2, 3, 1, 100, 8), opCmpxchg, 6, 0, 6),
	},
	"an erasure that did not compare": {
		insert(0, 1, 0, 100, 7),
		with(insert(2, 3, 1, 100, 0), opCmperase, 6, 0, 7),
	},
	"an erasure that failed for nothing": {
		insert(0, 1, 0, 100, 7),
		with(insert(2, 3, 1, 100, 0), opCmperase, 7, other, 7),
	},
	"an exchange that failed for nothing": {
		insert(0, 1, 0, 100, 7),
		with(insert(2, 3, 1, 100, 8), opCmpxchg, 7, other, 7),
	},
	"an error that cannot be": {with(insert(0, 1, 0, 100, 7), opInsert, 0, -12, 0)},
	"a floor that passed over a key": {
		insert(0, 1, 0, 100, 7), insert(2, 3, 0, 120, 8),
		floor(4, 5, 1, 130, 0, 100, 7),
	},
	// At no moment were both as they are said to have been.
	"a floor of two moments": {
		insert(0, 1, 0, 110, 7), insert(2, 3, 0, 100, 8),
		erase(10, 11, 0, 100, 0, 8), erase(20, 21, 0, 110, 0, 7),
		floor(4, 30, 1, 130, 0, 100, 8),
	},
	"a floor that found nothing": {
		insert(0, 1, 0, 100, 7), floor(2, 3, 1, 130, absent, 0, 0),
	},
	"a ceiling that passed over a key": {
		insert(0, 1, 0, 140, 7), insert(2, 3, 0, 120, 8),
		ceiling(4, 5, 1, 101, 0, 140, 7),
	},
	"a ceiling below":              {insert(0, 1, 0, 100, 7), ceiling(2, 3, 0, 120, 0, 100, 7)},
	"a floor of a key never there": {floor(0, 1, 0, 130, 0, 105, 7)},
	"a scan that missed a key": {
		insert(0, 1, 0, 100, 7), insert(0, 1, 1, 110, 8),
		scan(2, 3, 2, 100, 120, entry{110, 8}),
	},
	"a scan with a key that was gone": {
		insert(0, 1, 0, 100, 7), erase(2, 3, 0, 100, 0, 7),
		scan(4, 5, 2, 100, 120, entry{100, 7}),
	},
	"a scan with an old value": {
		insert(0, 1, 0, 100, 7), with(insert(2, 3, 0, 100, 8), opStore, 0, 1, 7),
		scan(4, 5, 2, 100, 120, entry{100, 7}),
	},
	"a pop that passed over a key": {
		insert(0, 1, 0, 100, 7), insert(0, 1, 1, 120, 8),
		pop(2, 3, 2, opPopMin, 100, 0, 120, 8),
	},
	"a pop that came too late for its key": {
		insert(0, 1, 0, 120, 7), insert(2, 3, 0, 110, 8), lookup(4, 5, 0, 120, 0, 7),
		pop(0, 9, 2, opPopMin, 100, 0, 120, 7),
	},
	"a key that was popped twice": {
		insert(0, 1, 0, 100, 7), pop(2, 5, 1, opPopMin, 100, 0, 100, 7),
		pop(2, 5, 2, opPopMax, 100, 0, 100, 7),
	},
	"a pop that found nothing": {
		insert(0, 1, 0, 100, 7), pop(2, 3, 2, opPopMax, 100, absent, 0, 0),
	},
	"a get or insert with a value of its own": {
		insert(0, 1, 0, 100, 7), with(insert(2, 3, 0, 100, 8), opGetOrInsert, 0, 1, 8),
	},
	"an add that is lost": {
		insert(0, 1, 0, 100, 7), with(insert(2, 5, 0, 100, 8), opAdd, 0, 1, 7),
		with(insert(2, 5, 1, 100, 9), opAdd, 0, 1, 7),
	},
	"a scan out of order": {
		insert(0, 1, 0, 100, 7), insert(0, 1, 1, 110, 8),
		scan(2, 3, 2, 100, 120, entry{110, 8}, entry{100, 7}),
	},
	"a scan with a key twice": {
		insert(0, 1, 0, 100, 7), scan(2, 3, 2, 100, 120, entry{100, 7}, entry{100, 7}),
	},
	"a scan beyond its range": {
		insert(0, 1, 0, 130, 7), scan(2, 3, 2, 100, 120, entry{130, 7}),
	},
	"a floor before its turn": {
		inBatch(insert(0, 9, 0, 100, 7), 0),
		inBatch(floor(0, 9, 0, 130, absent, 0, 0), 1),
	},
	"a floor after its turn": {
		inBatch(floor(0, 9, 0, 130, 0, 100, 7), 0),
		inBatch(insert(0, 9, 0, 100, 7), 1),
	},
	// Each key by itself is as it should be.
	"a commit of which a part is seen": all(
		commitOf(1, 0, store(0, 9, 0, 100, 7, 0, 0), store(0, 9, 0, 170, 7, 0, 0)),
		commitOf(1, 0, lookup(1, 2, 1, 170, 0, 7), lookup(1, 2, 1, 100, absent, 0)),
	),
	"a commit that is seen from one end": all(
		commitOf(1, 0, store(0, 9, 0, 100, 7, 0, 0), store(0, 9, 0, 170, 7, 0, 0)),
		[]step{lookup(1, 2, 1, 170, 0, 7), lookup(3, 4, 1, 100, absent, 0)},
	),
	"two commits crosswise": all(
		commitOf(1, 0, store(0, 9, 0, 100, 7, 0, 0), store(0, 9, 0, 170, 7, 1, 8)),
		commitOf(1, 0, store(0, 9, 1, 170, 8, 0, 0), store(0, 9, 1, 100, 8, 1, 7)),
	),
	"commits of one value each": all(
		commitOf(1, 0, store(0, 9, 0, 100, 7, 0, 0), lookup(0, 9, 0, 170, absent, 0)),
		commitOf(1, 0, store(0, 9, 1, 170, 8, 0, 0), lookup(0, 9, 1, 100, absent, 0)),
	),
	"a commit that took effect in part": all(
		[]step{insert(0, 1, 0, 100, 7)},
		commitOf(1, 0, store(2, 3, 0, 120, 8, 0, 0),
			with(insert(2, 3, 0, 100, 0), opExpect, 8, other, 7)),
	),
	"a commit that failed and changed": all(
		[]step{insert(0, 1, 0, 100, 7)},
		commitOf(1, 0, canceled(store(2, 3, 0, 120, 8, 0, 0)),
			with(insert(2, 3, 0, 100, 0), opExpect, 8, other, 7)),
		[]step{lookup(4, 5, 0, 120, 0, 8)},
	),
	"a condition that was not the first": all(
		commitOf(1, 0, canceled(erase(2, 3, 0, 120, 0, 0)),
			with(insert(2, 3, 0, 100, 8), opReplace, 0, absent, 0)),
	),
	"a commit that failed for nothing": all(
		[]step{insert(0, 1, 0, 100, 7)},
		commitOf(1, 0, with(insert(2, 3, 0, 100, 0), opExpect, 7, other, 7),
			canceled(store(2, 3, 0, 120, 8, 0, 0))),
	),
	"a gap that was not empty": all(
		[]step{insert(0, 1, 0, 110, 7)},
		commitOf(1, gapEmpty, lookup(2, 3, 0, 100, absent, 0), lookup(2, 3, 0, 120, absent, 0)),
	),
	"a gap that was empty": all(
		[]step{insert(0, 1, 0, 140, 7)},
		commitOf(1, gapEmpty, lookup(2, 3, 0, 100, resultNotEmpty, 0),
			canceled(lookup(2, 3, 0, 120, 0, 0))),
	),
	"a gap that was not cleared": all(
		[]step{insert(0, 1, 0, 110, 7)},
		commitOf(1, gapClear, lookup(2, 3, 0, 100, absent, 0), lookup(2, 3, 0, 120, absent, 0)),
		[]step{lookup(4, 5, 0, 110, 0, 7)},
	),
	"a gap that is seen in part": all(
		[]step{insert(0, 1, 0, 110, 7), insert(0, 1, 1, 120, 7)},
		commitOf(1, gapClear, lookup(2, 9, 0, 100, absent, 0), lookup(2, 9, 0, 130, absent, 0)),
		[]step{lookup(3, 4, 1, 110, absent, 0), lookup(5, 6, 1, 120, 0, 7)},
	),
	"a batch out of order": {
		inBatch(insert(0, 9, 0, 100, 7), 0),
		inBatch(erase(0, 9, 0, 100, absent, 0), 1),
	},
}

func TestRight(t *testing.T) {
	for name, steps := range right {
		if _, found := check(makeRound(steps), time.Minute); found != nil {
			t.Errorf("%s: rejected: %s", name,
				describe(makeRound(steps), found))
		}
	}
}

func TestWrong(t *testing.T) {
	for name, steps := range wrong {
		r := makeRound(steps)
		_, found := check(r, time.Minute)
		if found == nil {
			t.Errorf("%s: accepted", name)
		} else if text := describe(r, found); !strings.Contains(text, ">") {
			t.Errorf("%s: the report marks nothing: %s", name, text)
		}
	}
}

// Only the key at fault is told of, and only the keys passed over.
func TestSmallest(t *testing.T) {
	steps := append([]step{insert(0, 1, 2, 170, 9), lookup(2, 3, 3, 170, 0, 9)},
		wrong["a floor that passed over a key"]...)
	_, found := check(makeRound(steps), time.Minute)
	if found == nil || len(found.events) != 3 {
		t.Errorf("not the smallest: %v", found)
	}
}

// Two lookups are in their order only where that is demanded.
func TestLookupsInOrder(t *testing.T) {
	defer func(before bool) { *lookupsInOrder = before }(*lookupsInOrder)
	*lookupsInOrder = true
	r := makeRound(right["lookups of a batch in any order"])
	if _, found := check(r, time.Minute); found == nil {
		t.Error("lookups out of order are accepted")
	}
}

// A scan of one leaf is of one moment: there was always one of two keys.
func TestAtOnce(t *testing.T) {
	steps := []step{
		insert(0, 1, 0, 100, 7), insert(3, 4, 0, 110, 8), erase(5, 6, 0, 100, 0, 7),
		scan(2, 9, 1, 100, 120),
	}
	for _, oneLeaf := range []bool{false, true} {
		r := makeRound(steps)
		r.oneLeaf = oneLeaf
		r.records[3].asked.old = oneCall
		if _, found := check(r, time.Minute); (found != nil) != oneLeaf {
			t.Errorf("one leaf %v: found %v", oneLeaf, found)
		}
	}
}

// A load does not tell what is there, only that something is.
func TestUntold(t *testing.T) {
	for _, there := range []bool{false, true} {
		steps := []step{with(insert(2, 3, 1, 100, 8), opInsert, untold, present, 0)}
		if there {
			steps = append(steps, insert(0, 1, 0, 100, 7))
		}
		if _, found := check(makeRound(steps), time.Minute); (found == nil) != there {
			t.Errorf("a key is there %v: found %v", there, found)
		}
	}
}

// What a recorder wrote is read as it was; what is cut off is no history.
func TestRead(t *testing.T) {
	var raw bytes.Buffer
	put := func(values ...interface{}) {
		for _, value := range values {
			binary.Write(&raw, binary.LittleEndian, value)
		}
	}
	put(uint32(magic), uint32(2), uint32(1), uint32(1), uint64(5), uint64(6))
	put(uint64(100), uint64(10), uint32(8), uint32(1), [16]byte{'f', 'u', 'l', 'l'})
	put(uint32(1), uint32(0))
	put(int64(1), int64(2))
	put(uint16(opScan), uint16(0), int32(0), uint64(100), uint64(120), uint64(0))
	put(uint16(opScan), uint16(0), int32(0), uint64(100), uint64(120), uint64(0))
	put(uint32(1), uint32(0), uint32(0), uint32(1), uint64(110), uint64(7))
	whole := raw.Bytes()
	r, err := readRound(bytes.NewReader(whole))
	if err != nil || r.mode != "full" || r.seed != 5 || r.number != 6 || r.nearest != 1 || !r.oneLeaf ||
		len(r.records) != 1 || r.records[0].client != 1 || r.records[0].end != 2 ||
		len(r.records[0].entries) != 1 || r.records[0].entries[0] != (entry{110, 7}) ||
		r.records[0].asked.value != 120 || r.records[0].got.opcode != opScan {
		t.Errorf("read %v, %v", r, err)
	}
	for cut := 1; cut < len(whole); cut++ {
		if _, err := readRound(bytes.NewReader(whole[:cut])); err == nil {
			t.Errorf("%d bytes are a history", cut)
		}
	}
}
